"""Ctrl-C in a batch: what was answered is kept, and the next run asks only the rest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.testing.messages_api import Body, ScriptedMessagesApi, Text, Turn
from loopback_npm import page

pytestmark = [pytest.mark.interop, pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")]

CODE = "client = Client(token)"


def test_a_batch_that_is_stopped_goes_on_where_it_was(home: Path, tmp_path: Path) -> None:
    docs = tmp_path / "acme"
    docs.mkdir()
    (docs / "client.md").write_text(page("Clients", f"Create a client:\n\n```python\n{CODE}\n```"), encoding="utf-8")
    add_source(str(docs), store=Store(), catalogue=Catalogue.load())
    rows = [{"id": f"q{number}", "question": f"How do I make client {number}?", "library": "/local/acme"} for number in range(4)]
    file, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    asked: list[int] = []
    stuck = threading.Event()

    def answer(body: Body) -> Turn:
        asked.append(int(str(body["messages"][0]).partition("make client ")[2][0]))
        if asked[-1] == 2 and not stuck.is_set():
            stuck.set()
            return Turn(ending="silent")
        return Turn((Text(f"```python\n{CODE}\n```"),))

    command = [sys.executable, "-m", "docs_researcher", "batch", str(file), "--out", str(out), "--offline", "--jobs", "1"]
    with ScriptedMessagesApi.answering(answer) as api:
        environment = {**os.environ, "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "none"}
        first = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
        assert stuck.wait(40)
        first.send_signal(signal.SIGINT)
        _, said = first.communicate(timeout=20)
        assert first.returncode == 130, said
        assert b"Traceback" not in said
        assert [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()] == ["q0", "q1"]
        subprocess.run(command, env=environment, check=True, timeout=50)
    results = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(result["id"], result["status"]) for result in results] == [(row["id"], "complete") for row in rows]
    assert asked == [0, 1, 2, 2, 3]
