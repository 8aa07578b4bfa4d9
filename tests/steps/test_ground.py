"""Whoever wrote an answer: only code, links and sources that stand in the ledger leave as examples and references."""

from __future__ import annotations

from docs_researcher.core.ledger import Ledger
from docs_researcher.core.passages import Passage
from docs_researcher.steps.checks.ground import Grounded, ground

CODE = "import { redirect } from 'acme/navigation'\n\nexport default function Page() {\n  redirect('/login')\n}"
REDIRECT = Passage(
    "Redirecting > In a page",
    "Call `redirect` in a page. Read more at https://other.example/guide.\n\n"
    f'```tsx filename="app/page.tsx"\n{CODE}\n```\n\nOr run `acme redirects --list`.',
    "https://acme.example/docs/redirecting#in-a-page",
    "/acme/acme",
    "https://acme.example/docs/redirecting#in-a-page",
    "docs/redirecting.md",
    "3.1.0",
    "2026-10-01",
)
CACHING = Passage(
    "Caching",
    "Caching is on.\n\n```ts\ncache.enable()\ncache.size = 10\n```\n",
    "pkg:npm/acme@3.1.0#docs/caching.md",
    "/acme/acme",
    path="docs/caching.md",
)


def check(text: str, *passages: Passage) -> Grounded:
    ledger = Ledger()
    ledger.add(passages or (REDIRECT, CACHING))
    return ground(text, ledger)


def test_a_block_that_stands_in_the_documentation_is_an_example_with_its_source() -> None:
    found = check(f"Do this:\n\n```tsx\n{CODE}\n```\n")
    assert [(one.code, one.language, one.source) for one in found.examples] == [(CODE, "tsx", REDIRECT.url)]
    assert found.unsupported_blocks == 0
    assert [one.path for one in found.references] == ["docs/redirecting.md"]


def test_other_white_space_still_counts_and_the_example_is_the_documentation_s_own_text() -> None:
    indented = CODE.replace("  redirect", "      redirect").replace("\n\n", "\n")
    found = check(f"```tsx\n{indented}\n```")
    assert [one.code for one in found.examples] == [CODE]
    assert found.adapted_blocks == ()


def test_a_part_of_a_block_is_the_part_as_written() -> None:
    found = check("```tsx\nexport default function Page() {\nredirect('/login')\n}\n```")
    assert [one.code for one in found.examples] == ["export default function Page() {\n  redirect('/login')\n}"]


def test_a_command_from_the_open_text_counts() -> None:
    found = check("```bash\nacme redirects --list\n```")
    assert [one.code for one in found.examples] == ["acme redirects --list"]


def test_a_block_that_shares_nearly_all_tokens_is_adapted_and_the_example_is_the_original() -> None:
    found = check(f"```tsx\n{CODE.replace('/login', '/signin')}\n```")
    assert [one.code for one in found.examples] == [CODE]
    assert len(found.adapted_blocks) == 1
    assert found.unsupported_blocks == 0


def test_an_invented_block_is_counted_and_listed_and_no_example() -> None:
    found = check("```ts\nacme.magic({ everything: true })\n```")
    assert found.unsupported_blocks == 1
    assert found.blocks_without_evidence == ("acme.magic({ everything: true })",)
    assert found.examples == ()


def test_a_few_common_tokens_do_not_make_a_block_adapted() -> None:
    assert check("```ts\ncache.disable()\nstore.size = 99\nlog()\n```").unsupported_blocks == 1


def test_references_come_in_the_order_of_first_use_each_page_once() -> None:
    text = (
        "See [caching](pkg:npm/acme@3.1.0#docs/caching.md).\n\n```tsx\n"
        + CODE
        + "\n```\n\nAgain docs/caching.md and https://acme.example/docs/redirecting."
    )
    found = check(text)
    assert [one.path for one in found.references] == ["docs/caching.md", "docs/redirecting.md"]
    assert found.unsupported_links == 0


def test_a_reference_carries_title_address_id_version_and_date() -> None:
    (reference,) = check("https://acme.example/docs/redirecting").references
    assert (reference.title, reference.url, reference.library_id, reference.version, reference.date) == (
        "Redirecting",
        "https://acme.example/docs/redirecting",
        "/acme/acme",
        "3.1.0",
        "2026-10-01",
    )


