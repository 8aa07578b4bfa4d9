"""The Markdown and MDX reader: what becomes of titles, tags, comments, admonitions and code."""

import pytest

from docs_researcher.docsets.readers.base import Block, Page, alias_target
from docs_researcher.docsets.readers.markdown import read_markdown


def page_of(text: str, path: str = "guide.md") -> Page:
    page = read_markdown(path, text)
    assert page is not None
    return page


def texts(text: str, path: str = "guide.md") -> list[str]:
    page = read_markdown(path, text)
    return [block.text for block in page.blocks] if page else []


def kinds(text: str, path: str = "guide.md") -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in page_of(text, path).blocks]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# is-even [![NPM version](a.svg)](b) [![downloads](c.svg)](d)", "is-even"),
        ("# ![Acme](logo.svg)", "Acme"),
        ("# `acme` ![beta](x.svg) guide", "acme guide"),
    ],
)
def test_a_badge_is_no_part_of_a_title_but_a_logo_alone_is_one(heading: str, title: str) -> None:
    assert page_of(f"{heading}\n\nText.\n").title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Caching\n---\n# Other\n", "Caching"),
        ("---\ntitle: 2024\n---\nx\n", "2024"),
        ("---\ntitle: 1.5\n---\nx\n", "1.5"),
        ("---\ntitle: <Link>\n---\nx\n", "<Link>"),
        ("---\ntitle: {en: X}\n---\n# From heading\n", "From heading"),
        ("---\ntitle: {let/const x}\n---\nx\n", "guide"),
        ("---\ntitle: true\n---\nx\n", "guide"),
        ("---\ntitle: Routing: the basics\n---\nx\n", "Routing: the basics"),
        ("---\ntitle: 'Quoted: yes'\nbroken: [\n---\nx\n", "Quoted: yes"),
        ("---\ntitle: Ended by dots\n...\nx\n", "Ended by dots"),
        ('+++\ntitle = "Toml"\n+++\nx\n', "Toml"),
        ('+++\ntitle = "Broken toml"\nx = = 1\n+++\nx\n', "Broken toml"),
        ("\ufeff---\r\ntitle: With mark\r\n---\r\nx\r\n", "With mark"),
        ("# First\n\n# Second\n", "First"),
        ("## [createQuokka](q.md)\n", "createQuokka"),
        ("## **bold**\n", "bold"),
        ("# Using *foo* and `bar<T>`\n", "Using foo and bar<T>"),
        ("Setext title\n===\n\nx\n", "Setext title"),
        ('<h1 align="center">Fastify</h1>\n\n## Reply\n\nx\n', "Reply"),
        ("# <a name='x'></a>Named\n", "Named"),
        ("only text\n", "guide"),
    ],
)
def test_the_title_is_front_matter_then_the_first_heading_then_the_file_name(text: str, title: str) -> None:
    assert page_of(text).title == title


def test_front_matter_is_read_and_not_indexed() -> None:
    page = page_of("---\ntitle: A\ndescription: About a.\nsecret: never\n---\n\nBody.\n")
    assert (page.description, [block.text for block in page.blocks]) == ("About a.", ["Body."])


def test_lines_count_from_the_start_of_the_file() -> None:
    page = page_of("---\ntitle: A\n---\n\n# H\n\ntext\n\n```\ncode\n```\n")
    assert [(block.kind, block.line) for block in page.blocks] == [("heading", 5), ("text", 7), ("code", 9)]


def test_a_rule_at_the_start_is_not_front_matter() -> None:
    assert texts("---\n\nJust prose between rules.\n\n---\n\nMore.\n")[-1] == "More."
    assert "Just prose between rules." in "\n".join(texts("---\n\nJust prose between rules.\n\n---\n\nMore.\n"))


def test_an_alias_bomb_in_front_matter_is_not_fatal() -> None:
    bomb = "a: &a [x,x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)},*{chr(97 + i)}]\n" for i in range(20))
    assert page_of(f"---\n{bomb}title: Still here\n---\nx\n").title == "Still here"


def test_a_pointer_page_names_its_source_and_has_no_blocks() -> None:
    text = "---\ntitle: Forms\nsource: app/guides/forms\n---\n\n{/* DO NOT EDIT THIS PAGE. */}\n"
    page = page_of(text, "docs/02-pages/forms.mdx")
    assert (page.alias_of, page.blocks, page.title) == ("app/guides/forms", (), "Forms")


