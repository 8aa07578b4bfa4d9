import pytest

from docs_researcher.core.ledger import Ledger
from docs_researcher.core.passages import Passage
from docs_researcher.steps.checks.version_claims import UNREAD, mark_versions, unread_versions

LEDGER = Ledger()
LEDGER.add(
    [
        Passage(
            "Changes > 2.1", "Since v2.1.0 the client retries. Use version 3.4.", "pkg:npm/acme@2.1.5#docs/a.md", version="2.1.5"
        )
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        "It retries since 2.1.0.",
        "It retries since v2.1.0 (docs of 2.1.5).",
        "Version 3.4 has it.",
        "It waits 1.5 seconds, 0.25 of the time, at 127.0.0.1 on port 8080.",
        "Asked for 15.0.1, which is not there.",
        "```text\nv9.9.9\n```\n\nand `acme@9.9.9`, https://example.com/v9.9.9/",
        "v2.5s",
    ],
)
def test_what_was_read_or_asked_and_what_is_no_version_is_no_claim(text: str) -> None:
    assert unread_versions(text, LEDGER, ["How do I use acme 15.0.1?"]) == ()


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("It retries since v2.2.", ("2.2",)),
        ("Added in 4.0.0, gone in 5.1.2.", ("4.0.0", "5.1.2")),
        ("In version 7.1 it changed.", ("7.1",)),
        ("Since 2.1.0-rc.1 and 2.1.55.", ("2.1.0-rc.1", "2.1.55")),
    ],
)
def test_a_version_that_nothing_states_is_found(text: str, claims: tuple[str, ...]) -> None:
    assert unread_versions(text, LEDGER, []) == claims


def test_a_mark_stands_behind_the_version_and_never_in_code() -> None:
    text = "Since v2.2 it retries.\n\n```sh\nnpm i acme@2.2\n# v2.2\n```"
    assert mark_versions(text, ["2.2"]) == f"Since v2.2 {UNREAD} it retries.\n\n```sh\nnpm i acme@2.2\n# v2.2\n```"
