"""The declaration files that an npm package offers to its users, by the specifiers that they import."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from docs_researcher.core.parsed import json_mapping

DECLARATION_SUFFIXES = (".d.ts", ".d.mts", ".d.cts")
_CODE_SUFFIX = re.compile(r"(?:\.d)?\.(?:[cm]?tsx?|[cm]?jsx?|json)$")
_CONDITIONS = ("types", "typings", "import", "module", "default", "require", "node", "browser")
_VERSION_FOLDER = re.compile(r"v(\d+)(?:[-./].*|$)")
MAX_ENTRIES = 300
_INTERNAL = re.compile(r"/(?:_|internals?(?:/|$)|index$)")
"""Files that a pattern includes and nobody imports."""
_BUILT = re.compile(r"^\./(?:dist|build|lib|src|cjs|esm|types)/|/internals?(?:/|$)")
"""Subpaths that open what the main entry point is made of: its names are imported from there."""


def entry_files(package_json: bytes | None, files: Collection[str], name: str, version: str | None) -> dict[str, str]:
    """The declaration file behind each specifier (`hono/cors`), the main one first.

    Args:
        package_json: the package's own description; None when it has none.
        files: the paths of its declaration files.
        name: what users import it by.
        version: its version; subpaths that are named after an older one (`zod/v3`) are left out.
    """
    manifest = _manifest(package_json)
    found: dict[str, str] = {}
    for subpath, path in _offered(manifest, files):
        if not _is_older(subpath, version) and len(found) < MAX_ENTRIES:
            found.setdefault(name if subpath in (".", "") else f"{name}/{subpath.removeprefix('./')}", path)
    if not found:
        path = resolve_file("", "index", files)
        if path is not None:
            found[name] = path
    return {key: found[key] for key in sorted(found, key=lambda key: (key != name, list(found).index(key)))}


def _offered(manifest: Mapping[str, Any], files: Collection[str]) -> Iterator[tuple[str, str]]:
    """Subpath and declaration file of every entry point: those that are listed first, then those that a pattern means."""
    patterns: list[tuple[str, str]] = []
    for subpath, target in _targets(manifest):
        path = resolve_file("", target, files) if "*" not in subpath else None
        if _BUILT.search(subpath):
            continue
        if path is not None:
            yield subpath, path
        elif subpath.count("*") == target.count("*") == 1 and _CODE_SUFFIX.search(target):  # without an ending: any file at all
            patterns.append((subpath, target))
    for subpath, target in patterns:
        before, after = _CODE_SUFFIX.sub("", posixpath.normpath(target)).split("*")
        for path in sorted(files):
            stem = _CODE_SUFFIX.sub("", path)
            middle = stem[len(before) : len(stem) - len(after)]
            if stem == f"{before}{middle}{after}" and middle and not _INTERNAL.search(f"/{middle}"):
                yield subpath.replace("*", middle), path


def resolve_file(folder: str, target: str, files: Collection[str]) -> str | None:
    """The declaration file that a relative specifier means, seen from `folder`; None when it is not in the package."""
    base = posixpath.normpath(posixpath.join(folder, target))
    if base.startswith(".."):
        return None
    stem = _CODE_SUFFIX.sub("", base)
    for path in (*(stem + suffix for suffix in DECLARATION_SUFFIXES), *(base + suffix for suffix in DECLARATION_SUFFIXES)):
        if path in files:
            return path
    for suffix in DECLARATION_SUFFIXES:
        path = posixpath.normpath(posixpath.join(base, f"index{suffix}"))
        if path in files:
            return path
    return None


def _manifest(data: bytes | None) -> Mapping[str, Any]:
    return json_mapping(data or b"")


def _targets(manifest: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Subpath and the file that declares it, as far as the description says."""
    for key in ("types", "typings"):
        if isinstance(manifest.get(key), str):
            yield ".", manifest[key]
    exports = manifest.get("exports")
    if isinstance(exports, dict) and any(str(key).startswith(".") for key in cast("dict[object, object]", exports)):
        for subpath, value in cast("dict[str, object]", exports).items():
            target = _types_of(value, 0)
            if target and not subpath.endswith(".json"):
                yield subpath, target
    elif exports is not None:
        target = _types_of(cast("object", exports), 0)
        if target:
            yield ".", target
    for key in ("module", "main"):
        if isinstance(manifest.get(key), str):
            yield ".", manifest[key]


def _types_of(value: object, depth: int) -> str | None:
    """The file of the first condition that can lead to declarations; conditions of one compiler version do not count."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        value = next(iter(cast("list[object]", value)), None)
        return _types_of(value, depth + 1) if depth < 8 else None
    if not isinstance(value, dict) or depth >= 8:
        return None
    record = cast("dict[str, object]", value)
    for condition in _CONDITIONS:
        if condition in record:
            target = _types_of(record[condition], depth + 1)
            if target:
                return target
    return None


def _is_older(subpath: str, version: str | None) -> bool:
    match = _VERSION_FOLDER.match(subpath.removeprefix("./"))
    major = (version or "").removeprefix("v").partition(".")[0]
    return match is not None and major.isdigit() and int(match[1]) < int(major)
