"""Step 1 where a name may mean another thing, or nothing: shared names, names taken back, everyday words in other languages."""

from __future__ import annotations

import pytest

from docs_researcher.library.catalogue import Catalogue, Entry
from docs_researcher.steps.question.identify import identify

CATALOGUE = Catalogue.load()


def named(question: str) -> list[tuple[str, str | None]]:
    return [(library.name, library.version) for library in identify(question, CATALOGUE).libraries]


@pytest.mark.parametrize(
    ("question", "library"),
    [
        ("openai v1.3 python: retry policy", "OpenAI Python SDK"),
        ("openai 4.56 node: stream a response", "OpenAI TypeScript SDK"),
        ("redis: how do I count the keys of a database?", "Redis"),
        ("redis python pipeline with transactions", "redis-py"),
        ("redis client python pubsub", "redis-py"),
        ("mongodb python aggregate with lookup", "PyMongo"),
        ("bcrypt hash password python", "bcrypt for Python"),
        ("pip install bcrypt, how to hash a password", "bcrypt for Python"),
        ("bcrypt compare a password in express", "bcrypt"),
        ("redis: expire keys of a hash one by one", "Redis"),
        ("postgres: upsert with returning on pg 15", "PostgreSQL"),
        ("connect to postgres with pg and a pool of 20 in express", "node-postgres"),
    ],
)
def test_a_name_shared_by_a_service_and_its_client_means_the_client_beside_its_language(question: str, library: str) -> None:
    assert library in [name for name, _ in named(question)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("selenium python headless", ["Selenium"]),
        ("docker sdk for python run a container", ["Docker"]),
        ("playwright python click inside an iframe", ["Playwright"]),
        ("python click options", ["Click"]),
    ],
)
def test_a_language_behind_a_library_tells_which_package_is_meant_and_is_no_library(question: str, expected: list[str]) -> None:
    assert [name for name, _ in named(question)] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Use drizzle with postgres jsonb column", ["Drizzle ORM", "PostgreSQL"]),
        ("combine black and isort in pre-commit", ["Black", "isort", "pre-commit"]),
        ("connect flask to redis", ["Flask", "Redis"]),
        ("compare flask and django for routing", ["Flask", "Django"]),
        ("What do I get from attrs that dataclasses do not have?", ["attrs"]),
        ("old code passes backend=default_backend() everywhere, does cryptography still need that?", ["cryptography"]),
        ("which units does pendulum's first_of take", ["Pendulum"]),
        ("black or white, which colour is better?", []),
        ("use state with zod", ["Zod"]),
    ],
)
def test_an_everyday_word_that_is_used_with_a_library_is_one(question: str, expected: list[str]) -> None:
    assert [name for name, _ in named(question)] == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("does click support async commands", ["Click"]),
        ("pendulum or the standard datetime, why should I switch?", ["Pendulum"]),
        ("Error: Cannot set headers after they are sent to the client express", ["Express"]),
        ("chalk bold red text", ["Chalk"]),
        ("does a click support group exist in my town", []),
        ("spring or autumn, which is warmer?", []),
        ("upgrade black to 26", ["Black"]),
        ("upgrade the black one to a larger screen", []),
        ("black leather jacket sizes", []),
    ],
)
def test_an_everyday_word_is_a_library_where_only_software_can_stand(question: str, expected: list[str]) -> None:
    assert [name for name, _ in named(question)] == expected


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("uuid v4", None),
        ("uuid v7 in a browser", None),
        ("upgrade uuid to v7", "v7"),
        ("uuid 9.0.1 in a browser", "9.0.1"),
        ("uuid 8 to 9", "9"),
    ],
)
def test_a_version_of_the_format_that_a_library_writes_is_not_the_library_s(question: str, version: str | None) -> None:
    assert named(question) == [("UUID", version)]


def test_both_names_of_one_service_are_one_library_with_the_version_of_either() -> None:
    assert named("postgres: upsert with returning on pg 15") == [("PostgreSQL", "15")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In Vuex, sorry, Pinia: how do I reset a store?", [("Pinia", None)]),
        ("webpack 5... I mean Vite 6: proxy to a second server", [("Vite", "6")]),
        ("Our vite... sorry, white board session: who brings the markers?", []),
    ],
)
def test_a_name_that_is_taken_back_is_not_meant(question: str, expected: list[tuple[str, str | None]]) -> None:
    assert named(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("jinja2 macros with a default", ("Jinja", None)),
        ("jinja2 3.1 macros with a default", ("Jinja", "3.1")),
        ("beautifulsoup4 4.12 select by attribute", ("Beautiful Soup", "4.12")),
        ("Vue3 composables", ("Vue.js", "3")),
        ("PyQt6 signal with two arguments", ("PyQt", "6")),
        ("celery beat 5.3 with redis: tasks are executed twice", ("Celery", "5.3")),
        ("pandas quantile 0.95 of each group", ("pandas", None)),
    ],
)
def test_digits_of_a_name_are_no_version_and_a_version_may_stand_behind_a_part(
    question: str, expected: tuple[str, str | None]
) -> None:
    assert named(question)[0] == expected


