"""The packages in which the API of an npm package stands in part: `@types/NAME`, and those that it passes on as its own.

Where they are got from, a registry or the `node_modules` of a project, is the matter of a `Shelf`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docs_researcher.core.errors import PackageNotFound
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.sources.npm import MAX_PASSED_ON, TypesArchive
from docs_researcher.library.versions import best_match, parse_version, satisfies

if TYPE_CHECKING:
    from docs_researcher.library.registries.npm import NpmManifest, NpmRegistry

AT_ONCE = 4
"""Packages that are fetched at a time, as for the dependencies of a project."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A package of a shelf: its version, its archive, and what it needs, each with the range of versions."""

    version: str
    archive: Path
    needs: Mapping[str, str] = field(default_factory=dict[str, str])


class Shelf(Protocol):
    """Where packages are got from. Called from several threads."""

    def needed(self, name: str, range: str) -> Packed | None:
        """A package at a version that another one needs; None where there is none."""
        ...

    def types(self, name: str, version: str) -> Packed | None:
        """A package of types for a library of this version, else its newest; None where there is none."""
        ...


class NpmRelatives:
    """The relatives of one package, which users import by its name."""

    def __init__(self, shelf: Shelf, name: str, version: str, needs: Mapping[str, str]) -> None:
        """Those of `name` at `version`; `needs` are its dependencies and peers."""
        self._shelf = shelf
        self._name = name
        self._version = version
        self._needs = dict(needs)
        self._needs_of_types: dict[str, str] = {}

    def types(self) -> TypesArchive | None:
        """`@types/NAME`; None where there is no such package."""
        main = self._shelf.types(types_of(self._name), self._version)
        if main is None:
            return None
        self._needs_of_types = dict(main.needs)
        return TypesArchive(self._name, main.version, main.archive, types_of(self._name))

    def parts_of_types(self) -> dict[str, TypesArchive]:
        """Packages that `@types/NAME` is put together from (`express-serve-static-core`), by what they declare."""
        stem = types_of(self._name)
        parts = [name for name in self._needs_of_types if name.startswith(f"{stem}-")][:MAX_PASSED_ON]
        got = self._all([(name, self._needs_of_types[name]) for name in parts])
        found: dict[str, TypesArchive] = {}
        for part, packed in zip(parts, got, strict=True):
            if packed is not None:
                name = part.removeprefix("@types/")
                found[name] = TypesArchive(name, packed.version, packed.archive, part)
        return found

    def passed_on(self, names: Sequence[str]) -> dict[str, TypesArchive | None]:
        """The archives of packages that are passed on, of their types where the types of this one need those.

        None for one that nothing here needs.
        """
        wanted = [(name, got) for name in names if (got := self._wanted(name)) is not None][:MAX_PASSED_ON]
        found: dict[str, TypesArchive | None] = dict.fromkeys(names)
        for (name, (package, _)), packed in zip(wanted, self._all([what for _, what in wanted]), strict=True):
            if packed is not None:
                found[name] = TypesArchive(self._name, packed.version, packed.archive, package)
                for further, range in packed.needs.items():
                    self._needs.setdefault(further, range)
        return found

    def _wanted(self, name: str) -> tuple[str, str] | None:
        """The package that declares what `name` offers, and the range of versions that is needed of it."""
        typed = types_of(name)
        if typed in self._needs_of_types:
            return typed, self._needs_of_types[typed]
        return (name, self._needs[name]) if name in self._needs else None

    def _all(self, wanted: Sequence[tuple[str, str]]) -> list[Packed | None]:
        if len(wanted) < 2:
            return [self._shelf.needed(name, range) for name, range in wanted]
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="npm") as pool:
            return list(pool.map(self._shelf.needed, [name for name, _ in wanted], [range for _, range in wanted]))


def types_of(name: str) -> str:
    """What the package of types for a library is called."""
    return f"@types/{name.removeprefix('@').replace('/', '__')}"


def _is_of_another_line(newest: str, version: str) -> bool:
    """Whether there may be types that fit a version better than the newest: of another major one, or of an earlier minor one."""
    types, library = parse_version(newest), parse_version(version)
    if types is None or library is None:
        return newest.split(".")[0] != version.split(".")[0]
    return types.numbers[:1] != library.numbers[:1] or types.numbers[:2] > library.numbers[:2]


class RegistryShelf:
    """Packages out of npm's registry, each downloaded into a folder."""

    def __init__(self, registry: NpmRegistry, folder: Path, max_bytes: int, listener: Listener = ignore) -> None:
        """The registry's; `folder` exists, and no archive may have more than `max_bytes`."""
        self._registry = registry
        self._folder = folder
        self._max_bytes = max_bytes
        self._listener = listener

    def needed(self, name: str, range: str) -> Packed | None:
        """The newest version where it is in the range, else the one that the range begins with.

        Raises:
            SourceUnavailable, SourceRefused: as the registry answers.
        """
        wanted = range.lstrip("^~>=v ").partition(" ")[0]
        try:
            manifest = self._registry.manifest(name)
            if not satisfies(range, manifest.version):
                manifest = self._registry.manifest(name, wanted)
        except PackageNotFound:
            return None
        return self._packed(manifest)

    def types(self, name: str, version: str) -> Packed | None:
        """The newest version for the same major and minor one, else for the same major one, else the newest.

        Raises:
            SourceUnavailable, SourceRefused: as the registry answers.
        """
        line = version.split(".")[:2]
        try:
            manifest = self._registry.manifest(name)
            if _is_of_another_line(manifest.version, version):
                versions = self._registry.versions(name)
                fitting = best_match(".".join(line), versions) or best_match(line[0], versions)
                manifest = self._registry.manifest(name, fitting) if fitting else manifest
        except PackageNotFound:
            return None
        return self._packed(manifest)

    def _packed(self, manifest: NpmManifest) -> Packed:
        archive = self._folder / f"{manifest.name.replace('/', '+')}.tgz"
        self._listener(Event("fetch", f"fetching {manifest.name} {manifest.version} from npm", 0, None))
        if not archive.exists():
            self._registry.download(manifest, archive, max_bytes=self._max_bytes)
        return Packed(manifest.version, archive, manifest.needs)