def test_a_page_with_a_source_and_a_body_is_a_page() -> None:
    page = page_of("---\nsource: app/guides/forms\n---\n\n" + "Real text. " * 40)
    assert page.alias_of is None
    assert page.blocks


def test_an_alias_is_found_by_its_route() -> None:
    paths = ["docs/01-app/02-guides/forms.mdx", "docs/02-pages/02-guides/forms.mdx", "docs/01-app/03-api/index.md"]
    assert alias_target("app/guides/forms", paths) == paths[0]
    assert alias_target("app/api", paths) == paths[2]
    assert alias_target("app/guides/missing", paths) is None
    assert alias_target("guides/forms", paths) is None


@pytest.mark.parametrize("text", ["", "\n\n", "<!-- only a comment -->\n", "{/* x */}\n", "---\ntitle: A\n---\n", "---\n***\n"])
def test_a_file_without_text_is_no_page(text: str) -> None:
    assert read_markdown("a.md", text) is None


@pytest.mark.parametrize(
    "code",
    [
        "const [user] = useState<User>(null)",
        "import x from 'y'\nexport default x",
        "<AppOnly>\n</AppOnly>\n{/* kept */}\n<!-- kept -->",
        "import { __PROVIDER_IMPORT__ } from '__MODEL__'",
        ":::tip\n!!! note\n# no heading",
        "\n\n  indented\n\n\nend",
    ],
)
@pytest.mark.parametrize("mark", ["```", "~~~", "`````"])
@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
def test_code_is_never_altered(code: str, mark: str, path: str) -> None:
    fence = f"{mark}tsx\n{code}\n{mark}"
    for wrapped in (f"<Tab>\n\n{fence}\n\n</Tab>\n", f"<Tab>\n{fence}\n</Tab>\n", f"Text\n{fence}\n"):
        blocks = [block for block in page_of(wrapped, path).blocks if block.kind == "code"]
        assert [(block.text, block.language) for block in blocks] == [(fence, "tsx")]


def test_inline_code_is_never_altered() -> None:
    line = "Use `<AppOnly>` and ``a ` <b>`` or `{/* x */}`, `Promise<Response>` and `<!-- x -->`."
    assert texts(line) == [line]


def test_code_in_a_list_keeps_its_place_and_letters() -> None:
    text = "1. Step <b>one</b>\n\n   ```js\n   <App />\n\n   # comment\n   ```\n2. Step two\n"
    assert kinds(text) == [("list", text.replace("<b>one</b>", "one").rstrip())]


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ('ts title="a b.ts"', "ts"),
        ("js{15-18} twoslash [server.js]", "js"),
        ("bash", "bash"),
        ("", ""),
        ("{code-block} python", "python"),
    ],
)
def test_the_language_is_the_first_word_and_the_rest_is_kept(info: str, language: str) -> None:
    (block,) = page_of(f"```{info}\nx\n```\n").blocks
    assert (block.language, block.text) == (language, f"```{info}\nx\n```")


def test_an_open_fence_is_closed_at_the_end_of_what_holds_it() -> None:
    assert texts("```js\nx") == ["```js\nx\n```"]
    assert texts("- item\n  ```js\n  x\n\ntext\n") == ["- item\n  ```js\n  x\n  ```", "text"]
    assert texts("> ```js\n> x\n\ntext\n") == ["> ```js\n> x\n> ```", "text"]


def test_four_ticks_hold_three() -> None:
    text = "````md\n```js\nx\n```\n````"
    assert kinds(text) == [("code", text)]


def test_a_fence_in_a_list_ends_before_the_next_fence() -> None:
    text = "* List\n  ```\n  code 1\n\n  code 2\n  ```\n\n```\ncode 3\n```\n"
    assert [kind for kind, _ in kinds(text)] == ["list", "code"]


def test_a_hash_in_a_listed_fence_is_no_heading() -> None:
    page = page_of("## before\n\n- item\n\n  ```bash\n  # comment\n  ```\n\n## after\n")
    assert [block.title for block in page.blocks if block.kind == "heading"] == ["before", "after"]


def test_indented_code_becomes_a_fence() -> None:
    assert kinds("Text:\n\n    a <b>\n\n    c\n") == [("text", "Text:"), ("code", "```\na <b>\n\nc\n```")]


def test_component_indentation_in_mdx_is_not_code() -> None:
    text = "<Steps>\n    <Step>\n    Run **this**:\n\n    ```sh\n    npm i\n    ```\n    </Step>\n</Steps>\n"
    assert kinds(text, "a.mdx") == [("text", "Run **this**:"), ("code", "```sh\nnpm i\n```")]


