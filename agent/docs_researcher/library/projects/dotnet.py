""".NET: project files, the central Directory.Packages.props, and packages.lock.json."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles, line_of
from docs_researcher.library.projects.values import Dependency, valid_name, valid_range, valid_version
from docs_researcher.library.projects.xml_files import child_text, read_xml

LOCK, CENTRAL = "packages.lock.json", "Directory.Packages.props"
PROJECTS = (".csproj", ".fsproj", ".vbproj")
MAX_PROJECTS = 20
_EXACT = re.compile(r"\[?(\d[\w.+-]*)\]?")


def read_dotnet(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The packages of the nearest project files; versions out of the lock file, else as they are declared."""
    folder = next((one for one in folders if any(name.endswith(PROJECTS) for name in files.names(one))), None)
    folder = folder or next((one for one in folders if LOCK in files.names(one)), None)
    if folder is None:
        return
    locked = _locked(files, folder / LOCK) if LOCK in files.names(folder) else {}
    central = _central(files, folders)
    for name in [name for name in files.names(folder) if name.endswith(PROJECTS)][:MAX_PROJECTS]:
        for package, asked in _references(files, folder / name, "PackageReference").items():
            asked = asked or central.get(package.lower(), "")
            _, version, _ = locked.pop(package.lower(), (package, None, True))
            exact = _EXACT.fullmatch(asked)
            shown = files.shown(folder / (LOCK if version else name))
            line = None if version else line_of(files.text(folder / name) or "", f'"{package}"')
            version = version or (valid_version(exact[1]) if exact else None)
            yield Dependency("nuget", package, version, valid_range(asked), True, shown, line)
    for package, version, direct in locked.values():
        yield Dependency("nuget", package, version, None, direct, files.shown(folder / LOCK))


def _references(files: ProjectFiles, path: Path, element_name: str) -> dict[str, str]:
    """The packages that a project file names, with what it asks for."""
    root = read_xml(files, path)
    found: dict[str, str] = {}
    for element in root.iter(element_name) if root is not None else ():
        name = valid_name("nuget", element.get("Include") or element.get("Update") or "")
        if name is not None:
            override = element.get("VersionOverride") or element.get("Version") or child_text(element, "Version")
            found.setdefault(name, override.strip())
    return found


def _central(files: ProjectFiles, folders: Sequence[Path]) -> dict[str, str]:
    for folder in folders:
        if CENTRAL in files.names(folder):
            return {name.lower(): asked for name, asked in _references(files, folder / CENTRAL, "PackageVersion").items()}
    return {}


def _locked(files: ProjectFiles, path: Path) -> dict[str, tuple[str, str | None, bool]]:
    """What the lock file holds, by the name in lower case: the name as written, the version, whether it is direct."""
    data = files.json(path, MAX_LOCK_BYTES) or {}
    found: dict[str, tuple[str, str | None, bool]] = {}
    for packages in mapping(data.get("dependencies")).values():
        for name, entry in mapping(packages).items():
            one = mapping(entry)
            if valid_name("nuget", name) is not None and one.get("type") != "Project":
                found.setdefault(name.lower(), (name, valid_version(one.get("resolved")), one.get("type") == "Direct"))
    return found
