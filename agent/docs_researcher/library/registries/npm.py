"""npm's registry: one version, the dist-tags, all versions, and the archive of a version."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from docs_researcher.core.errors import PackageNotFound, SourceRefused, SourceUnavailable
from docs_researcher.core.parsed import mapping
from docs_researcher.library.packages import parse_package
from docs_researcher.library.registries.archives import Archives
from docs_researcher.library.registries.files import write_atomically
from docs_researcher.library.registries.http import get, get_json, host_of, may_follow
from docs_researcher.library.registries.integrity import Integrity
from docs_researcher.library.registries.public import npm_registry
from docs_researcher.library.registries.settings import RegistrySettings
from docs_researcher.library.versions import sort_newest

MAX_PACKUMENT_BYTES = 64 * 1024 * 1024
"""The whole document of a package, all versions in it. The largest known, of `next`, was 20.5 MB (2026-11-29)."""
PACKUMENT_SECONDS = 180.0
"""20 MB at one megabit a second."""

_UPLOAD_STAMP = re.compile(r"_(\d{13})_")


@dataclass(frozen=True, slots=True)
class NpmManifest:
    """One version of a package, as the registry states it.

    Attributes:
        name: the package's name, scope included.
        version: the exact version.
        url: where its archive lies.
        integrity: what the archive's checksum must be; None when the registry states none.
        size: unpacked, in bytes; None when not stated.
        license: as stated, usually an SPDX expression.
        description: one line.
        date: the day it was published (ISO 8601); None when not stated.
        repository: the address of its source, as stated.
        needs: the packages that it depends on and its peers, each with the range of versions.
    """

    name: str
    version: str
    url: str
    integrity: Integrity | None = None
    size: int | None = None
    license: str | None = None
    description: str = ""
    date: str | None = None
    repository: str | None = None
    needs: Mapping[str, str] = field(default_factory=dict[str, str])


class NpmRegistry(Archives):
    """The registry that the user's npm is set to. Synchronous; holds no connection between calls."""

    def __init__(self, settings: RegistrySettings | None = None, *, cache_dir: Path | None = None) -> None:
        self._settings = settings or RegistrySettings.read(Path.cwd())
        super().__init__(self._settings.npm_route)
        self._cache_dir = cache_dir

    def manifest(self, name: str, version_or_tag: str = "latest") -> NpmManifest:
        """One version of a package, by its number or by a dist-tag. Costs a few kilobytes.

        Raises:
            PackageNotFound: no such package, or no such version or tag of it.
            SourceUnavailable: the registry cannot be reached or answers with an error.
        """
        base = self._base(name)
        url = f"{base}/{_escape(name)}/{quote(version_or_tag, safe='')}"
        try:
            document = get_json(url, route=self._route)
        except PackageNotFound as error:
            raise _not_found(name, version_or_tag, base) from error
        return self._read_manifest(name, version_or_tag, document, base)

    def dist_tags(self, name: str) -> dict[str, str]:
        """The version behind each dist-tag; `latest` is among them. Costs under a kilobyte.

        Raises:
            PackageNotFound, SourceUnavailable: as `manifest`.
        """
        base = self._base(name)
        try:
            document = get_json(f"{base}/-/package/{_escape(name)}/dist-tags", route=self._route)
        except PackageNotFound:
            # Some private registries lack this address; one that has the package answers here.
            return {"latest": self.manifest(name).version}
        if not isinstance(document, dict):
            raise _strange(base)
        return {str(tag): str(version) for tag, version in cast(dict[object, object], document).items()}

    def versions(self, name: str) -> tuple[str, ...]:
        """All versions of a package, newest first. The first call may cost 20 MB; later ones ask only for what changed.

        Raises:
            PackageNotFound, SourceUnavailable: as `manifest`.
            SourceRefused: the package's document is larger than 64 MB.
        """
        return tuple(sort_newest(self.dates(name)))

    def dates(self, name: str) -> dict[str, str | None]:
        """All versions of a package with the day each was published (ISO 8601; None when not stated). Costs as `versions`.

        Raises:
            PackageNotFound, SourceUnavailable, SourceRefused: as `versions`.
        """
        base = self._base(name)
        cached = self._read_cache(name, base)
        headers = {"accept": "application/json"}
        if cached is not None:
            headers["if-none-match"] = cached["etag"]
        try:
            response = get(
                f"{base}/{_escape(name)}",
                route=self._route,
                headers=headers,
                max_bytes=MAX_PACKUMENT_BYTES,
                seconds=PACKUMENT_SECONDS,
            )
        except PackageNotFound as error:
            raise _not_found(name, None, base) from error
        if cached is not None and response.status == 304:
            return cached["versions"]
        versions = _versions_of(response.json(object_pairs_hook=_without_manifest_bodies))
        if versions is None:
            raise _strange(base)
        self._write_cache(name, base, response.headers.get("etag"), versions)
        return versions

    def _base(self, name: str) -> str:
        """The registry's address for a package of this name, without a slash at the end."""
        if parse_package(f"npm:{name}") is None:
            raise PackageNotFound(f"{name!r} is no name that npm allows", next_step="Check how the name is written.")
        return self._settings.registry_for(name) or npm_registry()

    def _read_manifest(self, name: str, asked: str, document: object, base: str) -> NpmManifest:
        if not isinstance(document, dict):
            raise _strange(base)
        record = cast(dict[str, Any], document)
        dist = cast(dict[str, Any], record.get("dist") or {})
        version, tarball = record.get("version"), dist.get("tarball")
        if not isinstance(version, str) or not isinstance(tarball, str):
            raise _not_found(name, asked, base)
        size = dist.get("unpackedSize")
        return NpmManifest(
            name=name,
            version=version,
            url=_tarball_address(tarball, base),
            integrity=_integrity(dist),
            size=size if isinstance(size, int) else None,
            license=_text_or(record.get("license"), "type"),
            description=" ".join(str(record.get("description") or "").split()),
            date=_publish_date(record),
            repository=_text_or(record.get("repository"), "url"),
            needs=_ranges(record.get("peerDependencies")) | _ranges(record.get("dependencies")),
        )

    def _cache_file(self, name: str, base: str) -> Path | None:
        if self._cache_dir is None:
            return None
        digest = sha256(f"{base}\n{name}".encode()).hexdigest()[:32]
        return self._cache_dir / "npm-versions" / f"{digest}.json"

    def _read_cache(self, name: str, base: str) -> dict[str, Any] | None:
        path = self._cache_file(name, base)
        try:
            read: object = json.loads(path.read_bytes()) if path is not None else None
        except (OSError, ValueError):
            return None  # no cache yet, or a damaged one: the whole document is asked for again
        if not isinstance(read, dict):
            return None
        record = cast(dict[str, Any], read)
        usable = isinstance(record.get("etag"), str) and isinstance(record.get("versions"), dict)
        return record if usable else None

    def _write_cache(self, name: str, base: str, etag: str | None, versions: Mapping[str, str | None]) -> None:
        path = self._cache_file(name, base)
        if path is None or not etag:
            return
        record = json.dumps({"etag": etag, "versions": versions}, separators=(",", ":"))
        write_atomically(path, record.encode())


