"""Files and folders that are being written now: a process that is ended in the middle of it removes them on its way out."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

_now: set[Path] = set()


@contextmanager
def unfinished(path: Path) -> Generator[Path]:
    """Count a file or folder as unfinished inside the `with`; taking it away behind it is the caller's."""
    _now.add(path)
    try:
        yield path
    finally:
        _now.discard(path)


@contextmanager
def temporary_folder(prefix: str = "docs-researcher-", within: Path | None = None) -> Generator[Path]:
    """A new folder that is gone behind the `with`; `within` is where it lies, the system's place for such folders otherwise.

    Raises:
        OSError: it cannot be made.
    """
    with tempfile.TemporaryDirectory(prefix=prefix, dir=within) as name, unfinished(Path(name)) as folder:
        yield folder


def remove_unfinished() -> None:
    """Remove what is unfinished now. For a process that ends at once, whatever its threads are doing."""
    for path in tuple(_now):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink(missing_ok=True)


atexit.register(remove_unfinished)  # of threads that the interpreter ends without their `finally`
