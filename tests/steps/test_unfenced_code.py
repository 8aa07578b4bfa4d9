import pytest

from docs_researcher.core.ledger import Ledger
from docs_researcher.core.passages import Passage
from docs_researcher.steps.checks.ground import ground
from docs_researcher.steps.checks.marking import mark

LEDGER = Ledger()
LEDGER.add(
    [
        Passage(
            "Use", "Create it:\n\n```js\nconst client = new Client(token)\nclient.open()\n```", "docs/use.md", path="docs/use.md"
        )
    ]
)
REAL, INVENTED = "const client = new Client(token)\nclient.open()", "Acme.magic({ all: true })\nAcme.done()"


def forms(code: str) -> list[str]:
    lines = code.split("\n")
    return [
        "Do this:\n\n" + "\n".join(f"    {line}" for line in lines) + "\n\nThen go on.",
        "Do this:\n\n> ```js\n" + "\n".join(f"> {line}" for line in lines) + "\n> ```\n\nThen go on.",
        f"Do this:\n\n<pre><code>{code}</code></pre>\n\nThen go on.",
    ]


@pytest.mark.parametrize("text", forms(INVENTED))
def test_invented_code_is_found_without_a_fence_too(text: str) -> None:
    grounded = ground(text, LEDGER)
    assert grounded.unsupported_blocks == 1
    text = mark(grounded).text
    assert "magic" not in text
    assert "Then go on." in text


@pytest.mark.parametrize("text", forms(REAL))
def test_code_of_the_documentation_stays(text: str) -> None:
    grounded = ground(text, LEDGER)
    assert grounded.unsupported_blocks == 0
    assert "new Client(token)" in grounded.text


@pytest.mark.parametrize(
    "text",
    [
        "- an item\n\n    that goes on below it\n",
        "1. one\n\n    more of one\n\n        and deeper\n",
        "> A quote of prose.\n> It goes on.",
        "Plain prose.\n  Slightly indented.",
        "",
    ],
)
def test_what_is_no_code_is_left_alone(text: str) -> None:
    grounded = ground(text, LEDGER)
    assert (grounded.unsupported_blocks, grounded.text) == (0, text)


def test_indented_prose_of_a_page_is_quoted_as_it_stands() -> None:
    ledger = Ledger()
    ledger.add([Passage("Terms", "Term:\n\n    What it means,\n    in two lines.", "docs/terms.md", path="docs/terms.md")])
    text = "Term:\n\n    What it means,\n    in two lines.\n\nMore."
    assert ground(text, ledger).text == text
