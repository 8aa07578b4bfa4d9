"""What `identify` prints as JSON: a question understood, or a list of candidates judged."""

from __future__ import annotations

from typing import Any

from docs_researcher.steps.identify import Identification
from docs_researcher.steps.pick import Pick
from docs_researcher.steps.split import Split


def identification_report(identification: Identification, parts: Split) -> dict[str, Any]:
    """`use_docs`, `reason`, `libraries` (the asked one first), `concepts` and `left_out` of a question."""
    return {
        "use_docs": identification.use_docs,
        "reason": identification.reason,
        "libraries": [
            {"name": library.name, "version": library.version, "id": library.id} for library in identification.libraries
        ],
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
