"""A question inside a project: its dependencies are known by name, at its versions; what the question says comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import PackageRef
from docs_researcher.library.projects.values import Dependency, Ecosystem, Project
from docs_researcher.steps.queries.split import split
from docs_researcher.steps.question.identify import identify
from docs_researcher.steps.question.in_project import (
    at_project_version,
    declared_version,
    package_of,
    project_version,
    versions_in_project,
    with_dependencies,
)
from docs_researcher.steps.report import identification_report

CATALOGUE = Catalogue.load()


def dependency(
    name: str,
    version: str | None = None,
    declared: str | None = None,
    *,
    ecosystem: Ecosystem = "npm",
    direct: bool = True,
    local: bool = False,
) -> Dependency:
    return Dependency(ecosystem, name, version, declared, direct, "package-lock.json" if version else "package.json", None, local)


def project(*dependencies: Dependency) -> Project:
    return Project(Path("/somewhere"), dependencies)


SHOP = project(
    dependency("next", "16.2.3", "^16.2.0"),
    dependency("@acme/wire-protocol", "2.0.1"),
    dependency("nockery", "1.0.0"),
    dependency("debug", "4.4.0"),
    dependency("own-kit", local=True),
    dependency("deep-thing", "1.0.0", direct=False),
    dependency("django", "5.2.1", ecosystem="pypi"),
    dependency("github.com/gin-gonic/gin", "v1.10.0", ecosystem="golang"),
)


def asked(question: str, where: Project | None = SHOP, library: str | None = None) -> tuple[str, str | None, str | None]:
    """The asked library, the version to ask for, and how it was chosen by the project."""
    understood = identify(question, with_dependencies(CATALOGUE, where), library)
    assert understood.asked is not None, question
    found = project_version(understood.asked, where)
    return understood.asked.name, at_project_version(understood.asked, where).version, found.how if found else None


@pytest.mark.parametrize(
    ("question", "name", "version"),
    [
        ("How do I set up auth in Next.js?", "Next.js", "16.2.3"),
        ("How do I set up auth in Next.js 16?", "Next.js", "16.2.3"),
        ("How do I set up auth in Next.js 16.2?", "Next.js", "16.2.3"),
        ("How do I set up auth in Next.js 15?", "Next.js", "15"),
        ("How do I set up auth in Next.js 16.1?", "Next.js", "16.1"),
        ("Wie lege ich in Django ein Modell an?", "Django", "5.2.1"),
        ("How do I group routes in Gin?", "Gin", "v1.10.0"),
        ("How do I frame messages with @acme/wire-protocol?", "@acme/wire-protocol", "2.0.1"),
        ("How do I intercept a request with nockery?", "nockery", "1.0.0"),
        ("How do I validate forms with React Hook Form?", "React Hook Form", None),
    ],
)
def test_the_project_gives_the_version_that_the_question_leaves_open(question: str, name: str, version: str | None) -> None:
    assert asked(question)[:2] == (name, version)


def test_how_a_version_was_chosen_names_the_file() -> None:
    assert asked("How do I set up auth in Next.js?")[2] == "installed in this project (package-lock.json)"
    ranged = project(dependency("next", None, "^15.1.0"))
    assert asked("How do I set up auth in Next.js?", ranged) == (
        "Next.js",
        "15",
        "declared in this project (package.json: ^15.1.0)",
    )


def test_a_version_in_the_question_wins_over_the_project_and_it_is_said() -> None:
    understood = identify("How do I set up auth in Next.js 15?", CATALOGUE)
    assert understood.asked is not None
    found = project_version(understood.asked, SHOP)
    assert found is not None
    assert found.asked == "15"
    assert found.sentence("Next.js") == ("This project has Next.js 16.2.3 (package-lock.json), but 15 was asked for, and counts.")


def test_a_version_in_the_library_argument_wins_over_the_project() -> None:
    assert asked("How do I set up auth?", library="next@14")[:2] == ("Next.js", "14")


@pytest.mark.parametrize(
    ("library", "version", "overruled"),
    [("next@14", "15", "14"), ("next@15.2.1", "15.2.1", None), ("next", "15", None), ("npm:next@14.2.0", "15", "14.2.0")],
)
def test_the_question_wins_over_the_library_argument(library: str, version: str, overruled: str | None) -> None:
    understood = identify("How do I set up auth in Next.js 15?", CATALOGUE, library)
    assert understood.asked is not None
    assert (understood.asked.version, understood.asked.overruled) == (version, overruled)


def test_the_question_wins_over_the_version_in_an_id_that_was_given_as_the_library() -> None:
    understood = identify("How do I set up auth in Next.js 15?", CATALOGUE, "/vercel/next.js/v14.3.0")
    assert understood.docs_id is not None
    assert understood.docs_id.text == "/vercel/next.js/15"
    kept = identify("How do I set up auth in Next.js 15?", CATALOGUE, "/vercel/next.js/v15.1.8")
    assert kept.docs_id is not None
    assert kept.docs_id.text == "/vercel/next.js/v15.1.8"


@pytest.mark.parametrize(
    "question",
    ["How do I debug a request in Next.js?", "What is own-kit for in Next.js?", "How do I use deep-thing with Next.js?"],
)
def test_words_of_the_trade_and_what_may_not_be_fetched_are_not_known_by_name(question: str) -> None:
    known = with_dependencies(CATALOGUE, SHOP)
    assert {entry.name for entry in known.entries} - {entry.name for entry in CATALOGUE.entries} == {
        "@acme/wire-protocol",
        "nockery",
    }
    assert identify(question, known).libraries[-1].name == "Next.js"


def test_a_dependency_is_looked_up_as_its_package() -> None:
    understood = identify("How do I intercept a request with nockery?", with_dependencies(CATALOGUE, SHOP))
    assert understood.asked is not None
    assert package_of(understood.asked, SHOP) == "npm:nockery"
    of_catalogue = identify("How do I set up auth in Next.js?", CATALOGUE).asked
    assert of_catalogue is not None
    assert package_of(of_catalogue, SHOP) is None


def test_the_package_of_another_registry_gives_no_version() -> None:
    """`openai` of npm and of PyPI have nothing in common but the name."""
    entry = next(entry for entry in CATALOGUE.entries if entry.package is not None and entry.package.type == "npm" and entry.pypi)
    understood = identify("How do I use it?", CATALOGUE, entry.name)
    assert understood.asked is not None and understood.asked.entry is entry
    other = project(dependency(entry.pypi[0], "0.0.7", ecosystem="pypi"))
    assert project_version(understood.asked, other) is None


def test_a_local_copy_gives_no_version() -> None:
    assert asked("How do I set up auth in Next.js?", project(dependency("next", None, "workspace:*", local=True)))[1] is None


def test_without_a_project_nothing_changes() -> None:
    assert with_dependencies(CATALOGUE, None) is CATALOGUE
    assert asked("How do I set up auth in Next.js?", None) == ("Next.js", None, None)


@pytest.mark.parametrize(
    ("declared", "version"),
    [
        ("^15.1.0", "15"),
        ("^0.28.1", "0.28"),
        ("~5.2.1", "5.2"),
        ("~> 7.1", "7.1"),
        ("~=5.2", "5"),
        ("~=5.2.1", "5.2"),
        (">=4.2,<5", "4"),
        (">=4.2,<6", None),
        (">=4.2", None),
        ("==5.2.*", "5.2"),
        ("==5.2.1", "5.2.1"),
        ("16.2.3", "16.2.3"),
        ("7.2.x", "7.2"),
        ("*", None),
        ("latest", None),
        ("workspace:*", None),
        ("^15 || ^16", None),
        (None, None),
    ],
)
def test_a_range_comes_down_to_a_version_in_part(declared: str | None, version: str | None) -> None:
    assert declared_version(declared) == version


def test_the_report_says_what_the_project_has_and_whether_it_counts() -> None:
    understood = identify("How do I set up auth in Next.js 15 with Django?", CATALOGUE)
    report = identification_report(understood, split("", understood), SHOP)
    assert report["project"] == {
        "Next.js": {
            "version": "16.2.3",
            "file": "package-lock.json",
            "how": "installed in this project (package-lock.json)",
            "counts": False,
            "sentence": "This project has Next.js 16.2.3 (package-lock.json), but 15 was asked for, and counts.",
        },
        "Django": {
            "version": "5.2.1",
            "file": "package-lock.json",
            "how": "installed in this project (package-lock.json)",
            "counts": True,
            "sentence": "This project has Django 5.2.1 (package-lock.json).",
        },
    }
    assert identification_report(understood, split("", understood))["project"] == {}
    assert set(versions_in_project(understood.libraries, SHOP)) == {"Next.js", "Django"}


def test_only_direct_dependencies_of_a_registry_are_trusted() -> None:
    assert SHOP.names(PackageRef("npm", "nockery"))
    assert not SHOP.names(PackageRef("npm", "deep-thing"))
    assert not SHOP.names(PackageRef("npm", "own-kit"))
    assert not SHOP.names(PackageRef("pypi", "nockery"))
