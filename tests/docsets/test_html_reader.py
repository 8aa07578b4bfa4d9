"""HTML pages: the content without its surroundings, code with its language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.readers.html import read_html

SPHINX = """<!DOCTYPE html>
<html><head><title>Signals — Acme 2.0</title><script>var x = "<p>no</p>";</script><style>p{}</style></head>
<body>
<header><a href="/">Home</a></header>
<nav><ul><li>Menu</li></ul></nav>
<div role="main" class="body">
<section id="sending">
<h1>Sending <em>signals</em><a class="headerlink" href="#sending">¶</a></h1>
<p>Call <code class="docutils literal"><span class="pre">send()</span></code> with a
<a href="https://acme.example/name">name</a> &amp; wait.</p>
<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span>from</span> acme <span>import</span> x

x[<span>"a &lt; b"</span>]
</pre></div></div>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>Not twice.</p></div>
<ul><li><p>One</p></li><li>Two<ol><li>Deep</li><li>Deeper</li></ol></li></ul>
<table><thead><tr><th>Name</th><th>Use</th></tr></thead><tbody><tr><td><code>a|b</code></td><td>either</td></tr></tbody></table>
<dl><dt>timeout</dt><dd>Seconds.</dd></dl>
<blockquote><p>Wise words.</p></blockquote>
</section>
</div>
<footer>Built by us</footer>
</body></html>
"""


def page(text: str) -> Page:
    found = read_html("docs/signals.html", text)
    assert found is not None
    return found


def shown(text: str) -> str:
    return "\n\n".join(block.text for block in page(text).blocks)


def test_the_main_content_is_read_as_markdown_and_its_surroundings_are_not() -> None:
    assert page(SPHINX).title == "Sending signals"
    assert (
        shown(SPHINX)
        == """\
# Sending *signals*

