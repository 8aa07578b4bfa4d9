"""The files inside an archive, read as a stream: nothing is unpacked to disk and nothing in it is run.

Only regular files with wanted names are looked at. Links, devices and names that could leave the folder are refused and counted;
an archive that is too large, too dense or damaged is refused as a whole.
"""

from __future__ import annotations

import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import SourceRefused, SourceUnavailable
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.compressed import uncompressed

MB = 1_000_000
HEADER_BYTES = MB
"""What may be read to find the next member; a header of several members' worth would fill the memory."""
MAX_NAME_CHARS = 1_000
LARGER = "larger than"
"""How the reason of a file begins that was left out for its size."""
PIECE = 65_536


@dataclass(frozen=True, slots=True)
class ArchiveBudget:
    """How much an archive may cost. All sizes in bytes."""

    packed: int = 300 * MB
    unpacked: int = 1_500 * MB
    """Everything a tar stream unpacks to on the way, most of which is read over."""
    kept: int = 150 * MB
    """The wanted files together; they are held in memory."""
    member: int = 40 * MB
    """One wanted file; a larger one is skipped."""
    members: int = 200_000
    ratio: int = 120
    """Unpacked to packed. Documentation packs 3 to 10 times, a whole npm archive about 5 (measured 2026-11-29)."""
    ratio_from: int = 20 * MB
    """Below this size a high ratio is harmless."""


