"""The real tools that make lock files, installed into a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

NEEDS_NPM = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")


def run(folder: Path, *command: str | Path, **variables: str) -> None:
    """Run a command in a folder; one that fails is a failed test."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, "npm_config_update_notifier": "false", **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def npm_tool(tools: Path, package: str, command: str) -> Path:
    """The command of an npm package, installed into the folder of the tools unless it is there."""
    folder = tools / package.replace("/", "_")
    if not folder.exists():
        folder.mkdir()
        run(folder, "npm", "install", "--prefix", folder, "--no-audit", "--no-fund", package)
    return folder / "node_modules" / ".bin" / command


def python_commands(tools: Path, *packages: str) -> Path:
    """The folder of the commands of an environment with these packages of PyPI."""
    folder = tools / "python"
    venv.create(folder, with_pip=True)
    commands = folder / ("Scripts" if sys.platform == "win32" else "bin")
    run(folder, commands / "python", "-m", "pip", "install", "-q", "-U", *packages)
    return commands
