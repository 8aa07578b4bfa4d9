"""What `identify` prints as JSON: a question understood, or a list of candidates judged."""

from __future__ import annotations

from typing import Any

from docs_researcher.library.projects.values import Project
from docs_researcher.steps.identify import Identification
from docs_researcher.steps.in_project import versions_in_project
from docs_researcher.steps.pick import Pick
from docs_researcher.steps.split import Split


def identification_report(identification: Identification, parts: Split, project: Project | None = None) -> dict[str, Any]:
    """`use_docs`, `reason`, `libraries` (the asked one first), `project`, `concepts` and `left_out` of a question.

    `libraries` has the versions as they were asked for, `project` those that the project has, by the names of the libraries.
    """
    found = versions_in_project(identification.libraries, project)
    return {
        "use_docs": identification.use_docs,
        "reason": identification.reason,
        "libraries": [
            {"name": library.name, "version": library.version, "id": library.id} for library in identification.libraries
        ],
        "project": {
            name: {"version": one.version, "file": one.dependency.file, "how": one.how, "counts": one.asked is None}
            for name, one in found.items()
        },
        "concepts": list(parts.concepts),
        "left_out": list(parts.left_out),
    }


def pick_report(picked: Pick) -> dict[str, Any]:
    """`picked` (the id to query, or None), `version`, `warnings`, `tied` and `how` of a pick."""
    return {
        "picked": picked.id,
        "version": picked.version,
        "warnings": list(picked.warnings),
        "tied": [candidate.id for candidate in picked.tied],
        "how": picked.how,
    }
