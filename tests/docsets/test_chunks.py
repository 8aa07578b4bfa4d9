"""Chunks: where pages are cut, what stays together, and what a chunk says about its place."""

import re
from collections.abc import Callable, Mapping

import pytest

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.building.chunks import Chunk, chunk_page
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.outline import excerpt, outline
from docs_researcher.docsets.readers.markdown import read_markdown


def chunks_of(text: str, path: str = "guide.md", max_tokens: int = 800) -> tuple[Chunk, ...]:
    page = read_markdown(path, text)
    assert page is not None
    return chunk_page(page, max_tokens)


def prose(words: int, word: str = "word") -> str:
    """`words` words in sentences of ten."""
    return " ".join(word + ("." if number % 10 == 9 else "") for number in range(words))


def test_sections_below_the_title_are_chunks_with_path_anchor_and_line() -> None:
    text = f"# Guide\n\n{prose(150)}\n\n## First part\n\n{prose(200)}\n\n## Second `part`?\n\n{prose(200)}\n"
    found = [(chunk.heading, chunk.anchor, chunk.line, chunk.doc_title) for chunk in chunks_of(text)]
    assert found == [
        ((), None, 3, "Guide"),
        (("First part",), "first-part", 5, "Guide"),
        (("Second part?",), "second-part", 9, "Guide"),
    ]


def test_a_section_that_fits_keeps_its_deeper_headings_inside() -> None:
    text = f"# T\n\n## A\n\n{prose(100)}\n\n### B\n\n{prose(100)}\n\n#### C\n\n{prose(100)}\n"
    (chunk,) = chunks_of(text)
    assert chunk.heading == ("A",)
    assert re.findall(r"^#+ .*$", chunk.content, re.MULTILINE) == ["### B", "#### C"]


def test_a_section_that_does_not_fit_is_cut_at_its_deeper_headings() -> None:
    text = f"# T\n\n## A\n\n{prose(300)}\n\n### B\n\n{prose(400)}\n\n### C\n\n#### D\n\n{prose(500)}\n\n#### E\n\n{prose(500)}\n"
    assert [chunk.heading for chunk in chunks_of(text)] == [("A",), ("A", "B"), ("A", "C", "D"), ("A", "C", "E")]


def test_small_neighbours_share_a_chunk_that_keeps_their_headings() -> None:
    text = f"# T\n\n{prose(200)}\n\n## forceFlag\n\nUse `-f`.\n\n## quietFlag\n\nUse `-q`.\n\n## Long\n\n{prose(300)}\n"
    chunks = chunks_of(text)
    assert [chunk.heading for chunk in chunks] == [(), ("forceFlag / quietFlag",), ("Long",)]
    assert chunks[1].content == "## forceFlag\n\nUse `-f`.\n\n## quietFlag\n\nUse `-q`."
    assert (chunks[1].anchor, chunks[1].line) == ("forceflag", 5)


def test_a_small_section_between_large_ones_is_not_lost() -> None:
    text = f"# T\n\n## A\n\n{prose(300)}\n\n## forceFlag\n\nUse `-f`.\n\n## B\n\n{prose(300)}\n"
    assert [(chunk.heading, chunk.content) for chunk in chunks_of(text)][1] == (("forceFlag",), "Use `-f`.")


def test_sections_of_different_parents_are_not_joined() -> None:
    big = prose(900)
    text = f"# T\n\n## A\n\n### A1\n\n{big}\n\n### A2\n\nSmall a.\n\n## B\n\n### B1\n\nSmall b.\n\n### B2\n\n{big}\n"
    paths = [chunk.heading for chunk in chunks_of(text)]
    assert ("A", "A2") in paths
    assert ("B", "B1") in paths


def test_a_tiny_lead_in_goes_in_front_of_what_it_leads_to() -> None:
    text = f"# T\n\n## Options\n\nThe options are:\n\n### cache\n\n{prose(400)}\n\n### retry\n\n{prose(400)}\n"
    chunks = chunks_of(text)
    assert [chunk.heading for chunk in chunks] == [("Options", "cache"), ("Options", "retry")]
    assert chunks[0].content.startswith("The options are:\n\n### cache\n\nword")
    assert (chunks[0].anchor, chunks[0].line) == ("options", 3)


