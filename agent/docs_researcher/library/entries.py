"""What the catalogue knows of one library, and where its documentation lies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any, Literal, cast
from urllib.parse import quote

from docs_researcher.library.packages import PackageRef, PackageType, parse_package
from docs_researcher.library.versions import parse_version

PageStyle = Literal["plain", "numbered", "html", "folder"]
"""How a page's path becomes the end of its address:

    plain     guides/auth.md            -> guides/auth             index pages are their folder
    numbered  01-app/02-guides/auth.md  -> app/guides/auth         like plain, without the numbers that order the menu
    html      topics/auth.rst           -> topics/auth.html
    folder    topics/auth.txt           -> topics/auth/            index pages are their folder
"""
PAGE_STYLES: tuple[PageStyle, ...] = ("plain", "numbered", "html", "folder")

_PAGE_SUFFIXES = (".md", ".mdx", ".markdown", ".rst")
_DROPPED = str.maketrans("", "", " .-_")


def fold_name(text: str) -> str:
    """The form in which two names are compared: case, spaces, dots, hyphens and underscores do not count."""
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFKC", text)
    return text.casefold().translate(_DROPPED)


@dataclass(frozen=True, slots=True)
class DocsLocation:
    """Where documentation of a library can be read from, and where its pages stand on the web.

    Attributes:
        package: the package that ships it, as `npm:next` or `pypi:django`; None when no package does.
        since: the first version that ships it; None when all known ones do.
        folder: the folder inside the package; None for the whole package.
        suffixes: further file endings that hold pages there (`.txt` for Django's reStructuredText).
        site: the address that pages hang under. `{minor}` stands for the version's first two numbers ("5.2"), `{compact}`
            for the same without the dot ("52"). None when page addresses are not known.
        pages: how a path becomes the end of the address.
        rules: regular expressions on the path inside `folder`, without its ending, with what to put in place of a match;
            None in its place says that such a page has no address.
    """

    package: str | None = None
    since: str | None = None
    folder: str | None = None
    suffixes: tuple[str, ...] = ()
    site: str | None = None
    pages: PageStyle = "plain"
    rules: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class GitDocs:
    """Where the documentation of a library lies in a git repository.

    Attributes:
        repository: `owner/name` on GitHub, or the address that it is cloned from.
        folder: the folder inside; None where it has to be looked for.
        tag: how the versions of the library are tagged there, with `{version}` in it; None where the repository keeps the
            documentation of the newest release only.
    """

    repository: str
    folder: str | None = None
    tag: str | None = None

    @property
    def address(self) -> str:
        """What git is given."""
        return self.repository if "://" in self.repository else f"https://github.com/{self.repository}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A library, framework, command or cloud service.

    Attributes:
        name: as its developers write it.
        id: `/owner/project`, without a version.
        ecosystem: npm, pypi, go, rust, java, dotnet, ruby, php, swift, dart, elixir, cpp, cli, database or cloud.
        description: one line.
        aliases: other names, abbreviations and names in other scripts.
        words: those of the names that are also everyday words (`next`, `spring`, `npm`), so that they count only beside a hint.
        npm: npm package names, the main one first.
        pypi: PyPI project names, normalised, the main one first.
        packages: packages of other registries, as `golang:github.com/gin-gonic/gin` or `cargo:clap`.
        other_ids: further ids under which the same official documentation is offered.
        website: where its documentation is read by people.
        llms: the address of its llms.txt.
        git: the repository that its documentation lies in.
        docs: documentation that can be fetched from a registry.
        main: `npm` or `pypi`, where both have a package and `ecosystem` does not say which of them more people use.
    """

    name: str
    id: str
    ecosystem: str
    description: str
    aliases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    pypi: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    other_ids: tuple[str, ...] = ()
    website: str | None = None
    llms: str | None = None
    git: GitDocs | None = None
    docs: DocsLocation | None = None
    main: PackageType | None = None

    @property
    def guide_at(self) -> str | None:
        """Where its documentation lies outside of the registries (`github.com/sveltejs/svelte`); None where that is not known."""
        address = self.git.address if self.git is not None else self.llms
        return address.partition("://")[2] if address else None

    @property
    def package(self) -> PackageRef | None:
        """The registry package that the library is best read from: the one with its documentation, else its main one."""
        if self.docs is not None and self.docs.package is not None:
            return parse_package(self.docs.package)
        if self.pypi and (not self.npm or "pypi" in (self.ecosystem, self.main)):
            return PackageRef("pypi", self.pypi[0])
        return PackageRef("npm", self.npm[0]) if self.npm else None

    @property
    def other_package(self) -> PackageRef | None:
        """The main package at the other registry, where npm and PyPI both have one: another client with versions of its own."""
        own = self.package
        if own is None or not (self.npm and self.pypi):
            return None
        return PackageRef("pypi", self.pypi[0]) if own.type == "npm" else PackageRef("npm", self.npm[0])


@cache
def other_side(entry: Entry) -> Entry | None:
    """The library as its package at the other registry has it, under the id of that package; None where there is none.

    A repository that is tagged for the one package says nothing of the other's versions; a guide without versions is of both.
    """
    package = entry.other_package
    if package is None:
        return None
    git = entry.git if entry.git is not None and entry.git.tag is None else None
    npm, pypi = (entry.npm, ()) if package.type == "npm" else ((), entry.pypi)
    id = f"/{package.type}/{package.name}"
    kind = package.type
    return replace(
        entry, id=id, other_ids=(entry.id,), ecosystem=kind, npm=npm, pypi=pypi, packages=(), git=git, docs=None, main=None
    )


Row = list[Any]
"""An entry as the compiled file holds it."""

_ENTRY_FIELDS = tuple(field.name for field in fields(Entry))
_GIT, _DOCS = _ENTRY_FIELDS.index("git"), _ENTRY_FIELDS.index("docs")
_LISTS = ("aliases", "words", "npm", "pypi", "packages", "other_ids")


def entry_from_record(record: Mapping[str, Any]) -> Entry:
    """An entry out of the mapping that YAML and the compiled file hold.

    Raises:
        TypeError, KeyError, ValueError: for a record of another shape.
    """
    values = dict(record)
    for name in _LISTS:
        if name in values:
            values[name] = tuple(values[name])
    docs, git = values.get("docs"), values.get("git")
    if docs is not None:
        values["docs"] = _docs_from_record(docs)
    if git is not None:
        values["git"] = GitDocs(**git)
    return Entry(**values)


def entry_to_row(entry: Entry) -> Row:
    """An entry as the compiled file holds it: the values of its fields in their order, without nulls at the end."""
    values = cast(Iterable[Any], (getattr(entry, name) for name in _ENTRY_FIELDS))
    row: Row = [list(value) if value.__class__ is tuple else value for value in values]
    for place, value in ((_GIT, entry.git), (_DOCS, entry.docs)):
        if value is not None:
            row[place] = {key: part for key, part in asdict(value).items() if part not in (None, ())}
    while row[-1] in (None, []):
        row.pop()
    return row


def entry_from_row(row: Sequence[Any]) -> Entry:
    """The entry out of a row of the compiled file, which is trusted: reading it is part of every question."""
    values: list[Any] = [tuple(value) if value.__class__ is list else value for value in row]
    if len(values) > _GIT and values[_GIT] is not None:
        values[_GIT] = GitDocs(**values[_GIT])
    if len(values) > _DOCS and values[_DOCS] is not None:
        values[_DOCS] = _docs_from_record(values[_DOCS])
    return Entry(*values)


def _docs_from_record(record: Mapping[str, Any]) -> DocsLocation:
    values = dict(record)
    values["suffixes"] = tuple(values.get("suffixes", ()))
    rules = cast(list[tuple[str, str | None]], values.get("rules", []))
    values["rules"] = tuple((pattern, replacement) for pattern, replacement in rules)
    return DocsLocation(**values)


def url_for(path: str, entry: Entry, version: str | None = None) -> str | None:
    """The web address of a documentation page, or None when it is not known.

    `path` is the page's path as shipped (`dist/docs/01-app/index.md`); `version` is needed where addresses hold it.
    """
    docs = entry.docs
    if docs is None or docs.site is None:
        return None
    site = _site(docs.site, version)
    page = _page(path, docs)
    if site is None or page is None:
        return None
    for pattern, replacement in docs.rules:
        if replacement is None:
            if re.search(pattern, page):
                return None
        else:
            page = re.sub(pattern, replacement, page)
    ending = _ending(page, docs.pages)
    if ending is None:
        return None
    return f"{site.rstrip('/')}/{quote(ending, safe='/~@+,')}" if ending else site


def _site(site: str, version: str | None) -> str | None:
    if "{" not in site:
        return site
    parsed = parse_version(version) if version else None
    if parsed is None:
        return None
    major, minor = (*parsed.numbers, 0)[:2]
    return site.replace("{minor}", f"{major}.{minor}").replace("{compact}", f"{major}{minor}")


def _page(path: str, docs: DocsLocation) -> str | None:
    """The path inside the documentation folder, without its ending; None for what is no page there."""
    if docs.folder:
        inside = path.removeprefix(docs.folder.rstrip("/") + "/")
        if inside == path:
            return None
        path = inside
    if ".." in path.split("/") or path.startswith("/"):
        return None
    for suffix in (*_PAGE_SUFFIXES, *docs.suffixes):
        if path.endswith(suffix):
            return path[: -len(suffix)]
    return None


def _ending(page: str, style: PageStyle) -> str | None:
    parts = page.split("/")
    if style == "numbered":
        parts = [re.sub(r"^\d+-", "", part) for part in parts]
    elif style in ("html", "folder") and (parts[-1].lower() == "readme" or any(part.startswith("_") for part in parts)):
        return None  # a note on the folder, or a template: such sites are built by Sphinx, which has no page for it
    if style == "html":
        return "/".join(parts) + ".html"
    if parts[-1].lower() == "index":
        parts.pop()
    ending = "/".join(parts)
    return f"{ending}/" if style == "folder" and ending else ending
