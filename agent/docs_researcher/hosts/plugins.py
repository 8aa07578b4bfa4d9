"""The plugin folders and marketplace files, as texts by path. Nothing is written here.

Claude Code and Cursor each get a folder of their own, since each reads a manifest that the other refuses. A third folder holds
what every host with open plugins or Gemini's extensions reads: skill and server, no agent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, get_args

from docs_researcher import __version__
from docs_researcher.hosts import texts
from docs_researcher.hosts.texts import AGENT, RAW_TOOLS, SKILL, Offer

Launcher = Literal["path", "uvx"]
ServerKind = Literal["own", "context7"]
LAUNCHERS: tuple[Launcher, ...] = get_args(Launcher)
SERVERS: tuple[ServerKind, ...] = get_args(ServerKind)

CLAUDE_MODEL = "haiku"
"""Reading pages and quoting from them needs no large model; Claude Code would otherwise take the parent's."""
CLAUDE = "plugins/claude/docs-researcher"
CURSOR = "plugins/cursor/docs-researcher"
PORTABLE = "plugins/portable/docs-researcher"
_SCHEMAS = "https://agent-plugins.org/schemas/1.0.0/"

_ANY_HOST = "your host"
_INSTALL = {
    "Claude Code": f"""In the folder that holds the marketplace:

```sh
claude plugin marketplace add .
claude plugin install {AGENT}@{AGENT}
```""",
    "Cursor": f"Copy this folder to `~/.cursor/plugins/local/{AGENT}` and reload the window.",
    _ANY_HOST: f"""In the folder that holds the marketplace, for Codex and for Gemini:

```sh
codex plugin marketplace add . && codex plugin add {AGENT}@{AGENT}
gemini extensions install ./{PORTABLE}
```""",
}
"""How a plugin is installed, by host."""

Tree = dict[str, str]
"""Texts by their path below the marketplace's root, with forward slashes."""


@dataclass(frozen=True, slots=True)
class Variant:
    """How the plugin's server is reached: our command on PATH, our package through uvx, or Context7's server."""

    launcher: Launcher = "path"
    server: ServerKind = "own"

    @property
    def offer(self) -> Offer:
        """What hosts then have of ours."""
        own = self.server == "own"
        return Offer(agent=True, research=own, own_server=own)


def build(variant: Variant = Variant()) -> Tree:
    """Every file of the three folders and of the marketplaces at the root."""
    tree: Tree = {}
    for folder, files_of in ((CLAUDE, _claude), (CURSOR, _cursor), (PORTABLE, _portable)):
        tree |= {f"{folder}/{name}": text for name, text in files_of(variant).items()}
        tree[f"{folder}/LICENSE"] = _licence()
    tree[".claude-plugin/marketplace.json"] = _json(_marketplace(CLAUDE))
    tree[".cursor-plugin/marketplace.json"] = _json(_marketplace(CURSOR))
    tree[".agents/plugins/marketplace.json"] = _json(_codex_marketplace())
    return dict(sorted(tree.items()))


def server_entry(variant: Variant, *, http: str = "http", typed: bool = True) -> dict[str, Any]:
    """How a plugin's server is started or reached. No placeholder and no key: the same text on every machine."""
    facts = texts.facts()
    if variant.server == "context7":
        return ({"type": http} if typed else {}) | {"url": facts["context7"]}
    if variant.launcher == "uvx":
        command, args = "uvx", [facts["package"], *facts["args"]]
    else:
        command, args = facts["command"], facts["args"]
    return ({"type": "stdio"} if typed else {}) | {"command": command, "args": args}


def plugin_tool(tool: str) -> str:
    """The name that Claude Code gives to a tool of our plugin's server."""
    return f"mcp__plugin_{AGENT}_{texts.facts()['server']}__{tool}"


