"""The hosts that `setup` knows: how one is found, and which files of which content make docs-researcher known to it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from docs_researcher.definition.places import claude_folder
from docs_researcher.hosts import texts
from docs_researcher.hosts.plugins import CLAUDE_MODEL
from docs_researcher.hosts.texts import AGENT, RAW_TOOLS, SKILL, Offer

Host = Literal["claude-code", "cursor", "vscode", "codex"]
Scope = Literal["user", "project"]
Mode = Literal["mcp", "cli"]
Kind = Literal["json", "toml", "section", "file"]
HOSTS: tuple[Host, ...] = get_args(Host)
NAMES: Mapping[Host, str] = {"claude-code": "Claude Code", "cursor": "Cursor", "vscode": "VS Code", "codex": "Codex"}

SERVER = "docs-researcher"
"""The server's name in a host's configuration."""
PAGES_SERVER = "docs-pages"
"""The server of the raw tools that belongs to the agent alone, where a host can scope servers."""
COMMAND = "docs-research"


@dataclass(frozen=True, slots=True)
class Target:
    """One file, and what is to stand in it."""

    path: Path
    kind: Kind
    what: str
    """What it is for the reader: "server", "agent", "skill", "rule"."""
    text: str = ""
    """The whole file, or the section."""
    entry: tuple[str, ...] = ()
    """Where `value` stands in a JSON or TOML file."""
    value: Mapping[str, object] | None = None


def is_installed(host: Host) -> bool:
    """Whether there is a sign of the host: its command, or its folder in the user's home."""
    commands = {"claude-code": "claude", "cursor": "cursor", "vscode": "code", "codex": "codex"}
    folders = {
        "claude-code": claude_folder(),
        "cursor": Path.home() / ".cursor",
        "vscode": vscode_folder().parent,
        "codex": codex_folder(),
    }
    return shutil.which(commands[host]) is not None or folders[host].is_dir()


def targets(host: Host, scope: Scope, project: Path, mode: Mode = "mcp") -> tuple[Target, ...]:
    """Every file that makes docs-researcher known to a host, the server's entry first."""
    makers: Mapping[Host, Callable[[Scope, Path, Mode], tuple[Target, ...]]] = {
        "claude-code": _claude,
        "cursor": _cursor,
        "vscode": _vscode,
        "codex": _codex,
    }
    found = makers[host](scope, project, mode)
    return tuple(item for item in found if mode == "mcp" or item.what in ("skill", "rule"))


def claude_file() -> Path:
    """The file in which Claude Code keeps the user's servers."""
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home()).expanduser() / ".claude.json"


def codex_folder() -> Path:
    """The user's folder of Codex: CODEX_HOME, else `~/.codex`."""
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex").expanduser()


def vscode_folder() -> Path:
    """The user's folder of VS Code on this platform."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Code" / "User"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "Code" / "User"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "Code" / "User"


def entry(*args: str, typed: bool = True) -> dict[str, object]:
    """The server's entry. No key stands in it, and no path: it is the same for everybody who reads the file."""
    kind: dict[str, object] = {"type": "stdio"} if typed else {}
    return kind | {"command": COMMAND, "args": ["serve", *args]}


SERVERS: Mapping[Host, Mapping[str, object]] = {
    "claude-code": entry("--tools", "research"),  # the raw tools belong to the agent alone
    "cursor": entry(),
    "vscode": entry(),
    "codex": entry(typed=False),
}
"""What stands in each host's configuration, whether `setup` writes it or the user does."""


def host_named(text: str) -> str:
    """The name of a host as it is written here: `Claude Code`, `claude` and `claude_code` are `claude-code`."""
    name = "-".join(text.casefold().replace("_", " ").replace("-", " ").split())
    return {"claude": "claude-code", "code": "vscode", "vs-code": "vscode", "visual-studio-code": "vscode"}.get(name, name)


