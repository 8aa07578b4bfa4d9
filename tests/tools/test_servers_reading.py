"""Server configurations as people write them: lenient where nothing is lost, exact about every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.tools.servers.configured import configured_servers
from docs_researcher.tools.servers.entries import ServerEntry
from docs_researcher.tools.servers.jsonc import JsoncError, decode, read_jsonc

LENIENT = (
    b'\xef\xbb\xbf// who\r\n{\r\n  "mcpServers": { /* all */\r\n    "a": {"command": "x//y", "args": ["1",],},\r\n  },\r\n}\r\n'
)


def entry(project: Path, raw: Any, file: str = ".mcp.json", table: str = "mcpServers") -> ServerEntry:
    """The entry that a file of the project with one server gives."""
    path = project / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({table: {"docs": raw}}, indent=1), encoding="utf-8")
    (found,) = configured_servers(project).entries
    return found


def problem(project: Path, raw: Any, **place: str) -> ConfigurationError:
    """The error that a server has when it is chosen."""
    found = entry(project, raw, **place).problem
    assert found is not None
    return found


def test_comments_trailing_commas_a_byte_order_mark_and_crlf_are_read_over() -> None:
    document = read_jsonc(decode(LENIENT))
    assert document.value == {"mcpServers": {"a": {"command": "x//y", "args": ["1"]}}}
    assert document.line("mcpServers", "a", "args", "0") == 4
    assert document.line("mcpServers", "a", "no such key") == 4


def test_utf_16_as_windows_editors_write_it_is_read() -> None:
    assert read_jsonc(decode('{"a": "é"}'.encode("utf-16"))).value == {"a": "é"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{\n\n'a': 1}", 3),
        ('{"a"\n 1}', 2),
        ('{"a": 1\n "b": 2}', 2),
        ('{"a": "b\n', 1),
        ("[1\n,,2]", 2),
        ("/* open", 1),
        ("", 1),
        ("{} x", 1),
        ('{"a": 1-2}', 1),
        ("[" * 5_000, 1),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(JsoncError) as error:
        read_jsonc(text)
    assert error.value.line == line


def test_arguments_keep_their_order_and_missing_ones_are_none(project: Path) -> None:
    assert entry(project, {"command": "npx", "args": ["-y", "$HOME; ls", "a b", ""]}).args == ("-y", "$HOME; ls", "a b", "")
    assert entry(project, {"command": "npx"}).args == ()


def test_a_command_with_arguments_inside_is_refused_with_the_fix(project: Path) -> None:
    error = problem(project, {"command": "npx -y '@a/b c'"})
    assert error.what == f"{project / '.mcp.json'}:4: the server 'docs' has arguments in its command, which is one executable"
    assert error.next_step == 'Write command "npx" and args ["-y", "@a/b c"].'
    assert 'args ["-y"]' in problem(project, {"command": ["npx", "-y"]}).next_step


def test_a_program_in_a_folder_with_a_space_is_one_executable(project: Path) -> None:
    program = project / "my server"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    assert entry(project, {"command": str(program)}).command == str(program)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"command": "x", "env": {"A": "1", "PORT": 8080}}, ("json:7: ", "env.PORT", "the number 8080", 'quotes: "8080"')),
        ({"command": "x", "env": {"A": True}}, ("env.A", "true or false", '"true"')),
        ({"command": "x", "args": ["a", 3]}, ("args.1", "the number 3")),
        ({"command": "x", "args": "-y"}, ("args that are no list",)),
        ({"command": ""}, ("empty command",)),
        ({}, ("neither a command nor a url",)),
        ({"type": "ws", "url": "ws://h/"}, ("unknown type 'ws'", '"sse"')),
        ({"type": "pigeon", "command": "x"}, ("unknown type 'pigeon'",)),
        ({"url": "h:8080/mcp"}, ("no web address in url", "https://host/mcp")),
        ({"type": "http", "command": "x"}, ("url that is no text but null",)),
        ("npx", ("is not a table",)),
    ],
)
def test_a_mistake_is_named_with_file_key_and_line_and_its_fix(project: Path, raw: Any, words: tuple[str, ...]) -> None:
    error = problem(project, raw)
    text = f"{error.what} {error.next_step}"
    assert str(project / ".mcp.json") in text
    assert all(word in text for word in words), text


@pytest.mark.parametrize(
    ("raw", "url"),
    [
        ({"type": "http", "url": "https://h/mcp"}, "https://h/mcp"),
        ({"type": "streamable-http", "url": "https://h/mcp"}, "https://h/mcp"),
        ({"url": "http://127.0.0.1:1/mcp"}, "http://127.0.0.1:1/mcp"),
        ({"serverUrl": "https://h/mcp"}, "https://h/mcp"),
        ({"httpUrl": "https://h/mcp"}, "https://h/mcp"),
        ({"transport": {"type": "http", "url": "https://h/mcp"}}, "https://h/mcp"),
        ({"transport": "http", "url": "https://h/mcp"}, "https://h/mcp"),
    ],
)
def test_every_way_of_naming_an_address_is_understood(project: Path, raw: Any, url: str) -> None:
    found = entry(project, raw)
    assert (found.kind, found.url, found.problem) == ("http", url, None)


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ({"type": "sse", "url": "https://h/events"}, "sse"),
        ({"transport": "sse", "url": "https://h/events"}, "sse"),
        ({"url": "https://h/sse"}, "sse"),
        ({"url": "https://h/sse/"}, "sse"),
        ({"type": "http", "url": "https://h/sse"}, "http"),
        ({"url": "https://h/assess"}, "http"),
    ],
)
def test_the_older_transport_is_known_by_its_type_else_by_the_usual_path(project: Path, raw: Any, kind: str) -> None:
    found = entry(project, raw)
    assert (found.kind, found.problem) == (kind, None)


@pytest.mark.parametrize(
    ("written", "filled"),
    [
        ("${TOKEN}", "t0"),
        ("a-${env:TOKEN}-b", "a-t0-b"),
        ("${UNSET_X:-fallback}", "fallback"),
        ("${EMPTY_X:-fallback}", "fallback"),
        ("${EMPTY_X}", ""),
        ("${env:UNSET_X:-}", ""),
        ("${workspaceFolder}/x", "PROJECT/x"),
        ("${CLAUDE_PROJECT_DIR}", "PROJECT"),
        ("${CLAUDE_PROJECT_DIR:-.}", "PROJECT"),
        ("${workspaceFolderBasename}", "project"),
        ("${userHome}", "USER"),
        ("${NESTED}", "${TOKEN}"),
        ("$TOKEN and {TOKEN}", "$TOKEN and {TOKEN}"),
    ],
)
def test_variables_of_every_program_are_filled_in_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, written: str, filled: str
) -> None:
    for name, value in {"TOKEN": "t0", "EMPTY_X": "", "NESTED": "${TOKEN}"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("UNSET_X", raising=False)
    found = entry(project, {"command": "x", "args": [written], "env": {"E": written}})
    expected = filled.replace("PROJECT", str(project)).replace("USER", str(Path.home()))
    assert (found.args, found.env) == ((expected,), {"E": expected})


def test_an_unset_variable_is_left_out_of_headers_and_refused_elsewhere(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNSET_X", raising=False)
    found = entry(project, {"url": "https://h/mcp", "headers": {"Authorization": "Bearer ${UNSET_X}", "X-A": "1"}})
    assert found.headers == {"X-A": "1"}
    assert found.warnings == ("headers.Authorization is left out: the environment variable UNSET_X is not set",)
    error = problem(project, {"url": "https://${UNSET_X}/mcp"})
    assert "UNSET_X is not set" in error.what
    assert "${UNSET_X:-default}" in error.next_step


def test_a_value_that_vs_code_asks_for_is_reported_with_the_fix(project: Path) -> None:
    raw = {"type": "stdio", "command": "x", "env": {"KEY": "${input:api-key}"}}
    error = problem(project, raw, file=".vscode/mcp.json", table="servers")
    assert "${input:api-key} is asked for by VS Code" in error.what
    assert "${env:API_KEY}" in error.next_step


def test_values_of_env_and_headers_stay_out_of_what_is_shown(project: Path) -> None:
    found = entry(project, {"url": "https://user:pw@h/mcp?key=s3cret", "headers": {"X": "s3cret"}})
    assert found.shown == "https://h/mcp"
    assert "s3cret" not in repr(found).replace(found.url, "")


def test_what_is_shown_has_variables_by_their_names(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "s3cret")
    found = entry(project, {"command": "npx", "args": ["--key", "${TOKEN}", "a b", "sk-ant-EXAMPLE-NOT-REAL-0123456789"]})
    assert found.args[1] == "s3cret"
    assert found.shown == "npx --key ${TOKEN} 'a b' [secret removed]"
    assert entry(project, {"url": "https://h/${TOKEN}/mcp"}).shown == "https://h/${TOKEN}/mcp"


def test_unknown_settings_are_mentioned_and_change_nothing(project: Path) -> None:
    found = entry(project, {"command": "x", "tools": ["*"], "envFile": ".env", "timeout": 20_000})
    assert found.problem is None
    assert found.connect_seconds == 20
    assert found.warnings == ("envFile is not read; put its variables into env", "not known here and left alone: tools")