def _claude(variant: Variant) -> Tree:
    offer = variant.offer
    agent = {"model": CLAUDE_MODEL, "tools": ", ".join(plugin_tool(tool) for tool in RAW_TOOLS)}
    return {
        ".claude-plugin/plugin.json": _json(_manifest("displayName", "author", "license", "keywords")),
        ".mcp.json": _servers(server_entry(variant)),
        f"agents/{AGENT}.md": texts.agent_file(agent, offer),
        f"skills/{SKILL}/SKILL.md": texts.skill_file(offer),
        "commands/docs.md": texts.command_file(offer, ("description", "argument-hint"), "$ARGUMENTS"),
        "README.md": _readme(variant, "Claude Code", f"/{AGENT}:docs"),
    }


def _cursor(variant: Variant) -> Tree:
    offer = variant.offer
    rule = texts.frontmatter({"description": texts.rule_description(), "alwaysApply": True})
    return {
        ".cursor-plugin/plugin.json": _json(_manifest("displayName", "author", "license", "keywords", "category")),
        "mcp.json": _servers(server_entry(variant, typed=variant.server == "own")),
        f"agents/{AGENT}.md": texts.agent_file({"model": "inherit"}, offer),
        f"skills/{SKILL}/SKILL.md": texts.skill_file(offer),
        f"rules/{SKILL}.mdc": f"{rule}\n{texts.rule_body(offer)}",
        "commands/docs.md": texts.command_file(offer, ("name", "description"), "the words behind the command"),
        "README.md": _readme(variant, "Cursor", "/docs", rule=True),
    }


def _portable(variant: Variant) -> Tree:
    offer = Offer(agent=False, research=variant.offer.research, own_server=variant.offer.own_server)
    key = texts.facts()["server"]
    entry = server_entry(variant, http="streamable-http")
    gemini = server_entry(variant, typed=False)
    if "url" in gemini:
        gemini = {"httpUrl": gemini["url"]}
    manifest = {"$schema": f"{_SCHEMAS}plugin.schema.json", **_manifest("author", "license", "keywords")}
    return {
        "plugin.json": _json(manifest),
        "mcp.json": _json({"$schema": f"{_SCHEMAS}mcp.schema.json", "mcpServers": {key: entry}}),
        "gemini-extension.json": _json({**_manifest(), "mcpServers": {key: gemini}}),
        f"skills/{SKILL}/SKILL.md": texts.skill_file(offer),
        "README.md": _readme(variant, _ANY_HOST, None),
    }


def _manifest(*optional: str) -> dict[str, Any]:
    """Name, version and description, and those of the other facts that a host's manifest knows."""
    facts = texts.facts()
    return {"name": facts["name"], "version": __version__, "description": facts["description"]} | {
        name: facts[name] for name in optional
    }


def _marketplace(folder: str) -> dict[str, Any]:
    """One form for Claude Code and Cursor: the description stands under `metadata`, sources are texts."""
    facts = texts.facts()
    return {
        "name": facts["name"],
        "owner": facts["author"],
        "metadata": {"description": facts["description"]},
        "plugins": [{"name": facts["name"], "source": f"./{folder}", "description": facts["description"]}],
    }


def _codex_marketplace() -> dict[str, Any]:
    facts = texts.facts()
    return {
        "name": facts["name"],
        "interface": {"displayName": facts["displayName"]},
        "plugins": [
            {
                "name": facts["name"],
                "source": {"source": "local", "path": f"./{PORTABLE}"},
                "policy": {"installation": "AVAILABLE", "authentication": "ON_USE"},
                "category": "Developer Tools",
            }
        ],
    }


def _readme(variant: Variant, host: str, command: str | None, *, rule: bool = False) -> str:
    """The page of a plugin; without a command it is one without an agent, too."""
    own = variant.server == "own"
    return texts.readme(
        host=host,
        command=command,
        agent=command is not None,
        rule=rule,
        own_server=own,
        launcher=variant.launcher if own else "none",
        install=_INSTALL[host],
    )


def _servers(entry: dict[str, Any]) -> str:
    return _json({"mcpServers": {texts.facts()["server"]: entry}})


def _licence() -> str:
    return (files("docs_researcher.prompts") / "hosts" / "LICENSE").read_text(encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