def _ranges(value: object) -> dict[str, str]:
    return {str(name): str(range) for name, range in cast(dict[object, object], value).items()} if isinstance(value, dict) else {}


def _escape(name: str) -> str:
    return quote(name, safe="@")


def _tarball_address(tarball: str, base: str) -> str:
    """The archive's address. A mirror that copies documents may still name the public registry; npm then asks the mirror."""
    public = npm_registry()
    if tarball.startswith(f"{public}/") and base != public:
        tarball = base + tarball.removeprefix(public)
    if not may_follow(base, tarball):
        raise SourceRefused(
            f"{host_of(base)} says that the archive lies at {host_of(tarball)}, which is not read",
            why="only https, or http on the same host, is followed",
        )
    return tarball


def _integrity(dist: Mapping[str, Any]) -> Integrity | None:
    stated = dist.get("integrity")
    if isinstance(stated, str) and (found := Integrity.from_sri(stated)) is not None:
        return found
    shasum = dist.get("shasum")
    return Integrity.from_hex({"sha1": shasum}) if isinstance(shasum, str) else None


def _text_or(value: object, key: str) -> str | None:
    """A text, or the text under `key` where an object stands in its place (old manifests)."""
    if isinstance(value, dict):
        value = cast(dict[str, object], value).get(key)
    return value if isinstance(value, str) and value else None


def _publish_date(record: Mapping[str, Any]) -> str | None:
    """The day of upload. One version's document states no time, but the name of its upload holds the milliseconds."""
    stamp = _UPLOAD_STAMP.search(str(cast(dict[str, Any], record.get("_npmOperationalInternal") or {}).get("tmp", "")))
    if stamp is None:
        return None
    return datetime.fromtimestamp(int(stamp[1]) / 1000, UTC).date().isoformat()


def _without_manifest_bodies(pairs: Sequence[tuple[str, Any]]) -> object:
    """Called for each JSON object, innermost first: a version's manifest becomes None, so that memory stays small."""
    record = dict(pairs)
    return None if "dist" in record and "version" in record else record


def _versions_of(document: object) -> dict[str, str | None] | None:
    """Versions and days out of a package's whole document; None when it is none."""
    if not isinstance(document, dict):
        return None
    record = cast(dict[str, Any], document)
    versions, times = record.get("versions"), record.get("time")
    if not isinstance(versions, dict):
        return None
    days = mapping(times)
    return {str(version): _day(days.get(str(version))) for version in cast(dict[object, object], versions)}


def _day(text: object) -> str | None:
    return text[:10] if isinstance(text, str) and re.match(r"\d{4}-\d\d-\d\d", text) else None


def _not_found(name: str, version: str | None, base: str) -> PackageNotFound:
    what = f"npm has no package {name}" if version is None else f"npm has no package {name} at {version}"
    return PackageNotFound(what, why=f"{host_of(base)} knows nothing of it", next_step="Check the name and the version.")


def _strange(base: str) -> SourceUnavailable:
    return SourceUnavailable(
        f"{host_of(base)} does not answer like an npm registry",
        next_step="Check `registry` in .npmrc and the variable npm_config_registry.",
    )