def test_a_text_in_front_of_a_section_is_not_cited_as_what_stands_below_its_heading() -> None:
    text = f"# T\n\nIntroduction.\n\n## Install\n\n{prose(300)}\n\n## Use\n\n{prose(300)}\n"
    first, second = chunks_of(text)
    assert first.content.startswith("Introduction.\n\n## Install\n\nword")
    assert (first.heading, first.anchor, first.line) == (("Install",), None, 3)
    assert (second.heading, second.anchor) == (("Use",), "use")


def test_two_sections_behind_a_lead_in_share_a_chunk_that_begins_where_the_lead_in_does() -> None:
    chunks = chunks_of(f"# T\n\n## Options\n\nThere are two.\n\n### a\n\nOne.\n\n### b\n\nTwo.\n\n## Rest\n\n{prose(900)}\n")
    assert "There are two." in chunks[0].content
    assert chunks[0].anchor == "options"


def test_an_empty_section_is_found_by_its_heading() -> None:
    assert [chunk.content for chunk in chunks_of("# T\n\n## Soon\n")] == ["## Soon"]


def test_the_description_of_a_page_opens_its_first_chunk() -> None:
    chunks = chunks_of(f"---\ntitle: T\ndescription: What it is for.\n---\n\n## A\n\n{prose(300)}\n")
    assert chunks[0].content.startswith("What it is for.\n\n## A\n\nword")


def test_a_heading_that_gave_the_title_is_not_in_the_path() -> None:
    text = f"<h1>Fastify</h1>\n\n## Reply\n\n{prose(200)}\n\n### Introduction\n\n{prose(300)}\n\n### Send\n\n{prose(300)}\n"
    assert [chunk.heading for chunk in chunks_of(text)] == [(), ("Introduction",), ("Send",)]


def test_a_main_heading_beside_another_title_is_text_of_the_first_chunk() -> None:
    text = f"---\ntitle: useObject\n---\n\n# `experimental_useObject()`\n\n{prose(200)}\n\n## Import\n\n{prose(300)}\n"
    chunks = chunks_of(text)
    assert [chunk.heading for chunk in chunks] == [(), ("Import",)]
    assert chunks[0].content.startswith("# `experimental_useObject()`\n\nword")


def test_a_first_section_beside_others_stays_a_section() -> None:
    text = f"## One\n\n{prose(200)}\n\n## Two\n\n{prose(200)}\n"
    assert [chunk.heading for chunk in chunks_of(text)] == [("One",), ("Two",)]


def test_anchors_are_unique_on_a_page() -> None:
    part = f"\n\n{prose(200)}\n\n"
    text = f"# T{part}## Use{part}## Use{part}## Use-1{part}## Größe & `x_y`!{part}## Own {{#mine}}{part}"
    assert [chunk.anchor for chunk in chunks_of(text)] == [None, "use", "use-1", "use-1-1", "größe--x_y", "mine"]


def test_no_chunk_is_larger_than_the_limit() -> None:
    text = f"# T\n\n{prose(5000)}\n\n## L\n\n" + "\n".join(f"- {prose(60, f'item{n}')}" for n in range(60))
    chunks = chunks_of(text)
    assert max(chunk.tokens for chunk in chunks) <= 800
    assert all(chunk.tokens == estimate_tokens(chunk.content) for chunk in chunks)


def test_a_fence_up_to_half_over_the_limit_stays_one_chunk() -> None:
    code = "```js\n" + "\n\n".join(f"const value{number} = {number}" for number in range(230)) + "\n```"
    assert 800 < estimate_tokens(code) < 1200
    chunks = chunks_of(f"# T\n\nBefore.\n\n{code}\n\nAfter.\n")
    assert [chunk.content for chunk in chunks if chunk.has_code] == [code]
    assert "After." in chunks[-1].content


