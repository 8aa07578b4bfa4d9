"""A library that npm and PyPI both have a client of: each has its own docset, and a guess between them is told."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_researcher.core.answer import Answer
from docs_researcher.docsets.installed.store import Store
from docs_researcher.runtime.research import research_sync
from loopback_npm import LoopbackNpm, npm_registry, page
from loopback_web import Answer as WebAnswer
from loopback_web import Loopback

QUESTION = "How do I send an SMS with Twilio?"
FOR_NODE = page("Messages", "To send an SMS, call `messages.create`:\n\n```js\nawait client.messages.create({ to, body })\n```\n")
FOR_PYTHON = page(
    "Messages", "To send an SMS, call `messages.create`:\n\n```python\nclient.messages.create(to=to, body=body)\n```\n"
)


@pytest.fixture(autouse=True)
def registries(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in {"PKG-INFO": "Metadata-Version: 2.1\nName: twilio\n", "docs/messages.md": FOR_PYTHON}.items():
            member = tarfile.TarInfo(f"twilio-9.0.0/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    data, server = packed.getvalue(), Loopback()
    name, digest = "twilio-9.0.0.tar.gz", hashlib.sha256(data).hexdigest()
    file = {"filename": name, "url": f"/files/{name}", "size": len(data), "hashes": {"sha256": digest}}
    body = json.dumps({"meta": {"api-version": "1.1"}, "files": [file]}).encode()
    server.pages["/files/twilio-9.0.0.tar.gz"] = WebAnswer(data, content_type="application/gzip")
    server.pages["/simple/twilio/"] = WebAnswer(body, content_type="application/vnd.pypi.simple.v1+json")
    for name in ("UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL", "PIP_EXTRA_INDEX_URL", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
    with npm_registry(monkeypatch, {"twilio": {"5.0.0": {"package.json": "{}", "docs/messages.md": FOR_NODE}}}) as npm:
        yield npm
    server.stop()


def ask(question: str, folder: Path | None = None) -> Answer:
    return research_sync(question, model="extractive", docs_from="local", project_dir=folder)


def python_project(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[project]\nname = "app"\nversion = "1"\ndependencies = ["twilio"]\n')
    return folder


def test_a_project_of_python_is_answered_from_the_package_for_python(tmp_path: Path, registries: LoopbackNpm) -> None:
    answer = ask(QUESTION, python_project(tmp_path / "app"))
    assert "create(to=to, body=body)" in answer.text
    assert answer.library is not None
    assert (answer.library.name, answer.library.id, answer.library.version) == ("Twilio", "/pypi/twilio", "9.0.0")
    assert "library_assumed" not in [notice.code for notice in answer.notices]
    assert registries.downloads == []


def test_a_question_that_says_python_needs_no_project() -> None:
    assert "create(to=to, body=body)" in ask("How do I send an SMS with Twilio in Python?").text


def test_without_any_sign_the_guess_stands_in_the_answer() -> None:
    answer = ask(QUESTION)
    assert "create({ to, body })" in answer.text
    (guess,) = [notice.text for notice in answer.notices if notice.code == "library_assumed"]
    assert guess in answer.text
    assert "pypi:twilio" in guess


def test_both_are_kept_beside_each_other_and_neither_answers_for_the_other() -> None:
    ask("How do I send an SMS with Twilio in Python?")
    ask("How do I send an SMS with Twilio in Node.js?")
    assert {item.library_id: item.version for item in Store().installed()} == {
        "/pypi/twilio": "9.0.0",
        "/websites/twilio": "5.0.0",
    }
    assert "create(to=to, body=body)" in ask("How do I send an SMS with Twilio in Python?").text
