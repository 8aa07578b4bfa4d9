"""`docs-research add`: documentation of a package, a repository, a folder, a file, a site or a project, made searchable."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import PATH, DocsCommand, common_options
from docs_researcher.cli.output import Output, counted, one_line
from docs_researcher.core.errors import DocsetInvalid, SourceRefused, UsageError

if TYPE_CHECKING:
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.acquiring.build import BuildReport
    from docs_researcher.docsets.installed.store import Store

SHOWN_SKIPPED = 10
"""Skipped files that are listed one by one; `show --skipped` and `--json` have them all."""
OFFERED_TAGS = 30
"""Tags that a terminal is offered; older ones can be written."""


@click.command("add", cls=DocsCommand)
@click.argument("source", required=False)
@click.option("--name", metavar="NAME", help="The name to install it under; the folder's or repository's own name otherwise.")
@click.option("--pkg-version", metavar="VERSION", help="The version of the library that the documentation is for.")
@click.option("--tag", metavar="TAG", help="The tag, branch or version of a git repository that is read.")
@click.option("--path", "folder", metavar="FOLDER", help="The docs folder inside a repository, folder, archive or package.")
@click.option(
    "--lang", "language", metavar="CODE", default="en", help="The language of the pages (de), or all.", show_default=True
)
@click.option("--crawl", is_flag=True, help="Of a site without an llms.txt: also the pages below its address, at most 500.")
@click.option("--save", metavar="PLACE", type=PATH, help="Also copy the docset to this folder or .db file.")
@click.option(
    "--semantic", is_flag=True, help="Let it be searched by meaning too; needs the extra `semantic` of docs-researcher."
)
@click.option("--force", is_flag=True, help="With --save: write over whatever lies there.")
@click.option("--sha256", metavar="DIGITS", help="The checksum that a docset file must have.")
@click.option("--replace", is_flag=True, help="Build it again where it is installed already.")
@click.option("--project", is_flag=True, help="Instead of SOURCE: everything that the project here depends on directly.")
@click.option("--project-dir", metavar="DIR", type=PATH, help="The project that --project means, if it is not here.")
@click.option("--offline", is_flag=True, help="Never use the network.")
@common_options
@click.pass_obj
def add_command(
    output: Output,
    source: str | None,
    save: Path | None,
    semantic: bool,
    force: bool,
    project: bool,
    project_dir: Path | None,
    **wishes: Any,
) -> int:
    """Install the documentation of a package, a repository, a folder, a file, a site, or of a whole project.

    SOURCE is a package (npm:next@16, pypi:pytest==9.2.0, or a purl), the name of a library in the catalogue, a git repository
    (https://github.com/OWNER/NAME, git@HOST:OWNER/NAME.git, with /tree/REF/FOLDER where wanted), a folder, an archive, a
    single page, a docset (.db, a path or an address), or the address of a site (its llms.txt, else one page, else --crawl).

    \b
    Examples:
      docs-research add npm:fastify@5
      docs-research add https://github.com/OWNER/NAME --tag v2.1.0
      docs-research add ./docs --name relay --pkg-version 2.1
      docs-research add --project
    """  # noqa: D301 - click wants the character itself
    if project or (project_dir is not None and source is None):
        from docs_researcher.cli.add_project import add_project_here

        _check_only_project(source, save, {**wishes, "semantic": semantic})
        return add_project_here(output, project_dir, offline=wishes["offline"])
    if project_dir is not None:
        raise UsageError("--project-dir goes with --project", next_step="Leave SOURCE out to add the project's dependencies.")
    if source is None:
        raise UsageError("There is nothing to add", next_step="Name a SOURCE (docs-research add --help), or pass --project.")
    if force and save is None:
        raise UsageError("--force goes with --save", next_step="Use --replace to build again what is installed already.")
    return _add_source(output, source, save, force, semantic, wishes)


def _add_source(output: Output, source: str, save: Path | None, force: bool, semantic: bool, wishes: Mapping[str, Any]) -> int:
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.acquiring.add import add_source
    from docs_researcher.docsets.acquiring.copies import save_copy
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue

    if semantic:
        from docs_researcher.docsets.vectors.model import chosen_model_file

        chosen_model_file()  # before a long download and not behind it
    store = Store()
    with Narrator(output) as narrator:

        def choose_tag(tags: Sequence[str]) -> str | None:
            narrator.pause()
            return _chosen_tag(tags)

        with _named_file(source, wishes["sha256"]):
            report = add_source(
                source,
                store=store,
                catalogue=Catalogue.load(),
                choose_tag=choose_tag if output.may_ask else None,
                listener=narrator,
                **wishes,
            )
        vectors = _vectors(report, store, narrator) if semantic else None
    saved = save_copy(report.installed, save.expanduser(), force=force) if save is not None else None
    if output.json:
        output.value({**_facts(report), "saved_to": str(saved) if saved is not None else None})
        return 0
    _tell(report, output)
    if vectors is not None:
        output.note(vectors)
    if saved is not None:
        output.note(f"Copied to {saved}.")
    return 0


@contextmanager
def _named_file(source: str, sha256: str | None) -> Generator[None]:
    """A file of this disk that was named and is not what `add` takes is a wrong argument.

    One that is fetched, and one that is not what its checksum says, has failed.
    """
    try:
        yield
    except (DocsetInvalid, SourceRefused) as error:
        checked = sha256 is not None and isinstance(error, SourceRefused)
        if checked or "://" in source or not os.path.isfile(os.path.expanduser(source)):  # noqa: PTH111, PTH113 -- it may be no path at all
            raise
        raise UsageError(error.what, why=error.why, next_step=error.next_step) from error


def _vectors(report: BuildReport, store: Store, narrator: Narrator) -> str:
    from docs_researcher.cli.vectors import told
    from docs_researcher.docsets.vectors.make import add_vectors

    return told(report.installed, add_vectors(report.installed, store, narrator))


def _check_only_project(source: str | None, save: Path | None, wishes: Mapping[str, Any]) -> None:
    if source is not None:
        raise UsageError("--project takes no SOURCE", why=f"{source} is one", next_step="Add them one after the other.")
    given = [name for name, value in {**wishes, "save": save}.items() if name != "offline" and value not in (None, False, "en")]
    if given:
        flags = {"folder": "path", "language": "lang"}
        raise UsageError(
            f"--project does not go with --{flags.get(given[0], given[0]).replace('_', '-')}",
            why="that is said of one library, and a project has many",
            next_step="Leave it out, or add that library by itself.",
        )


def _facts(report: BuildReport) -> dict[str, object]:
    return {
        "id": report.id,
        "version": report.version,
        "pages": report.pages,
        "chunks": report.chunks,
        "coverage": report.installed.meta.coverage or "guide",
        "source_url": report.installed.meta.source_url,
        "skipped": [{"path": item.path, "reason": item.reason} for item in report.skipped],
        "notes": [{"path": item.path, "reason": item.reason} for item in report.notes],
        "already_installed": report.already,
    }


def _tell(report: BuildReport, output: Output) -> None:
    from docs_researcher.docsets.acquiring.notices import coverage_notices
    from docs_researcher.library.catalogue import Catalogue

    done = "is installed already" if report.already else "is installed"
    counts = f"{counted(report.pages, 'page')}, {counted(report.chunks, 'chunk')}"
    output.text(f"{report.id} {report.version or '(no version)'} {done}: {counts}.")
    for notice in coverage_notices(report.installed, Catalogue.load().by_id(report.id), tried=report.guide_missed):
        output.note(notice.text)
    for item in report.skipped[:SHOWN_SKIPPED]:
        output.note(f"Skipped {one_line(item.path)}: {one_line(item.reason)}")
    if len(report.skipped) > SHOWN_SKIPPED:
        more = len(report.skipped) - SHOWN_SKIPPED
        output.note(f"... and {more} more; `docs-research show {report.id} --skipped` lists them all.")
    if report.notes:
        read = (
            "1 file was read, but not as it stands"
            if len(report.notes) == 1
            else f"{len(report.notes)} files were read, but not as they stand"
        )
        output.note(f"{read}; --json says how.")


def _chosen_tag(tags: Sequence[str]) -> str | None:
    """Ask which tag is meant: a number of the list, or a tag as it is written. No reply is the newest."""
    from docs_researcher.cli.asking import choose
    from docs_researcher.core.answer import Needs

    offered = (*tags[:OFFERED_TAGS], "HEAD")
    more = f" (the newest {OFFERED_TAGS} of {len(tags)})" if len(tags) > OFFERED_TAGS else ""
    return choose(Needs(f"Which tag is meant{more}? Without a reply it is {tags[0]}.", offered)) or tags[0]
