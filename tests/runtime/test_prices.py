"""Prices from the user's file, and what a run costs by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.messages import ModelUsage
from docs_researcher.runtime.prices import Price, cost_of, load_prices

TOML = """\
[claude-haiku-5-5]
input = 1
output = 5.0
cache_read = 0.1
cache_write = 1.25

["qwen3:8b"]
input = 0
output = 0
cache_read = 0
cache_write = 0
"""
HAIKU = Price(1.0, 5.0, 0.1, 1.25)
USAGE = ModelUsage(1_000_000, 100_000, 2_000_000, 40_000)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_prices_are_read_from_toml_and_from_json(tmp_path: Path) -> None:
    expected = {"claude-haiku-5-5": HAIKU, "qwen3:8b": Price(0.0, 0.0, 0.0, 0.0)}
    assert load_prices(write(tmp_path / "p.toml", TOML)) == expected
    values = {"claude-haiku-5-5": {"input": 1, "output": 5, "cache_read": 0.1, "cache_write": 1.25}}
    assert load_prices(write(tmp_path / "p.json", json.dumps(values))) == {"claude-haiku-5-5": HAIKU}


def test_the_cost_counts_every_kind_of_token() -> None:
    assert cost_of("claude-haiku-5-5", USAGE, {"claude-haiku-5-5": HAIKU}) == pytest.approx(1.0 + 0.5 + 0.2 + 0.05)


def test_a_dated_id_has_the_price_of_its_model_unless_it_is_listed_itself() -> None:
    prices = {"claude-haiku-5-5": HAIKU}
    usage = ModelUsage(input_tokens=1_000_000)
    assert cost_of("claude-haiku-5-5-20261001", usage, prices) == 1.0
    assert cost_of("claude-haiku-5-5-20261001", usage, {**prices, "claude-haiku-5-5-20261001": Price(2, 2, 2, 2)}) == 2.0


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-haiku-5-50", "claude-haiku", "extractive", ""])
def test_a_model_without_a_price_has_no_cost(model: str) -> None:
    assert cost_of(model, USAGE, {"claude-haiku-5-5": HAIKU}) is None


def test_a_model_that_costs_nothing_costs_nothing() -> None:
    assert cost_of("qwen3:8b", USAGE, {"qwen3:8b": Price(0, 0, 0, 0)}) == 0.0


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("p.toml", "[m]\ninput = 1\noutput = 1\ncache_read = 1\n", "p.toml:1: `m` states no price for `cache_write`"),
        ("p.toml", TOML.replace("5.0", "-5"), "p.toml:3: `claude-haiku-5-5.output` has to be a number of at least 0, not -5"),
        ("p.toml", TOML.replace("5.0", '"5"'), "p.toml:3: `claude-haiku-5-5.output` has to be a number"),
        ("p.toml", TOML.replace("5.0", "inf"), "p.toml:3: `claude-haiku-5-5.output` has to be a number"),
        ("p.toml", TOML.replace("cache_read = 0\n", "cache = 0\n"), "p.toml:10: `qwen3:8b.cache` is no kind of price"),
        ("p.toml", "m = 3\n", "p.toml:1: `m` has to hold the prices of a model"),
        ("p.toml", "[m\n", "p.toml is not TOML"),
        ("p.json", "[]", "p.json is not JSON: the outermost value is no object"),
        ("p.json", "[" * 200_000, "p.json is not JSON"),
        ("p.json", '{"m":\n {"input": true}}', "p.json:2: `m.input` has to be a number"),
        (
            "p.json",
            '{"m": {"input": 1, "output": 1, "cache_read": 1,\n "cache_write": true}}',
            "p.json:2: `m.cache_write` has to be a number",
        ),
    ],
)
def test_a_list_that_cannot_be_used_says_where_and_why(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = write(tmp_path / name, text)
    with pytest.raises(ConfigurationError) as caught:
        load_prices(path)
    assert caught.value.message.startswith(f"{path.parent}/{says}")


def test_a_list_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_prices(tmp_path / "none.toml")
