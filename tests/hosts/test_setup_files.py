"""`setup` and `setup --remove` on configuration files as people have them: the same bytes afterwards, or left alone."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.tools.servers.jsonc import decode, read_jsonc
from host_configurations import CASES, Case

Run = Callable[..., Any]


@pytest.fixture
def file(request: pytest.FixtureRequest, user: Path) -> Path:
    """The file of a case, in the user's home."""
    case: Case = request.param
    path = user / case.path
    path.parent.mkdir(parents=True, exist_ok=True)
    if case.linked:
        real = user / "dotfiles" / path.name
        real.parent.mkdir()
        real.write_bytes(case.data)
        path.symlink_to(real)
    else:
        path.write_bytes(case.data)
    if case.read_only:
        path.chmod(0o444)
    return path


def _entry(path: Path) -> object:
    text = decode(path.read_bytes())
    value = tomllib.loads(text) if path.suffix == ".toml" else read_jsonc(text).value
    return value["mcp_servers" if path.suffix == ".toml" else "mcpServers"]["docs-researcher"]


def _params(cases: Iterable[Case]) -> list[Any]:
    return [pytest.param(case, case, id=f"{case.host}: {case.name}") for case in cases]


_CHANGED = _params(case for case in CASES if not case.refused)
_SHARED = _params(case for case in CASES if not case.refused and case.data.strip())
_REFUSED = _params(case for case in CASES if case.refused)


def test_there_are_enough_files() -> None:
    assert len(CASES) >= 30


@pytest.mark.parametrize(("file", "case"), _CHANGED, indirect=["file"])
def test_what_was_set_up_is_taken_out_to_the_byte(
    file: Path, case: Case, user: Path, docs_research: Run, files: Callable[[Path], dict[str, bytes]]
) -> None:
    before = files(user)
    assert docs_research("setup", case.host, "--yes").code == 0
    entry = _entry(file)
    assert isinstance(entry, dict)
    assert entry["command"] == "docs-research"
    assert file.is_symlink() == case.linked
    again = docs_research("setup", case.host, "--yes", "--json")
    assert {change["action"] for change in again.value["changes"]} == {"same"}
    assert docs_research("setup", case.host, "--remove", "--yes").code == 0
    assert files(user) == before
    assert file.is_symlink() == case.linked


@pytest.mark.parametrize(("file", "case"), _SHARED, indirect=["file"])
def test_what_others_wrote_meanwhile_stays_when_ours_is_taken_out(file: Path, case: Case, docs_research: Run) -> None:
    assert docs_research("setup", case.host, "--yes").code == 0
    text = file.read_bytes()
    wide = text.startswith(b"\xff\xfe")
    added = "\n" if not wide else "\n".encode("utf-16-le").decode("latin-1")
    file.write_bytes(text + added.encode("latin-1"))
    assert docs_research("setup", case.host, "--remove", "--yes").code == 0
    assert file.read_bytes() == case.data + added.encode("latin-1")


@pytest.mark.parametrize(("file", "case"), _REFUSED, indirect=["file"])
def test_a_file_that_cannot_be_changed_safely_is_named_with_the_reason_and_left_alone(
    file: Path, case: Case, docs_research: Run
) -> None:
    shown = docs_research("setup", case.host, "--yes", "--json")
    assert shown.code == 1
    [skipped] = [change for change in shown.value["changes"] if change["action"] == "skip"]
    assert skipped["path"] == str(file)
    assert case.refused in skipped["reason"]
    assert file.read_bytes() == case.data
    assert docs_research("setup", case.host, "--remove", "--yes").code == 0
    assert file.read_bytes() == case.data


@pytest.mark.parametrize(("file", "case"), _CHANGED, indirect=["file"])
def test_the_file_is_what_it_was_with_one_piece_put_in(file: Path, case: Case, docs_research: Run) -> None:
    assert docs_research("setup", case.host, "--yes").code == 0
    after = file.read_bytes()
    same = next((at for at, (old, new) in enumerate(zip(case.data, after, strict=False)) if old != new), len(case.data))
    rest = case.data[same:]
    assert after.endswith(rest)
    assert len(after) - len(case.data) > len("docs-researcher")


def test_permissions_stay_as_they_are(user: Path, docs_research: Run) -> None:
    file = user / ".claude.json"
    file.write_text("{}", encoding="utf-8")
    file.chmod(0o600)
    assert docs_research("setup", "claude-code", "--yes").code == 0
    assert file.stat().st_mode & 0o777 == 0o600
