import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.fit import SHORTENED, fit

CODE = "```python\n" + "\n".join(f"call_{n}(argument, other)" for n in range(60)) + "\n```"
REFERENCES = "References:\n- [Guide](https://example.com/guide)"


def test_a_text_within_its_budget_is_untouched() -> None:
    assert fit("One.\n\n\nTwo.", 100) == "One.\n\n\nTwo."


def test_a_block_of_code_that_does_not_fit_is_left_out_whole_and_what_follows_stays() -> None:
    shortened = fit(f"Intro.\n\n{CODE}\n\nAfter.\n\n{REFERENCES}", 120)
    assert shortened == f"Intro.\n\nAfter.\n\n{REFERENCES}\n\n{SHORTENED}"


def test_references_are_kept_before_the_text() -> None:
    text = "\n\n".join(["A sentence about the thing that was asked."] * 40) + f"\n\n{REFERENCES}"
    shortened = fit(text, 150)
    assert REFERENCES in shortened
    assert shortened.startswith("A sentence")


@given(
    st.lists(st.sampled_from(["A short one.", "word " * 80, CODE, "```\nx\n```", REFERENCES]), max_size=12), st.integers(40, 900)
)
def test_no_budget_is_passed_and_no_fence_cut(parts: list[str], budget: int) -> None:
    shortened = fit("\n\n".join(parts), budget)
    assert estimate_tokens(shortened) <= budget
    assert shortened.count("```") % 2 == 0


@pytest.mark.parametrize("budget", [30, 60])
def test_a_budget_for_nothing_still_says_something(budget: int) -> None:
    assert fit(CODE, budget) == SHORTENED


def test_one_paragraph_over_the_budget_is_begun_and_not_left_out() -> None:
    shortened = fit("redirect word " * 20_000, 200)
    assert shortened.startswith("redirect word")
    assert estimate_tokens(shortened) <= 200
