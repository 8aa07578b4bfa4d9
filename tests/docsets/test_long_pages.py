"""Very long texts are read in parts, and nothing shows it."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.readers import parts as parts_module
from docs_researcher.docsets.readers.html import read_html
from docs_researcher.docsets.readers.html_parts import read_html_in_parts
from docs_researcher.docsets.readers.parts import parts
from docs_researcher.docsets.sources.single import FileSource

SECTION = """\
## Section {n}

Words about feature {n}, which is a long enough text to stand alone in a chunk of its own. Words about feature {n}.

```sh
# not a heading
## nor this
run {n}
```

"""
TEXT = (
    "---\ntitle: Big\n---\n\n# Big\n\n" + "".join(SECTION.format(n=number) for number in range(60)) + "## Section 3\n\nAgain.\n"
)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LONG_CHARACTERS", 1_000), ("PART_CHARACTERS", 1_000), ("FORCED_CHARACTERS", 3_000)):
        monkeypatch.setattr(parts_module, name, value)
    monkeypatch.setattr("docs_researcher.docsets.acquiring.build.LONG_CHARACTERS", 1_000)


def facts(docset: Docset) -> Any:
    pieces = docset.pieces()
    return docset.meta.snippets, docset.pages(), {(piece.heading, piece.anchor, piece.line) for piece in pieces}


def read(docset: Docset) -> Any:
    return facts(docset), docset.pieces()


def test_a_text_in_parts_gives_what_it_gives_whole(make_docset: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    separate = "".join(SECTION.format(n=number) + f"{'More words. ' * 120}\n\n" for number in range(40))
    text = f"# Big\n\n{separate}## Section 3\n\n{'Again. ' * 200}\n"
    whole = facts(make_docset({"big.md": text}))
    for name, value in (("LONG_CHARACTERS", 1_000), ("PART_CHARACTERS", 5_000)):
        monkeypatch.setattr(parts_module, name, value)
    monkeypatch.setattr("docs_researcher.docsets.acquiring.build.LONG_CHARACTERS", 1_000)
    assert facts(make_docset({"big.md": text})) == whole
    assert whole[0] == 40


@pytest.mark.parametrize(
    "page",
    [
        "<title>Big</title><nav><a href='x.html'>menu</a></nav><main><h1 id='top'>Big</h1>{}</main><footer>made by us</footer>",
        "<title>Big</title><div><p>before</p>{}</div>",
        "<title>Big</title><p>outside of the content</p>{}<main><p>a main content behind all else</p></main>",
    ],
    ids=["main", "plain", "main at the end"],
)
def test_html_in_parts_gives_what_it_gives_whole(page: str, make_docset: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    html = (
        "<h2 id='s{n}'>Part {n}</h2>\n<p>About &lt;{n}&gt; &amp; <a href='#s1'>more</a>.\n{words}</p>\n"
        "<pre class='language-sh'><code>run {n}\n  deep {n}</code></pre><ul><li>one {n}<ul><li>two</ul></ul>\n"
        "<table><tr><th>a<th>b<tr><td>{n}<td>x</table><!-- <h2>no</h2> -->\n"
    )
    text = page.format("".join(html.format(n=number, words="More words. " * 200) for number in range(40)))
    whole = read(make_docset({"big.html": text}))
    for name, value in (("PART_CHARACTERS", 9_000), ("FORCED_CHARACTERS", 30_000)):
        monkeypatch.setattr(f"docs_researcher.docsets.readers.html_parts.{name}", value)
    monkeypatch.setattr("docs_researcher.docsets.acquiring.build.LONG_CHARACTERS", 1_000)
    assert read(make_docset({"big.html": text})) == whole


@pytest.mark.parametrize(
    "text", ["<p>word " * 3_000, "<!-- " + "<p>x " * 3_000, "<pre>" + "<b>x\n" * 3_000, "<h1>a" * 3_000, "<" * 9_000]
)
def test_odd_html_is_read_in_parts(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_researcher.docsets.readers.html_parts.PART_CHARACTERS", 500)
    monkeypatch.setattr("docs_researcher.docsets.readers.html_parts.FORCED_CHARACTERS", 900)
    whole = read_html("page.html", text)
    blocks = [block for page in read_html_in_parts("page.html", text) for block in page.blocks]
    assert blocks == list(whole.blocks if whole else [block for block in blocks if block.kind == "heading"])


HTML = (
    "<h2 id='s{n}'>Part {n}</h2><p>Some words about <b>number</b> {n}.</p><pre><code>value = {n}</code></pre><ul><li>one</ul>\n"
)


def test_html_in_parts_never_holds_all_of_its_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_researcher.docsets.readers.html_parts.PART_CHARACTERS", 5_000)
    text = "".join(HTML.replace("{n}", str(number)) for number in range(1_000))
    whole = peak_of(lambda: read_html("page.html", text))
    assert peak_of(lambda: sum(len(page.blocks) for page in read_html_in_parts("page.html", text))) < whole / 4


def peak_of(work: Callable[[], object]) -> int:
    """The bytes that some work holds at most."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.usefixtures("small_parts")
def test_parts_keep_every_line_and_cut_no_fence() -> None:
    found = list(parts(TEXT))
    assert len(found) > 5
    assert "".join(part for _, part in found) == TEXT
    assert all(part.count("```") % 2 == 0 for _, part in found)
    assert all(TEXT.split("\n")[before] == part.split("\n")[0] for before, part in found)


@pytest.mark.usefixtures("small_parts")
def test_a_text_without_headings_is_cut_at_empty_lines() -> None:
    text = "\n\n".join(f"Paragraph {number} with words. {'x' * 100}" for number in range(200))
    found = list(parts(text))
    assert "".join(part for _, part in found) == text
    assert max(len(part) for _, part in found) < 4_000
    fence = "```\n" + "\n\n".join("line" for _ in range(3_000)) + "\n```\n"
    assert [part for _, part in parts(fence)] == [fence]


@pytest.mark.usefixtures("small_parts")
def test_anchors_stay_unique_and_the_title_is_the_pages(make_docset: Any) -> None:
    docset = make_docset({"big.md": TEXT})
    assert docset.pages() == (("big.md", "Big"),)
    anchors = [piece.anchor for piece in docset.pieces() if piece.anchor]
    assert len(anchors) == len(set(anchors))


MEASURE = Path(__file__).parents[2] / "benchmarks" / "build_memory.py"


MARKDOWN = SECTION + "| a | b |\n|---|---|\n| {n} | text |\n\n- one {n}\n- two {n}\n\n"


@pytest.mark.interop
@pytest.mark.skipif(sys.platform == "win32", reason="the measure is of POSIX systems")
def test_a_file_of_eight_megabytes_takes_bounded_memory(tmp_path: Path) -> None:
    """Its blocks would take 400 MB and more. 90 are used."""
    count = 8_000_000 // len(MARKDOWN)
    (tmp_path / "big.md").write_text("".join(MARKDOWN.replace("{n}", str(number)) for number in range(count)))
    done = subprocess.run(
        [sys.executable, str(MEASURE), str(tmp_path / "big.md"), str(tmp_path / "home")], capture_output=True, check=True
    )
    chunks, memory = map(int, done.stdout.split())
    assert chunks > 1_000
    assert memory < 200_000, "kilobytes"


@pytest.mark.usefixtures("small_parts")
def test_the_bytes_of_a_long_file_are_given_free_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "big.md"
    path.write_text(TEXT, encoding="utf-8")
    tree = FileSource(path).read()
    document = next(tree.documents)
    assert sys.getrefcount(document) == 2  # the name here, and the argument of the call
