"""What Python projects declare: pyproject.toml (PEP 621, PEP 735, poetry, pdm, uv), Pipfile, requirements files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import ProjectFiles, line_of, texts
from docs_researcher.library.projects.requirements import Requirement, line_in, parse_requirement, read_requirements

_ENDINGS = ("-requirements.txt", "_requirements.txt")
_IN_FOLDER = "requirements"
_LOCAL_KEYS = frozenset(("path", "git", "url", "file", "editable", "develop", "workspace"))
_NO_PACKAGE = frozenset(("python",))
MAX_REQUIREMENT_FILES = 12


def is_requirements(name: str) -> bool:
    """Whether a file of this name holds requirements."""
    return name.endswith(_ENDINGS) or (name.startswith("requirements") and name.endswith(".txt"))


def declared_in(files: ProjectFiles, folder: Path) -> Iterator[Requirement]:
    """Everything that the manifests of one folder require."""
    names = files.names(folder)
    if "pyproject.toml" in names:
        yield from _pyproject(files, folder / "pyproject.toml")
    if "Pipfile" in names:
        yield from _pipfile(files, folder / "Pipfile")
    paths = [folder / name for name in names if is_requirements(name)]
    if _IN_FOLDER in names:
        below = folder / _IN_FOLDER
        paths += [below / name for name in files.names(below) if name.endswith(".txt")]
    for path in paths[:MAX_REQUIREMENT_FILES]:
        yield from read_requirements(files, path)


def workspace_patterns(files: ProjectFiles, folder: Path) -> list[str]:
    """The patterns of uv's workspace, if the folder is the root of one."""
    if "pyproject.toml" not in files.names(folder):
        return []
    data = files.toml(folder / "pyproject.toml") or {}
    return [*texts(mapping(mapping(mapping(data.get("tool")).get("uv")).get("workspace")).get("members"))]


def project_name(files: ProjectFiles, folder: Path) -> str:
    """The name of the folder's own package; empty where it has none."""
    data = files.toml(folder / "pyproject.toml") or {} if "pyproject.toml" in files.names(folder) else {}
    tool = mapping(data.get("tool"))
    name = mapping(data.get("project")).get("name") or mapping(tool.get("poetry")).get("name")
    return name if isinstance(name, str) else ""


def _pyproject(files: ProjectFiles, path: Path) -> Iterator[Requirement]:
    data = files.toml(path) or {}
    text = files.text(path) or ""
    tool = mapping(data.get("tool"))
    sources = mapping(mapping(tool.get("uv")).get("sources"))
    local = {name.lower() for name, source in sources.items() if _LOCAL_KEYS & mapping(source).keys()}
    for line in _lines(data, tool):
        read = parse_requirement(line)
        if read is not None:
            yield replace(read, local=read.local or read.name.lower() in local, file=path, line=_line(text, line, read.name))
    poetry = mapping(tool.get("poetry"))
    groups = [mapping(group).get("dependencies") for group in mapping(poetry.get("group")).values()]
    for group in (poetry.get("dependencies"), poetry.get("dev-dependencies"), *groups):
        yield from _named(mapping(group), path, text)


def _line(text: str, requirement: str, name: str) -> int | None:
    return line_of(text, f'"{requirement}"', f"'{requirement}'") or line_in(text, name)


def _lines(data: Mapping[str, Any], tool: Mapping[str, Any]) -> Iterator[str]:
    """The requirements that are written as PEP 508 says, whatever table they stand in."""
    project = mapping(data.get("project"))
    yield from texts(project.get("dependencies"))
    tables = (
        project.get("optional-dependencies"),
        data.get("dependency-groups"),
        mapping(tool.get("pdm")).get("dev-dependencies"),
    )
    for groups in tables:
        for group in mapping(groups).values():
            yield from texts(group)
    yield from texts(mapping(tool.get("uv")).get("dev-dependencies"))


def _pipfile(files: ProjectFiles, path: Path) -> Iterator[Requirement]:
    data = files.toml(path) or {}
    text = files.text(path) or ""
    for kind in ("packages", "dev-packages"):
        yield from _named(mapping(data.get(kind)), path, text)


def _named(group: Mapping[str, Any], path: Path, text: str) -> Iterator[Requirement]:
    """Requirements written as `name = "range"` or `name = { version = "range", ... }`."""
    for name, value in group.items():
        if name.lower() in _NO_PACKAGE or parse_requirement(name) is None:
            continue
        details = mapping(value)
        asked = value if isinstance(value, str) else details.get("version")
        asked = asked if isinstance(asked, str) and asked != "*" else None
        pin = parse_requirement(f"{name}{asked}") if asked and asked.startswith("==") else None
        local = bool(_LOCAL_KEYS & details.keys())
        yield Requirement(name, asked, pin.pinned if pin else None, local, True, path, line_in(text, name))
