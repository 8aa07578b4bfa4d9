"""Bearer tokens: a file that holds their hashes, and how a request's token is found in it.

A token is 256 random bits, so a plain SHA-256 of it is enough: there is nothing to guess. The file is readable by its owner
alone, written in one step, and read anew when it changes, so that a revoked token is refused at once.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import stat
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import ConfigurationError, UsageError
from docs_researcher.core.library_id import LibraryId

PREFIX = "dr_"
"""What our tokens begin with, so that scanners for leaked secrets can be taught them."""

HEADERS = ("authorization", "context7-api-key", "x-api-key", "context7_api_key", "x_api_key")
"""The headers that Context7's clients send a key in; the first that is there counts."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


@dataclass(frozen=True, slots=True)
class Token:
    """One entry of the file."""

    name: str
    sha256: str
    created: str
    """When, in UTC (ISO 8601)."""
    docsets: tuple[str, ...] | None = None
    """The library ids that it may see, with or without a version; None for all."""


class TokenFile:
    """The tokens of one file. Safe to use from several threads; other processes may change the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._read: tuple[tuple[int, int, int], tuple[Token, ...]] | None = None

    def tokens(self) -> tuple[Token, ...]:
        """All tokens, in the order in which they were made. A file that is not there holds none.

        Raises:
            ConfigurationError: the file cannot be read, is not of the right form, or others may write it.
        """
        with self._lock:
            try:
                status = self.path.stat()
            except FileNotFoundError:
                return ()
            except OSError as error:
                raise _unusable(self.path, error.strerror or str(error)) from error
            signature = (status.st_ino, status.st_size, status.st_mtime_ns)
            if self._read is None or self._read[0] != signature:
                if os.name == "posix" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                    raise _unusable(self.path, "other users may write it", f"Run: chmod 600 {self.path}")
                self._read = signature, _parse(self.path)
            return self._read[1]

    def find(self, presented: str) -> Token | None:
        """The entry of the token that a request carries. Every entry is compared, each in constant time."""
        digest = _digest(presented)
        found = None
        for token in self.tokens():
            if hmac.compare_digest(token.sha256, digest):
                found = token
        return found

    def create(self, name: str, docsets: Sequence[str] | None = None) -> str:
        """Add a token and return it. It is shown this once: the file holds only its hash.

        Raises:
            UsageError: the name is taken or cannot be one, or a docset is not a library id.
            ConfigurationError: the file cannot be used or written.
        """
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} cannot be the name of a token",
                why="it has other characters than letters, digits, `.`, `_`, `-` and `@`, or more than 64",
                next_step="Choose another name.",
            )
        for docset in docsets or ():
            if LibraryId.try_parse(docset) is None:
                raise UsageError(
                    f"{docset!r} is not a library id",
                    why="an id looks like /owner/project or /owner/project/version",
                    next_step="See the ids with: docs-research list",
                )
        known = self.tokens()
        if any(token.name == name for token in known):
            raise UsageError(f"There is a token named {name!r}", next_step="Revoke it first, or choose another name.")
        text = PREFIX + secrets.token_urlsafe(32)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        self._write((*known, Token(name, _digest(text), made, tuple(docsets) if docsets else None)))
        return text

    def revoke(self, name: str) -> Token:
        """Remove a token and return what it was.

        Raises:
            UsageError: there is none of that name.
            ConfigurationError: the file cannot be used or written.
        """
        known = self.tokens()
        revoked = next((token for token in known if token.name == name), None)
        if revoked is None:
            raise UsageError(f"There is no token named {name!r}", next_step="See them with: docs-research token list")
        self._write(tuple(token for token in known if token is not revoked))
        return revoked

    def _write(self, tokens: Sequence[Token]) -> None:
        text = json.dumps({"tokens": [_record(token) for token in tokens]}, indent=2) + "\n"
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            beside.replace(self.path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise _unusable(self.path, error.strerror or str(error)) from error


def presented_token(headers: Mapping[str, str]) -> str | None:
    """The token in the headers of a request (names in lower case), with or without `Bearer` before it; None if none is there."""
    for name in HEADERS:
        value = headers.get(name, "").strip()
        if value:
            scheme, _, rest = value.partition(" ")
            return rest.strip() if scheme.casefold() == "bearer" else value
    return None


def default_token_file(home: Path) -> Path:
    """Where tokens are kept when no file is named."""
    return home / "tokens.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _record(token: Token) -> dict[str, Any]:
    return {key: value for key, value in asdict(token).items() if value is not None}


def _parse(path: Path) -> tuple[Token, ...]:
    try:
        records = cast(dict[str, Any], json.loads(path.read_bytes()))["tokens"]
        return tuple(_token(record) for record in records)
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unusable(path, "it is not of the form that `docs-research token create` writes") from error


def _token(record: dict[str, Any]) -> Token:
    docsets = record.get("docsets")
    if not re.fullmatch(r"[0-9a-f]{64}", record["sha256"]):
        raise ValueError("not a hash")
    allowed = None if docsets is None else tuple(str(item) for item in docsets)
    return Token(str(record["name"]), record["sha256"], str(record.get("created", "")), allowed)


def _unusable(path: Path, why: str, next_step: str = "Check the file, or name another with --tokens.") -> ConfigurationError:
    return ConfigurationError(f"The token file {path} cannot be used", why=why, next_step=next_step)