@pytest.mark.parametrize(
    ("question", "library"),
    [
        ("¿Qué diferencia hay entre pandas merge y join?", "pandas"),
        ("Wie lösche ich in Celery eine geplante Aufgabe?", "Celery"),
        ("Comment annuler une requête avec cypress ?", "Cypress"),
    ],
)
def test_an_english_word_in_another_language_is_hardly_an_everyday_one(question: str, library: str) -> None:
    assert named(question)[0][0] == library


@pytest.mark.parametrize(
    "question",
    [
        "Der Client sendet einen Request und die Session ist nach dem Login leer, warum?",
        "from somewhere import Blueprint\nwhat does this line do?",
        "Celery is great in a salad",
        "jest kidding, the meeting is at 5",
        "Create a frame holding the widgets, then get x",
        "Refactor this so that it is shorter: f(x)",
        "Explain the difference between concurrency and parallelism",
        "ValueError: expected 4 bytes in a string, why?",
        "Is the specified module frozen, or the current package?",
    ],
)
def test_plain_words_are_no_libraries(question: str) -> None:
    assert named(question) == []


def test_a_call_behind_a_doubtful_name_makes_it_a_name() -> None:
    assert named("yup when() with two fields") == [("Yup", None)]


def test_a_library_whose_name_is_the_verb_of_the_question_is_looked_up() -> None:
    own = CATALOGUE.extended([Entry("frob", "/local/frob", "local", "")])
    assert identify("how do I frob?", own).use_docs
    assert not identify("frob?", own).use_docs
    assert not identify("How do I react?", own).use_docs


def test_things_called_inside_a_library_do_not_lead() -> None:
    assert named("What is the right order of cors() and helmet() in Express?")[0] == ("Express", None)


def test_a_library_that_a_question_begins_in_is_asked_about_when_it_names_no_other() -> None:
    assert named("In Gatsby 5, how do I query images? Is Next.js 14 any better at it?")[0] == ("Gatsby", "5")
    assert named("In Next.js 15, how do I use Zustand?")[0] == ("Zustand", None)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("click: make -vvv count as three", "Click"),
        ("attrs: a field that is computed from two others", "attrs"),
        ("What does attrs do with slots?", "attrs"),
        ("Does express support http2?", "Express"),
        ("Why does react render my list twice?", "React"),
        ("When should I take attrs rather than dataclasses?", "attrs"),
    ],
)
def test_an_english_word_is_the_library_that_a_question_is_put_about(question: str, name: str) -> None:
    assert [one.name for one in identify(question, CATALOGUE).libraries] == [name]


@pytest.mark.parametrize("text", ["rest: I sleep until nine", "Can click events bubble?", "should I use click or drag for this"])
def test_an_english_word_in_the_same_place_of_another_sentence_is_none(text: str) -> None:
    assert not identify(text, CATALOGUE).libraries


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How do I render markdown with marked?", [("marked", None)]),
        ("why is a method marked as deprecated in vue", [("Vue.js", None)]),
        ("dateutil parser in pandas", [("python-dateutil", None), ("pandas", None)]),
    ],
)
def test_a_small_library_is_known_and_its_word_is_not_taken_for_it(question: str, expected: list[tuple[str, str | None]]) -> None:
    assert named(question) == expected


@pytest.mark.parametrize(
    ("question", "name", "query"),
    [
        ("how to add retries in axois", "Axios", "how to add retries in Axios"),
        ("react-hook-from validation", "React Hook Form", "React Hook Form validation"),
        ("how does axois 1.7 retry", "Axios", "how does Axios 1.7 retry"),
    ],
)
def test_a_misspelt_name_is_put_right_in_what_is_looked_up(question: str, name: str, query: str) -> None:
    found = identify(question, CATALOGUE)
    assert [library.name for library in found.libraries] == [name]
    assert found.query == query
