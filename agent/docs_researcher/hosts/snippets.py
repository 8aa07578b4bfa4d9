"""What other hosts need in their configuration, to be put there by hand: `setup --print HOST`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from docs_researcher.hosts.clients import COMMAND, SERVER, SERVERS, entry

_WORDS = [COMMAND, "serve"]


@dataclass(frozen=True, slots=True)
class Snippet:
    """One piece of configuration: the file that it belongs into, and its text."""

    file: str
    text: str


def _json(value: object) -> str:
    return json.dumps(value, indent=2)


def _servers(key: str, value: Mapping[str, object]) -> str:
    return _json({key: {SERVER: value}})


def _toml(table: str, values: Mapping[str, object]) -> str:
    return "\n".join([f"[{table}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())])


_PLAIN = entry(typed=False)
SNIPPETS: Mapping[str, Snippet] = {
    "claude-code": Snippet(".mcp.json, or mcpServers in ~/.claude.json", _servers("mcpServers", SERVERS["claude-code"])),
    "claude-desktop": Snippet("claude_desktop_config.json", _servers("mcpServers", _PLAIN)),
    "codex": Snippet("~/.codex/config.toml", _toml(f"mcp_servers.{SERVER}", SERVERS["codex"])),
    "copilot": Snippet("~/.copilot/mcp-config.json", _servers("mcpServers", {"type": "local", **_PLAIN, "tools": ["*"]})),
    "cursor": Snippet(".cursor/mcp.json, or ~/.cursor/mcp.json", _servers("mcpServers", SERVERS["cursor"])),
    "gemini": Snippet("~/.gemini/settings.json", _servers("mcpServers", _PLAIN)),
    "goose": Snippet(
        "~/.config/goose/config.yaml",
        f"extensions:\n  {SERVER}:\n    type: stdio\n    cmd: {COMMAND}\n    args: [serve]\n    enabled: true\n    timeout: 60",
    ),
    "opencode": Snippet("opencode.json", _servers("mcp", {"type": "local", "command": _WORDS, "enabled": True})),
    "vscode": Snippet(".vscode/mcp.json", _servers("servers", SERVERS["vscode"])),
    "windsurf": Snippet("~/.codeium/windsurf/mcp_config.json", _servers("mcpServers", _PLAIN)),
    "zed": Snippet("settings.json", _servers("context_servers", {"source": "custom", **_PLAIN})),
}
"""The server's entry in the form of each host."""