def test_wrappers_go_and_their_text_stays() -> None:
    text = "<AppOnly>\n\nApp text.\n\n## Section\n\n</AppOnly>\n\n<PagesOnly>\nPages <Foo x={1}>text</Foo>.\n</PagesOnly>\n"
    assert texts(text) == ["App text.", "## Section", "Pages text."]


def test_string_attributes_that_carry_text_stay() -> None:
    text = (
        '<Tabs groupId="os" items={["npm", "pnpm"]}>\n<Tab title="Windows">\nUse it.\n</Tab>\n</Tabs>\n\n'
        '<Image alt="The flow" src="/a.png" width="5" />\n\n<Snippet text="npm install x" dark />\n'
    )
    assert texts(text, "a.mdx") == ["npm, pnpm", "**Windows**", "Use it.", "(Image: The flow)", "```bash\nnpm install x\n```"]


def test_a_table_of_properties_becomes_a_list() -> None:
    text = """<PropertiesTable
  content={[
    { name: 'api', type: 'string', description: 'Don\\'t <b>worry</b> about `it`.' },

    { name: 'run', type: '() => void', isOptional: true,
      properties: [{ type: 'Result', parameters: [{ name: 'x', description: `Deep
        text` }] }] },
  ]}
/>

After.
"""
    assert texts(text, "a.mdx") == [
        "- `api` (`string`): Don't <b>worry</b> about `it`.\n"
        "- `run` (`() => void`) optional\n  - (`Result`)\n    - `x`: Deep text",
        "After.",
    ]


def test_functions_and_names_in_expressions_are_no_text() -> None:
    assert texts("<Chart data={points} onClick={() => go('now and then here')} label={`A chart`} />\n\nx\n") == ["A chart", "x"]


def test_comments_are_never_kept() -> None:
    text = (
        "A<!-- ignore all -->B\n\n<!-- one\n\n## two\n-->\n\nC {/* no\nno */} D\n\n{/* x\n\ny */}\n\n"
        "- item <!-- z -->\n  <!--\n\n  assistant: obey\n  -->\n\n> {/* q */}\n\n[//]: # (hidden note)\n\nE\n"
    )
    shown = "\n".join(texts(text))
    for hidden in ("ignore", "two", "no", "x", "y", "z", "obey", "q", "hidden"):
        assert hidden not in shown
    assert [letter for letter in shown if letter in "ABCDE"] == list("ABCDE")


def test_an_unclosed_comment_hides_the_rest_like_everywhere() -> None:
    assert texts("Shown.\n\n<!-- never closed\n\nobey me\n") == ["Shown."]


def test_script_and_style_bodies_go() -> None:
    text = "A\n<script>\nvar a = 1\n\nvar b\n</script>\nB\n\n<style>p { x }</style>\n\nC <script>evil()</script>D\n"
    assert texts(text) == ["A", "B", "C D"]


def test_preformatted_html_is_code() -> None:
    assert kinds("<pre><code>a &lt; <b>b</b>\n\nc</code></pre>\n\nd\n") == [("code", "```\na < b\n\nc\n```"), ("text", "d")]


@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
def test_prose_that_begins_with_import_or_export_stays(path: str) -> None:
    lines = [
        "import the module before you use it",
        "import 'x' is what you write",
        "export default values with care",
        "export your data from the dashboard",
    ]
    assert texts("\n\n".join(lines), path) == lines


def test_module_lines_of_mdx_go() -> None:
    text = """import A from 'a'
import { b,
  c as d } from "b";
import 'side-effect'

export const meta = {
  title: 'x',

  y: () => { return 1 }
}

export default function Layout({ children }) {
  return <div>{children}</div>
}

export { e } from './f'

Text.
"""
    assert texts(text, "a.mdx") == ["Text."]


def test_module_lines_in_plain_markdown_are_text() -> None:
    assert texts("import A from 'a'\n") == ["import A from 'a'"]


def test_placeholders_and_types_are_not_taken_for_tags() -> None:
    line = "Replace <your-project> in Promise<Response>, a < b, see <https://x.org> or <me@x.org>."
    assert texts(line) == [line]


def test_html_links_become_markdown_links_and_anchors_go() -> None:
    assert texts('<a id="x"></a>\n\nSee <a href="/y">the <b>page</b></a>.\n') == ["See [the page](/y)."]


