"""Which package is read where npm and PyPI both have one: the words of the question, the project, else a guess that is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import PackageRef
from docs_researcher.library.projects.values import Dependency, Project
from docs_researcher.steps.question.identify import identify
from docs_researcher.steps.question.named import Named
from docs_researcher.steps.question.registry import guess_sentence


def asked(question: str, *packages: str, library: str | None = None) -> Named:
    """The library that a question is about, asked in a project that depends on `packages` (`npm:vue`)."""
    project = Project(Path("/srv/app"), tuple(_dependency(one) for one in packages)) if packages else None
    named = identify(question, Catalogue.load(), library, project).asked
    assert named is not None
    return named


def _dependency(text: str) -> Dependency:
    ecosystem, _, name = text.partition(":")
    assert ecosystem in ("npm", "pypi")
    return Dependency(ecosystem, name, None, "*", direct=True, file="a manifest")


def package(named: Named) -> str:
    assert named.entry is not None
    assert named.entry.package is not None
    return named.entry.package.text


@pytest.mark.parametrize(
    "question",
    [
        "How do I send an SMS with Twilio in Python?",
        "How do I send an SMS with Twilio from a Django view?",
        "How do I send an SMS with Twilio in send.py?",
    ],
)
def test_a_question_about_python_reads_the_package_of_pypi(question: str) -> None:
    named = asked(question)
    assert (package(named), named.id, named.guessed) == ("pypi:twilio", "/pypi/twilio", None)
    assert named.name == "Twilio"


@pytest.mark.parametrize(
    "question",
    [
        "How do I list pods with the Kubernetes client in Node.js?",
        "How do I list pods of Kubernetes in TypeScript?",
        "How do I list pods with Kubernetes in an Express handler?",
        "How do I list pods with @kubernetes/client-node?",
    ],
)
def test_a_question_about_javascript_reads_the_package_of_npm(question: str) -> None:
    named = next(one for one in identify(question, Catalogue.load()).libraries if one.name == "Kubernetes")
    assert (package(named), named.guessed) == ("npm:@kubernetes/client-node", None)


def test_a_node_of_a_cluster_is_no_javascript() -> None:
    assert package(asked("How do I drain a node in Kubernetes?")) == "pypi:kubernetes"


@pytest.mark.parametrize(
    ("dependency", "expected"),
    [("pypi:twilio", "pypi:twilio"), ("pypi:flask", "pypi:twilio"), ("npm:twilio", "npm:twilio"), ("npm:vue", "npm:twilio")],
)
def test_without_such_words_the_project_decides(dependency: str, expected: str) -> None:
    named = asked("How do I send an SMS with Twilio?", dependency)
    assert (package(named), named.guessed) == (expected, None)


def test_a_project_that_has_the_package_of_one_registry_decides_though_it_has_dependencies_of_both() -> None:
    assert package(asked("How do I send an SMS with Twilio?", "npm:vue", "pypi:flask", "pypi:twilio")) == "pypi:twilio"


def test_words_of_the_question_come_before_the_project() -> None:
    assert package(asked("How do I send an SMS with Twilio in Node.js?", "pypi:flask")) == "npm:twilio"


def test_without_any_sign_the_one_that_more_people_use_is_read_and_the_guess_is_told() -> None:
    named = asked("How do I send an SMS with Twilio?")
    assert (package(named), named.guessed) == ("npm:twilio", PackageRef("pypi", "twilio"))
    assert "npm:twilio" in guess_sentence(named)
    assert "pypi:twilio" in guess_sentence(named)
    assert package(asked("How do I query a collection in Weaviate?")) == "pypi:weaviate-client"


def test_a_guess_between_packages_with_one_guide_is_none() -> None:
    assert guess_sentence(asked("How do I query a collection in Qdrant?")) == ""


@pytest.mark.parametrize("library", ["npm:twilio", "/websites/twilio"])
def test_what_the_asker_fixed_exactly_stays(library: str) -> None:
    assert asked("How do I send an SMS in Python?", library=library).id != "/pypi/twilio"


def test_a_library_of_one_registry_is_no_guess() -> None:
    assert asked("How do I stream a response in Django?", "npm:vue").guessed is None


def test_each_side_has_an_id_of_its_own_and_no_versions_of_the_other() -> None:
    catalogue = Catalogue.load()
    polars = catalogue.by_name("polars")
    side = catalogue.by_package(PackageRef("npm", "nodejs-polars"))
    assert polars is not None
    assert side is not None
    assert (side.id, side.name, side.npm, side.pypi) == ("/npm/nodejs-polars", polars.name, ("nodejs-polars",), ())
    assert side.git is None, "its tags are of the package for Python"
    assert catalogue.by_id(side.id) is side
    assert catalogue.find(side.id) is side
    assert catalogue.by_package(PackageRef("pypi", "polars")) is polars


def test_of_a_service_in_the_cloud_one_of_its_clients_is_read_and_the_guess_is_told() -> None:
    named = asked("openai how do I stream")
    assert (package(named), named.guessed) == ("pypi:openai", PackageRef("npm", "openai"))
    assert "npm:openai" in guess_sentence(named)


@pytest.mark.parametrize(
    ("question", "packages", "expected"),
    [
        ("openai how do I stream in node", (), "npm:openai"),
        ("openai how do I stream", ("npm:express",), "npm:openai"),
        ("openai python streaming", ("npm:express",), "pypi:openai"),
    ],
)
def test_the_client_of_a_service_is_that_of_the_language_which_is_written(
    question: str, packages: tuple[str, ...], expected: str
) -> None:
    named = asked(question, *packages)
    assert (package(named), named.guessed) == (expected, None)


@pytest.mark.parametrize(("have", "expected"), [("redis-py", "redis-py"), ("node-redis", "node-redis"), ("Flask", "Redis")])
def test_a_database_without_a_guide_is_read_in_the_client_that_the_asker_has(have: str, expected: str) -> None:
    catalogue = Catalogue.load()
    entry = catalogue.by_name(have)
    assert entry is not None
    named = identify("redis pipeline with several commands", catalogue.extended((), [entry.id])).asked
    assert named is not None
    assert (named.name, named.guessed) == (expected, None)


@pytest.mark.parametrize(("dependency", "expected"), [("npm:vue", "pypi:polars"), ("npm:nodejs-polars", "npm:nodejs-polars")])
def test_a_port_to_another_language_is_meant_where_it_is_a_dependency(dependency: str, expected: str) -> None:
    assert package(asked("Polars lazy frame", dependency)) == expected


@pytest.mark.parametrize("question", ["chalk in python", "python chalk", "chalk python?"])
def test_a_language_that_a_library_is_not_for_is_said(question: str) -> None:
    said = guess_sentence(asked(question))
    assert "library for JavaScript (npm:chalk)" in said
    assert "says Python" in said


@pytest.mark.parametrize(
    "question", ["call a fastapi route from javascript", "chalk in node", "polars in python", "zod schemas python backend"]
)
def test_a_language_that_is_only_mentioned_is_no_doubt(question: str) -> None:
    assert "says" not in guess_sentence(asked(question))
