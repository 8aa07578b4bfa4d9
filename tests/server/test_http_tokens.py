"""The file of tokens, and the command that keeps it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from docs_researcher.cli.main import run
from docs_researcher.core.errors import ConfigurationError, UsageError
from docs_researcher.server.http.tokens import PREFIX, TokenFile, presented_token


@pytest.fixture
def file(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "folder" / "tokens.json")


def test_a_token_is_found_again_and_its_text_stands_nowhere_in_the_file(file: TokenFile) -> None:
    text = file.create("ci", ["/vercel/next.js", "/local/relay/1.2"])
    assert text.startswith(PREFIX)
    assert len(text) > 40
    assert text.removeprefix(PREFIX) not in file.path.read_text(encoding="utf-8")
    found = file.find(text)
    assert found is not None
    assert (found.name, found.docsets) == ("ci", ("/vercel/next.js", "/local/relay/1.2"))
    assert file.find(text + "x") is None
    assert file.find("") is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_nobody_else_can_read_the_file_and_one_that_others_may_write_is_refused(file: TokenFile) -> None:
    text = file.create("ci")
    assert file.path.stat().st_mode & 0o777 == 0o600
    file.path.chmod(0o622)
    with pytest.raises(ConfigurationError, match="other users may write it"):
        TokenFile(file.path).find(text)


def test_what_another_process_does_to_the_file_counts_at_once(file: TokenFile) -> None:
    kept = file.create("kept")
    other = TokenFile(file.path)
    revoked = other.create("revoked")
    assert file.find(revoked) is not None
    other.revoke("revoked")
    assert file.find(revoked) is None
    assert file.find(kept) is not None


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "ü", "-x", "a\nb"])
def test_a_name_that_could_be_mistaken_is_refused(file: TokenFile, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name of a token"):
        file.create(name)
    assert not file.path.exists()


def test_a_name_is_taken_once_and_a_docset_is_an_id(file: TokenFile) -> None:
    file.create("ci")
    with pytest.raises(UsageError, match="There is a token named 'ci'"):
        file.create("ci")
    with pytest.raises(UsageError, match="is not a library id"):
        file.create("other", ["next"])
    with pytest.raises(UsageError, match="no token named 'nobody'"):
        file.revoke("nobody")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"tokens": [{}]}', '{"tokens": [{"name": "a", "sha256": "short"}]}'])
def test_a_file_of_another_form_lets_nobody_in(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokens.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="cannot be used"):
        TokenFile(path).find("anything")


def test_a_failed_write_leaves_the_file_as_it_was(file: TokenFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.create("ci")
    before = file.path.read_bytes()

    def refused(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(ConfigurationError, match="No space left"):
        file.create("second")
    assert file.path.read_bytes() == before
    assert [path.name for path in file.path.parent.iterdir()] == ["tokens.json"]


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({}, None),
        ({"authorization": ""}, None),
        ({"authorization": "Bearer abc"}, "abc"),
        ({"authorization": "abc"}, "abc"),
        ({"authorization": "Bearer"}, ""),
        ({"x-api-key": "b", "context7-api-key": "a"}, "a"),
        ({"authorization": "Bearer a", "x-api-key": "b"}, "a"),
    ],
)
def test_the_first_header_that_is_there_counts(headers: dict[str, str], token: str | None) -> None:
    assert presented_token(headers) == token


def test_the_command_makes_lists_and_revokes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", "list"]) == 0
    assert "There are no tokens" in capsys.readouterr().err
    assert run(["token", "create", "ci", "--docset", "/local/relay"]) == 0
    shown = capsys.readouterr()
    text = shown.out.strip()
    assert TokenFile(home / "tokens.json").find(text) is not None
    assert text not in shown.err
    assert run(["token", "list"]) == 0
    listed = capsys.readouterr().out
    assert "ci" in listed
    assert "/local/relay" in listed
    assert text not in listed
    assert run(["token", "list", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["ci"]
    assert run(["token", "revoke", "ci"]) == 0
    assert TokenFile(home / "tokens.json").tokens() == ()


@pytest.mark.parametrize("words", [["create"], ["list", "x"], ["revoke"], ["burn", "x"], ["revoke", "x", "--docset", "/a/b"]])
def test_a_command_that_makes_no_sense_says_what_would(home: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", *words]) == 2
    assert "Next:" in capsys.readouterr().err