def _claude(scope: Scope, project: Path, mode: Mode) -> tuple[Target, ...]:
    """The conversation gets the research alone; the server of the raw tools stands in the agent's own file."""
    root = claude_folder() if scope == "user" else project / ".claude"
    file = claude_file() if scope == "user" else project / ".mcp.json"
    pages: dict[str, Any] = {PAGES_SERVER: entry("--tools", "context7")}
    fields = {
        "model": CLAUDE_MODEL,
        "tools": ", ".join(f"mcp__{PAGES_SERVER}__{tool}" for tool in RAW_TOOLS),
        "mcpServers": [pages],
    }
    return (
        Target(file, "json", "server", entry=("mcpServers", SERVER), value=SERVERS["claude-code"]),
        Target(root / "agents" / f"{AGENT}.md", "file", "agent", texts.agent_file(fields)),
        _skill(root / "skills", mode),
        Target(root / "rules" / f"{AGENT}.md", "file", "rule", _rule(mode)),
    )


def _cursor(scope: Scope, project: Path, mode: Mode) -> tuple[Target, ...]:
    root = (Path.home() if scope == "user" else project) / ".cursor"
    head = texts.frontmatter({"description": texts.rule_description(), "alwaysApply": True})
    return (
        Target(root / "mcp.json", "json", "server", entry=("mcpServers", SERVER), value=SERVERS["cursor"]),
        Target(root / "agents" / f"{AGENT}.md", "file", "agent", texts.agent_file({"model": "inherit"})),
        _skill(root / "skills", mode),
        Target(root / "rules" / f"{SKILL}.mdc", "file", "rule", f"{head}\n{_rule(mode)}"),
    )


def _vscode(scope: Scope, project: Path, mode: Mode) -> tuple[Target, ...]:
    user = scope == "user"
    file = vscode_folder() / "mcp.json" if user else project / ".vscode" / "mcp.json"
    agents = Path.home() / ".copilot" / "agents" if user else project / ".github" / "agents"
    rules = vscode_folder() / "prompts" if user else project / ".github" / "instructions"
    head = texts.frontmatter({"description": texts.rule_description(), "applyTo": "**"})
    agent = texts.agent_file({"tools": [f"{SERVER}/{tool}" for tool in RAW_TOOLS]})
    return (
        Target(file, "json", "server", entry=("servers", SERVER), value=SERVERS["vscode"]),
        Target(agents / f"{AGENT}.agent.md", "file", "agent", agent),
        _skill((Path.home() if user else project) / ".agents" / "skills", mode),
        Target(rules / f"{AGENT}.instructions.md", "file", "rule", f"{head}\n{_rule(mode)}"),
    )


def _codex(scope: Scope, project: Path, mode: Mode) -> tuple[Target, ...]:
    root = codex_folder() if scope == "user" else project / ".codex"
    rules = (root if scope == "user" else project) / "AGENTS.md"
    home = Path.home() if scope == "user" else project
    return (
        Target(root / "config.toml", "toml", "server", entry=("mcp_servers", SERVER), value=SERVERS["codex"]),
        Target(root / "agents" / f"{AGENT}.toml", "file", "agent", _codex_agent()),
        _skill(home / ".agents" / "skills", mode),
        Target(rules, "section", "rule", f"## Library documentation\n\n{_rule(mode)}"),
    )


def _codex_agent() -> str:
    """The agent as Codex reads it. Its prompt stands in a literal text, which takes everything but three quotes."""
    body = texts.agent_body().replace("'''", "''\u200b'")
    head = {"name": AGENT, "description": texts.agent_description()}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    return "\n".join([*lines, f"developer_instructions = '''\n{body}'''", ""])


def _skill(folder: Path, mode: Mode) -> Target:
    text = texts.skill_for_commands() if mode == "cli" else texts.skill_file(Offer())
    return Target(folder / SKILL / "SKILL.md", "file", "skill", text)


def _rule(mode: Mode) -> str:
    return texts.rule_body(Offer(), commands=mode == "cli")