def test_an_html_table_keeps_its_words() -> None:
    text = "<table>\n  <tr>\n      <td>One</td><td>Two</td>\n  </tr>\n</table>\n\nEnd.\n"
    assert "\n".join(texts(text)).split() == ["One", "Two", "End."]


def test_reference_links_are_written_out() -> None:
    text = "See [the docs][d], [d] and ![i][pic]; not `[d]`, [x][y] or \\[d].\n\n[D]: https://x.org 'T'\n[pic]: <p.png>\n"
    assert texts(text) == ["See [the docs](https://x.org), [d](https://x.org) and ![i](p.png); not `[d]`, [x][y] or \\[d]."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":::tip[Be quick]\nText `a`.\n:::\n", ["**Tip: Be quick**", "Text `a`."]),
        ("::::warning Careful\n\n:::note\nInner\n:::\n\n::::\n", ["**Warning: Careful**", "**Note**", "Inner"]),
        (
            '!!! note "Read this"\n    Text.\n\n    ```js\n    x\n    ```\nAfter.\n',
            ["**Note: Read this**\n\nText.\n\n```js\nx\n```", "After."],
        ),
        ("- x\n\n    !!! note\n        y\n", ["- x\n\n    **Note**\n\n    y"]),
        ("!!! danger\n    - a\n      - b\n", ["**Danger**\n\n- a\n  - b"]),
        ('=== "npm"\n\n    Use npm.\n\n=== "pnpm"\n\n    Use pnpm.\n', ["**npm**\n\nUse npm.", "**pnpm**\n\nUse pnpm."]),
        ("> [!NOTE]\n> Text.\n", ["> [!NOTE]\n> Text."]),
        ("```{warning} Hot\n:class: x\n\nMind the `gap`.\n```\n", ["**Warning: Hot**", "Mind the `gap`."]),
        (":::code-group\n```sh [npm]\na\n```\n:::\n", ["```sh [npm]\na\n```"]),
    ],
)
def test_admonitions_keep_label_and_text(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_alerts_and_containers_are_admonitions() -> None:
    found = kinds("> [!TIP]\n> a\n\n> quote\n\n:::note\nb\n:::\n")
    assert [kind for kind, _ in found] == ["admonition", "quote", "admonition", "text"]


def test_own_ids_of_headings_are_anchors_and_not_text() -> None:
    page = page_of("## Setup {#set-up}\n\n## Usage [#use]\n\n### A {.class}\n")
    headings = [(block.title, block.text, block.anchor) for block in page.blocks]
    assert headings[:2] == [("Setup", "## Setup", "set-up"), ("Usage", "## Usage", "use")]
    assert headings[2][2] is None


def test_tables_are_kept_row_by_row_and_rules_go() -> None:
    table = "| a | b |\n| --- | --- |\n| `<T>` | c <br/> d |"
    assert kinds(f"{table}\n\n---\n\nx\n") == [("table", table.replace("<br/>", " ")), ("text", "x")]


def test_deeply_nested_text_is_not_lost() -> None:
    text = ">" * 300 + " deep <!-- no --> words"
    shown = "\n".join(texts(text))
    assert "deep" in shown
    assert "no" not in shown


def test_a_page_of_every_construct_keeps_block_lines_in_order() -> None:
    text = "# A\n\np\n\n- l\n\n> q\n\n| a |\n|---|\n| b |\n\n```\nc\n```\n\n<X title='t t t'/>\n\n    code\n"
    blocks: tuple[Block, ...] = page_of(text).blocks
    lines = text.split("\n")
    assert [block.line for block in blocks] == sorted(block.line for block in blocks)
    assert all(lines[block.line - 1].strip() for block in blocks)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        ">" * 20_000,
        "<a " * 20_000,
        '<A b={"' * 20_000,
        "<script" * 20_000,
        "{/*\n\n" * 20_000,
        "<A b={\n" * 20_000,
        "`" * 20_000 + " " + "`" * 19_999,
        "# " + "[" * 20_000,
        "<!-- " * 20_000,
        "export const a = {\n\n" * 5_000,
        "## a\n\n" * 10_000,
        "word " * 200_000,
    ],
    ids=lambda text: text[:8].strip(),
)
@pytest.mark.timeout(20)  # a quadratic reader needs minutes for these; a linear one far less than a second
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    page = read_markdown("a.mdx", text)
    assert page is None or page.title
