"""What a run costs by the user's own price list. No price is built in: they change, and a wrong one misleads.

The file is TOML or JSON, one table a model, with US dollars for a million tokens:

    [claude-haiku-5-5]
    input = 1.0
    output = 5.0
    cache_read = 0.1
    cache_write = 1.25
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import cast

from docs_researcher.core.messages import ModelUsage
from docs_researcher.runtime.config_file import ConfigFile, parse_config, read_bytes

MILLION = 1_000_000
_DATED = re.compile(r"-\d{8}$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens of each kind."""

    input: float
    output: float
    cache_read: float
    cache_write: float


Prices = Mapping[str, Price]
"""Prices by the model's id."""

_KINDS = tuple(field.name for field in fields(Price))


def load_prices(path: Path) -> Prices:
    """The prices in a file.

    Raises:
        ConfigurationError: it cannot be read, or a price is missing, not a number, or below zero.
    """
    data = read_bytes(path, must_exist=True) or b""
    file = parse_config(path, data)
    return {model: _price(file, model, entry) for model, entry in file.values.items()}


def cost_of(model: str, usage: ModelUsage, prices: Prices) -> float | None:
    """US dollars for these tokens of a model; None where the list has no price for it.

    An id with a date (`claude-haiku-5-5-20261001`) has the price of the id without, unless it is listed itself.
    """
    price = prices.get(model) or prices.get(_DATED.sub("", model))
    if price is None:
        return None
    dollars = (
        usage.input_tokens * price.input
        + usage.output_tokens * price.output
        + usage.cache_read_tokens * price.cache_read
        + usage.cache_write_tokens * price.cache_write
    )
    return dollars / MILLION


def _price(file: ConfigFile, model: str, entry: object) -> Price:
    example = f"Write under {model!r} the US dollars for a million tokens: {', '.join(_KINDS)}."
    if not isinstance(entry, dict):
        raise file.refused((model,), "has to hold the prices of a model", example)
    values = cast("dict[str, object]", entry)
    for name in values.keys() - set(_KINDS):
        raise file.refused((model, name), "is no kind of price", example)
    return Price(**{kind: _number(file, model, kind, values.get(kind), example) for kind in _KINDS})


def _number(file: ConfigFile, model: str, kind: str, value: object, example: str) -> float:
    if value is None:
        raise file.refused((model,), f"states no price for `{kind}`", f"{example} Write 0 for what costs nothing.")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise file.refused((model, kind), f"has to be a number of at least 0, not {value!r}", example)
    return float(value)