def test_numbers_of_the_ledger_are_citations() -> None:
    found = check("Caching is on [2]. Redirects exist [1]. Nobody knows [7]. `list[1]` is code.")
    assert [one.path for one in found.references] == ["docs/caching.md", "docs/redirecting.md"]
    assert found.links_without_evidence == ("[7]",)


def test_a_source_line_names_a_page_by_its_title() -> None:
    found = check("It is on.\n\nSource: Caching\n\nThen redirect.\n\nSource: Redirecting > In a page")
    assert [one.path for one in found.references] == ["docs/caching.md", "docs/redirecting.md"]


def test_a_link_without_evidence_becomes_its_label_and_is_counted() -> None:
    found = check("Read [the guide](https://evil.example/x) and [this](/docs/local) and [that](javascript:alert(1)).")
    assert found.text == "Read the guide and this and that."
    assert found.links_without_evidence == ("https://evil.example/x", "/docs/local", "javascript:alert(1)")


def test_images_are_taken_out() -> None:
    found = check("Look: ![status](https://collect.example/p.png?q=question) done.")
    assert "collect.example" not in found.text
    assert found.unsupported_links == 1


def test_an_address_that_the_documentation_itself_gives_is_no_invention_but_no_reference() -> None:
    found = check("More at https://other.example/guide.")
    assert found.unsupported_links == 0
    assert found.references == ()


def test_an_address_with_a_query_is_never_passed_on_from_a_page() -> None:
    leak = Passage("Page", "See https://collect.example/p?q=USER for more.", "docs/p.md", "/acme/acme", path="docs/p.md")
    assert check("[more](https://collect.example/p?q=USER)", leak).links_without_evidence == ("https://collect.example/p?q=USER",)


def test_a_longer_address_is_not_the_shorter_one_of_the_page() -> None:
    assert check("https://other.example/guide/secret").unsupported_links == 1


def test_the_package_of_the_passages_may_be_named() -> None:
    found = check("From pkg:npm/acme@3.1.0.")
    assert found.unsupported_links == 0


def test_addresses_in_code_are_no_links() -> None:
    found = check("Set `baseUrl: https://my.example`.\n\n```ts\ncache.enable()\ncache.size = 10\n```")
    assert found.unsupported_links == 0


def test_text_without_strange_parts_is_returned_as_it_is() -> None:
    text = f"Intro.\n\n```tsx\n{CODE}\n```\n\n- [Redirecting](https://acme.example/docs/redirecting)\n"
    assert check(text).text == text


def test_a_block_in_two_pages_is_credited_to_the_page_that_the_answer_names() -> None:
    twin = Passage("Navigation", REDIRECT.content, "docs/nav.md", "/acme/acme", path="docs/nav.md")
    found = check(f"```tsx\n{CODE}\n```\n\nSource: Navigation", REDIRECT, twin)
    assert [one.source for one in found.examples] == ["docs/nav.md"]


def test_a_block_inside_a_directive_is_found() -> None:
    page = Passage(
        "Testing", "```{code-block} python\n:caption: t.py\n\nrunner = Runner()\nrunner.go()\n```", "docs/t.md", path="docs/t.md"
    )
    found = check("```python\nrunner = Runner()\nrunner.go()\n```", page)
    assert [one.code for one in found.examples] == ["runner = Runner()\nrunner.go()"]


def test_an_empty_ledger_supports_nothing() -> None:
    found = ground("```py\nx = make_it_work()\n```\n\nhttps://a.example/b [1]", Ledger())
    assert (found.unsupported_blocks, found.unsupported_links, found.references) == (1, 2, ())


def test_the_name_of_the_site_that_was_read_is_no_strange_address() -> None:
    ledger = Ledger()
    ledger.add([Passage("Why", "Because.", "https://www.acme.example/why", url="https://www.acme.example/why")])
    grounded = ground("From www.acme.example, not www.other.example.\n\n- [Why](https://www.acme.example/why)", ledger)
    assert grounded.links_without_evidence == ("www.other.example",)


def test_a_host_that_our_own_notices_name_may_be_named() -> None:
    said = ("The guide of Acme could not be read: www.acme.example cannot be found.",)
    text = f"{said[0]} See www.other.example."
    assert ground(text, Ledger(), said).links_without_evidence == ("www.other.example",)
