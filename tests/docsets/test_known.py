"""What the user installed is known by name like a library of the catalogue."""

from collections.abc import Callable
from pathlib import Path

import pytest

from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.known import known_libraries, own_library
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.question.identify import identify
from loopback_npm import npm_registry, page

CATALOGUE = Catalogue.load()


@pytest.fixture
def install(home: Path, tmp_path: Path) -> Callable[[str], None]:
    def add(name: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "use.md").write_text(page("Use", "Call it."), encoding="utf-8")
        add_source(str(folder), store=Store(), catalogue=CATALOGUE, name=name)

    return add


def asked(question: str) -> list[tuple[str, str | None]]:
    return [(one.name, one.id) for one in identify(question, known_libraries(Store(), CATALOGUE)).libraries]


@pytest.mark.parametrize("question", ["How do I authenticate with acmelib?", "acmelib timeouts", "What does AcmeLib 2 return?"])
def test_an_installed_library_is_recognised_in_a_question(install: Callable[[str], None], question: str) -> None:
    install("acmelib")
    assert asked(question) == [("acmelib", "/local/acmelib")]


def test_a_folder_called_like_any_folder_is_not_found_in_every_question(install: Callable[[str], None]) -> None:
    install("guide")
    assert asked("Can you guide me through validation in Fastify?") == [("Fastify", "/fastify/fastify")]


def test_what_the_user_added_under_a_name_of_the_catalogue_is_what_that_name_means(install: Callable[[str], None]) -> None:
    install("relay")
    assert asked("how do I sign a request with relay?") == [("relay", "/local/relay")]
    assert asked("Fastify hooks") == [("Fastify", "/fastify/fastify")]


def test_a_name_that_any_question_may_hold_counts_with_a_hint_where_another_library_is_named(
    install: Callable[[str], None],
) -> None:
    install("cache")
    install("auth")
    assert asked("how do I cache responses in Fastify") == [("Fastify", "/fastify/fastify")]
    assert asked("where do I put the auth check in Fastify?") == [("Fastify", "/fastify/fastify")]
    assert asked("how do I expire entries with cache") == [("cache", "/local/cache")]
    assert asked("cache pages in Next.js") == [("Next.js", "/vercel/next.js")]
    assert asked("speed pages up with cache in Next.js") == [("Next.js", "/vercel/next.js")]
    assert asked("cache: how do I expire an entry?") == [("cache", "/local/cache")]


def test_a_name_that_is_a_stop_word_takes_no_question(install: Callable[[str], None]) -> None:
    install("one")
    install("it")
    assert asked("which hook do I use, one or two, in Fastify") == [("Fastify", "/fastify/fastify")]
    assert asked("how do I validate a body with it in Fastify") == [("Fastify", "/fastify/fastify")]
    assert asked("I have a plugin, how do I register one") == []


def test_what_bears_the_full_name_of_a_library_is_found_by_its_short_names_too(install: Callable[[str], None]) -> None:
    install("Ruby on Rails")
    assert asked("How do I validate a model in Rails?") == [("ruby-on-rails", "/local/ruby-on-rails")]


def test_a_package_outside_the_catalogue_is_known_by_its_package_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with npm_registry(monkeypatch, {"@acme/wire": {"1.0.0": {"docs/use.md": page("Use", "Call it.")}}}):
        add_source("npm:@acme/wire", store=Store(), catalogue=CATALOGUE)
    assert asked("How do I use @acme/wire?") == [("@acme/wire", "/npm/@acme/wire")]


def test_nothing_is_built_anew_while_nothing_changes(install: Callable[[str], None]) -> None:
    assert known_libraries(Store(), CATALOGUE) is CATALOGUE
    install("acmelib")
    assert known_libraries(Store(), CATALOGUE) is known_libraries(Store(), CATALOGUE)


def test_a_name_that_the_user_gave_to_a_folder_means_that_folder(install: Callable[[str], None]) -> None:
    install("relay")
    assert own_library(Store(), "relay") == "/local/relay"
    assert own_library(Store(), "Relay") is None
    assert own_library(Store(), "fastify") is None
