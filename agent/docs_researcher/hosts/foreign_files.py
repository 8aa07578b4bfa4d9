"""Files of other programs, read and written as bytes: their encoding, links and permissions stay as they are."""

from __future__ import annotations

import codecs
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from docs_researcher.hosts.insertions import Unchangeable

MAX_BYTES = 32 * 1024 * 1024
"""Claude Code keeps histories in its file; a larger one is not touched."""

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


@dataclass(frozen=True, slots=True)
class Content:
    """The text of a file, with what is needed to write it as it was."""

    text: str
    mark: bytes = b""
    encoding: str = "utf-8"

    def bytes_of(self, text: str) -> bytes:
        """Another text in the same form."""
        return self.mark + text.encode(self.encoding)


def read_bytes(path: Path) -> bytes | None:
    """What a file holds; None if there is none.

    Raises:
        Unchangeable: it cannot be read, or must not be written.
    """
    try:
        state = path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            raise Unchangeable("it is a link that leads nowhere") from None
        return None
    except OSError as error:
        raise Unchangeable(error.strerror or str(error)) from error
    if not stat.S_ISREG(state.st_mode):
        raise Unchangeable("it is no file")
    if state.st_size > MAX_BYTES:
        raise Unchangeable(f"it is larger than {MAX_BYTES // 1024 // 1024} MB")
    if not state.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise Unchangeable("it is read-only")
    try:
        return path.read_bytes()
    except OSError as error:
        raise Unchangeable(error.strerror or str(error)) from error


def content_of(data: bytes) -> Content:
    """The text in the bytes of a file: UTF-8, or UTF-16 with its byte order mark.

    Raises:
        Unchangeable: it is something else, or would not come out again as it went in.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise Unchangeable(f"it is not {encoding.upper()} text") from error
    content = Content(text, mark, encoding)
    if content.bytes_of(text) != data:
        raise Unchangeable("its text would not be written as it was read")
    return content


def write_bytes(path: Path, data: bytes) -> tuple[Path, ...]:
    """Replace a file in one step, or make it; a link stays a link. Returns the folders that were made, outermost first.

    Raises:
        OSError: it cannot be written.
    """
    target = path.resolve() if path.is_symlink() else path
    made = _make_folders(target.parent)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if target.exists() else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return made


def delete(path: Path, folders: tuple[Path, ...]) -> None:
    """Delete a file, and those of the folders that were made for it and hold nothing now.

    Raises:
        OSError: the file cannot be deleted.
    """
    path.unlink(missing_ok=True)
    for folder in reversed(folders):
        try:
            folder.rmdir()
        except OSError:  # something else lies there
            return


def _make_folders(folder: Path) -> tuple[Path, ...]:
    missing = [item for item in (folder, *folder.parents) if not item.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(reversed(missing))
