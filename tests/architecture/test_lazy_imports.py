"""What a cheap command must not import: each of these costs more time than the command itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.interop

HEAVY = {"numpy", "onnxruntime", "anthropic", "mcp", "httpx2", "rich", "markdown_it", "pydantic", "jinja2"}

RUN = """\
import json, sys
from docs_researcher.cli.main import run
code = run(sys.argv[2:])
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({"code": code, "modules": sorted({name.partition(".")[0] for name in sys.modules})}, file)
"""

PAGE = """\
# Signing requests

A request is signed with `sign_request`, which takes the secret and returns the header.

```python
header = sign_request(secret="s", body=b"{}")
```
"""


@pytest.fixture
def docset(tmp_path: Path, home: Path) -> str:
    folder = tmp_path / "signer"
    folder.mkdir()
    (folder / "signing.md").write_text(PAGE, encoding="utf-8")
    code, _ = _imported(tmp_path, "add", str(folder), "--offline")
    assert code == 0
    return "/local/signer"


def _imported(tmp_path: Path, *arguments: str) -> tuple[int, set[str]]:
    """The exit code of a command run in a child process with both outputs piped, and the top modules that it imported."""
    report = tmp_path / "report.json"
    done = subprocess.run([sys.executable, "-c", RUN, str(report), *arguments], capture_output=True, timeout=50, check=False)
    assert report.is_file(), done.stderr.decode()
    told = json.loads(report.read_text(encoding="utf-8"))
    return told["code"], set(told["modules"])


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["ask", "--help"], ["list"], ["list", "foo", "bar"]])
def test_a_command_that_reads_nothing_imports_nothing_heavy(tmp_path: Path, home: Path, arguments: list[str]) -> None:
    _, modules = _imported(tmp_path, *arguments)
    assert modules & HEAVY == set()


def test_help_does_not_start_the_database(tmp_path: Path, home: Path) -> None:
    code, modules = _imported(tmp_path, "--help")
    assert code == 0
    assert modules & {"apsw", "yaml", "asyncio", "filelock", "packaging"} == set()


def test_a_search_imports_nothing_heavy(tmp_path: Path, docset: str) -> None:
    code, modules = _imported(tmp_path, "search", docset, "sign a request")
    assert code == 0
    assert "apsw" in modules
    assert modules & HEAVY == set()


def test_an_extractive_answer_from_an_installed_docset_imports_nothing_heavy(tmp_path: Path, docset: str) -> None:
    code, modules = _imported(tmp_path, "How do I sign a request?", "--library", docset, "--offline")
    assert code == 0
    assert modules & HEAVY == set()


def test_importing_the_package_imports_nothing_of_it() -> None:
    script = "import sys, docs_researcher; print([name for name in sys.modules if name.startswith('docs_researcher.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=50, check=True)
    assert done.stdout.decode().strip() == "[]"
