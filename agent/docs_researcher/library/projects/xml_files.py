"""XML of projects (pom.xml, csproj), read with bounds: no DOCTYPE, so no entities that grow or fetch."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from docs_researcher.library.projects.files import ProjectFiles, line_at

_DOCTYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def read_xml(files: ProjectFiles, path: Path) -> ElementTree.Element | None:
    """The outermost element of a file, names without their namespace; None, with a notice, if it cannot be used."""
    text = files.text(path)
    if text is None:
        return None
    doctype = _DOCTYPE.search(text)
    if doctype is not None:
        files.refuse(path, "it has a DOCTYPE, which no such file needs", line_at(text, doctype.start()))
        return None
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 -- it has no DOCTYPE
    except ElementTree.ParseError as error:
        files.refuse(path, "it is not XML", error.position[0])
        return None
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    return root


def child_text(element: ElementTree.Element, name: str) -> str:
    """The text of a child element; empty without one."""
    child = element.find(name)
    return (child.text or "").strip() if child is not None else ""
