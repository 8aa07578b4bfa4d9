"""What a search puts first, and that no question is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.searching.ranking import is_release_notes
from docs_researcher.docsets.searching.trim import LEFT_OUT, LEFT_OUT_CODE, trim

Make = Callable[[Mapping[str, str]], Docset]

FILLER = {f"x/{n}.md": f"# Filler {n}\n\nNothing of matter.\n" for n in range(10)}
"""A word that half of all chunks hold counts for nothing, so small examples need company."""

PAGES = {
    "docs/auth.md": "# Authentication\n\nCreate a session after the login.\n\n## Tokens\n\nA token expires after an hour.\n",
    "docs/cache.md": "# Caching\n\nResponses are cached for a minute. Clear the cache with `clearCache()`.\n",
    "docs/hooks.md": "# Hooks\n\nReturn a function from `useEffect` to clean up. The `useVictorState` hook keeps it.\n",
    "docs/c.md": "# C\n\nThe C bindings. C is small. C is old.\n",
    "docs/cpp.md": "# C++\n\nThe C++ bindings.\n",
    "docs/csharp.md": "# C#\n\nThe C# bindings, for .NET 8.\n",
    "docs/runes.md": "# Runes\n\nDeclare state with the `$state` rune.\n",
    "docs/state.md": "# State\n\nThe state of things. State is state.\n",
    "docs/cafe.md": "# Café crème\n\nServe it hot. See DEC-0054, version 1.0.21 and `apply_secrets`.\n",
    "docs/zh.md": "# 中文\n\n如何配置中间件以处理请求。\n",
    "docs/changelog.md": "# Changelog\n\n## 2.0\n\nThe cache and caching of the cache were changed: caching, cached, cache.\n",
}


@pytest.fixture
def docset(make_docset: Make) -> Docset:
    return make_docset(PAGES)


def first(docset: Docset, query: str) -> str:
    hits = docset.search(query).hits
    return hits[0].path if hits else ""


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("how do I clean up a useEffect", "docs/hooks.md"),
        ("How do I set up auth in Acme 1.0?", "docs/auth.md"),
        ("authentication", "docs/auth.md"),
        ("victor state hook", "docs/hooks.md"),
        ("useVictorState", "docs/hooks.md"),
        ("C++", "docs/cpp.md"),
        ("C#", "docs/csharp.md"),
        (".NET", "docs/csharp.md"),
        ("$state", "docs/runes.md"),
        ("crème", "docs/cafe.md"),
        ("cafe creme", "docs/cafe.md"),
        ("DEC-0054", "docs/cafe.md"),
        ('"1.0.21"', "docs/cafe.md"),
        ("apply_secrets", "docs/cafe.md"),
        ("secrets", "docs/cafe.md"),
        ("中间件", "docs/zh.md"),
        ("中间", "docs/zh.md"),
        ("请求", "docs/zh.md"),
        ("clearCache()", "docs/cache.md"),
        ("how long does a token live?", "docs/auth.md"),
        ("NOT caching", "docs/cache.md"),
        ("caching AND", "docs/cache.md"),
        ('"caching', "docs/cache.md"),
        ("title:caching", "docs/cache.md"),
        ("NEAR(cache b)", "docs/cache.md"),
        ("don't cache", "docs/cache.md"),
    ],
)
def test_the_right_page_is_first(docset: Docset, query: str, path: str) -> None:
    assert first(docset, query) == path


@pytest.mark.parametrize(
    "query", ["", " ", "*", "(", '"', "OR", "NOT x", "\x00", "' OR 1=1 --", "\ud800", "({[<", "-", "@tanstack/x"]
)
def test_no_question_is_an_error(docset: Docset, query: str) -> None:
    result = docset.search(query, max_tokens=100)
    assert 0 <= result.confidence <= 1
    assert sum(hit.tokens for hit in result.hits) <= 100


@pytest.mark.parametrize("unit", ["a", "aB", "a_", "A_", "a.", "1.", "a-", "`", "x or ", "v1 ", "é"])
@pytest.mark.timeout(20)  # a search that takes the square of the question's length needs minutes for these
def test_a_question_of_any_length_is_searched_in_linear_time(docset: Docset, unit: str) -> None:
    assert 0 <= docset.search(unit * (100_000 // len(unit)), max_tokens=100).confidence <= 1


def test_release_notes_come_last_unless_the_question_is_about_versions(docset: Docset) -> None:
    assert first(docset, "cache") == "docs/cache.md"
    assert first(docset, "what changed in the cache in version 2.0, breaking changes") == "docs/changelog.md"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/releases/5.2.md", True),
        ("docs/CHANGELOG.md", True),
        ("docs/02-guides/upgrading/version-15.md", True),
        ("docs/Guides/Migration-Guide-V5.md", True),
        ("docs/08-migration-guides/24-migration-guide-6-0.mdx", True),
        ("docs/topics/migrations.md", False),
        ("docs/history.md", False),
        ("docs/guides/auth.md", False),
    ],
)
def test_release_notes_are_known_by_their_path(path: str, expected: bool) -> None:
    assert is_release_notes(path) is expected


def test_what_stands_only_in_release_notes_is_looked_up_there(make_docset: Make) -> None:
    docset = make_docset(
        {
            "docs/changelog.md": "# Changelog\n\n## 3.0\n\n`openWidget` is gone: call `widget.open` and await it.\n",
            "docs/widget.md": "# Open a widget\n\nOpen a widget with `widget.open`. A widget opens once.\n",
            **FILLER,
        }
    )
    assert first(docset, "openWidget") == "docs/changelog.md"
    assert first(docset, "open a widget") == "docs/widget.md"


@pytest.mark.parametrize("budget", [60, 200, 1_000])
def test_the_budget_is_kept_whatever_is_joined(make_docset: Make, budget: int) -> None:
    sections = "".join(
        f"## Step number {n} of the widget\n\n" + f"Turn the widget to {n}. " * (15 * n) + "\n\n" for n in range(1, 8)
    )
    docset = make_docset({"a.md": f"# Guide\n\n{sections}", "b.md": f"# Other guide\n\n{sections}"})
    for query in ("widget", "turn the widget", "step number 3"):
        hits = docset.search(query, max_tokens=budget).hits
        assert hits
        assert sum(hit.tokens for hit in hits) <= budget


def test_confidence_is_high_where_the_words_are_found_together_under_a_heading_that_says_them(docset: Docset) -> None:
    weak = docset.search("how do I deploy zeppelins with cache")
    assert weak.terms == ("deploy", "zeppelins", "cache")
    assert 0 < weak.confidence < 0.5 < docset.search("clear the cache").confidence
    assert docset.search("zeppelin").hits == ()
    assert docset.search("zeppelin").confidence == 0.0


def test_a_word_five_times_in_a_titled_short_text_beats_once_in_a_long_one(make_docset: Make) -> None:
    long = "# Other\n\n" + "filler words of no matter. " * 200 + "widget\n"
    docset = make_docset({"a.md": long, "b.md": "# Widget\n\n" + "widget " * 5})
    result = docset.search("widget")
    assert [hit.path for hit in result.hits] == ["b.md", "a.md"]
    assert result.hits[0].score > result.hits[1].score


def test_a_page_called_like_the_question_beats_one_that_only_mentions_it(make_docset: Make) -> None:
    docset = make_docset(
        {
            "a.md": "# What the caching layer brings to large image files\n\nHere is caching in some words.\n",
            "b.md": "# Caching\n\nCaching is told here in rather more text than in the other one. It goes on.\n",
            **FILLER,
        }
    )
    assert first(docset, "caching") == "b.md"


def test_the_library_s_name_is_looked_up_where_nothing_else_is_said(make_docset: Make) -> None:
    docset = make_docset(
        {"docs/acme.md": "# Acme\n\nCall `acme()` on a list.\n", "docs/other.md": "# Other\n\nHow I do.\n", **FILLER}
    )
    assert first(docset, "how do I acme?") == "docs/acme.md"


def test_no_page_fills_the_result_before_others_had_their_turn(make_docset: Make) -> None:
    many = "# Widget\n\n" + "".join(f"## Widget {n}\n\n" + f"widget text number {n} " * 60 + "\n\n" for n in range(6))
    docset = make_docset({"a.md": many, "z.md": "# Other\n\n" + "some words, " * 50 + "and one widget.\n"})
    assert {hit.path for hit in docset.search("widget", limit=3).hits} == {"a.md", "z.md"}


def test_the_same_text_is_found_once(make_docset: Make) -> None:
    text = "# Widget\n\nA widget is drawn with `draw()`.\n"
    docset = make_docset({"app/widget.md": text, "pages/widget.md": text.replace("with `draw()`", "with  `draw()`")})
    assert [hit.path for hit in docset.search("widget").hits] == ["app/widget.md"]


def test_equal_bodies_under_different_headings_are_both_found(make_docset: Make) -> None:
    body = "Takes no arguments. " + "It returns the value of the widget. " * 20
    docset = make_docset({"a.md": f"# API\n\n## open\n\n{body}\n", "b.md": f"# API\n\n## close\n\n{body}\n"})
    assert len(docset.search("widget value").hits) == 2


def test_of_two_pages_that_say_the_same_the_one_of_the_first_folder_comes_first(make_docset: Make) -> None:
    docset = make_docset(
        {
            "docs/01-app/forms.md": "# Forms\n\n## Validation\n\nValidate a form on the server, with an action and a schema.\n",
            "docs/02-pages/forms.md": "# Forms\n\n## Validation\n\nValidate a form on the server, with a route and schema.\n",
        }
    )
    assert first(docset, "form validation") == "docs/01-app/forms.md"


def test_neighbours_are_joined_in_the_order_of_the_page(make_docset: Make) -> None:
    sections = "".join(f"## Step {n}\n\n" + f"Turn the widget to {n}. " * 50 + "\n\n" for n in (1, 2))
    docset = make_docset({"a.md": f"# Guide\n\n{sections}", "b.md": "# Other\n\nNothing.\n"})
    (hit,) = docset.search("turn widget", limit=2).hits
    assert (
        hit.content.index("Turn the widget to 1.") < hit.content.index("## Step 2") < hit.content.index("Turn the widget to 2.")
    )
    assert hit.heading == "Step 1 / Step 2"
    assert hit.tokens == estimate_tokens(hit.content)


def test_a_chunk_that_does_not_fit_is_passed_over_and_smaller_ones_are_taken(make_docset: Make) -> None:
    docset = make_docset(
        {
            "a.md": "# Widget\n\nA widget is a widget.\n",
            "b.md": "# Widget again\n\n" + "widget words go on. " * 100,
            "c.md": "# Notes\n\nOne small note on many things, of which the last is a widget, and then it ends.\n",
            **FILLER,
        }
    )
    paths = [hit.path for hit in docset.search("widget", max_tokens=80).hits]
    assert paths == ["a.md", "c.md"]
    assert sum(hit.tokens for hit in docset.search("widget", max_tokens=80).hits) <= 80


def test_the_best_hit_is_shortened_rather_than_lost(make_docset: Make) -> None:
    docset = make_docset({"a.md": "# Widget\n\n" + "widget " * 2_000})
    (hit,) = docset.search("widget", max_tokens=200).hits
    assert hit.shortened
    assert 0 < hit.tokens <= 200
    assert hit.content.endswith(LEFT_OUT)


def test_a_hit_knows_its_place(make_docset: Make) -> None:
    docset = make_docset({"docs/a.md": "# Guide\n\n## Use\n\n### Draw it\n\nA `widget` is drawn.\n\n```js\ndraw(widget)\n```\n"})
    (hit,) = docset.search("widget").hits
    assert (hit.path, hit.title, hit.has_code, hit.url) == ("docs/a.md", "Guide", True, None)
    assert hit.heading.startswith("Use")
    assert hit.line >= 3
    assert "```js\ndraw(widget)\n```" in hit.content


def test_equal_searches_give_equal_results(docset: Docset) -> None:
    assert docset.search("cache token state") == docset.search("cache token state")


def test_trimming_keeps_code_whole_and_says_what_is_missing() -> None:
    code = "```js\n" + "\n\n".join(f"line({n})" for n in range(200)) + "\n```"
    text = f"Before the code.\n\n{code}\n\nAfter the code, with `words`."
    short = trim(text, 100)
    assert "line(" not in short
    assert LEFT_OUT_CODE in short
    assert short.endswith(LEFT_OUT)
    assert "After the code" in short
    assert estimate_tokens(short) <= 100


def test_trimming_keeps_code_that_fits() -> None:
    text = "Intro.\n\n~~~~py\na = 1\n\n```\n~~~~\n\n" + "word " * 500
    short = trim(text, 80)
    assert "~~~~py\na = 1\n\n```\n~~~~" in short
    assert estimate_tokens(short) <= 80


def test_trimming_cuts_a_single_long_line_between_words() -> None:
    short = trim("widget " * 4_000, 100)
    assert short.startswith("widget widget")
    assert estimate_tokens(short) <= 100
    assert all(word == "widget" for word in short.removesuffix(LEFT_OUT).split())
