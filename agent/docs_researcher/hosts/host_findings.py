"""What `doctor` finds out about each host: whether it is there, what of ours it has, by which rule, and what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from docs_researcher.core.errors import DocsResearchError
from docs_researcher.definition.folders import find_agents
from docs_researcher.definition.places import claude_folder
from docs_researcher.hosts import insertions, receipts
from docs_researcher.hosts.clients import COMMAND, HOSTS, NAMES, SERVER, Host, Mode, Scope, Target, is_installed, targets
from docs_researcher.hosts.findings import Finding
from docs_researcher.hosts.foreign_files import content_of, read_bytes
from docs_researcher.hosts.insertions import Unchangeable
from docs_researcher.hosts.setup import planned
from docs_researcher.hosts.texts import AGENT

SCOPES: tuple[Scope, ...] = ("user", "project")


def host_findings(project: Path) -> Iterator[Finding]:
    """Every host: one that is neither installed nor configured is told in a word."""
    for host in HOSTS:
        yield from _host(host, project)
    yield from _agents(project)


def _host(host: Host, project: Path) -> Iterator[Finding]:
    area = NAMES[host]
    installed = is_installed(host)
    found = [line for scope in SCOPES for line in _scope(host, scope, project)]
    plugin = _plugin(host)
    if plugin:
        found.append(Finding(area, "ok", f"the plugin is installed: {plugin}"))
    if plugin and any(line.level == "ok" and "server" in line.text for line in found[:-1]):
        fix = f"Keep one: {COMMAND} setup {host} --remove, or uninstall the plugin."
        found.append(Finding(area, "warning", "the plugin and setup both brought a server", fix))
    yield from found
    if not any(line.level == "ok" for line in found) and installed:
        yield Finding(area, "note", "is installed and does not know docs-researcher", f"{COMMAND} setup {host}")
    elif not found and not installed:
        yield Finding(area, "ok", "was not found on this machine")


def _scope(host: Host, scope: Scope, project: Path) -> Iterator[Finding]:
    """What one scope of a host has, and what an update or a repair would change."""
    area, place = NAMES[host], "for you" if scope == "user" else f"for {project}"
    users = {target.path for target in targets(host, "user", project)} if scope == "project" else set[Path]()
    for target in targets(host, scope, project):
        if target.path in users:  # the home folder is no project
            continue
        try:
            if _is_there(target):
                yield Finding(area, "ok", f"{target.what} {place}: {target.path}")
        except Unchangeable as reason:
            fix = "Correct the file; the host may not read it either. Nothing was changed."
            yield Finding(area, "warning", f"skipped {target.path}: {reason}", fix)
    root = str(project) if scope == "project" else ""
    mine = [item for item in _receipts() if item.belongs_to(host, scope, root)]
    if not mine:
        return
    # Setup may have had to pass over the file of the server: which texts it wrote tells the mode then.
    modes: tuple[Mode, ...] = ("mcp", "cli")
    mode = min(modes, key=lambda one: sum(change.changes for change in planned(host, scope, project, one)))
    for change in planned(host, scope, project, mode):
        if change.changes:
            fix = (
                f"{COMMAND} setup {host}"
                + (" --project" if scope == "project" else "")
                + (" --mode cli" if mode == "cli" else "")
            )
            yield Finding(area, "warning", f"{change.path} is missing or not what this version writes", fix)


def _is_there(target: Target) -> bool:
    data = read_bytes(target.path) if target.kind in ("json", "toml", "section") else None
    if target.kind == "file":
        return target.path.is_file()
    if data is None:
        return False
    text = content_of(data).text
    if target.kind == "section":
        return insertions.MARK_START in text
    value = insertions.read_toml(text) if target.kind == "toml" else insertions.read_json(text)
    return insertions.has(value, target.entry)


def _receipts() -> tuple[receipts.Receipt, ...]:
    try:
        return receipts.load()
    except DocsResearchError:
        return ()


def _plugin(host: Host) -> str:
    """Where our plugin is installed in a host; empty if it is not."""
    if host == "cursor":
        folder = Path.home() / ".cursor" / "plugins" / "local" / AGENT
        return str(folder) if folder.is_dir() else ""
    if host != "claude-code":
        return ""
    path = claude_folder() / "plugins" / "installed_plugins.json"
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    plugins = cast("dict[str, object]", found).get("plugins") if isinstance(found, dict) else None
    names = list(cast("dict[str, object]", plugins)) if isinstance(plugins, dict) else []
    return next((f"{name} ({path})" for name in names if name.partition("@")[0] == AGENT), "")


def _agents(project: Path) -> Iterator[Finding]:
    """The agent as Claude Code finds it: the file and the rule, what hides it, and files that do not load."""
    agents = find_agents(project)
    of_claude = [item for item in agents.found if item.definition.name == SERVER and item.rule.endswith(".claude")]
    for item in of_claude:
        if item is of_claude[0]:
            yield Finding("Claude Code", "ok", f"the agent {SERVER} is found by the rule `{item.rule}`: {item.definition.source}")
        else:
            fix = "Delete one of the two, if that is not meant."
            text = f"{item.definition.source} is hidden by {of_claude[0].definition.source}"
            yield Finding("Claude Code", "warning", text, fix)
    for broken in agents.broken:
        if broken.rule.endswith(".claude"):
            yield Finding("Claude Code", "warning", f"an agent does not load: {broken.error.message}", broken.error.next_step)
