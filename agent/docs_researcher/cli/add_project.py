"""`docs-research add --project`: the documentation of everything that a project depends on directly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.cli.failures import code_of_many
from docs_researcher.cli.output import Output, counted, one_line
from docs_researcher.core.errors import UsageError

if TYPE_CHECKING:
    from docs_researcher.docsets.acquiring.project import Outcome

_HOLDS = {"": "", "reference": ", README and declarations", "readme": ", README", "examples": ", README and examples"}


def add_project_here(output: Output, folder: Path | None, *, offline: bool) -> int:
    """Add what the project around a folder (else the current one) depends on, a line a dependency. Returns the exit code.

    It is 0 when each has been dealt with, 4 when some could not be fetched, 1 when none could.

    Raises:
        UsageError: there is no project, or it names no package.
    """
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.acquiring.project import add_project, direct_packages
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.library.projects.read import find_project

    start = folder or Path.cwd()
    if not start.is_dir():
        raise UsageError(f"{start} is no folder", next_step="Give --project-dir a folder of your project.")
    project = find_project(start.absolute())
    if project is None:
        raise UsageError(
            f"There is no project in {start.absolute()}",
            why="neither it nor a folder above it in its repository holds a manifest or a lock file",
            next_step="Run it in your project's folder, or name that with --project-dir.",
        )
    for notice in project.notices:
        output.note(notice)
    total = len(direct_packages(project))
    outcomes: list[Outcome] = []
    with Narrator(output) as narrator:
        for outcome in add_project(project, Store(), Catalogue.load(), narrator.notices_only, offline=offline):
            outcomes.append(outcome)
            narrator.pause()
            if not output.json:
                output.text(_line(outcome))
            narrator.count("dependencies", len(outcomes), total)
    counts = Counter(outcome.became for outcome in outcomes)
    if output.json:
        output.value([_facts(outcome) for outcome in sorted(outcomes, key=lambda item: item.package.text)])
    else:
        _summary(outcomes, counts, output)
    return code_of_many(len(outcomes) - counts["failed"] - counts["nothing"], counts["failed"])


def _line(outcome: Outcome) -> str:
    acquired = outcome.acquired
    if acquired is None:
        word = "no documentation" if outcome.became == "nothing" else "failed"
        return f"{outcome.package.text}: {word}: {one_line(outcome.why)}"
    meta = acquired.installed.meta
    word = "installed" if outcome.became == "added" else "was there"
    instead = next((notice.text for notice in acquired.notices if notice.code == "version_substituted"), "")
    version = f" ({acquired.installed.version or 'no version'})" if instead else ""
    return f"{outcome.package.text}: {word}{version}: {counted(meta.pages, 'page')}{_HOLDS.get(meta.coverage, '')}"


def _summary(outcomes: list[Outcome], counts: Counter[str], output: Output) -> None:
    words = {"added": "installed", "present": "there already", "nothing": "without documentation", "failed": "failed"}
    parts = [f"{counts[became]} {word}" for became, word in words.items() if counts[became]]
    total = "1 dependency" if len(outcomes) == 1 else f"{len(outcomes)} dependencies"
    output.note(f"{total}: {', '.join(parts)}.")
    steps = {outcome.next_step: outcome for outcome in outcomes if outcome.became == "failed" and outcome.next_step}
    for step in steps:
        output.note(f"Next: {step}")


def _facts(outcome: Outcome) -> dict[str, object]:
    installed = outcome.acquired.installed if outcome.acquired is not None else None
    return {
        "package": outcome.package.text,
        "result": outcome.became,
        "id": installed.library_id if installed is not None else None,
        "version": installed.version if installed is not None else None,
        "pages": installed.meta.pages if installed is not None else None,
        "coverage": (installed.meta.coverage or "guide") if installed is not None else None,
        "notices": [notice.text for notice in outcome.acquired.notices] if outcome.acquired is not None else [],
        "why": outcome.why or None,
    }
