"""Compressed files as streams of plain bytes, told apart by their first bytes."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import IO, cast

PIECE = 65_536
XZ_MEMORY = 100_000_000
"""A dictionary of this size is what the strongest usual setting needs."""


def uncompressed(path: Path) -> IO[bytes]:
    """The archive as a stream of plain bytes, by what its first bytes say."""
    with path.open("rb") as file:
        start = file.read(6)
    if start.startswith(b"\x1f\x8b"):
        import gzip

        return cast("IO[bytes]", gzip.open(path, "rb"))
    if start.startswith(b"BZh"):
        import bz2

        return cast("IO[bytes]", bz2.open(path, "rb"))
    if start.startswith(b"\xfd7zXZ\x00"):
        import lzma

        return cast("IO[bytes]", _LimitedXz(lzma.LZMADecompressor(memlimit=XZ_MEMORY), path.open("rb")))
    return path.open("rb")


class _LimitedXz:
    """An xz stream whose decompressor may not take more memory than it was given."""

    def __init__(self, decompressor: object, file: IO[bytes]) -> None:
        import lzma

        self._decompressor = cast("lzma.LZMADecompressor", decompressor)
        self._errors = lzma.LZMAError
        self._file = file

    def __enter__(self) -> _LimitedXz:
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        try:
            while not self._decompressor.eof:
                packed = self._file.read(PIECE) if self._decompressor.needs_input else b""
                data = self._decompressor.decompress(packed, max_length=size)
                if data:
                    return data
                if not packed and self._decompressor.needs_input:
                    raise EOFError("the compressed data ends too early")
        except self._errors as error:
            raise tarfile.ReadError(str(error)) from error
        return b""
