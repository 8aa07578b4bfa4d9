"""Laws of the other readers: no bytes make them fail, every line of code is kept once, chunks keep their size."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docs_researcher.docsets.building.chunks import Chunk, chunk_page
from docs_researcher.docsets.building.split import CODE_SHARE
from docs_researcher.docsets.readers.choose import reader_for
from docs_researcher.docsets.readers.text import decode

LIMIT = 90
COMMONMARK = MarkdownIt("commonmark", {"html": False, "maxNesting": 100}).enable("table")
LAW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
PATHS = ["page.rst", "page.txt", "page.html", "page.adoc", "page.ipynb"]
CODE = ["<App§ />", "# comment§", "  let x = a<B>(§) & c", "|| § ||", "if §: {", "== §", "    deep(§)", "* §", "`§`", "-§"]


@dataclass
class Written:
    """A page under construction; every line of code and every paragraph carries a number that no other one has."""

    text: str = ""
    code: list[str] = field(default_factory=list[str])
    words: list[str] = field(default_factory=list[str])
    number: int = 0

    def word(self) -> str:
        self.number += 1
        self.words.append(f"w{self.number}w")
        return self.words[-1]

    def lines(self, templates: list[str]) -> list[str]:
        """Code of these templates; it begins at the margin, as every form here takes the margin of its first line away."""
        for template in ["start(§)", *templates]:
            self.number += 1
            self.code.append(template.replace("§", f"c{self.number}c"))
        return self.code[-1 - len(templates) :]


def written(draw: Any, form: str) -> Written:
    page = Written()
    parts: list[str] = []
    for kind in draw(st.lists(st.sampled_from(["text", "code", "listed", "section", "note"]), min_size=1, max_size=8)):
        code = page.lines(draw(st.lists(st.sampled_from(CODE), max_size=30))) if kind in ("code", "listed") else []
        parts.append(FORMS[form](page, kind, code))
    page.text = (
        ENDS[form].replace("{}", "\n\n".join(parts))
        if form != "ipynb"
        else json.dumps({"cells": [json.loads(part) for part in parts]})
    )
    return page


def rst(page: Written, kind: str, code: list[str]) -> str:
    if kind == "section":
        title = f"Title {page.word()}"
        return f"{title}\n{'=' * len(title)}"
    if kind == "note":
        return f".. note::\n\n   Mind {page.word()} well."
    if kind == "text":
        return f"Some words {page.word()} here.\n" * 1
    by = "   " if kind == "code" else "     "
    body = "\n".join(by + line for line in code)
    return f".. code-block:: js\n\n{body}" if kind == "code" else f"- item {page.word()}\n\n  .. code-block:: js\n\n{body}"


def web(page: Written, kind: str, code: list[str]) -> str:
    if kind == "section":
        return f"<h2 id='a'>Title {page.word()}</h2>"
    if kind == "note":
        return f"<div class='admonition note'><p class='admonition-title'>Note</p><p>Mind {page.word()} well.</p></div>"
    if kind == "text":
        return f"<p>Some words {page.word()} here."
    pre = f"<pre><code class='language-js'>{html.escape(chr(10).join(code))}</code></pre>"
    return pre if kind == "code" else f"<ul><li>item {page.word()}{pre}</li></ul>"


def asciidoc(page: Written, kind: str, code: list[str]) -> str:
    if kind == "section":
        return f"== Title {page.word()}"
    if kind == "note":
        return f"[NOTE]\n====\nMind {page.word()} well.\n===="
    if kind == "text":
        return f"Some words {page.word()} here."
    listing = "[source,js]\n----\n" + "\n".join(code) + "\n----"
    return listing if kind == "code" else f"* item {page.word()}\n+\n{listing}"


def notebook(page: Written, kind: str, code: list[str]) -> str:
    if kind in ("code", "listed"):
        return json.dumps({"cell_type": "code", "source": "\n".join(code)})
    text = f"## Title {page.word()}" if kind == "section" else f"Some words {page.word()} here."
    return json.dumps({"cell_type": "markdown", "source": [text]})


FORMS = {"rst": rst, "html": web, "adoc": asciidoc, "ipynb": notebook}
ENDS = {"rst": "{}\n", "html": "<title>T</title><main>{}</main>", "adoc": "= T\n\n{}\n"}


def chunks_of(path: str, text: str) -> tuple[Chunk, ...]:
    reader = reader_for(path)
    assert reader is not None
    page = reader(path, text)
    return chunk_page(page, LIMIT) if page else ()


@pytest.mark.parametrize("form", FORMS)
@LAW
@given(st.data())
def test_every_line_of_code_is_kept_once_in_order_and_unchanged(form: str, data: st.DataObject) -> None:
    page = written(data.draw, form)
    chunks = chunks_of(f"page.{form}", page.text)
    fences = [token for chunk in chunks for token in COMMONMARK.parse(chunk.content) if token.type == "fence"]
    shown = [line for token in fences for line in token.content.split("\n")]
    assert [line for line in shown if line.strip()] == page.code


@pytest.mark.parametrize("form", FORMS)
@LAW
@given(st.data())
def test_chunks_keep_their_size_their_fences_and_every_word_once(form: str, data: st.DataObject) -> None:
    page = written(data.draw, form)
    chunks = chunks_of(f"page.{form}", page.text)
    for chunk in chunks:
        tokens = [token for token in COMMONMARK.parse(chunk.content) if token.type == "fence"]
        assert chunk.tokens <= (LIMIT if len(tokens) != 1 else LIMIT * CODE_SHARE)
        lines = chunk.content.split("\n")
        assert all(token.map and lines[token.map[1] - 1].strip(" >") == token.markup for token in tokens)
    shown = "\n".join(f"{chunk.doc_title}\n{' '.join(chunk.heading)}\n{chunk.content}" for chunk in chunks)
    assert not chunks or all(word in shown for word in page.words)  # a page of headings alone is none
    contents = [chunk.content for chunk in chunks]
    assert all(sum(word in content for content in contents) <= 1 for word in page.words)


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_make_a_reader_fail(path: str, data: bytes) -> None:
    text = decode(data).text
    if text is not None:
        assert all(chunk.tokens > 0 for chunk in chunks_of(path, text))


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=120, deadline=None)
@given(st.text(st.sampled_from("<>{}[]()`~*_#-=:!|\\\"'/.+ \t\n\raA&1$%"), max_size=300))
def test_no_text_makes_a_reader_fail(path: str, text: str) -> None:
    assert all(chunk.tokens > 0 for chunk in chunks_of(path, text))
    if path.endswith("ipynb"):
        assert all(
            chunk.tokens > 0 for chunk in chunks_of(path, json.dumps({"cells": [{"cell_type": "markdown", "source": text}]}))
        )
