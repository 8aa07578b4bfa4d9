"""File names for docsets: safe for every name that a package can have, and without two names for one file."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import DocsetInvalid, UsageError
from docs_researcher.docsets.schema import NO_VERSION

MAX_NAME_CHARS = 214
"""npm's own limit."""
MAX_GIVEN = 100
"""The longest name or version that a user may give; longer ones have not been seen."""
MAX_FILE_BYTES = 200
"""File systems take 255; the temporary file beside it has a longer name."""


def ecosystem_of(purl: str | None) -> str:
    """The folder for a docset: `npm`, `pypi`, else `local`."""
    if purl and purl.startswith("pkg:npm/"):
        return "npm"
    return "pypi" if purl and purl.startswith("pkg:pypi/") else "local"


def slug_of(title: str) -> str:
    """A title made fit for a library's name and id: its letters and digits, in lower case; empty where it has none."""
    import unicodedata

    slug = re.sub(r"[^\w.+-]+", "-", unicodedata.normalize("NFC", title)).strip("-._").lower()
    return slug if any(map(str.isalnum, slug)) else ""


def check_name(option: str, name: str) -> None:
    """Refuse what somebody wants to call a library and what cannot be its name.

    Raises:
        UsageError: it is none.
    """
    is_path = name.startswith(("./", "/", "~/")) or ".." in name.split("/")
    if clean(name) != name or not name.isprintable() or "\\" in name or is_path or not slug_of(name) or len(name) > MAX_GIVEN:
        raise UsageError(
            f"{option} cannot be {_short(name)}",
            why=f"a name has at most {MAX_GIVEN} characters, a letter or digit among them, and is no path; "
            "backslashes and control characters are in none",
            next_step=f"Give {option} another one, such as {_proposed(name)}.",
        )


def check_version(option: str, version: str) -> None:
    """Refuse what cannot be the version of a library.

    Raises:
        UsageError: it is none.
    """
    fits = (
        re.fullmatch(r"[^\s/\\@][^\s\\]*", version)
        and ".." not in version
        and version.isprintable()
        and clean(version) == version
    )
    if not fits or len(version) > MAX_GIVEN:
        raise UsageError(
            f"{option} cannot be {_short(version)}",
            why=f"a version has at most {MAX_GIVEN} characters, and no white space, `..`, backslash or control character",
            next_step=f"Write it as a release is called, such as {option} 2.1.",
        )


def _short(text: str) -> str:
    shown = clean(text)
    return repr(shown if len(shown) <= 60 else f"{shown[:60]}…")


def _proposed(name: str) -> str:
    return slug_of(name)[:MAX_GIVEN].strip("-.") or "relay"


def file_name(name: str, version: str | None) -> str:
    """`name@version.db`, with `/` as `__` and every other odd character percent-encoded.

    Different names give different files: an underscore behind another one is encoded, so `@a/b` and `@a__b` differ.

    Raises:
        DocsetInvalid: a name or version with `..`, backslashes or control characters, or one that is too long.
    """
    return f"{_encoded(name)}@{_encoded(version or NO_VERSION)}.db"


def name_and_version(file: str) -> tuple[str, str | None]:
    """The name and version that `file_name` made this file's name of; for any other name, what it looks like."""
    name, _, version = file.removesuffix(".db").rpartition("@")
    name, version = (_decoded(part) for part in (name or version, version if name else NO_VERSION))
    return name, None if version == NO_VERSION else version


def _decoded(text: str) -> str:
    return unquote(text.replace("__", "/"))


def _encoded(text: str) -> str:
    parts = text.split("/")
    odd = clean(text) != text or "\\" in text or "\n" in text or "\t" in text
    if odd or len(text) > MAX_NAME_CHARS or any(part in ("", ".", "..") for part in parts):
        raise DocsetInvalid(
            f"{clean(text)[:60]!r} cannot be the name or version of a library",
            why="it holds `..`, a backslash, an empty part or control characters, or is too long",
            next_step="Give it another name.",
        )
    encoded = quote(text, safe="/@+").replace("~", "%7E")
    if encoded.startswith("."):
        encoded = "%2E" + encoded[1:]
    # What could be taken for an encoded slash is encoded itself, so that the name can be read back.
    encoded = re.sub(r"(?<=[_/])_", "%5F", encoded)
    encoded = re.sub(r"_/", "_%2F", encoded).replace("/", "__")
    if len(encoded.encode()) > MAX_FILE_BYTES:
        raise DocsetInvalid(f"{text[:60]!r} is too long for a file name", next_step="Give it a shorter name.")
    return encoded
