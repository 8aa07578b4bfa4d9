"""Answers that would be refused whole for the sake of one bad part, made good where nothing of ours is in that part."""

from __future__ import annotations

from typing import Any, cast

from docs_researcher.core.parsed import mapping


def mended(item: Any) -> Any:
    """One item of a stream. A tool list comes without the tools that are none; everything else as it is."""
    message = getattr(item, "message", None)
    result: object = getattr(message, "result", None)
    tools: object = cast("dict[str, Any]", result).get("tools") if isinstance(result, dict) else None
    if message is None or not isinstance(tools, list):
        return item
    listed = cast("list[object]", tools)
    good = [tool for tool in listed if _is_tool(tool)]
    if len(good) < len(listed):
        message.result = {**cast("dict[str, Any]", result), "tools": good}
    return item


def _is_tool(value: object) -> bool:
    from mcp.types import Tool
    from pydantic import ValidationError

    tool = mapping(value)
    schema: object = tool.get("inputSchema")
    if not isinstance(schema, dict) or not tool.get("name") or cast("dict[str, Any]", schema).get("type") != "object":
        return False
    try:
        Tool.model_validate(tool, by_name=False)
    except ValidationError:
        return False
    return True
