"""Java: pom.xml of the nearest folder, with the properties and managed versions of the poms above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.library.projects.files import ProjectFiles, line_of
from docs_researcher.library.projects.values import Dependency, valid_name, valid_range, valid_version
from docs_researcher.library.projects.xml_files import child_text, read_xml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MANIFEST = "pom.xml"
_PROPERTY = re.compile(r"\$\{([^{}]+)\}")
_MOST_PROPERTIES = 10
"""How often a property may stand for another one."""


@dataclass
class _Known:
    """What poms settle for others: properties, managed versions, and the version of each parent by its group."""

    properties: dict[str, str] = field(default_factory=dict[str, str])
    managed: dict[str, str] = field(default_factory=dict[str, str])
    parents: dict[str, str] = field(default_factory=dict[str, str])

    def resolved(self, text: str) -> str:
        """The text with its properties filled in, as far as they are known."""
        for _ in range(_MOST_PROPERTIES):
            match = _PROPERTY.search(text)
            if match is None or match[1] not in self.properties or len(text) > 200:
                break
            text = text.replace(match[0], self.properties[match[1]])
        return text


def read_maven(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The dependencies of the nearest pom, then of those above it; `group/artifact` is the name."""
    poms = [
        (folder / MANIFEST, root)
        for folder in folders
        if MANIFEST in files.names(folder) and (root := read_xml(files, folder / MANIFEST)) is not None
    ]
    known = _Known()
    for _, root in poms:
        _learn(root, known)
    for path, root in poms:
        for element in root.findall("dependencies/dependency"):
            found = _dependency(files, path, element, known)
            if found is not None:
                yield found


def _learn(root: Element, known: _Known) -> None:
    properties = root.find("properties")
    for element in properties if properties is not None else ():
        known.properties.setdefault(str(element.tag), (element.text or "").strip())
    parent = root.find("parent")
    if parent is not None:
        known.parents.setdefault(child_text(parent, "groupId"), child_text(parent, "version"))
        known.properties.setdefault("project.parent.version", child_text(parent, "version"))
    version = child_text(root, "version") or (child_text(parent, "version") if parent is not None else "")
    known.properties.setdefault("project.version", version)
    for element in root.findall("dependencyManagement/dependencies/dependency"):
        name = f"{child_text(element, 'groupId')}/{child_text(element, 'artifactId')}"
        known.managed.setdefault(name, child_text(element, "version"))


def _dependency(files: ProjectFiles, path: Path, element: Element, known: _Known) -> Dependency | None:
    group, artifact = known.resolved(child_text(element, "groupId")), known.resolved(child_text(element, "artifactId"))
    name = valid_name("maven", f"{group}/{artifact}")
    if name is None:
        return None
    written = child_text(element, "version") or known.managed.get(name, "")
    version = known.resolved(written or known.parents.get(group, ""))
    line = line_of(files.text(path) or "", f"<artifactId>{artifact}<")
    return Dependency("maven", name, valid_version(version), valid_range(written), True, files.shown(path), line)
