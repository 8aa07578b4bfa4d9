"""Values out of JSON, TOML and YAML that others wrote: anything may stand where a mapping is due."""

from __future__ import annotations

import json
from typing import Any, cast


def mapping(value: object) -> dict[str, Any]:
    """`value` where it is a mapping, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def json_mapping(data: bytes | str) -> dict[str, Any]:
    """The mapping that a JSON text holds; an empty one for any other value, and for what is no JSON or is nested too deep."""
    try:
        return mapping(json.loads(data))
    except (ValueError, RecursionError):
        return {}
