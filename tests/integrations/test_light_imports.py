"""What the integrations import: nothing of an SDK before something is made for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.interop


@pytest.mark.parametrize("use", ["tool_schema()", "anthropic_tool().param", "claude_agent_sdk_tool_name()", "call_tool"])
def test_no_sdk_is_imported_for_a_schema(use: str) -> None:
    shown = "print(sorted(name for name in sys.modules if '.' not in name))"
    script = f"import sys\nfrom docs_researcher.integrations import *\n{use}\n{shown}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=50, check=True)
    modules = set(done.stdout.decode().replace("'", "").strip("[]\n").split(", "))
    assert "docs_researcher" in modules
    assert modules & {"anthropic", "claude_agent_sdk", "mcp", "httpx2", "pydantic", "rich"} == set()
