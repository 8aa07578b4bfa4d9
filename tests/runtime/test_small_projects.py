"""Questions inside three small projects made by real tools: the version that each has is fetched, and read again offline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs_researcher.core.answer import Answer
from docs_researcher.runtime.research import research_sync
from project_tools import NEEDS_NPM, npm_tool, python_commands, run

pytestmark = [pytest.mark.registry, pytest.mark.timeout(300)]


PATIENT = {"seconds": 280.0}
"""A first fetch does not count at the command line; here it does."""


def asked_twice(question: str, folder: Path) -> Answer:
    """The answer, which has to be the same without a network."""
    first = research_sync(question, model="extractive", docs_from="local", project_dir=folder, limits=PATIENT)
    assert first.status == "complete", (first.status, first.notices)
    assert "fetched" in {notice.code for notice in first.notices}
    again = research_sync(question, model="extractive", docs_from="local", project_dir=folder, offline=True)
    assert (again.text, again.library) == (first.text, first.library)
    assert "fetched" not in {notice.code for notice in again.notices}
    return first


def version_of(answer: Answer) -> tuple[str, str | None, str]:
    assert answer.library is not None
    return answer.library.name, answer.library.version, answer.library.version_choice


@NEEDS_NPM
def test_next_pinned_by_npm(home: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "package.json").write_text(json.dumps({"private": True, "dependencies": {"next": "16.2.0"}}))
    run(tmp_path, "npm", "install", "--package-lock-only", "--no-audit", "--no-fund")
    answer = asked_twice("How do I set up auth in Next.js?", tmp_path)
    assert version_of(answer) == ("Next.js", "16.2.0", "installed in this project (package-lock.json)")
    assert {one.version for one in answer.references} == {"16.2.0"}


def test_django_locked_by_uv(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / ".git").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "site"\nversion = "1"\nrequires-python = ">=3.11"\ndependencies = ["django~=5.2.0,!=5.2"]\n'
    )
    run(folder, python_commands(tmp_path, "uv") / "uv", "lock")
    locked = next(line for line in _behind((folder / "uv.lock").read_text(), 'name = "django"') if line.startswith("version"))
    answer = asked_twice("How do I write a data migration in Django?", folder)
    name, version, how = version_of(answer)
    assert (name, how) == ("Django", "installed in this project (uv.lock)")
    assert version is not None and version.startswith("5.2.") and locked == f'version = "{version}"'


@NEEDS_NPM
def test_a_member_of_a_pnpm_workspace(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    for name, dependencies in (("web", {"fastify": "5.1.0"}), ("old", {"fastify": "4.29.0"})):
        member = folder / "apps" / name
        member.mkdir(parents=True)
        (member / "package.json").write_text(json.dumps({"name": name, "version": "1.0.0", "dependencies": dependencies}))
    (folder / ".git").mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "shop", "private": True}))
    (folder / "pnpm-workspace.yaml").write_text('packages:\n  - "apps/*"\n')
    run(folder, npm_tool(tmp_path, "pnpm@9", "pnpm"), "install", "--lockfile-only")
    answer = asked_twice("How do I validate a body with a schema in Fastify?", folder / "apps" / "old")
    assert version_of(answer) == ("Fastify", "4.29.0", "installed in this project (pnpm-lock.yaml)")
    assert version_of(asked_twice("How do I validate a body with a schema in Fastify?", folder / "apps" / "web"))[1] == "5.1.0"


def _behind(text: str, line: str) -> list[str]:
    lines = text.splitlines()
    return lines[lines.index(line) :]
