"""Which room may import which, and which library is imported where. The contracts stand in pyproject.toml."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "agent" / "docs_researcher"


def test_every_contract_between_rooms_is_kept() -> None:
    # In a process of its own: the linter sets up logging, which switches off every logger that exists already.
    lint = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", lint], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_room_that_is_added_gets_a_floor() -> None:
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    floors = next(contract for contract in settings["tool"]["importlinter"]["contracts"] if contract["id"] == "floors")
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"testing"}
    assert rooms == set(floors["layers"])


def test_the_mcp_client_and_the_mcp_server_are_imported_in_their_own_rooms() -> None:
    wrong: list[str] = []
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).as_posix()
        if room.startswith("testing/"):
            continue
        for name in _imported(path):
            client = name == "mcp" or name.startswith(("mcp.client", "mcp.Client", "mcp.StdioServerParameters"))
            server = name.startswith("mcp.server")
            if (client and not room.startswith("tools/mcp/")) or (server and not room.startswith("server/")):
                wrong.append(f"{room} imports {name}")
    assert not wrong


def test_the_core_needs_the_standard_library_alone() -> None:
    foreign: list[str] = []
    for path in (PACKAGE / "core").glob("*.py"):
        for name in _imported(path):
            top = name.partition(".")[0]
            if top not in sys.stdlib_module_names and not name.startswith("docs_researcher.core"):
                foreign.append(f"{path.name} imports {name}")
    assert not foreign


def _imported(path: Path) -> Iterator[str]:
    """Every name that a file imports, wherever in it, with the module in front."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
