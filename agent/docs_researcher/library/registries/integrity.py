"""Checksums that registries state for their archives, compared while the archive is read."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

_STRONGEST_FIRST = ("sha512", "sha384", "sha256", "sha1")
"""sha1 is all that npm states for packages from before 2017; it still finds a broken download."""


@dataclass(frozen=True, slots=True)
class Integrity:
    """What an archive's checksum has to be."""

    algorithm: str
    digest: bytes

    @classmethod
    def from_sri(cls, text: str) -> Integrity | None:
        """The strongest of the checksums in npm's notation (`sha512-<base64>`, several divided by blanks)."""
        found: dict[str, bytes] = {}
        for part in text.split():
            algorithm, _, value = part.partition("?")[0].partition("-")
            try:
                found.setdefault(algorithm, base64.b64decode(value, validate=True))
            except binascii.Error:
                continue
        return cls._strongest(found)

    @classmethod
    def from_hex(cls, hashes: Mapping[str, str]) -> Integrity | None:
        """The strongest of the checksums in PyPI's notation (`{"sha256": "<hex>"}`)."""
        found: dict[str, bytes] = {}
        for algorithm, value in hashes.items():
            try:
                found[algorithm] = bytes.fromhex(value)
            except ValueError:
                continue
        return cls._strongest(found)

    @classmethod
    def _strongest(cls, found: Mapping[str, bytes]) -> Integrity | None:
        for algorithm in _STRONGEST_FIRST:
            if found.get(algorithm):
                return cls(algorithm, found[algorithm])
        return None

    def start(self) -> IntegrityCheck:
        """A check that the archive's bytes are fed into."""
        return IntegrityCheck(self)


class IntegrityCheck:
    """Takes an archive's bytes in order and says at the end whether they are the right ones."""

    def __init__(self, expected: Integrity) -> None:
        self.algorithm = expected.algorithm
        self._expected = expected.digest
        self._hash = hashlib.new(expected.algorithm, usedforsecurity=False)

    def update(self, data: bytes) -> None:
        """Take the next bytes."""
        self._hash.update(data)

    def matches(self) -> bool:
        """Whether all bytes taken so far have the expected checksum."""
        return hmac.compare_digest(self._hash.digest(), self._expected)
