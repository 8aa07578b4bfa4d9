"""Laws of reading and cutting that hold for every Markdown page: code, fences, size, lines, words; and for any bytes at all."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docs_researcher.docsets.building.chunks import Chunk, chunk_page
from docs_researcher.docsets.building.split import CODE_SHARE
from docs_researcher.docsets.building.split_lists import LIST_CONTINUED
from docs_researcher.docsets.building.split_tables import TABLE_CONTINUED
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.readers.text import decode

LIMIT = 90
COMMONMARK = MarkdownIt("commonmark", {"html": False, "maxNesting": 100}).enable("table")
LAW = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@dataclass
class Written:
    """A page under construction: every line of code and every sentence carries a number that no other one has."""

    path: str
    text: str = ""
    code: list[str] = field(default_factory=list[str])
    """Lines of code as they stand between their fences, in order."""
    words: list[str] = field(default_factory=list[str])
    """One word of each sentence, heading and row, in order."""
    headers: list[str] = field(default_factory=list[str])
    """Words in table headers, which may be repeated."""
    number: int = 0

    def word(self) -> str:
        self.number += 1
        self.words.append(f"w{self.number}w")
        return self.words[-1]

    def code_line(self, template: str) -> str:
        self.number += 1
        line = template.replace("§", f"c{self.number}c")
        self.code.append(line)
        return line


CODE = [
    "<App§ />",
    "# comment§",
    "  let x = a<B>(§)",
    "import § from 'b'",
    "{/* § */}",
    "- §",
    "| § | b |",
    "\t\t§",
    "*§*",
    "[§]: /x",
]
MARKS = ["```", "~~~", "````", "~~~~~"]
INFOS = ["", "js", 'tsx filename="a.tsx"', "js{1-3} twoslash", "python title='x'"]
SENTENCE = ["A § with `code§`.", "Use <Link§> for § now.", "**Bold** § and [link§](/x).", "import the § before.", "Plain § text."]
KINDS = [
    "paragraph", "code", "heading", "table", "list", "nested list", "tab list", "quote", "component", "html", "container",
    "admonition", "slashes", "alert", "directive", "indented", "pre",
]  # fmt: skip


def sentences(draw: Any, page: Written, most: int = 5) -> list[str]:
    chosen: list[str] = draw(st.lists(st.sampled_from(SENTENCE), min_size=1, max_size=most))
    return [line.replace("§", page.word(), 1).replace("§", "") + " and so on, on and on" for line in chosen]


def paragraph(draw: Any, page: Written) -> list[str]:
    lines = sentences(draw, page)
    return [" ".join(lines)] if draw(st.booleans()) else lines


def fence(draw: Any, page: Written, *, is_open: bool = False) -> list[str]:
    mark = draw(st.sampled_from(MARKS))
    templates: list[str] = draw(st.lists(st.sampled_from(["", *CODE]), max_size=40))
    body = [page.code_line(template) if template else "" for template in templates]
    return [mark + draw(st.sampled_from(INFOS)), *body, *([] if is_open else [mark])]


def inner(draw: Any, page: Written) -> list[str]:
    return fence(draw, page) if draw(st.booleans()) else paragraph(draw, page)


def indented(lines: list[str], by: str) -> list[str]:
    return [by + line if line else "" for line in lines]


def listing(draw: Any, page: Written, mark: str, by: str, depth: int) -> list[str]:
    rows: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        rows += [f"{mark}item {page.word()}", ""]
        part = listing(draw, page, "- ", "  ", 0) if depth and draw(st.booleans()) else inner(draw, page)
        rows += [*indented(part, by), ""]
    return rows[:-1]


def table(draw: Any, page: Written) -> list[str]:
    header = page.word()
    page.headers.append(header)
    rows = [f"| {page.word()} | {'cell ' * draw(st.integers(1, 9))}|" for _ in range(draw(st.integers(1, 20)))]
    return [f"| {header} | Text |", "| --- | --- |", *rows]


def block(draw: Any, page: Written, kind: str) -> list[str]:
    simple = {
        "paragraph": lambda: paragraph(draw, page),
        "code": lambda: fence(draw, page),
        "heading": lambda: ["#" * draw(st.integers(1, 6)) + f" Title {page.word()}"],
        "table": lambda: table(draw, page),
        "list": lambda: listing(draw, page, "- ", "  ", 0),
        "nested list": lambda: listing(draw, page, "1. ", "   ", 1),
        "tab list": lambda: listing(draw, page, "-\t", "\t", 0),
        "indented": lambda: ["## Indented", "", *indented([page.code_line("a§ = b")], "    ")],
        "pre": lambda: ["<pre><code>", page.code_line("x§ = 1"), "</code></pre>"],
    }
    if kind in simple:
        return simple[kind]()
    wrapped = inner(draw, page)
    if kind == "quote":
        return [f"> {line}".rstrip() for line in wrapped]
    around = {
        "component": (["<Note>", ""], ["", "</Note>", "", "{/* hiddenword */}"]),
        "html": (["<details>", "<summary>More</summary>", ""], ["", "</details>", "", "<!-- hiddenword -->"]),
        "container": ([":::tip[Mind]", ""], ["", ":::"]),
        "slashes": (["/// note | Mind", ""], ["", "///"]),
        "directive": (["``````{note} Mind"], ["``````"]),
    }
    if kind in around:
        before, behind = around[kind]
        return [*before, *wrapped, *behind]
    if kind == "alert":
        return ["> [!NOTE]", *(f"> {line}".rstrip() for line in wrapped)]
    return ['!!! note "Mind"', "", *indented(wrapped, "    ")]


@st.composite
def pages(draw: Any) -> Written:
    page = Written(draw(st.sampled_from(["page.md", "page.mdx"])))
    blocks: list[list[str]] = [["---", "description: none", "---"]] if draw(st.booleans()) else []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=10)):
        if kind == ("indented" if page.path.endswith(".mdx") else "component"):
            continue  # MDX has no indented code, and a page with components is MDX whatever it is called
        blocks.append(block(draw, page, kind))
    if draw(st.integers(0, 4)) == 0:
        blocks.append(fence(draw, page, is_open=True))
    text = "\n\n".join("\n".join(lines) for lines in blocks) + "\n"
    page.text = text.replace("\n", "\r\n") if draw(st.booleans()) else text
    return page


def chunks_of(page: Written, limit: int = LIMIT) -> tuple[Chunk, ...]:
    read = read_markdown(page.path, page.text)
    return chunk_page(read, limit) if read else ()


def shown_of(page: Written) -> str:
    read = read_markdown(page.path, page.text)
    title = read.title if read else ""  # a page of a title alone has no chunk
    return title + "".join("\n" + chunk.content + "\n" + "\n".join(chunk.heading) for chunk in chunks_of(page))


def code_lines(text: str) -> list[str]:
    return [line for token in COMMONMARK.parse(text) if token.type == "fence" for line in token.content.split("\n")]


@LAW
@given(pages())
def test_every_line_of_code_is_kept_once_in_order_and_unchanged(page: Written) -> None:
    shown = [line for chunk in chunks_of(page) for line in code_lines(chunk.content) if line.strip()]
    assert [line for line in shown if re.search(r"c\d+c", line)] == page.code


@LAW
@given(pages())
def test_every_fence_that_opens_in_a_chunk_ends_in_it(page: Written) -> None:
    for chunk in chunks_of(page):
        lines = chunk.content.split("\n")
        for token in COMMONMARK.parse(chunk.content):
            if token.type == "fence" and token.map:
                last = lines[token.map[1] - 1].lstrip(" \t>").rstrip()
                assert token.map[1] - token.map[0] > 1
                assert len(last) >= len(token.markup)
                assert not last.strip(token.markup[0])


@LAW
@given(pages())
def test_every_chunk_keeps_the_limit_and_one_of_a_single_block_of_code_half_as_much_again(page: Written) -> None:
    for chunk in chunks_of(page):
        assert chunk.content.strip()
        fences = sum(token.type == "fence" for token in COMMONMARK.parse(chunk.content))
        assert chunk.tokens <= (LIMIT if fences != 1 else LIMIT * CODE_SHARE)


@LAW
@given(pages())
def test_every_line_stands_in_one_chunk_but_for_what_is_marked_as_repeated(page: Written) -> None:
    counts: Counter[str] = Counter()
    for chunk in chunks_of(page):
        counts.update(set(re.findall(r"w\d+w", chunk.content)))
        repeated = chunk.content.split("\n")
        for number, line in enumerate(repeated):
            if line == TABLE_CONTINUED:
                counts.subtract(re.findall(r"w\d+w", repeated[number + 2]))
            elif line.endswith(LIST_CONTINUED):
                counts.subtract(re.findall(r"w\d+w", line))
    shown = shown_of(page)
    assert all(counts[word] <= 1 for word in page.words)
    assert all(word in shown for word in page.words)
    assert "hiddenword" not in shown


@LAW
@given(pages())
def test_chunks_follow_the_lines_of_the_file_and_anchors_name_one_section(page: Written) -> None:
    chunks = chunks_of(page)
    assert [chunk.line for chunk in chunks] == sorted(chunk.line for chunk in chunks)
    assert all(1 <= chunk.line <= page.text.count("\n") + 1 for chunk in chunks)
    places: dict[str, tuple[str, ...]] = {}
    for chunk in chunks:
        if chunk.anchor:
            assert places.setdefault(chunk.anchor, chunk.heading) == chunk.heading


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("<>{}[]()`~*_#-=:!|\\\"'/ \t\n\r\0aA&1.$%"), max_size=300), st.sampled_from(["a.md", "a.mdx"]))
def test_no_text_makes_the_reader_fail(text: str, path: str) -> None:
    page = read_markdown(path, text)
    if page:
        for chunk in chunk_page(page, LIMIT):
            assert chunk.tokens > 0


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_make_the_reader_fail(data: bytes) -> None:
    text = decode(data).text
    page = read_markdown("a.md", text) if text is not None else None
    if page:
        assert all(chunk.tokens > 0 for chunk in chunk_page(page, LIMIT))
