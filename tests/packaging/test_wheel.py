"""The built wheel, installed into an empty environment and used outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD_SECONDS = 300
"""Building and installing with all dependencies took 40 s on two cores."""

pytestmark = [pytest.mark.registry, pytest.mark.timeout(2 * BUILD_SECONDS), pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what git tracks, so that nothing that lies around in the checkout gets in."""
    source = tmp_path_factory.mktemp("source")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode("utf-8").split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, timeout=BUILD_SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def commands(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands that an empty environment has after the wheel was installed into it."""
    place = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(place, with_pip=True)
    folder = place / ("Scripts" if os.name == "nt" else "bin")
    command = [str(folder / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    done = subprocess.run(command, capture_output=True, timeout=BUILD_SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return folder


def test_the_wheel_holds_every_package_and_its_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"docs_researcher/py.typed", "docs_researcher/prompts/docs-researcher.md"} <= names
    tracked = subprocess.run(["git", "ls-files", "agent/docs_researcher"], cwd=ROOT, capture_output=True, check=True)
    shipped = {
        name.removeprefix("agent/") for name in tracked.stdout.decode().split() if name.endswith((".py", ".json", ".yaml"))
    }
    data = subprocess.run(["git", "ls-files", "prompts", "plugins"], cwd=ROOT, capture_output=True, check=True)
    shipped |= {f"docs_researcher/{name}" for name in data.stdout.decode().split()}
    assert shipped - names == set()
    assert [name for name in names if name.startswith(("tests/", "benchmarks/"))] == []


def test_both_names_run_outside_the_checkout(commands: Path, tmp_path: Path) -> None:
    for name in ("docs-research", "docs-researcher"):
        done = _run(commands, tmp_path, name, "--help")
        assert done.returncode == 0
        assert b"QUESTION" in done.stdout


def test_a_question_is_identified_outside_the_checkout(commands: Path, tmp_path: Path) -> None:
    done = _run(commands, tmp_path, "docs-research", "identify", "How do I set up auth in Next.js 15?", "--json")
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["libraries"][0]["id"] == "/vercel/next.js"


def test_a_folder_is_added_and_asked_about_offline(commands: Path, tmp_path: Path) -> None:
    docs = tmp_path / "relay"
    docs.mkdir()
    (docs / "signing.md").write_text("# Signing requests\n\nCall `sign_request(secret)` before you send.\n", encoding="utf-8")
    assert _run(commands, tmp_path, "docs-research", "add", "relay", "--offline").returncode == 0
    done = _run(
        commands, tmp_path, "docs-research", "How do I sign a request with relay?", "--library", "/local/relay", "--offline"
    )
    assert done.returncode == 0, done.stderr.decode()
    assert "sign_request" in done.stdout.decode("utf-8")


def _run(commands: Path, folder: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run an installed command in another folder, with an empty home and nothing of this environment on its path."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment["DOCS_RESEARCH_HOME"] = str(folder / "home")
    command = [str(commands / name), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=60, check=False)
