"""What `setup` has put where, so that it can take out exactly that. Kept in the user's configuration folder, for its owner alone.

The file as it was before is kept beside the list: where nobody has changed the file since, it is put back as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, cast

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.definition.places import config_folder
from docs_researcher.tools.servers.private_files import write_private

FILE = "setup.json"
BACKUPS = "setup-backups"


@dataclass(frozen=True, slots=True)
class Receipt:
    """One file that was changed or made for a host."""

    host: str
    scope: str
    root: str
    """The project's folder; empty for the user's own files."""
    path: str
    kind: str
    what: str
    entry: tuple[str, ...]
    piece: str
    """The text that was put in; the whole file where it was made."""
    before: str
    """SHA-256 of the file before, in hexadecimal; empty where there was none."""
    after: str
    made: tuple[str, ...] = ()
    """The folders that were made for it, outermost first."""

    def belongs_to(self, host: str, scope: str, root: str) -> bool:
        """Whether it came from the set-up of this host in this scope."""
        return (self.host, self.scope, self.root) == (host, scope, root)


def _receipt(item: dict[str, Any]) -> Receipt:
    lists: dict[str, Any] = {name: tuple(item[name]) for name in ("entry", "made")}
    return Receipt(**{**item, **lists})


def digest(data: bytes | None) -> str:
    """SHA-256 in hexadecimal; empty for a file that is not there."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def load() -> tuple[Receipt, ...]:
    """Every receipt.

    Raises:
        ConfigurationError: the list is there and cannot be read: without it nothing can be taken out safely.
    """
    path = config_folder() / FILE
    try:
        found = cast("list[dict[str, Any]]", json.loads(path.read_text(encoding="utf-8")))
        return tuple(_receipt(item) for item in found)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ConfigurationError(
            f"The list of what setup has written cannot be read: {path}",
            why=str(error),
            next_step="Move that file away; what it lists has to be taken out by hand then.",
        ) from error


def save(receipts: Iterable[Receipt]) -> None:
    """Write the whole list.

    Raises:
        OSError: it cannot be written.
    """
    write_private(config_folder() / FILE, json.dumps([asdict(item) for item in receipts], indent=2) + "\n")


def keep_backup(data: bytes) -> None:
    """Keep the bytes of a file for the day on which its change is undone.

    Raises:
        OSError: they cannot be written.
    """
    folder = config_folder() / BACKUPS
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / digest(data)
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(data)


def backup(before: str) -> bytes | None:
    """The bytes that were kept, if they still are what they were."""
    try:
        data = (config_folder() / BACKUPS / before).read_bytes()
    except OSError:
        return None
    return data if digest(data) == before else None


def forget_backups(receipts: Iterable[Receipt]) -> None:
    """Delete the backups that none of these receipts needs: they may hold keys of other programs."""
    needed = {item.before for item in receipts}
    folder = config_folder() / BACKUPS
    for path in folder.glob("*") if folder.is_dir() else ():
        if path.name not in needed:
            path.unlink(missing_ok=True)
