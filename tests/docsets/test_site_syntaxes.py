"""The syntaxes of site generators beside plain Markdown: what their pages show is what is read."""

from __future__ import annotations

import pytest

from docs_researcher.docsets.readers.includes import expand
from docs_researcher.docsets.readers.markdown import read_markdown


def texts(text: str, path: str = "guide.mdx") -> list[str]:
    page = read_markdown(path, text)
    return [block.text for block in page.blocks] if page else []


def blocks(text: str, path: str = "guide.mdx") -> list[tuple[str, str, str]]:
    page = read_markdown(path, text)
    return [(block.kind, block.language, block.text) for block in page.blocks] if page else []


def test_code_in_a_component_directly_below_its_text_is_code() -> None:
    text = (
        '<Tabs>\n  <Tab title="First">\n    Read this.\n    ```tsx\n    <Foo />\n    ```\n  </Tab>\n'
        '  <Tab title="Second">\n    More.\n  </Tab>\n</Tabs>\n'
    )
    assert blocks(text) == [
        ("text", "", "**First**"),
        ("text", "", "Read this."),
        ("code", "tsx", "```tsx\n<Foo />\n```"),
        ("text", "", "**Second**"),
        ("text", "", "More."),
    ]


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        ('<Snippet text={`import { x } from "ai"`} prompt={false} />', "ts", 'import { x } from "ai"'),
        ('<Snippet text="pnpm add zod" dark />', "bash", "pnpm add zod"),
        ('<InstallPackages packages="ai zod" />', "bash", "npm install ai zod"),
        ('<InstallPackages packages="tsx" dev />', "bash", "npm install --save-dev tsx"),
        ('<CodeBlock language="js">{`let a = 1;\nlet b = <B />;`}</CodeBlock>', "js", "let a = 1;\nlet b = <B />;"),
        ("<Code code={`console.log('x');`} lang=\"js\" />", "js", "console.log('x');"),
        ("<pre>{`a < b`}</pre>", "", "a < b"),
    ],
)
def test_components_of_code_are_code(text: str, language: str, code: str) -> None:
    assert blocks(f"Before.\n\n{text}\n\nBehind.\n") == [
        ("text", "", "Before."),
        ("code", language, f"```{language}\n{code}\n```"),
        ("text", "", "Behind."),
    ]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("<Note>\n  Mind.\n</Note>", "**Note**"),
        ('<Note type="warning">\n  Mind.\n</Note>', "**Warning**"),
        ('<Callout type="info" emoji="x">\n  Mind.\n</Callout>', "**Info**"),
        ('<Aside type="caution" title="Watch out!">\n\nMind.\n</Aside>', "**Caution: Watch out!**"),
        ('{% hint style="info" %}\nMind.\n{% endhint %}', "**Info**"),
        ('{% callout type="note" title="Hey" %}\nMind.\n{% /callout %}', "**Note: Hey**"),
    ],
)
def test_admonitions_of_components_have_their_label(text: str, label: str) -> None:
    assert blocks(f"{text}\n") == [("admonition", "", label), ("text", "", "Mind.")]


def test_a_label_does_not_touch_the_text_of_its_element() -> None:
    tabs = '<TabItem label="Apple">A fruit.</TabItem>\n\n<TabItem value="orange">Another.</TabItem>'
    text = f'{tabs}\n\nNew<Badge text="beta" />in 2.\n'
    assert texts(text) == ["**Apple**: A fruit.", "**orange**: Another.", "New beta in 2."]


def test_tabs_are_called_as_their_group_lists_them() -> None:
    text = "<Tabs items={['npm', 'yarn']}>\n<Tab>\n\nA.\n\n</Tab>\n<Tabs.Tab>\n\nB.\n\n</Tabs.Tab>\n</Tabs>\n"
    assert texts(text) == ["npm, yarn", "**npm**", "A.", "**yarn**", "B."]
    shown = f"```mdx\n{text}```"
    assert texts(f"{shown}\n\n{text}")[0] == shown


def test_a_file_tree_is_a_nested_list() -> None:
    text = '<FileTree>\n  <FileTree.Folder name="pages">\n    <FileTree.File name="a.js" />\n  </FileTree.Folder>\n</FileTree>\n'
    assert blocks(text) == [("list", "", "- `pages/`\n  - `a.js`")]


def test_a_field_says_its_type_whether_it_is_required_and_its_default() -> None:
    assert texts('<ParamField path="id" type="string" required default="x">\n  The id.\n</ParamField>\n') == [
        "`id` (`string`, required, default `x`)",
        "The id.",
    ]


def test_template_tags_go_also_directly_below_text() -> None:
    text = '{% tabs %}\n{% tab title="One" %}\nFirst.\n{% endtab %}\n{% endtabs %}\n\n- item\n{% endif %}\n'
    assert texts(text, "page.md") == ["**One**", "First.", "- item"]


def test_annotations_of_markdoc_go_and_tags_that_a_text_is_about_stay() -> None:
    assert texts("# Title {% #own %}\n\nSee {% mark %}this{% /mark %} now.\n", "a.md") == ["# Title", "See this now."]
    assert texts("Write {% block x %} and `{% #y %}`.\n", "a.md") == ["Write {% block x %} and `{% #y %}`."]


