"""What `identify` prints as JSON: a question understood, or a list of candidates judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docs_researcher.library.projects.values import Project
from docs_researcher.steps.candidates.pick import Pick
from docs_researcher.steps.queries.split import Split
from docs_researcher.steps.question.identify import Identification
from docs_researcher.steps.question.in_project import versions_in_project
from docs_researcher.steps.question.mentions import MentionKind
from docs_researcher.steps.question.named import Named

_READ_AS: dict[MentionKind, str] = {
    "name": 'called "{text}"',
    "word": 'called "{text}", which here is no everyday word',
    "package": 'its package "{text}" is named',
    "code": '"{text}" is used in code',
    "identifier": '"{text}" is a name of its API',
    "unknown": 'called "{text}", which the catalogue does not hold',
    "typo": '"{text}" is taken for a misspelling of it',
}


def identification_report(
    identification: Identification, parts: Split, project: Project | None = None, sides: Mapping[str, Split] | None = None
) -> dict[str, Any]:
    """`use_docs`, `reason`, `libraries`, `docs_id`, `project`, `concepts`, `left_out` and `sides` of a question.

    `libraries` has the versions as they were asked for, and `why` each is there, the asked one first; `project` has those that
    the project has, by the names of the libraries. `sides` are the parts of a question that is asked of several libraries one
    by one, by their names: `concepts` are then those of all.
    """
    sides = sides or {}
    found = versions_in_project(identification.libraries, project)
    return {
        "use_docs": identification.use_docs,
        "reason": identification.reason,
        "libraries": [
            {"name": library.name, "version": library.version, "id": library.id, "why": _why(library, identification)}
            for library in identification.libraries
        ],
        "docs_id": identification.docs_id.text if identification.docs_id is not None else None,
        "project": {
            name: {
                "version": one.version,
                "file": one.dependency.file,
                "how": one.how,
                "counts": one.asked is None,
                "sentence": one.sentence(name),
            }
            for name, one in found.items()
        },
        "concepts": [concept for part in sides.values() or [parts] for concept in part.concepts],
        "left_out": [left for part in sides.values() or [parts] for left in part.left_out],
        "sides": {name: list(part.concepts) for name, part in sides.items()},
    }


def _why(library: Named, identification: Identification) -> str:
    """Why a library is among those that a question names, in a phrase."""
    if library.overruled is not None:
        return f"given as the library, at version {library.overruled}; the question's version counts"
    mention = next((mention for mention in identification.mentions if mention.name == library.name), None)
    if mention is not None:
        return _READ_AS[mention.kind].format(text=mention.written or mention.text)
    return "its id was given" if identification.docs_id is not None else "given as the library"


def pick_report(picked: Pick) -> dict[str, Any]:
    """`picked` (the id to query, or None), `version`, `warnings`, `tied` and `how` of a pick."""
    return {
        "picked": picked.id,
        "version": picked.version,
        "warnings": list(picked.warnings),
        "tied": [candidate.id for candidate in picked.tied],
        "how": picked.how,
    }
