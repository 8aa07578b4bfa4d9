"""Documentation that an npm package ships in its archive: its docs folder, else its README and declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docs_researcher.core.events import Listener
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.archive import ArchiveSource
from docs_researcher.docsets.sources.archive_files import ArchiveBudget, read_archive
from docs_researcher.docsets.sources.base import SourceInfo, no_url, readable_by_default
from docs_researcher.docsets.sources.thin_guide import FULL_GUIDE_BYTES, MIN_NAMES, leaves_out, names_in, size_of
from docs_researcher.library.packages import PackageRef, PackageType

if TYPE_CHECKING:
    from docs_researcher.docsets.readers.base import Page
    from docs_researcher.library.entries import Entry

_MANIFEST = "package.json"
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_NOT_READ = frozenset({"node_modules", "test", "tests", "__tests__"})
"""Folders whose declarations are not for users."""


@dataclass(frozen=True, slots=True)
class TypesArchive:
    """The archive of a package that only declares what another one offers (`@types/react`)."""

    name: str
    """What users import: the other package's name."""
    version: str
    path: Path
    package: str
    """The package itself."""

    def cited(self, page: Page, title: str | None = None) -> Page:
        """A page of it as one of another package: told apart by its path, and cited as what it was read from."""
        purl = PackageRef("npm", self.package, self.version).purl
        path = f"node_modules/{self.package}/{page.path}"
        return replace(page, path=path, title=title or page.title, url=f"{purl}#{page.path}")


class Relatives(Protocol):
    """Gets the packages in which the API of one stands in part; may fetch them."""

    def types(self) -> TypesArchive | None:
        """The package that only declares what this one offers; None where there is none."""
        ...

    def parts_of_types(self) -> Mapping[str, TypesArchive]:
        """Those that it is put together from, by what they are for; to be asked after `types`."""
        ...

    def passed_on(self, names: Sequence[str]) -> Mapping[str, TypesArchive | None]:
        """Packages that this one depends on and passes on; None for any other."""
        ...


PassedOn = Mapping[str, Mapping[str, str] | None]
"""Packages whose names another one exports: all (None), or some of them, each with the name that it is exported by."""
MAX_PASSED_ON = 40
"""D3 passes on thirty packages, Vue three, one by the other; more would be a registry of its own."""


class Release(Protocol):
    """What is read of a registry's description of one version."""

    @property
    def name(self) -> str:
        """As the registry has it."""
        ...

    @property
    def version(self) -> str:
        """The exact version."""
        ...

    @property
    def license(self) -> str | None:
        """The licence as the package states it."""
        ...

    @property
    def description(self) -> str | None:
        """One line about it."""
        ...

    @property
    def date(self) -> str | None:
        """When it was published (ISO 8601)."""
        ...


