"""Files on this disk put into an archive, so that what is installed is read like what a registry hands out."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

MAX_FILE_BYTES = 40_000_000
"""What an archive's reader takes; a larger file is no documentation."""
MAX_BYTES = 250_000_000
"""More than this is not read out of an archive."""
_NO_TEXT = (".map", ".node", ".wasm", ".so", ".pyd", ".dll", ".dylib", ".exe", ".pyc", ".png", ".jpg", ".gif", ".woff2", ".ttf")


def pack(root: Path, paths: Iterable[str], target: Path, top: str = "") -> None:
    """Write an archive of some files; what is no regular file, or holds no text, is left out.

    Args:
        root: the folder that the paths are relative to.
        paths: in POSIX form.
        target: the archive, which is not there yet.
        top: a folder that they are put into, with `/` at its end.

    Raises:
        OSError: the target cannot be written.
    """
    left = MAX_BYTES
    with zipfile.ZipFile(target, "w") as archive:
        for path in paths:
            try:
                file = root / path
                size = file.lstat().st_size
                is_text = file.is_file() and not file.is_symlink() and not path.lower().endswith(_NO_TEXT)
                if not is_text or size > min(MAX_FILE_BYTES, left):
                    continue
                data = file.read_bytes()
            except OSError:  # gone meanwhile, or not ours to read
                continue
            left -= len(data)
            archive.writestr(zipfile.ZipInfo(top + path), data)


def files_below(folder: Path, *, without: str) -> Iterator[str]:
    """The paths of all files below a folder, in POSIX form and in order; folders called `without` and links are not entered."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != without)
        base = Path(place).relative_to(folder).as_posix()
        yield from (name if base == "." else f"{base}/{name}" for name in sorted(files))
