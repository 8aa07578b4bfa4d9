"""What a run inside a project has to know and to tell: the versions that the project has, and whether they counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.library.packages import PackageRef, parse_package

if TYPE_CHECKING:
    from docs_researcher.library.projects.values import Project
    from docs_researcher.models.base import Question
    from docs_researcher.steps.question.compared_libraries import Side
    from docs_researcher.steps.question.identify import Identification
    from docs_researcher.steps.question.named import Named

_SEVERAL_PARTS = frozenset("@=/ ")
"""Signs that a library argument with a version holds."""
MOST_TOLD = 4
"""How many libraries of a question a model is told the versions of."""


def project_at(folder: str | Path | None) -> Project | None:
    """The project around a folder; None without a folder, and where no file makes it one."""
    if folder is None:
        return None
    from docs_researcher.library.projects.read import find_project

    return find_project(Path(folder))


def understood(question: Question) -> Identification:
    """The question as it is understood inside its project."""
    from docs_researcher.runtime.model_choice import known
    from docs_researcher.steps.question.identify import identify
    from docs_researcher.steps.question.in_project import with_dependencies

    return identify(question.text, with_dependencies(known(), question.project), question.library, question.project)


def asked_one_by_one(question: Question) -> tuple[tuple[Side, Identification], ...]:
    """The libraries that a question is asked of one by one, each with its own question, understood; empty where it is one."""
    if question.library:
        return ()
    from docs_researcher.runtime.model_choice import known
    from docs_researcher.steps.question.in_project import with_dependencies
    from docs_researcher.steps.question.sides import sides_of

    sides = sides_of(understood(question), with_dependencies(known(), question.project))
    return tuple((side, understood(replace(question, text=side.question, library=side.library))) for side in sides)


def dependency_asked(text: str, folder: str | Path | None) -> str | None:
    """The dependency of the project around a folder that a question is about, as `npm:NAME`: a server of our own may fetch it."""
    project = project_at(folder)
    if project is None:
        return None
    from docs_researcher.models.base import Question
    from docs_researcher.steps.question.in_project import package_of

    named = understood(Question(text, project=project)).asked
    package = parse_package(package_of(named, project) or "") if named is not None else None
    return package.text if package is not None and project.names(package) else None


def project_line(question: Question) -> str:
    """One line for a model that reads: what the project has of the libraries that the question names. Empty without any."""
    if question.project is None:
        return ""
    from docs_researcher.steps.question.in_project import versions_in_project

    found = versions_in_project(understood(question).libraries, question.project)
    has = [f"{name} {one.version} by {one.dependency.file}" for name, one in list(found.items())[:MOST_TOLD]]
    return f"(In this project: {', '.join(has)}. Versions that the question names come first.)" if has else ""


_LANGUAGE = re.compile(r"\b(?:python|javascript|typescript|node(?:js)?)\b", re.IGNORECASE)
"""A quick look for a word that may tell which language a package is wanted for."""


def told(library: AnsweredLibrary | None, question: Question) -> tuple[AnsweredLibrary | None, tuple[Notice, ...]]:
    """The library of an answer with how the project chose its version, and what the asker has to know of the choice."""
    fixed_version = _SEVERAL_PARTS.intersection(question.library or "")
    said = _LANGUAGE.search(question.text)
    if question.project is None and not fixed_version and not said and not _is_at_both_registries(library):
        return library, ()
    from docs_researcher.steps.question.in_project import project_version
    from docs_researcher.steps.question.registry import guess_sentence

    read = understood(question)
    answered = _named(library, read.libraries) if library is not None else None
    guess = guess_sentence(answered) if answered is not None else ""
    notices = [Notice("library_assumed", guess)] if guess else []
    notices += [Notice("project_file", text) for text in question.project.notices] if question.project is not None else []
    if read.asked is not None and read.asked.overruled is not None:
        notices.insert(0, Notice("version_overruled", _overruled(read.asked)))
    fixed = read.docs_id is not None and read.docs_id.version is not None
    named = None if fixed else _named(library, read.libraries)
    found = project_version(named, question.project) if named is not None else None
    if found is None or named is None:
        return library, tuple(notices)
    notices.insert(0, Notice("project_version", found.sentence(named.name)))
    if library is not None and found.asked is None and _is_of(library.version, found.version):
        library = replace(library, version_choice=found.how)
    return library, tuple(notices)


def _is_at_both_registries(library: AnsweredLibrary | None) -> bool:
    """Whether an answer may be from the wrong one of a library's two packages."""
    if library is None:
        return False
    from docs_researcher.runtime.model_choice import known

    catalogue = known()
    entry = catalogue.by_id(library.id)
    if entry is None or entry.package is None or entry.other_package is not None:
        return entry is not None and entry.package is not None
    other = PackageRef("npm" if entry.package.type == "pypi" else "pypi", entry.package.name)
    return catalogue.by_package(other) is not None


def _overruled(named: Named) -> str:
    return f"The question names {named.name} {named.version} and the library argument {named.overruled}; the question counts."


def _named(library: AnsweredLibrary | None, libraries: Sequence[Named]) -> Named | None:
    """The library of the question that was answered for; the asked one where no answer names any."""
    if library is None:
        return libraries[0] if libraries else None
    for named in libraries:
        if named.name == library.name or (named.entry is not None and library.id in (named.entry.id, *named.entry.other_ids)):
            return named
    return None


def _is_of(version: str | None, asked: str) -> bool:
    from docs_researcher.library.versions import satisfies

    return version is not None and (version == asked or satisfies(asked, version))