@pytest.mark.parametrize("mark", ["```", "~~~", "`````"])
def test_a_larger_fence_is_cut_between_lines_and_opened_again_with_its_language(mark: str) -> None:
    lines = [line for number in range(400) for line in (f"def f{number}():", f"    return {number}", "")]
    chunks = chunks_of(f'# T\n\nBefore.\n\n{mark}py title="a.py"\n' + "\n".join(lines) + f"\n{mark}\n\nAfter.\n")
    parts = [chunk.content.removeprefix("Before.\n\n").removesuffix("\n\nAfter.") for chunk in chunks if chunk.has_code]
    assert len(parts) > 2
    assert all(chunk.tokens <= 800 for chunk in chunks)
    assert all(part.startswith(f'{mark}py title="a.py"\ndef f') and part.endswith(mark) for part in parts)
    kept = [line for part in parts for line in part.split("\n")[1:-1]]
    assert [line for line in kept if line] == [line for line in lines if line]
    assert chunks[1].line == 5 + 1 + parts[0].count("\n") - 1


def test_a_single_line_of_code_over_the_limit_is_cut() -> None:
    chunks = chunks_of("# T\n\n```js\n" + "var a=1;" * 4000 + "\n```\n")
    assert len(chunks) > 2
    assert max(chunk.tokens for chunk in chunks) <= 800
    assert "".join(chunk.content.removeprefix("```js\n").removesuffix("\n```") for chunk in chunks) == "var a=1;" * 4000


@pytest.mark.parametrize("wrap", ["- item\n\n  ", "> ", "1. a\n   - b\n\n     "])
@pytest.mark.parametrize("count", [200, 900])
def test_a_fence_inside_a_list_or_quote_keeps_every_line_and_its_fences(wrap: str, count: int) -> None:
    last = wrap.rsplit("\n", 1)[-1]
    prefix = last if last.strip() else " " * len(last)
    lines = ["```js", *(f"line({number})\n" for number in range(count)), "```"]
    fence = "\n".join(lines).split("\n")
    text = "# T\n\n" + wrap + fence[0] + "\n" + "\n".join((prefix + line).rstrip() for line in fence[1:]) + "\n\nafter\n"
    parts = [chunk for chunk in chunks_of(text) if "```" in chunk.content]
    assert all(part.content.count("```") == 2 and part.has_code and part.tokens <= 1200 for part in parts)
    assert (len(parts) == 1) == (count == 200)
    shown = "\n".join(part.content for part in parts)
    assert [shown.count(f"line({number})") for number in range(count)] == [1] * count


def test_code_stays_with_the_sentence_that_introduces_it() -> None:
    code = "```js\n" + "\n".join(f"call{number}()" for number in range(60)) + "\n```"
    text = "# T\n\n" + "\n\n".join(f"{prose(100)}\n\nThis is how step {number} goes:\n\n{code}" for number in range(8))
    chunks = chunks_of(text)
    assert len(chunks) > 2
    for number in range(8):
        (chunk,) = [chunk for chunk in chunks if f"step {number} goes:" in chunk.content]
        assert f"This is how step {number} goes:\n\n```js" in chunk.content


def test_only_the_last_sentence_moves_when_the_paragraph_is_too_long() -> None:
    code = "```js\n" + "\n".join(f"call{number}()" for number in range(130)) + "\n```"
    text = f"# T\n\n{prose(500)} Then call it like this:\n\n{code}\n\n{prose(600)}\n"
    (chunk,) = [chunk for chunk in chunks_of(text) if chunk.has_code]
    assert chunk.content.startswith("Then call it like this:\n\n```js")


def test_variants_of_one_example_stay_together() -> None:
    variants = "\n\n".join(f"```bash\n{tool} add x\n```" for tool in ("npm", "pnpm", "yarn"))
    text = "# T\n\n" + "\n\n".join(f"{prose(230)}\n\nInstall:\n\n{variants}" for _ in range(4))
    for chunk in chunks_of(text):
        assert chunk.content.count("npm add x") == chunk.content.count("yarn add x") * 2


