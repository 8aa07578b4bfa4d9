"""Of long code the part that is asked about is shown, and a comment stands where lines are left out."""

from __future__ import annotations

import pytest

from docs_researcher.core.ledger import Ledger
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.abridged import FEWEST_TOKENS, LEFT_OUT, Share, abridged, runs_of
from docs_researcher.steps.checks.ground import ground

SCRIPT = """import { useState } from 'react'
import { load } from 'acme'

export function First() {
  return (
    <ul>
      <li>One</li>
      <li>Two</li>
    </ul>
  )
}

// Shows the basket
export function Basket({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  const limit = LIMITS.basket
  if (!open) return null
  return (
    <div>
      {load(id).map((item) => (
        <Item key={item.id} name={item.name} />
      ))}
    </div>
  )
}

const LIMITS = { basket: 3 }

export function Last() {
  return <footer>The end of everything that is shown here</footer>
}
"""


def about(*words: str) -> Share:
    return lambda text: sum(word in text for word in words) / len(words)


def test_code_that_fits_is_left_as_it_is() -> None:
    assert abridged(SCRIPT, "tsx", about("Basket"), 1_000) == SCRIPT


@pytest.mark.parametrize("room", [60, 100, 140, 180, 220])
def test_the_room_holds_and_nothing_is_made_up(room: int) -> None:
    short = abridged(SCRIPT, "tsx", about("Basket"), room)
    assert short
    assert estimate_tokens(short) <= room + 20
    for run in runs_of(short):
        assert run in SCRIPT


def test_the_function_that_is_asked_about_comes_with_imports_its_comment_and_what_it_uses() -> None:
    short = abridged(SCRIPT, "tsx", about("Basket"), 150)
    assert "import { load } from 'acme'" in short
    assert "// Shows the basket\nexport function Basket" in short
    assert "const LIMITS = { basket: 3 }" in short
    assert "One" not in short
    assert "// ... 8 lines left out" in short.split("\n")


def test_of_a_function_that_is_too_long_its_head_the_lines_asked_about_and_its_end_stay() -> None:
    body = "\n".join(f"    value_{number} = compute({number})" for number in range(80))
    code = f"def run(job):\n{body}\n    if job.failed:\n        retry(job)\n{body}\n    return job"
    short = abridged(code, "python", about("retry"), 120)
    assert short.startswith("def run(job):")
    assert "    if job.failed:\n        retry(job)" in short
    assert any(line.startswith("    # ... ") for line in short.split("\n"))


@pytest.mark.parametrize(
    ("language", "comment"),
    [
        ("python", "# ... "),
        ("ts", "// ... "),
        ("sql", "-- ... "),
        ("html", "<!-- ... "),
        ("css", "/* ... "),
        ("jinja", "{# ... "),
    ],
)
def test_what_is_left_out_is_said_in_a_comment_of_the_language(language: str, comment: str) -> None:
    code = "\n".join(f"entry {number} of a long list of entries" for number in range(100))
    marks = [line for line in abridged(code, language, about("entry 50 "), 100).split("\n") if LEFT_OUT.match(line)]
    assert marks
    assert all(mark.startswith(comment) for mark in marks)


def test_a_session_of_a_prompt_is_cut_between_what_is_typed() -> None:
    code = "\n".join(f">>> call({number})\n... # go on\n{number} was called and said so" for number in range(60))
    short = abridged(code, "pycon", about("call(30)"), 100)
    assert ">>> call(30)\n... # go on\n30 was called" in short


def test_in_hardly_any_room_nothing_is_shown() -> None:
    assert abridged(SCRIPT, "tsx", about("Basket"), FEWEST_TOKENS - 1) == ""


def _ledger(*blocks: str) -> Ledger:
    ledger = Ledger()
    content = "\n\n".join(f"```tsx\n{block}\n```" for block in blocks)
    ledger.add([Passage("Guide", content, "pkg:npm/acme@1.0.0#docs/guide.md", "/acme/acme", path="docs/guide.md")], "query")
    return ledger


def test_an_abridged_block_is_known_to_stand_in_the_documentation() -> None:
    short = abridged(SCRIPT, "tsx", about("Basket"), 140)
    grounded = ground(f"```tsx\n{short}\n```", _ledger(SCRIPT))
    assert grounded.unsupported_blocks == 0
    assert [example.code for example in grounded.examples] == [short]


def test_a_mark_does_not_make_code_of_ones_own_stand_in_the_documentation() -> None:
    code = "import { load } from 'acme'\n// ... 3 lines left out\nsend(load('everything'), 'https://elsewhere.example')"
    assert ground(f"```tsx\n{code}\n```", _ledger(SCRIPT)).unsupported_blocks == 1


def test_import_lines_of_several_blocks_of_a_page_are_known_and_others_are_not() -> None:
    ledger = _ledger(">>> import acme\n>>> acme.run()", "from acme import jobs\njobs.run()")
    assert ground("```py\nimport acme\nfrom acme import jobs\n```", ledger).unsupported_blocks == 0
    assert ground("```py\nimport acme\nfrom elsewhere import jobs\n```", ledger).unsupported_blocks == 1
