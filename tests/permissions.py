"""A process without the superuser's rights, also where the tests run with them: what a file system forbids is then forbidden."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65_534
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions are of another kind there")


@contextmanager
def without_rights() -> Generator[None]:
    """Inside, the superuser is nobody; anybody else stays who they are."""
    if sys.platform == "win32" or os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def open_folder() -> Generator[Path]:
    """A new folder that everybody may enter, other than the folders of pytest."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
