"""Which files of a tree are its documentation: the docs folder, the README, and what does not belong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from docs_researcher.core.errors import NoDocumentation
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.languages import Translations
from docs_researcher.docsets.sources.rendered import repeated
from docs_researcher.docsets.sources.wishes import FILE_NAME, NO_WISHES, Wishes

DOCS_FOLDERS = ("docs", "documentation", "doc", "dist/docs", "site/docs", "website/docs", "www/docs")
"""Where documentation usually lies, best first; compared without case. `doc/en` is inside `doc`."""
_PACKAGE_DOCS = re.compile(r"(?:packages|libs|crates|modules|apps)/[^/]+/(?:docs|documentation|doc)", re.IGNORECASE)
"""The docs folders of the parts of a monorepo."""

_VERSION_FOLDER = re.compile(r"(?:v|version-)?(\d{1,3}(?:\.\d{1,4}){0,2})(?:\.x)?")
_HTML = (".html", ".htm", ".xhtml")
_NOT_WRITTEN_AS_PAGES = (*_HTML, ".txt", ".ipynb")
"""Without a docs folder such files are demonstrations and data, unless there is nothing else."""
_TEMPLATES = frozenset({"templates", "template", "static", "assets", "theme", "themes", "layouts", "includes", "partials"})
_NEVER = frozenset(
    {"node_modules", "bower_components", "__pycache__", "site-packages", "_templates", "_static", "_build", "_themes", "_ext"}
)
"""Installed dependencies, and what Sphinx builds its pages with."""
_ROOT_FOLDERS_LEFT_OUT = """
test tests __tests__ __test__ __mocks__ __fixtures__ fixtures spec specs e2e testing testdata vendor vendors vendored
third_party thirdparty subprojects external extern build dist out target coverage dev internal plans benchmark
benchmarks tools scripts ci venv env
"""
_NOT_AT_THE_ROOT = frozenset(_ROOT_FOLDERS_LEFT_OUT.split())
"""Folders that hold no documentation unless they stand inside a docs folder."""
_COPY_OF_A_RELEASE = re.compile(
    r"(?!v(?:er(?:sion)?)?-|releases?-)[a-z][\w+]*(?:-[a-z][\w+]*)*-\d+\.\d+\.\d+(?:[.+-]\w+)*", re.IGNORECASE
)
"""A folder called after somebody's release (`bytecount-0.6.9`) holds a copy of it."""
_LEGAL = re.compile(r"(?:licen[cs]e|copying|notice|patents|code[-_ ]of[-_ ]conduct)(?:[-_. ].*)?", re.IGNORECASE)
_GUIDES_AT_ROOT = re.compile(
    r"readme.*|examples?|usage|(?:user[-_ ]?)?guide|tutorial|faq|recipes|options|quick[-_ ]?start|getting[-_ ]?started|upgrading|"
    r"(?:.*[-_ ])?migrat(?:ion|ing)(?:[-_ ](?:guide|to|from).*)?",
    re.IGNORECASE,
)
"""Pages for users that stand beside the docs folder (`EXAMPLES.md`, `V4_MIGRATION_GUIDE.md`)."""
_PROJECT_PAPERS = re.compile(
    r"(?:change[-_ ]?log|changes|history|news|releases?|release[-_ ]?notes|contributing|contributors|authors|maintainers|"
    r"governance|security|support|codeowners|pull_request_template|issue_template|claude|agents|gemini|todo|roadmap|backers|"
    r"sponsors)(?:[-_. ].*)?",
    re.IGNORECASE,
)
"""Papers about the project, not about its use; left out at the root, kept inside a docs folder."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The paths to read, in order, and those inside the documentation that were left out on purpose."""

    paths: tuple[str, ...]
    left_out: tuple[Skipped, ...] = ()
    folder: str = ""
    """The docs folder that was found, as it is spelt there; empty for the root."""


def may_hold_docs(path: str) -> bool:
    """Whether a path can belong to the documentation at all: no hidden part, no installed dependencies, no template."""
    parts = path.split("/")
    if any(part.startswith(".") or part.lower() in _NEVER for part in parts):
        return False
    is_html = path.lower().endswith(_HTML)
    return not (is_html and any(part.startswith("_") or part.lower() in _TEMPLATES for part in parts[:-1]))


def choose(
    paths: Iterable[str],
    folder: str | None = None,
    language: str = "en",
    version: str | None = None,
    wishes: Wishes = NO_WISHES,
) -> Chosen:
    """Choose among the paths of readable files (relative, POSIX).

    Args:
        paths: files that a reader exists for.
        folder: the docs folder where it is known; without documentation in it the usual places are tried.
        language: which translation is wanted (`de`), or `all`.
        version: of folders that are named after versions, the one that fits it is read, else the newest.
        wishes: what the project itself says.

    Returns:
        The documentation: the docs folder with the docs folders of a monorepo's packages and the root README; without a docs
        folder everything that is no test, vendored code or project paper.
    """
    found_paths = sorted({path for path in paths if may_hold_docs(path)})
    candidates = [path for path in found_paths if not wishes.excludes(path)]
    left_out = [Skipped.of(path, f"left out by {FILE_NAME}") for path in found_paths if wishes.excludes(path)]
    chosen = _chosen(candidates, folder, language, wishes)
    chosen = _once(_of_one_version(chosen, version))
    inside = f"{chosen.folder}/" if chosen.folder else ""
    return replace(chosen, left_out=(*chosen.left_out, *(item for item in left_out if item.path.startswith(inside))))


