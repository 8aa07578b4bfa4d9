"""The server scenarios of both protocol revisions, run by the suite itself."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.registry, pytest.mark.conformance, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def suite() -> dict[str, Any]:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    return runpy.run_path(str(Path(__file__).with_name("run_server.py")))


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
def test_our_server_fails_the_checks_of_its_baseline_and_no_others(suite: dict[str, Any], revision: str) -> None:
    code, text, _ = suite["run"](suite["PRODUCT"], revision, suite["baseline"](revision))
    assert code == 0, text[-3_000:]


@pytest.mark.parametrize(("revision", "good", "required"), [("2026-07-28", 27, 37), ("2025-11-25", 22, 30)])
def test_our_server_with_the_tools_of_the_suite_passes_what_it_is_meant_to(
    suite: dict[str, Any], revision: str, good: int, required: int
) -> None:
    _, text, _ = suite["run"](suite["FIXTURE_COMMAND"], revision)
    run = suite["required"](text, revision)
    assert (run.good, len(run.required)) == (good, required), str(run)