@dataclass(slots=True)
class ArchiveContents:
    """The wanted files of an archive by their path, and what was refused."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    skipped: list[Skipped] = field(default_factory=list[Skipped])


def read_archive(
    path: Path,
    wanted: Callable[[str], bool],
    *,
    strip_top: bool = False,
    budget: ArchiveBudget | None = None,
    listener: Listener = ignore,
) -> ArchiveContents:
    """Read the wanted files of a tar (plain, gzip, bzip2, xz) or zip archive.

    Args:
        path: the archive.
        wanted: whether a file is to be read, by its path in POSIX form.
        strip_top: leave the first folder out of every path (`package/` in npm's archives, `name-1.0/` in an sdist).
        budget: what it may cost.
        listener: told about the bytes read.

    Raises:
        SourceRefused: over a budget, or damaged.
        SourceUnavailable: the file cannot be read.
    """
    budget = budget or ArchiveBudget()
    reading = _Reading(path.name, wanted, strip_top, budget)
    try:
        packed = path.stat().st_size
        if packed > budget.packed:
            raise _refused(path.name, f"it is larger than {budget.packed // MB} MB")
        listener(Event("build", f"reading {path.name}"))
        if zipfile.is_zipfile(path):
            _read_zip(path, reading, packed)
        else:
            _read_tar(path, reading, packed)
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, RecursionError, ValueError, ArithmeticError) as error:
        raise _refused(path.name, f"it is no archive that can be read, or it is damaged ({error})") from error
    except OSError as error:
        raise _unreadable(path, error) from error
    return reading.finish()


def safe_path(name: str) -> str | None:
    """The member's path in POSIX form without `.` parts, or None when it could lead out of the folder or is no plain name."""
    if len(name) > MAX_NAME_CHARS or clean(name) != name or "\n" in name or "\t" in name:
        return None
    name = name.replace("\\", "/")
    if name.startswith("/"):
        return None
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if not parts or any(part == ".." or re.match(r"[A-Za-z]:", part) for part in parts):
        return None
    return "/".join(parts)


class _Reading:
    """One pass over an archive: names are judged, budgets counted, wanted files kept."""

    def __init__(self, name: str, wanted: Callable[[str], bool], strip_top: bool, budget: ArchiveBudget) -> None:
        self.name = name
        self.budget = budget
        self._wanted = wanted
        self._strip_top = strip_top
        self._contents = ArchiveContents()
        self._links: set[str] = set()
        self._members = 0
        self._kept = 0

    def count_member(self) -> None:
        self._members += 1
        if self._members > self.budget.members:
            raise _refused(self.name, f"it holds more than {self.budget.members:,} files")

    def refuse(self, name: str, reason: str) -> None:
        self._contents.skipped.append(Skipped.of(name, reason))

    def path_of(self, name: str) -> str | None:
        """The path under which a member counts; None, and counted, when its name is refused."""
        path = safe_path(name)
        if path is None:
            self.refuse(name, "a name that could leave the folder, or is no plain name")
            return None
        return path.partition("/")[2] if self._strip_top else path

    def refuse_link(self, name: str, kind: str) -> None:
        path = self.path_of(name)
        if path is not None:
            self._links.add(path)
            self.refuse(name, kind)

    def wants(self, path: str, size: int) -> bool:
        """Whether this file is to be read; says so in the report when it is wanted but too large or there twice."""
        if not path or not self._wanted(path):
            return False
        if path in self._contents.files:
            self.refuse(path, "a second file of the same name")
            return False
        if size > self.budget.member:
            self.refuse(path, f"{LARGER} {self.budget.member // MB} MB")
            return False
        return True

    def keep(self, path: str, stream: IO[bytes]) -> None:
        data = bytearray()
        while piece := stream.read(PIECE):
            data += piece
            self._kept += len(piece)
            if self._kept > self.budget.kept:
                raise _refused(self.name, f"its documents are larger than {self.budget.kept // MB} MB together")
            if len(data) > self.budget.member:
                raise _refused(self.name, "a file in it is larger than it says")
        self._contents.files[path] = bytes(data)

    def finish(self) -> ArchiveContents:
        for path in [path for path in self._contents.files if self._is_below_a_link(path)]:
            del self._contents.files[path]
            self.refuse(path, "a file below a link")
        return self._contents

    def _is_below_a_link(self, path: str) -> bool:
        parts = path.split("/")
        return any("/".join(parts[:depth]) in self._links for depth in range(1, len(parts)))


class _Counted:
    """A stream that refuses to be read past its limits: the whole, the ratio, and the bytes up to the next member."""

    def __init__(self, stream: IO[bytes], reading: _Reading, packed: int) -> None:
        self._stream = stream
        self._reading = reading
        budget = reading.budget
        self._most = min(budget.unpacked, max(budget.ratio_from, packed * budget.ratio))
        self._count = 0
        self.next_member_by = HEADER_BYTES

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._count += len(data)
        if self._count > self._most:
            raise _refused(self._reading.name, f"it unpacks to more than {self._most // MB} MB")
        if self._count > self.next_member_by:
            raise _refused(self._reading.name, "a header in it is larger than any real one")
        return data


def _read_tar(path: Path, reading: _Reading, packed: int) -> None:
    with uncompressed(path) as stream:
        counted = _Counted(stream, reading, packed)
        # A tar stream asks its source for nothing but read(size).
        with tarfile.open(fileobj=cast("IO[bytes]", counted), mode="r|", errorlevel=1) as archive:
            while (member := archive.next()) is not None:
                # The header is behind us; what may be read now is this member and the next header.
                counted.next_member_by = archive.offset + HEADER_BYTES
                # The stream is read once; the list of what was seen would only grow.
                archive.members = []  # pyright: ignore[reportAttributeAccessIssue] -- an attribute that the stubs leave out
                reading.count_member()
                _read_tar_member(archive, member, reading)


def _read_tar_member(archive: tarfile.TarFile, member: tarfile.TarInfo, reading: _Reading) -> None:
    if member.isdir():
        return
    if member.issym() or member.islnk():
        reading.refuse_link(member.name, "a link")
    elif not member.isreg() or member.issparse():
        reading.refuse(member.name, "not a regular file")
    elif (path := reading.path_of(member.name)) is not None and reading.wants(path, member.size):
        stream = archive.extractfile(member)
        if stream is not None:
            reading.keep(path, stream)


def _read_zip(path: Path, reading: _Reading, packed: int) -> None:
    budget = reading.budget
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            reading.count_member()
            name = member.orig_filename
            mode = member.external_attr >> 16
            if member.is_dir() or stat.S_ISDIR(mode):
                continue
            if stat.S_ISLNK(mode):
                reading.refuse_link(name, "a link")
            elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                reading.refuse(name, "not a regular file")
            elif (inner := reading.path_of(name)) is not None and reading.wants(inner, member.file_size):
                _check_ratio(member.file_size, min(packed, member.compress_size), budget, reading.name)
                _keep_zip_member(archive, member, inner, reading)


def _keep_zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str, reading: _Reading) -> None:
    if member.flag_bits & 0x1:
        reading.refuse(path, "encrypted")
        return
    try:
        with archive.open(member) as stream:
            reading.keep(path, stream)
    except NotImplementedError:  # zipfile's word for a compression method that it lacks
        reading.refuse(path, "packed in a way that cannot be read")


def _check_ratio(unpacked: int, packed: int, budget: ArchiveBudget, name: str) -> None:
    if unpacked > budget.ratio_from and unpacked > packed * budget.ratio:
        raise _refused(name, f"a file in it unpacks to {unpacked // MB} MB, more than {budget.ratio} times its size")


def _refused(name: str, why: str) -> SourceRefused:
    return SourceRefused(
        f"{name} was not read", why=why, next_step="Get the archive again; if it is right, unpack it yourself and add the folder."
    )


def _unreadable(path: Path, error: OSError) -> SourceUnavailable:
    return SourceUnavailable(
        f"{path} cannot be read", why=error.strerror or str(error), next_step="Check the path and its permissions."
    )
