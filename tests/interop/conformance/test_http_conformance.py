"""The required client scenarios of both protocol revisions, run by the suite itself."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import pytest

pytestmark = [pytest.mark.registry, pytest.mark.conformance, pytest.mark.timeout(1000)]


@pytest.mark.parametrize(("revision", "required"), [("2026-07-28", 32), ("2025-11-25", 18)])
def test_every_required_scenario_of_the_client_is_passed(revision: str, required: int) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    run = runpy.run_path(str(Path(__file__).with_name("run.py")))["run_suite"](revision)
    assert (run.good, len(run.required)) == (required, required), str(run)