def test_a_long_table_repeats_its_header() -> None:
    rows = [f"| name{number} | {prose(12)} |" for number in range(150)]
    chunks = chunks_of("# T\n\n| Name | Meaning |\n| --- | --- |\n" + "\n".join(rows) + "\n")
    assert len(chunks) > 2
    for chunk in chunks:
        table = chunk.content.removeprefix("(table continued)\n\n")
        assert table.startswith("| Name | Meaning |\n| --- | --- |\n| name")
    assert [chunk.content.startswith("(table continued)") for chunk in chunks] == [False] + [True] * (len(chunks) - 1)
    assert [row for chunk in chunks for row in chunk.content.split("\n") if row.startswith("| name")] == rows
    assert [chunk.line for chunk in chunks][:2] == [3, 5 + chunks[0].content.count("\n") - 1]


def test_a_long_list_is_cut_between_items() -> None:
    items = [f"- item{number} {prose(40)}" for number in range(60)]
    for chunk in chunks_of("# T\n\n" + "\n".join(items) + "\n"):
        assert all(line in items for line in chunk.content.split("\n"))


def test_one_long_line_is_cut_at_sentences() -> None:
    chunks = chunks_of("# T\n\n" + prose(5000) + "\n")
    assert len(chunks) > 2
    assert all(chunk.content.endswith(".") for chunk in chunks)
    assert " ".join(chunk.content for chunk in chunks) == prose(5000)


def test_a_line_without_sentences_is_cut_between_words_outside_code() -> None:
    words = " ".join(f"word{number} `code {number}`" for number in range(1500))
    chunks = chunks_of("# T\n\n" + words + "\n")
    assert " ".join(chunk.content for chunk in chunks) == words
    assert all(chunk.content.count("`") % 2 == 0 for chunk in chunks)


def test_a_cut_line_never_opens_a_fence() -> None:
    chunks = chunks_of("# T\n\nx " + "`" * 20_000 + "\n")
    assert len(chunks) > 1
    assert not any(re.match(r"[ >]*```", line) for chunk in chunks for line in chunk.content.split("\n"))


@pytest.mark.parametrize(
    "body",
    [
        "Create one with `db.create_index('a')`.",
        "```sql\nCREATE INDEX a\n```",
        "\n".join(f"- [Link {number}](/p{number}): what that page tells you in a sentence." for number in range(10)),
    ],
)
@pytest.mark.parametrize("name", ["Index", "Contents"])
def test_a_real_section_called_index_is_kept(name: str, body: str) -> None:
    assert any(body in chunk.content for chunk in chunks_of(f"# T\n\nx\n\n## {name}\n\n{body}\n"))


def test_a_table_of_contents_is_left_out() -> None:
    links = "\n".join(f"- [Part {number}](./part{number}.md)" for number in range(5))
    chunks = chunks_of(f"# T\n\nIntro.\n\n## Table of Contents\n\n{links}\n\n## Real\n\nText.\n")
    assert not any("Part 1" in chunk.content for chunk in chunks)
    assert any("Text." in chunk.content for chunk in chunks)


def test_a_list_of_links_into_its_own_page_is_left_out() -> None:
    links = "- [One](#one)\n  - [.redirect(dest, [code])](#redirectdest-code)\n- [Three](#three)"
    assert [chunk.content for chunk in chunks_of(f"# T\n\nIntro.\n\n{links}\n")] == ["Intro."]


def test_code_that_tabs_indent_keeps_its_tabs_where_its_list_is_cut_after_an_item_of_blanks() -> None:
    items = f"- one\n\n  {prose(60)}\n\n- two\n\n  {prose(60)}\n\n-\tthree\n\n\t```\n\tif x:\n\t\tdeep()\n\t```\n"
    last = chunks_of(f"# T\n\n{items}", max_tokens=100)[-1].content
    assert "\tif x:\n\t\tdeep()" in last


