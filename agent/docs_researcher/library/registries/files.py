"""Writing what was read from a registry, without ever leaving half a file."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> bool:
    """Write a cache file beside its place and move it there; False when that is not possible.

    A cache that cannot be written costs a later download, nothing else, so no error is raised.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError:
        return False
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.replace(path)
    except OSError:
        return False
    finally:
        with suppress(OSError):
            temporary.unlink()
    return True