def test_tabs_inside_an_admonition_of_mkdocs_lose_both_indentations() -> None:
    tab = '    === "C"\n\n        ``` c\n        int x;\n            y;\n        ```\n'
    text = f'??? question "Which?"\n\n    Body.\n\n{tab}\n    End.\n'
    assert texts(text, "a.md") == ["**Question: Which?**\n\nBody.\n\n**C**\n\n``` c\nint x;\n    y;\n```\n\nEnd."]


def test_attributes_icons_and_languages_of_mkdocs_are_not_shown() -> None:
    text = "[Go](#){ .md-button } :material-account: **now**{: .x }\n\nUse `#!python range()` and `{ .x }`.\n"
    assert texts(text, "a.md") == ["[Go](#) **now**", "Use `range()` and `{ .x }`."]


def test_the_paragraphs_of_a_definition_are_no_code() -> None:
    text = "Term\n:   What it means,\n    in two lines.\n\n    More of it.\n\n    - an item\n\nNext.\n"
    assert texts(text, "a.md") == ["Term", ":   What it means,\n    in two lines.\n\nMore of it.\n\n- an item", "Next."]


def test_an_object_left_to_mkdocstrings_keeps_its_name_only() -> None:
    text = "# API\n\n::: acme.Client\n    options:\n      members: [get]\n\n::: acme\n    handler: python\n\n::: tip\nYes.\n:::\n"
    assert texts(text, "a.md") == ["# API", "`acme.Client`", "`acme`", "**Tip**", "Yes."]


def test_badges_and_names_of_characters_are_not_shown_as_written() -> None:
    text = '<a href="x"><img src="a.svg" /></a> <a href="y">Docs</a>&nbsp;&nbsp;&bull;&nbsp;&lt;div&gt; &mdash; `&nbsp;` &none;\n'
    assert texts(text, "a.md") == [" [Docs](y)  • &lt;div&gt; — `&nbsp;` &none;".strip()]


def test_a_reference_to_an_object_is_its_text() -> None:
    text = "See [`datetime`][], [the client][acme.Client] and `[x][a.b]`, not [this][] or a[0][a.b].\n"
    assert texts(text, "a.md") == ["See `datetime`, the client and `[x][a.b]`, not [this][] or a[0][a.b]."]


@pytest.mark.parametrize("line", ["[[toc]]", "[TOC]", "[[_TOC_]]", '--8<-- "gone.md"', "{{#title Mine}}", "*[HTML]: Markup"])
def test_lines_that_only_the_generator_reads_go(line: str) -> None:
    assert texts(f"One.\n\n{line}\n\nTwo.\n", "a.md") == ["One.", "Two."]


@pytest.mark.parametrize("line", ["<<< @/snippets/a.js{2}", "{{#playground snippets/a.js editable}}"])
def test_code_of_a_file_that_is_missing_is_named(line: str) -> None:
    assert texts(f"{line}\n", "a.md") == ["Code: `snippets/a.js`"]


def test_marks_for_highlighting_are_no_part_of_the_code() -> None:
    code = (
        "```js title='a.js'\n// highlight-next-line\nlet a = 1;\n  // highlight-start\nlet b; // [!code focus]\n"
        "let c; // [!code ++]\n/* highlight-end */\n<X /> {/* [!code highlight] */}\n// a comment\n```"
    )
    shown = "```js title='a.js'\nlet a = 1;\nlet b;\nlet c;\n<X />\n// a comment\n```"
    assert texts(code) == [shown]
    listed = "\n".join(f"  {line}" for line in code.split("\n"))
    assert texts(f"- item\n\n{listed}\n") == ["- item\n\n" + "\n".join(f"  {line}" for line in shown.split("\n"))]


def test_old_lines_beside_new_ones_keep_their_marks() -> None:
    code = "```js\nold(); // [!code --]\nnew(); // [!code ++]\nx(); // [!code warning]\n```"
    assert texts(code) == ["```js\nold(); // [!code --]\nnew(); // [!code ++]\nx();\n```"]


def test_what_rust_and_twoslash_hide_is_hidden() -> None:
    assert texts("```rust,ignore\n# fn main() {\n#\n#[derive(X)]\nlet x = 5;\n# }\n```\n", "a.md") == [
        "```rust,ignore\n#[derive(X)]\nlet x = 5;\n```"
    ]
    assert texts("```ts twoslash\nimport x\n// ---cut---\n// @errors: 2304\nx.y\n//  ^?\n```\n") == ["```ts twoslash\nx.y\n```"]
    assert texts("```bash\n# highlight this\n# a comment\n```\n", "a.md") == ["```bash\n# highlight this\n# a comment\n```"]


def test_files_that_mdbook_includes_are_put_in_place() -> None:
    files = {"src/x.rs": "// ANCHOR: all\nfn a() {}\n// ANCHOR: b\nfn b() {}\n// ANCHOR_END: b\n// ANCHOR_END: all\nfn c() {}\n"}
    text = (
        "```rust\n{{#include x.rs:b}}\n```\n\n```rust\n{{#rustdoc_include x.rs:2:4}}\n```\n\nSee {{#include x.rs:7}}!\n\n"
        "{{#playground x.rs editable}}\n"
    )
    expanded = expand("src/page.md", text, files.get)
    assert texts(expanded.text, "src/page.md") == [
        "```rust\nfn b() {}\n```",
        "```rust\nfn a() {}\n// ANCHOR: b\nfn b() {}\n```",
        "See fn c() {}!",
        "```rust\nfn a() {}\nfn b() {}\nfn c() {}\n```",
    ]
