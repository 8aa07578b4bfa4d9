"""What is wrong with a docset file or the folder that it lies in, told apart: damage, permissions, no room."""

from __future__ import annotations

import errno
from pathlib import Path

from docs_researcher.core.errors import DocsetInvalid, DocsetUnreadable, StoreUnwritable

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NOT_ALLOWED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_ELSEWHERE = "set DOCS_RESEARCH_HOME to a folder that can be written"


def invalid(path: Path, why: str, library: str = "") -> DocsetInvalid:
    """The error for a file that is no docset; `library` is the name of an installed one."""
    if not library:
        return DocsetInvalid(
            f"{path.name} is no docset that can be used", why=why, next_step="Get the file again where it is from."
        )
    return DocsetInvalid(
        f"The docset of {library} is damaged",
        why=f"{path}: {why}",
        next_step=f"Read it again: docs-research update {library}; or take it away: docs-research remove {library}",
    )


def unreadable(path: Path, error: OSError) -> DocsetUnreadable:
    """The error for a file or folder that is there and may not be read."""
    return DocsetUnreadable(
        f"{path} cannot be read",
        why=error.strerror or str(error),
        next_step="Give yourself the right to read it; nothing is known to be damaged.",
    )


def unwritable(target: Path, error: Exception | str) -> StoreUnwritable:
    """The error for a file that could not be written, with what helps against this reason."""
    why = (error.strerror if isinstance(error, OSError) else None) or str(error)
    name = target.name.removeprefix(".").removesuffix(".finished")  # what it is written as before it takes its place
    return StoreUnwritable(f"{name} could not be written to {target.parent}", why=why, next_step=what_helps(error, target.parent))


def what_helps(error: Exception | str, folder: Path) -> str:
    """What to do where a folder could not be written for this reason."""
    import apsw

    number = error.errno if isinstance(error, OSError) else None
    if number in _NO_ROOM or isinstance(error, apsw.FullError):
        return f"Free some space, or {_ELSEWHERE}, then try again."
    if number in _NOT_ALLOWED or isinstance(error, (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError)):
        return f"Give yourself the right to write to {folder}, or {_ELSEWHERE}."
    return f"Look what is wrong with {folder}, or {_ELSEWHERE}."
