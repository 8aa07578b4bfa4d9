"""What of its evidence an extractive answer quotes, and in which order."""

from __future__ import annotations

import re

from acme_answers import SESSIONS, STEPS, answer, fenced, passage


def test_the_sentence_that_answers_stands_there_and_not_the_opening_of_the_page() -> None:
    text = answer("How do I create a session?", passage(SESSIONS)).text
    assert "To create a session, call `createSession` with the visitor's id:" in text
    assert "See the reference" not in text


def test_code_is_letter_for_letter_with_its_language_file_name_and_source() -> None:
    text = answer("How do I create a session?", passage(SESSIONS)).text
    code = SESSIONS.split("switcher\n")[1].split("\n```")[0]
    assert f"`lib/session.ts`:\n\n```ts\n{code}\n```" in text
    assert "Source: Sessions > Create a session" in text


def test_the_javascript_twin_of_a_typescript_block_is_not_shown() -> None:
    text = answer("How do I create a session?", passage(SESSIONS)).text
    assert "userId: string" in text
    assert "session.js" not in text
    assert len(fenced(text)) == 1


def test_the_row_that_is_asked_for_is_taken_with_the_head_of_its_table() -> None:
    text = answer("Which option sets when a session expires?", passage(SESSIONS)).text
    assert "| Option | Default | Meaning |\n|---|---|---|\n| `maxAge` | `86400` | Seconds until a session expires. |" in text


def test_numbered_steps_are_taken_together_and_keep_their_order() -> None:
    text = answer("How do I deploy an application?", passage(STEPS, "Deploying", "docs/deploy.md")).text
    places = [text.index(step) for step in ("1. Build", "2. Upload", "3. Start")]
    assert places == sorted(places)


def test_steps_numbered_by_headings_are_steps() -> None:
    content = (
        "#### 1. Capture credentials\n\nCreate a form that calls the sign-up action.\n\n"
        "#### 2. Validate fields\n\nUse a schema in the sign-up action to validate the form.\n"
    )
    text = answer("How do I build a sign-up form?", passage(content, "Auth > Sign-up", "docs/auth.md")).text
    assert "1. **Capture credentials**: Create a form" in text
    assert "2. **Validate fields**: Use a schema" in text


def test_of_a_block_over_the_budget_what_is_asked_about_is_shown_with_a_comment_for_what_is_left_out() -> None:
    others = "\n\n".join(f"def step_{number}(value):\n    return value + {number}\n" for number in range(60))
    code = f"import acme\n\n{others}\n\ndef renew(visitor):\n    acme.session(visitor).renew()\n\n{others}"
    content = f"To renew a session, run this:\n\n```python\n{code}\n```\n"
    text = answer("How do I renew a session?", passage(content), budget=600).text
    (shown,) = fenced(text)
    assert shown.startswith("import acme\n")
    assert "def renew(visitor):\n    acme.session(visitor).renew()" in shown
    assert re.search(r"^# \.\.\. \d+ lines left out$", shown, re.MULTILINE)
    assert "To renew a session, run this:" in text


def test_every_block_of_a_section_that_fits_is_shown() -> None:
    blocks = "\n\n".join(
        f"Create session {word}:\n\n```python\nsession_{word} = create_{word}({word}=1)\n```" for word in "abcdefg"
    )
    assert len(fenced(answer("How do I create a session?", passage(blocks)).text)) == 7


def test_links_become_their_labels_and_headings_are_not_copied() -> None:
    content = "## Big heading\n\nCall [`createSession`](/docs/api#create) to [create a session](https://acme.example/x?y=1).\n"
    text = answer("How do I create a session?", passage(content)).text
    assert "Call `createSession` to create a session." in text
    assert "## Big heading" not in text
    assert "y=1" not in text


def test_the_newer_of_two_documented_ways_comes_before_the_older() -> None:
    intro = "To redirect a visitor:\n\n```tsx filename="
    old = f"{intro}\"pages/index.tsx\"\nexport const getProps = () => redirect('/login', old)\n```\n"
    new = f"{intro}\"app/page.tsx\"\nexport default () => redirect('/login')\n```\n"
    parts = (passage(old, "Redirecting > Pages Router", "docs/a.md"), passage(new, "Redirecting > App", "docs/b.md"))
    codes = fenced(answer("How do I redirect a visitor?", *parts, budget=160).text)
    assert codes[:1] == ["export default () => redirect('/login')"]


