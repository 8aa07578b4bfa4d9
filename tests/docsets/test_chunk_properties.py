"""Laws of reading and cutting that hold for every page: fences, letters, size, words."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docs_researcher.docsets.chunks import Chunk, chunk_page
from docs_researcher.docsets.readers.markdown import read_markdown

LIMIT = 60
COMMONMARK = MarkdownIt("commonmark", {"html": False}).enable("table")

word = st.text("abcdefghij", min_size=1, max_size=9)
sentence = st.lists(word, min_size=1, max_size=12).map(lambda words: " ".join(words) + ".")
paragraph = st.lists(sentence, min_size=1, max_size=6).map(" ".join)
code_line = st.sampled_from(
    ["<App />", "# comment", "", "  let x = a<B>(c)", "import a from 'b'", "{/* kept */}", "- x", "| a | b |"]
)
mark = st.sampled_from(["```", "~~~", "````"])
info = st.sampled_from(["", "js", 'tsx filename="a.tsx"'])
code = st.tuples(mark, info, st.lists(code_line, max_size=25)).map(
    lambda parts: "\n".join([parts[0] + parts[1], *parts[2], parts[0]])
)
title = paragraph.map(lambda text: text[:30].strip(" ."))
heading = st.tuples(st.integers(1, 6), title).map(lambda parts: "#" * parts[0] + " " + parts[1])
row = st.tuples(word, sentence).map(lambda cells: f"| {cells[0]} | {cells[1]} |")
table = st.lists(row, min_size=1, max_size=20).map(lambda rows: "\n".join(["| Name | Text |", "| --- | --- |", *rows]))


def indented(text: str, by: str) -> str:
    return "\n".join((by + line).rstrip() if line else line for line in text.split("\n"))


listing = st.lists(st.one_of(paragraph, code), min_size=1, max_size=6).map(
    lambda parts: "\n".join("- item\n\n" + indented(part, "  ") for part in parts)
)
quote = st.one_of(paragraph, code).map(lambda part: "\n".join(("> " + line).rstrip() for line in part.split("\n")))
wrapped = st.one_of(paragraph, code).map(lambda part: f"<Note>\n\n{part}\n\n</Note>\n\n{{/* hiddenword */}}")
block = st.one_of(paragraph, code, heading, table, listing, quote, wrapped)
page_text = st.lists(block, min_size=1, max_size=12).map(lambda blocks: "\n\n".join(blocks) + "\n")


def chunks_of(text: str, limit: int = LIMIT) -> tuple[Chunk, ...]:
    page = read_markdown("page.mdx", text)
    return chunk_page(page, limit) if page else ()


def fences(text: str) -> list[str]:
    return [token.content.rstrip() for token in COMMONMARK.parse(text) if token.type == "fence"]


def words(text: str) -> list[str]:
    return re.findall(r"[a-j]+", re.sub(r"```\w*|\{/\*.*?\*/\}|</?Note>|filename=\S+", " ", text))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(page_text)
def test_every_fence_of_the_page_stands_in_one_chunk_letter_for_letter(text: str) -> None:
    shown = [content for chunk in chunks_of(text) for content in fences(chunk.content)]
    assert sorted(shown) == sorted(fences(text))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(page_text)
def test_only_a_chunk_with_code_may_pass_the_limit(text: str) -> None:
    for chunk in chunks_of(text):
        assert chunk.content.strip()
        if not chunk.has_code:
            assert chunk.tokens <= LIMIT


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(page_text)
def test_no_word_is_lost_and_no_comment_kept(text: str) -> None:
    page = read_markdown("page.mdx", text)
    title = page.title if page else ""  # a page of a title alone has no chunk
    shown = title + "".join("\n" + chunk.content + "\n" + "\n".join(chunk.heading) for chunk in chunks_of(text))
    assert set(words(text)) - {"hiddenword"} <= set(words(shown))
    assert "hiddenword" not in shown


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(page_text)
def test_lines_are_in_the_file_and_in_order_and_anchors_name_one_section(text: str) -> None:
    chunks = chunks_of(text)
    assert [chunk.line for chunk in chunks] == sorted(chunk.line for chunk in chunks)
    assert all(1 <= chunk.line <= text.count("\n") for chunk in chunks)
    places: dict[str, tuple[str, ...]] = {}
    for chunk in chunks:
        if chunk.anchor:
            assert places.setdefault(chunk.anchor, chunk.heading) == chunk.heading


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("<>{}[]()`~*_#-=:!|\\\"'/ \t\n\r\0aA&1.$"), max_size=300), st.sampled_from(["a.md", "a.mdx"]))
def test_no_text_makes_the_reader_fail(text: str, path: str) -> None:
    page = read_markdown(path, text)
    if page:
        for chunk in chunk_page(page, LIMIT):
            assert chunk.tokens > 0
