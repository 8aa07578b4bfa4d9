"""When an answer counts as right: words, code, what must not stand in it, and its sources."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from docs_researcher.core.answer import Answer, Reference
from docs_researcher.core.errors import LibraryNotFound, UsageError
from docs_researcher.runtime.evaluate import Expected, is_cited, missing, read_expected, score, share
from docs_researcher.runtime.research_tool import ResearchArguments

TEXT = """\
Run the tests that failed with `pytest
--lf`; the option is kept.

```sh
pytest --lf -x
```

~~~python
capsys.readouterr()
~~~
"""


def reference(path: str | None = None, url: str | None = None) -> Reference:
    return Reference("A page", url, path, "/local/a", None, None)


def expected(**fields: object) -> Expected:
    return Expected("a", "q", **fields)  # pyright: ignore[reportArgumentType] -- fields by name


@pytest.mark.parametrize(
    ("fields", "lacks"),
    [
        ({"must": (("pytest --lf",),)}, 0),
        ({"must": (("--ff", "option is"),)}, 0),
        ({"must": (("--ff",), ("--lf",))}, 1),
        ({"must_code": (("pytest --lf",), ("capsys.readouterr()",))}, 0),
        ({"must_code": (("the option",),)}, 1),
        ({"must_code": (("-x capsys",),)}, 1),
        ({"never": ("--lf",)}, 1),
        ({"never": ("--nope",)}, 0),
    ],
)
def test_words_stand_letter_for_letter(fields: dict[str, object], lacks: int) -> None:
    assert len(missing(expected(**fields), TEXT)) == lacks


@pytest.mark.parametrize(
    ("page", "path", "url", "right"),
    [
        ("how-to/cache.rst", "doc/en/how-to/cache.rst", None, True),
        ("how-to/cache.rst", "doc/en/not-how-to/cache.rst", None, False),
        ("cache.rst", "doc/my-cache.rst", None, False),
        ("how-to/cache.rst", None, "https://docs.example/en/stable/how-to/cache.html#last-failed", True),
        ("how-to/cache.rst", None, "https://docs.example/en/stable/explanation/cache.html", False),
        ("01-app/02-guides/06-redirecting.mdx", None, "https://docs.example/docs/app/guides/redirecting", True),
        ("guides/index.md", None, "https://docs.example/docs/guides/", True),
        ("guides/a%20b.md", None, None, False),
    ],
)
def test_a_page_is_cited_by_its_path_or_its_address(page: str, path: str | None, url: str | None, right: bool) -> None:
    assert is_cited(page, [reference("other.md"), reference(path, url)]) is right


def test_a_row_is_right_when_words_and_citation_are() -> None:
    async def ask(asked: ResearchArguments) -> Answer:
        return Answer("complete", TEXT, references=(reference("docs/cache.md"),))

    rows = [expected(must=(("--lf",),), cite=(page,)) for page in ("cache.md", "other.md")]
    scored = [asyncio.run(score(row, ask)) for row in rows]
    assert [(row.words, row.cited, row.right) for row in scored] == [(True, True, True), (True, False, False)]
    assert share(scored, "words") == 1.0
    assert share(scored, "right") == 0.5


def test_an_error_is_an_answer_in_which_everything_is_missing() -> None:
    async def ask(asked: ResearchArguments) -> Answer:
        raise LibraryNotFound("Never heard of it")

    scored = asyncio.run(score(expected(must=(("a",),), must_code=(("b",),), cite=("c.md",)), ask))
    assert (scored.status, len(scored.missing), scored.cited) == ("failed", 2, False)
    assert "Never heard of it" in scored.text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"must": [["a"]]}', "no question"),
        ('{"question": "q"}', "judged"),
        ('{"question": "q", "must": "a"}', "must"),
        ('{"question": "q", "must": ["a"]}', "must"),
        ('{"question": "q", "cite": [1]}', "cite"),
        ("[]", "not an object"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_by_its_line(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"question": "q", "must": [["a"]]}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="Line 2") as raised:
        read_expected(file)
    assert said in raised.value.why


def test_every_case_of_ours_can_be_read() -> None:
    path = Path(__file__).parents[1] / "cases" / "answers.jsonl"
    rows = read_expected(path)
    written = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(row.id, row.package, list(row.cite)) for row in rows] == [
        (row["id"], row["package"], row["cite"]) for row in written
    ]