def _chosen(candidates: list[str], folder: str | None, language: str, wishes: Wishes) -> Chosen:
    if wishes.folders and folder is None:
        wanted = [path for path in candidates if wishes.includes(path)]
        if wanted:
            return _finish([*_root_guides(candidates), *wanted], "", language)
    if folder is not None:
        found = _inside(candidates, folder)
        if found:
            return _finish(found, found[0][: len(folder.strip("/"))], language)
    for name in DOCS_FOLDERS:
        found = _inside(candidates, name)
        if any(not _LEGAL.fullmatch(_stem(path)) for path in found):
            parts = [path for path in candidates if _PACKAGE_DOCS.match(path)]
            return _finish([*_root_guides(candidates), *found, *parts], found[0][: len(name)], language)
    parts = [path for path in candidates if _PACKAGE_DOCS.match(path)]
    if parts:
        return _finish([*_root_guides(candidates), *parts], "", language)
    at_root = [path for path in candidates if _belongs_at_root(path)]
    written = [path for path in at_root if not path.lower().endswith(_NOT_WRITTEN_AS_PAGES)]
    return _finish(written or at_root, "", language)


def _once(chosen: Chosen) -> Chosen:
    """Without the pages that lie there a second time."""
    again = repeated(chosen.paths)
    if not again:
        return chosen
    paths = tuple(path for path in chosen.paths if path not in again)
    return replace(chosen, paths=paths, left_out=(*chosen.left_out, *(Skipped.of(path, again[path]) for path in sorted(again))))


def _of_one_version(chosen: Chosen, version: str | None) -> Chosen:
    """Without the folders of other versions, where the docs folder holds one folder a version (`docs/v1`, `docs/v2`)."""
    root = f"{chosen.folder}/" if chosen.folder else ""
    if not root:
        return chosen
    names = {path[len(root) :].partition("/")[0] for path in chosen.paths if path.startswith(root) and "/" in path[len(root) :]}
    numbers = {name: match[1] for name in names if (match := _VERSION_FOLDER.fullmatch(name))}
    if len(numbers) < 2:
        return chosen
    wanted = (version or "").removeprefix("v")
    fitting = [name for name, number in numbers.items() if wanted == number or wanted.startswith(f"{number}.")]
    kept = max(fitting or numbers, key=lambda name: [int(part) for part in numbers[name].split(".")])
    others = tuple(f"{root}{name}/" for name in numbers if name != kept)
    left_out = tuple(Skipped.of(path, "of another version") for path in chosen.paths if path.startswith(others))
    paths = tuple(path for path in chosen.paths if not path.startswith(others))
    return replace(chosen, paths=paths, left_out=(*chosen.left_out, *left_out))


def check_folder(shown: str, paths: Iterable[str], folder: str) -> None:
    """Refuse a docs folder that was named and holds nothing to read.

    Raises:
        NoDocumentation: it does not.
    """
    if not _inside(list(paths), folder):
        raise NoDocumentation(f"{shown} holds no documentation in {folder}", next_step="Check the folder's name.")


def _inside(paths: Sequence[str], folder: str) -> list[str]:
    prefix = folder.strip("/").lower() + "/"
    return [path for path in paths if path.lower().startswith(prefix)]


def _root_guides(paths: Sequence[str]) -> list[str]:
    return [path for path in paths if "/" not in path and _GUIDES_AT_ROOT.fullmatch(_stem(path))]


def _belongs_at_root(path: str) -> bool:
    *folders, _ = path.split("/")
    if any(folder.lower() in _NOT_AT_THE_ROOT or _COPY_OF_A_RELEASE.fullmatch(folder) for folder in folders):
        return False
    return not _PROJECT_PAPERS.fullmatch(_stem(path))


def _finish(paths: Iterable[str], folder: str, language: str) -> Chosen:
    kept: list[str] = []
    left_out: list[Skipped] = []
    for path in sorted(set(paths)):
        if _LEGAL.fullmatch(_stem(path)):
            left_out.append(Skipped.of(path, "licence text or code of conduct"))
        else:
            kept.append(path)
    translated = Translations(kept, language).left_out()
    left_out.extend(Skipped.of(path, "in another language") for path in kept if path in translated)
    return Chosen(tuple(path for path in kept if path not in translated), tuple(left_out), folder)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name
