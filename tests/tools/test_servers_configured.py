"""Which servers are found, which of two counts, and which may be used."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.errors import ConfigurationError, ConsentRequired, UsageError
from docs_researcher.definition.places import config_file, config_folder
from docs_researcher.tools.servers.approvals import approve, is_approved
from docs_researcher.tools.servers.configured import configured_servers, our_servers

OWN = """\
[mcp_servers.context7]
command = "npx"
args = ["-y", "pkg"]

[mcp_servers.context7.env]
A = "1"

[mcp_servers.off]
url = "https://h/mcp"
enabled = false
"""


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def server(word: str) -> dict[str, Any]:
    return {"command": word}


def test_every_program_s_file_is_read_from_anywhere_in_the_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(config_file(), OWN)
    write(Path.home() / ".claude.json", {
        "mcpServers": {"claude": server("a")},
        "projects": {str(project): {"mcpServers": {"claude-here": server("b")}}, "/other": {"mcpServers": {"no": server("c")}}},
    })  # fmt: skip
    write(Path.home() / ".cursor/mcp.json", {"mcpServers": {"cursor-user": server("d")}})
    write(project / ".mcp.json", {"bare": server("e")})
    write(project / ".cursor/mcp.json", {"mcpServers": {"cursor": server("f")}})
    write(project / ".vscode/mcp.json", {"inputs": [], "servers": {"code": {"type": "stdio", **server("g")}}})
    below = project / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    found = configured_servers()
    assert [(entry.name, entry.origin.scope) for entry in found.entries] == [
        ("context7", "own"),
        ("off", "own"),
        ("claude-here", "user"),
        ("claude", "user"),
        ("cursor-user", "user"),
        ("bare", "project"),
        ("cursor", "project"),
        ("code", "project"),
    ]
    assert [entry.cwd for entry in found.entries if entry.origin.scope == "project"] == [str(project)] * 3
    assert not found.skipped


def test_only_our_own_servers_that_are_on_are_used_unnamed(project: Path) -> None:
    write(config_file(), OWN)
    write(project / ".mcp.json", {"mcpServers": {"other": server("x")}})
    (ours,) = configured_servers().ours
    assert (ours.name, ours.args, ours.env) == ("context7", ("-y", "pkg"), {"A": "1"})
    assert [entry.name for entry in our_servers()] == ["context7"]


def test_a_project_cannot_put_a_server_in_the_place_of_the_user_s_own(project: Path) -> None:
    write(Path.home() / ".claude.json", {"mcpServers": {"docs": server("mine")}})
    write(project / ".mcp.json", {"mcpServers": {"docs": server("theirs")}})
    assert configured_servers().find("docs").command == "mine"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"mcpServers": {\n"a": }}', "line 2: "),
        ("[]", "holds no table"),
        ('{"mcpServers": []}', "mcpServers is no table"),
        (b"\xff\xfe\x00", "not UTF-8"),
    ],
)
def test_a_broken_file_of_another_program_is_skipped_with_its_reason(project: Path, content: str | bytes, reason: str) -> None:
    path = project / ".mcp.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    write(project / ".cursor/mcp.json", {"mcpServers": {"good": server("x")}})
    found = configured_servers()
    assert [entry.name for entry in found.entries] == ["good"]
    ((skipped),) = found.skipped
    assert skipped.path == path
    assert reason in skipped.reason
    with pytest.raises(UsageError) as error:
        found.find("bad")
    assert str(path) in error.value.why


def test_our_own_file_must_be_right(project: Path) -> None:
    write(config_file(), "[mcp_servers.a]\ncommand = x\n")
    with pytest.raises(ConfigurationError) as error:
        our_servers()
    assert str(config_file()) in error.value.what
    assert "line 2" in error.value.why


def test_a_mistake_in_our_own_file_is_named_with_its_line(project: Path) -> None:
    write(config_file(), OWN.replace('A = "1"', "A = 1"))
    with pytest.raises(ConfigurationError, match=r"config\.toml:6: .* env\.A that is no text but the number 1"):
        configured_servers().find("context7")
    write(config_file(), '[mcp_servers.docs]\ncommand = "x"\nenv = { A = "a", PORT = 8080 }\n')
    with pytest.raises(ConfigurationError, match=r"config\.toml:3: .* env\.PORT"):
        configured_servers().find("docs")


def test_one_bad_server_hides_no_other(project: Path) -> None:
    write(Path.home() / ".claude.json", {"mcpServers": {"bad": {}, "good": server("x")}})
    found = configured_servers()
    assert found.find("good").command == "x"
    with pytest.raises(ConfigurationError):
        found.find("bad")


def test_an_unknown_name_is_answered_with_the_nearest(project: Path) -> None:
    write(config_file(), OWN)
    with pytest.raises(UsageError, match="'contxt7'") as error:
        configured_servers().find("contxt7")
    assert error.value.why == "did you mean 'context7'?"
    assert "docs-research mcp list" in error.value.next_step


def test_a_project_s_server_needs_a_yes_for_each_content_of_its_file(project: Path) -> None:
    path = write(project / ".mcp.json", {"mcpServers": {"docs": server("x")}})
    with pytest.raises(ConsentRequired) as error:
        configured_servers().find("docs")
    assert error.value.next_step == f"Look at it, then run: docs-research mcp approve {path}"
    approve(configured_servers().entries[0].origin)
    assert configured_servers().find("docs").command == "x"
    write(path, {"mcpServers": {"docs": server("curl")}})
    with pytest.raises(ConsentRequired):
        configured_servers().find("docs")


def test_approvals_are_kept_for_their_owner_alone_and_a_damaged_file_approves_nothing(project: Path) -> None:
    path = write(project / ".mcp.json", {"mcpServers": {"docs": server("x")}})
    (entry,) = configured_servers().entries
    approve(entry.origin)
    file = config_folder() / "approved-servers.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(json.loads(file.read_text(encoding="utf-8"))) == [str(path)]
    assert is_approved(entry.origin)
    file.write_text("{", encoding="utf-8")
    assert not is_approved(entry.origin)
