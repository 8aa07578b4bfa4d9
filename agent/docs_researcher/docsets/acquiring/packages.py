"""Adding a package, or a library of the catalogue: exactly what was named, never another version."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from docs_researcher.core.errors import UsageError, VersionNotFound
from docs_researcher.core.events import Event, Listener
from docs_researcher.docsets.acquiring.acquire import Acquirer, FetchPolicy
from docs_researcher.docsets.acquiring.build import BuildReport, report_installed
from docs_researcher.docsets.acquiring.fetch import PackageFetcher
from docs_researcher.docsets.acquiring.origins import reads_otherwise
from docs_researcher.docsets.acquiring.places import Wishes, expanded
from docs_researcher.docsets.acquiring.targets import installed_match

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Installed, Store
    from docs_researcher.library.catalogue import Catalogue, Entry
    from docs_researcher.library.packages import PackageRef


@dataclass(frozen=True, slots=True)
class Adding:
    """Adds to one store. `folder` and `language` say which of a package's pages are wanted."""

    store: Store
    catalogue: Catalogue
    listener: Listener
    offline: bool = False
    replace: bool = False
    folder: str | None = None
    language: str = "en"

    def package(self, package: PackageRef) -> BuildReport:
        """What the package itself holds.

        Raises:
            VersionNotFound: it has no documentation for the version asked for.
            SourceError, NoDocumentation, StoreUnwritable: as the registry and the store answer.
        """
        installed = self._installed(package, package.version)
        if self._serves(installed) and (package.version is not None or self.offline):
            return report_installed(self.store, installed)
        acquirer = self._acquirer()
        acquirer.check_online(package)
        target = acquirer.released(package.at(None), package.version)
        if target.reason:
            raise VersionNotFound(
                f"{package.text} cannot be added",
                why=target.reason,
                next_step=f"The nearest with documentation is: docs-research add {package.at(target.version).text}",
            )
        present = self._installed(package, target.version)
        if present is not None and present.version == target.version and self._serves(present):
            return report_installed(self.store, present)
        return PackageFetcher(self.store, self.listener).fetch(
            package,
            target.version,
            self.catalogue.by_package(package),
            replace=self.replace or present is not None,
            folder=self.folder,
            language=self.language,
        )

    def library(self, entry: Entry, version: str | None) -> BuildReport:
        """The guide of a library of the catalogue from wherever it lies, else what its package holds.

        Raises:
            UsageError: a folder or language of a library that has no package.
            LibraryNotFound: no package stands behind it and its guide cannot be reached.
            VersionNotFound, SourceError, NoDocumentation, StoreUnwritable: as for a package.
        """
        installed = [item for item in self.store.find(entry.id) if not item.meta.coverage]
        present = installed_match(installed, version)
        if self._serves(present) and (version is not None or self.offline):
            return report_installed(self.store, present)
        if entry.package is None and (self.folder is not None or self.language != "en"):
            raise UsageError(
                f"--path and --lang are for packages, folders and repositories, and {entry.name} is known by its guide only",
                next_step="Leave them out, or add its repository by its address.",
            )
        if entry.package is None or (self.folder is None and self.language == "en"):
            report, missed = self._acquirer().guide(
                entry.id, version, replace=self.replace or (present is not None and not self._serves(present))
            )
            if report is not None:
                return report
            if entry.package is None:
                raise self._acquirer().without_package(entry, missed)
            for notice in missed:
                self.listener(Event("notice", notice.text))
            return dataclasses.replace(self.package(entry.package.at(version)), guide_missed=bool(missed))
        return self.package(entry.package.at(version))

    def _serves(self, installed: Installed | None) -> TypeGuard[Installed]:
        """Whether it holds the pages that are wanted: it was made by the same `--path` and `--lang`."""
        if installed is None or self.replace:
            return False
        added = self.store.added.of(installed.path)
        is_copy = added is not None and expanded(added.argument).is_absolute()
        if is_copy and installed.meta.coverage:  # an installed copy has no guide, which the published archive may have
            return False
        return not reads_otherwise(added, Wishes(folder=self.folder, language=self.language))

    def _acquirer(self) -> Acquirer:
        policy = FetchPolicy(offline=self.offline, yes=True, strict_version=True, by="user")
        return Acquirer(self.store, self.catalogue, policy, self.listener)

    def _installed(self, package: PackageRef, version: str | None) -> Installed | None:
        """The docset that was made from this package, whatever else is installed for its library."""
        purl = package.at(None).purl
        made = [item for item in self.store.installed() if (item.meta.purl or "").rpartition("@")[0] == purl]
        return installed_match(made, version)