Call `send()` with a [name](https://acme.example/name) & wait.

```python
from acme import x

x["a < b"]
```

**Warning**

Not twice.

- One
- Two
  1. Deep
  2. Deeper

| Name | Use |
| --- | --- |
| `a\\|b` | either |

**timeout**

Seconds.

> Wise words."""
    )


def test_a_heading_keeps_its_anchor_and_a_block_its_line() -> None:
    blocks = page(SPHINX).blocks
    assert (blocks[0].anchor, blocks[0].line) == ("sending", 8)
    assert next(block.line for block in blocks if block.kind == "code") == 11


def test_a_page_without_landmarks_is_read_whole_but_for_its_menus() -> None:
    text = shown("<body><nav>Menu</nav><h2>Use</h2>Loose text<p>More.<p>Unclosed</body>")
    assert text == "## Use\n\nLoose text\n\nMore.\n\nUnclosed"


@pytest.mark.parametrize(
    ("code", "fence"),
    [
        ('<pre><code class="language-ts">a&lt;T&gt;</code></pre>', "```ts\na<T>\n```"),
        ('<pre class="highlight ruby"><code>x</code></pre>', "```ruby\nx\n```"),
        ('<div class="language-bash"><pre><code>ls</code></pre></div>', "```bash\nls\n```"),
        ('<pre data-lang="go">x</pre>', "```go\nx\n```"),
        ("<pre>plain\n  kept</pre>", "```\nplain\n  kept\n```"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        ("<pre>```js\nx\n```</pre>", "````\n```js\nx\n```\n````"),
    ],
)
def test_code_keeps_its_lines_and_its_language(code: str, fence: str) -> None:
    assert fence in shown(f"<h1>T</h1>{code}")


def test_code_in_a_list_item_belongs_to_it() -> None:
    text = shown("<h1>T</h1><ol><li>Run:<pre>make</pre></li><li>Done</li></ol>")
    assert "1. Run:\n\n   ```\n   make\n   ```\n2. Done" in text


def test_line_numbers_and_copy_buttons_are_no_code() -> None:
    cells = '<td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre><button>Copy</button></td>'
    text = shown(f"<h1>T</h1><p>x</p><table><tr>{cells}</tr></table>")
    assert "1\n2" not in text
    assert "Copy" not in text
    assert "```\na\nb\n```" in text


def test_a_page_with_nothing_to_read_is_none() -> None:
    assert read_html("a.html", "<html><head><title>T</title></head><body><script>x</script><h1>T</h1></body>") is None
    assert read_html("a.html", "") is None


def test_text_after_something_unclosed_is_still_read() -> None:
    assert "after" in shown("<h1>T</h1><ul><li>one<p>after</p>")
    assert "x = 1" in shown("<h1>T</h1><p>a</p><pre>x = 1")


@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("<aside><nav>x</header>y</nav></aside><p>real</p>", "real"),
        ("<title>never closed<p>real</p>", "real"),
        ("<svg><p>x</svg><p>real</p>", "real"),
        ("<p>real</p><script>never closed <p>x</p>", "real"),
    ],
)
def test_what_is_malformed_leaks_nothing(text: str, real: str) -> None:
    assert shown(text) == real


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<div>" * 50_000 + "deep", "deep"),
        ("<ul><li>" * 5_000 + "deep", "deep"),
        ("<" * 100_000, "<" * 100_000),
        ("<script" * 5_000, "<script" * 5_000),
    ],
    ids=lambda text: text[:8],
)
def test_deep_and_hostile_pages_are_read_in_time(text: str, kept: str) -> None:
    assert kept in shown(text)


@given(st.text(alphabet="<>/abdilpreu h1\"'=&;#!-\n`|", max_size=300))
def test_no_text_raises(text: str) -> None:
    read_html("a.html", text)


DOCUSAURUS = """\
<!DOCTYPE html><html><head><title>Routing | Acme</title><meta name="description" content="How to route."></head><body>
<nav class="navbar">menu</nav>
<main><article><header><h1>Routing</h1></header>
<div class="language-js codeBlockContainer_C"><pre class="prism-code language-js"><code>\
<span class="token-line"><span>import</span> x<br></span><span class="token-line">
</span><span class="token-line">router.go()<br></span></code></pre><div class="buttonGroup"><button>Copy</button></div></div>
<div class="theme-admonition"><div class="admonitionHeading_t"><span class="admonitionIcon_r">i</span>tip</div>
<p>Be quick.</p></div>
<div role="tabpanel"><pre><code>npm i</code></pre></div><div role="tabpanel" hidden><pre><code>yarn add</code></pre></div>
<h2 class="anchor" id="opts">Options<a class="hash-link" href="#opts">#</a></h2>
<ol start="3"><li><p>third</p></li><li>fourth<ul><li>inner</li></ul></li></ol>
</article></main><footer>foot</footer></body></html>
"""
SPHINX_PAGE = """\
<html><head><title>Start - Acme</title></head><body>
<div class="body" role="main"><section id="start"><h1>Start<a class="headerlink" href="#start">x</a></h1>
<div><p>Text.</p></div>
<dl class="py function"><dt class="sig sig-object py" id="acme.run">\
<span>acme.</span><em>run</em>(<em class="sig-param">x</em>)</dt>
<dd><p>Runs it.</p></dd></dl></section></div>
<div class="sphinxsidebar" role="navigation"><h3>Menu</h3></div><div><h3>Behind</h3><p>Other.</p></div></body></html>
"""


def texts(text: str) -> list[str]:
    page = read_html("page.html", text)
    assert page is not None
    return [block.text for block in page.blocks]


def test_pages_of_docusaurus_keep_headings_hidden_tabs_and_numbers_of_lists() -> None:
    assert texts(DOCUSAURUS) == [
        "# Routing",
        "```js\nimport x\n\nrouter.go()\n```",
        "**tip**",
        "Be quick.",
        "```\nnpm i\n```",
        "```\nyarn add\n```",
        "## Options",
        "3. third\n4. fourth\n   - inner",
    ]
    page = read_html("page.html", DOCUSAURUS)
    assert page is not None
    assert page.description == "How to route."


def test_pages_of_sphinx_end_with_their_body_and_show_signatures_as_code() -> None:
    assert texts(SPHINX_PAGE) == ["# Start", "Text.", "`acme.run(x)`", "Runs it."]


@pytest.mark.parametrize("start", ["<script", "<svg", "<title", "<!--", "<a href='", "<p", "</div", "<![CDATA["])
def test_tags_that_never_end_cost_as_much_as_their_text(start: str) -> None:
    """With a time for each that grows with the rest of the text these would take hours."""
    page = read_html("a.html", "<p>real</p>" + start * 300_000)
    assert page is not None
    assert page.blocks[0].text == "real"


def test_words_behind_a_comment_that_never_ends_are_read() -> None:
    page = read_html("a.html", "<p>one</p><!-- closed --><!-- open <p>two</p> a < b")
    assert page is not None
    text = " ".join(block.text for block in page.blocks)
    assert "one" in text
    assert "two a < b" in text
    assert "closed" not in text