def test_what_a_block_before_and_after_a_change_shows_is_shown_together() -> None:
    content = (
        "`generateThing` is deprecated, use `makeThing` instead.\n\n"
        '```ts filename="Acme 2"\nconst a = generateThing({ schema })\n```\n\n'
        '```ts filename="Acme 3"\nconst { output } = await makeThing({ output: shape(schema) })\n```\n'
    )
    codes = fenced(answer("Acme generateThing with a schema", passage(content, "Upgrading")).text)
    assert codes == ["const a = generateThing({ schema })", "const { output } = await makeThing({ output: shape(schema) })"]


def test_the_page_that_was_found_first_comes_first_among_equals() -> None:
    zeta = passage("To create a session, call `createZeta` from a route.", "Zeta", "docs/zeta.md")
    alpha = passage("Workers create a session by way of `createAlpha`.", "Alpha", "docs/alpha.md")
    text = answer("How do I create a session?", zeta, alpha).text
    assert text.index("createZeta") < text.index("createAlpha")


def test_an_opening_that_tells_nothing_is_not_quoted() -> None:
    text = answer("What is a session?", passage("API reference for the session module. A session is a signed cookie.")).text
    assert "A session is a signed cookie." in text
    assert "API reference" not in text


def test_the_block_behind_the_sentence_that_answers_best_is_shown_though_it_shares_no_word_with_the_question() -> None:
    content = (
        "Sessions are made when a visitor arrives:\n\n```js\nsession = visitor.session\n```\n\n"
        "To create a session by hand, call `mint`. Like this:\n\n```js\nmint(7)\n```\n"
    )
    assert fenced(answer("How do I create a session by hand?", passage(content)).text)[-1] == "mint(7)"


def test_a_name_that_only_contains_the_asked_one_does_not_answer_for_it() -> None:
    right = "`makeMeta` takes the `params` of a page.\n\n```js\nexport function makeMeta({ params }) {}\n```\n"
    other = (
        "`makeImageMeta` takes `params`. Its `params` are those of a page.\n\n```js\nfunction makeImageMeta({ params }) {}\n```\n"
    )
    parts = (passage(right, "makeMeta", "docs/meta.md"), passage(other, "makeImageMeta > params", "docs/image-meta.md"))
    text = answer("makeMeta with params", *parts).text
    assert "makeMeta({ params })" in text
    assert "makeImageMeta" not in text


def test_every_section_of_the_best_page_may_be_quoted() -> None:
    rows = [
        passage("Default: `1048576` (1 MiB).\n\nThe largest body that is read.", "Server > `bodyLimit`", "docs/server.md"),
        *(passage(f"```js\nlog(options.bodyLimit, {name})\n```\n", f"Hooks > {name}", f"docs/{name}.md") for name in "abc"),
    ]
    assert "1048576" in answer("What is the default value of bodyLimit?", *rows).text


def test_placeholders_in_code_are_kept_and_said_to_be_placeholders() -> None:
    content = "To create a session:\n\n```ts\nconst session = create({ model: __MODEL__, file: __FILE__ });\n```\n"
    text = answer("How do I create a session?", passage(content)).text
    assert "create({ model: __MODEL__, file: __FILE__ });\n```\n\n`__MODEL__`: a placeholder of the documentation;" in text


def test_the_second_half_of_a_question_is_shown_beside_better_matches_of_the_first() -> None:
    links = "\n\n".join(
        f"Follow the pagination links, way {word}:\n\n```py\nfollow_{word}(pagination, links, {word})\n```" for word in "abcd"
    )
    export = "To export the items as JSON:\n\n```sh\ncrawl quotes --out quotes.json\n```\n"
    found = (passage(links, "Following links", "docs/links.md"), passage(export, "Storing", "docs/store.md"))
    assert "crawl quotes --out quotes.json" in answer("Follow pagination links and export to JSON", *found).text


def test_a_default_that_is_said_with_its_value_comes_before_talk_about_the_option() -> None:
    content = "The `bodyLimit` option and its default are checked early.\n\nThe `bodyLimit` default is `1048576` bytes.\n"
    text = answer("What is the default value of bodyLimit?", passage(content, "Server", "docs/server.md"), budget=90).text
    assert "1048576" in text


def test_a_drawing_is_no_example() -> None:
    drawing = "Create\n │\n └─▶ Session\n │ └─▶ Hook\n │ └─▶ Reply\n └─▶ Response"
    content = f"To create a session:\n\n```\n{drawing}\n```\n\nOr to create a session in code:\n\n```js\ncreateSession(1)\n```\n"
    assert fenced(answer("How do I create a session?", passage(content)).text) == ["createSession(1)"]


def test_a_sentence_that_sends_the_reader_on_does_not_come_along() -> None:
    content = "See the Scopes section. There are two ways to create a session:\n\n```js\ncreateSession(1)\n```\n"
    text = answer("How do I create a session?", passage(content)).text
    assert "There are two ways to create a session:" in text
    assert "Scopes" not in text