class NpmSource(ArchiveSource):
    """The documentation in a downloaded npm archive.

    npm strips the first folder of every path (`package/` nearly always), and so do we: a page is `dist/docs/01-app/index.md`.
    """

    def __init__(
        self,
        manifest: Release,
        tarball: Path,
        entry: Entry | None = None,
        *,
        budget: ArchiveBudget | None = None,
        readable: Callable[[str], bool] = readable_by_default,
        relatives: Relatives | None = None,
    ) -> None:
        """The archive `tarball` of the version that `manifest` describes; `entry` is the catalogue's, where it has one.

        Without `relatives` it is read alone.
        """
        self._tarball = tarball
        self._relatives = relatives
        super().__init__(
            tarball,
            package_info("npm", manifest, entry),
            folder=docs_folder("npm", manifest.name, entry),
            strip_top=True,
            budget=budget,
            readable=readable_for(entry, readable),
        )

    def _reference(self, guide: Mapping[str, bytes], skipped: list[Skipped], listener: Listener) -> list[Page]:
        """The pages of the package's declarations, of its `@types` packages where it has none. A full guide needs neither."""
        if size_of(guide) > FULL_GUIDE_BYTES:
            return []
        own = TypesArchive(self.info.name, self.info.version or "", self._tarball, self.info.name)
        pages, passed_on, has_main = self._declared(own, skipped)
        if self._relatives is not None:
            pages += self._of_others(self._relatives, passed_on, skipped)
            if not has_main or names_in(pages) < MIN_NAMES:
                pages += self._of_types(self._relatives, skipped, beside=has_main)
        return pages if not guide or leaves_out(guide, pages) else []

    def _of_types(self, relatives: Relatives, skipped: list[Skipped], *, beside: bool) -> list[Page]:
        """The pages of the `@types` packages for the same major version; `beside` few declarations of its own, or alone."""
        archive = relatives.types()
        if archive is None:
            return []
        if archive.version.partition(".")[0] != (self.info.version or "").partition(".")[0]:
            if not beside:
                reason = f"its newest types are those of version {archive.version}, and this is {self.info.version}"
                skipped.insert(0, Skipped.of(archive.package, reason))  # more than a file; `add` shows the first of them
            return []
        pages, passed_on, _ = self._declared(archive, skipped)
        pages = [archive.cited(page) for page in pages]
        pages += self._of_others(relatives, passed_on, skipped)
        for name, part in relatives.parts_of_types().items():
            if name not in {package_of(module)[0] for module in passed_on}:
                pages += [part.cited(page) for page in self._declared(part, skipped)[0]]
        return pages

    def _of_others(self, relatives: Relatives, waiting: PassedOn, skipped: list[Skipped]) -> list[Page]:
        """The pages of the packages that this one passes on, under this one's name: users import them from here."""
        pages: list[Page] = []
        done: set[str] = set()
        archives: dict[str, TypesArchive | None] = {}  # one package may be passed on by several of its entry points
        queue = list(waiting.items())
        while queue and len(done) < MAX_PASSED_ON:
            queue.sort(key=lambda item: item[1] is not None)  # those that are passed on whole first
            names = dict.fromkeys(package_of(module)[0] for module, only in queue if only != {})
            archives.update(relatives.passed_on([name for name in names if name not in archives]))
            module, only = queue.pop(0)
            name, subpath = package_of(module)
            archive = archives.get(name)
            if archive is not None and module not in done and only != {}:
                done.add(module)
                found, further, _ = self._declared(archive, skipped, only, subpath)
                shown = self.info.name
                pages += [archive.cited(page, f"{shown}: {name}" if page.title == shown else None) for page in found]
                queue += further.items()
        return pages

    def _declared(
        self, archive: TypesArchive, skipped: list[Skipped], only: Mapping[str, str] | None = None, subpath: str = ""
    ) -> tuple[list[Page], PassedOn, bool]:
        """The pages, what is passed on, and whether the main entry point gave any of it."""
        from docs_researcher.docsets.readers.declarations import declared

        found = read_archive(archive.path, _is_declaration, strip_top=True, budget=self._budget)
        skipped.extend(found.skipped)
        read = declared(found.files, archive.name, archive.version, only, subpath)
        return read.pages, read.passed_on, read.has_main


def _is_declaration(path: str) -> bool:
    if path == _MANIFEST:
        return True
    folders = path.split("/")[:-1]
    return path.endswith(_DECLARATIONS) and not _NOT_READ.intersection(folders)


def package_of(module: str) -> tuple[str, str]:
    """The package that a module specifier names, and the path behind it (`lit-element/lit-element.js`)."""
    parts = module.split("/", 2 if module.startswith("@") else 1)
    count = 2 if module.startswith("@") else 1
    return "/".join(parts[:count]), "/".join(parts[count:])


def docs_folder(type: PackageType, name: str, entry: Entry | None) -> str | None:
    """The docs folder of this package where the catalogue knows it; a library may have several packages."""
    if entry is None or entry.docs is None or entry.docs.package != f"{type}:{name}":
        return None
    return entry.docs.folder


def readable_for(entry: Entry | None, readable: Callable[[str], bool]) -> Callable[[str], bool]:
    """`readable`, and further endings that the catalogue knows to hold pages in this library's documentation."""
    suffixes = entry.docs.suffixes if entry is not None and entry.docs is not None else ()
    return (lambda path: readable(path) or path.endswith(suffixes)) if suffixes else readable


def package_info(type: PackageType, release: Release, entry: Entry | None = None) -> SourceInfo:
    """What is known about a package before its archive is read."""
    page_url: Callable[[str], str | None] = no_url
    if entry is not None:
        from docs_researcher.library.entries import url_for

        page_url = partial(url_for, entry=entry, version=release.version)
    return SourceInfo(
        name=release.name,
        version=release.version,
        library_id=entry.id if entry is not None else f"/{type}/{release.name}",
        purl=PackageRef(type, release.name, release.version).purl,
        title=entry.name if entry is not None else release.name,
        description=release.description or (entry.description if entry is not None else ""),
        license=release.license or None,
        date=release.date[:10] if release.date else None,
        page_url=page_url,
    )
