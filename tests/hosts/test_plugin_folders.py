"""The committed plugin folders: up to date, valid for each host, one text in all, and steering away from the raw tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
import yaml

from docs_researcher import __version__
from docs_researcher.core.messages import QUERY, RESOLVE
from docs_researcher.definition.loader import load_definition
from docs_researcher.hosts.folders import differences, write
from docs_researcher.hosts.plugins import CLAUDE, CURSOR, PORTABLE, Variant, build, plugin_tool
from docs_researcher.hosts.texts import AGENT, SKILL, frontmatter

ROOT = Path(__file__).parents[2]
SCHEMAS = Path(__file__).parent / "schemas"
VARIANTS = [Variant(), Variant("uvx"), Variant(server="context7")]

CHECKED = [
    (f"{CLAUDE}/.claude-plugin/plugin.json", "claude-plugin"),
    (".claude-plugin/marketplace.json", "claude-marketplace"),
    (f"{CURSOR}/.cursor-plugin/plugin.json", "cursor-plugin"),
    (".cursor-plugin/marketplace.json", "cursor-marketplace"),
    (".claude-plugin/marketplace.json", "cursor-marketplace"),
    (f"{PORTABLE}/plugin.json", "agent-plugin"),
    (f"{PORTABLE}/mcp.json", "agent-plugin-mcp"),
]


def _json(text: str) -> Any:
    return json.loads(text)


def _head_and_body(text: str) -> tuple[dict[str, Any], str]:
    _, head, body = text.split("---\n", 2)
    return cast("dict[str, Any]", yaml.safe_load(head)), body


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize(("path", "schema"), CHECKED)
def test_a_manifest_fits_the_schema_of_its_host(variant: Variant, path: str, schema: str) -> None:
    rules = _json((SCHEMAS / f"{schema}.json").read_text("utf-8"))
    jsonschema.Draft7Validator(rules).validate(_json(build(variant)[path]))  # pyright: ignore[reportUnknownMemberType] -- not typed


@pytest.mark.parametrize(("path", "schema"), CHECKED)
def test_the_schema_notices_a_field_that_is_wrong(path: str, schema: str) -> None:
    rules = _json((SCHEMAS / f"{schema}.json").read_text("utf-8"))
    wrong = {**_json(build()[path]), "name": "two words", "mcpServers": {"docs": {"command": "a b"}}}
    assert not jsonschema.Draft7Validator(rules).is_valid(wrong)  # pyright: ignore[reportUnknownMemberType] -- not typed


def test_the_committed_folders_are_what_is_built_now() -> None:
    assert [str(item) for item in differences(ROOT, build())] == []


def test_a_manifest_says_the_version_of_the_package() -> None:
    tree = build()
    manifests = [name for name in tree if name.endswith(("plugin.json", "gemini-extension.json"))]
    assert len(manifests) == 4
    assert {_json(tree[name])["version"] for name in manifests} == {__version__}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_agent_is_the_same_text_in_both_hosts(variant: Variant) -> None:
    tree = build(variant)
    claude, body = _head_and_body(tree[f"{CLAUDE}/agents/{AGENT}.md"])
    cursor, other = _head_and_body(tree[f"{CURSOR}/agents/{AGENT}.md"])
    assert body == other
    assert (claude["name"], claude["description"]) == (cursor["name"], cursor["description"])
    assert set(claude) - set(cursor) == {"tools"}
    assert "readonly" not in cursor  # it would take every MCP tool from the agent


def test_the_agent_has_the_two_documentation_tools_and_no_other() -> None:
    head, _ = _head_and_body(build()[f"{CLAUDE}/agents/{AGENT}.md"])
    assert head["tools"].split(", ") == [plugin_tool(RESOLVE), plugin_tool(QUERY)]
    assert max(len(plugin_tool(name)) for name in (RESOLVE, QUERY, "research-library-docs")) <= 64


def test_nothing_of_ours_alone_is_left_in_a_copy_for_hosts() -> None:
    for name, text in build().items():
        if name.endswith((".md", ".mdc")):
            assert "{{" not in text and "{%" not in text, name
            assert not text.startswith("---") or "docs-research:" not in text.split("---\n")[1], name


@pytest.mark.parametrize("host", [CLAUDE, CURSOR])
def test_our_own_loader_reads_the_agent_without_a_repair(host: str) -> None:
    definition = load_definition(ROOT / host / "agents" / f"{AGENT}.md")
    assert definition.repairs == ()
    assert definition.description.startswith("Use ")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_server_is_a_bare_command_or_an_address_without_placeholders(variant: Variant) -> None:
    tree = build(variant)
    servers = {name: text for name, text in tree.items() if name.endswith(("mcp.json", "gemini-extension.json"))}
    assert len(servers) == 4
    for name, text in servers.items():
        assert "$" not in text.replace('"$schema"', ""), name
        entry = _json(text)["mcpServers"]["docs"]
        if variant.server == "own":
            words = [entry["command"], *entry["args"]]
            assert words == (["uvx", "docs-researcher", "serve"] if variant.launcher == "uvx" else ["docs-research", "serve"])
        else:
            assert (entry.get("url") or entry.get("httpUrl", "")).endswith("/mcp/oauth")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_texts_send_the_conversation_to_what_the_host_has_and_never_to_the_raw_tools(variant: Variant) -> None:
    tree = build(variant)
    for name in (f"{CLAUDE}/skills/{SKILL}/SKILL.md", f"{CURSOR}/rules/{SKILL}.mdc"):
        text = tree[name]
        assert "agent `docs-researcher`" in text, name
        assert ("research-library-docs" in text) == (variant.server == "own"), name
        assert f"Do not call `{RESOLVE}`, `{QUERY}`" in text, name
    for name, text in tree.items():
        if name.endswith("SKILL.md"):
            head, body = _head_and_body(text)
            assert head["name"] == SKILL == Path(name).parent.name
            assert RESOLVE not in head["description"] and QUERY not in head["description"]
            assert len(head["description"]) <= 1024
            assert len(body.splitlines()) < 500


def test_the_skill_knows_what_to_do_when_the_agent_cannot_start() -> None:
    for variant in VARIANTS:
        text = build(variant)[f"{CLAUDE}/skills/{SKILL}/SKILL.md"]
        told = next(line for line in text.splitlines() if line.startswith("If the agent is refused"))
        assert "start the agent once more" in told
        assert ("research-library-docs" in told) == ("docs-research doctor" in told) == (variant.server == "own")
    assert "If the agent" not in build()[f"{PORTABLE}/skills/{SKILL}/SKILL.md"]


def test_skill_and_agent_say_that_the_code_was_not_run() -> None:
    tree = build()
    for name in (f"{CLAUDE}/agents/{AGENT}.md", f"{CLAUDE}/skills/{SKILL}/SKILL.md", f"{PORTABLE}/skills/{SKILL}/SKILL.md"):
        assert "type-check and test it" in tree[name]
        assert "run" in tree[name].partition("type-check")[0].splitlines()[-1]


def test_every_path_that_a_marketplace_names_is_built() -> None:
    tree = build()
    for market in (".claude-plugin/marketplace.json", ".cursor-plugin/marketplace.json", ".agents/plugins/marketplace.json"):
        source = _json(tree[market])["plugins"][0]["source"]
        path = source if isinstance(source, str) else source["path"]
        assert any(name.startswith(f"{path.removeprefix('./')}/") for name in tree)


def test_building_writes_what_is_missing_and_takes_away_what_is_no_longer_built(tmp_path: Path) -> None:
    write(tmp_path, build())
    stale = tmp_path / CLAUDE / "agents" / "older.md"
    stale.write_text("older", encoding="utf-8")
    (tmp_path / CURSOR / "mcp.json").write_text("{}", encoding="utf-8")
    assert [str(item) for item in differences(tmp_path, build())] == [
        f"{CLAUDE}/agents/older.md: not built any more",
        f"{CURSOR}/mcp.json: differs",
    ]
    write(tmp_path, build())
    assert differences(tmp_path, build()) == ()
    assert not stale.exists()


@pytest.mark.parametrize(
    "value",
    ["Use when: asked", "- dash", "true", "@at", "# hash", "a #comment", "{map}", 'say "yes"', "", "ends: ", "plain text, all."],
)
def test_a_text_in_the_frontmatter_is_read_back_as_it_was(value: str) -> None:
    assert yaml.safe_load(frontmatter({"description": value}).replace("---", "")) == {"description": value}