def test_code_of_an_item_that_is_indented_less_than_where_its_list_is_cut_keeps_its_form() -> None:
    deep = "".join(f"   - deep\n\n     {prose(11)}\n\n" for _ in range(4))
    items = f"1. one\n\n{deep}1. two\n\n   {prose(10)}\n\n1. three\n\n   ```\n   \t\tdeep()\n   ```\n"
    found = [chunks_of(f"# T\n\n{items}", max_tokens=limit)[-1].content for limit in range(60, 130, 3)]
    assert all("\t\tdeep()" in last for last in found)


def test_links_to_other_pages_are_kept() -> None:
    links = "- [One](one.md)\n- [Two](two.md)\n- [Three](three.md)"
    assert [chunk.content for chunk in chunks_of(f"# T\n\n{links}\n")] == [links]


def test_equal_bodies_under_different_headings_are_both_kept() -> None:
    text = "# T\n\n## start()\n\nTakes no arguments.\n\n## stop()\n\nTakes no arguments.\n"
    (chunk,) = chunks_of(text)
    assert chunk.content.count("Takes no arguments.") == 2
    assert "start() / stop()" in chunk.heading


@pytest.mark.parametrize(
    "text",
    [
        "# x\n" * 20_000,
        "## a\n\nb\n\n" * 20_000,
        "x" * 1_000_000,
        "字" * 300_000,
        "- [a](#b)\n" * 20_000,
        "| a | b |\n|---|---|\n" + "| c | d |\n" * 20_000,
        "```\nx\n```\n" * 5_000,
    ],
    ids=lambda text: text[:8].strip(),
)
def test_hostile_pages_are_cut_in_linear_time(text: str) -> None:
    assert all(chunk.tokens <= 800 for chunk in chunks_of(text) if not chunk.has_code)


def test_an_id_that_a_heading_is_given_is_kept_in_a_piece_that_sections_share(
    make_docset: Callable[[Mapping[str, str]], Docset],
) -> None:
    text = "# Relay\n\n## Start it {#begin}\n\nTurn on.\n\n## Stop it {#stop-it}\n\nTurn off.\n"
    docset = make_docset({"docs/relay.md": text})
    [page] = outline(docset)
    assert [heading.anchor for heading in page.headings] == ["begin", "stop-it"]
    assert excerpt(docset, "docs/relay.md#begin").content == "Turn on."
    assert "{#stop-it}" not in docset.pieces()[0].content


def test_a_list_that_is_cut_inside_an_item_goes_on_below_the_beginning_of_that_item() -> None:
    nested = "\n".join(f"  - Nested {number}: {prose(20, f'w{number}')}" for number in range(12))
    text = f"# T\n\n- First. {prose(60)}\n- These were\n  removed:\n\n{nested}\n- Last. {prose(20)}\n"
    chunks = chunks_of(text, max_tokens=250)
    assert len(chunks) > 1
    for chunk in chunks[1:]:
        lines = chunk.content.split("\n")
        assert lines[0] in ("- These were removed: (continued)", "- These were")
        assert all(line.startswith(("  - Nested", "- Last", "  removed:")) for line in lines[1:] if line)
    assert [number for chunk in chunks for number in re.findall(r"- Nested (\d+)", chunk.content)] == list(map(str, range(12)))
    assert not any(chunk.content.rstrip().endswith("removed:") for chunk in chunks)


def test_the_beginning_of_an_item_that_is_a_paragraph_is_repeated_by_its_first_line() -> None:
    nested = "\n".join(f"  - Nested {number}: {prose(20)}" for number in range(12))
    text = f"# T\n\n- It begins so.\n  {prose(90)}\n\n{nested}\n"
    chunks = chunks_of(text, max_tokens=250)
    assert all(chunk.content.startswith("- It begins so. ... (continued)\n\n  - Nested") for chunk in chunks[1:])


def test_a_page_at_the_top_is_found_without_its_ending(make_docset: Callable[[Mapping[str, str]], Docset]) -> None:
    docset = make_docset({"index.md": "# Relay\n\n## Start\n\nOn.\n", "docs/index.md": "# Docs\n\n## Start\n\nOff.\n"})
    assert excerpt(docset, "index#start").content == "On."
    assert excerpt(docset, "docs/index#start").content == "Off."
