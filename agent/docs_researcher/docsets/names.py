"""File names for docsets: safe for every name that a package can have, and without two names for one file."""

from __future__ import annotations

import re
from urllib.parse import quote

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import DocsetInvalid
from docs_researcher.docsets.schema import NO_VERSION

MAX_NAME_CHARS = 214
"""npm's own limit."""
MAX_FILE_BYTES = 200
"""File systems take 255; the temporary file beside it has a longer name."""


def ecosystem_of(purl: str | None) -> str:
    """The folder for a docset: `npm`, `pypi`, else `local`."""
    if purl and purl.startswith("pkg:npm/"):
        return "npm"
    return "pypi" if purl and purl.startswith("pkg:pypi/") else "local"


def file_name(name: str, version: str | None) -> str:
    """`name@version.db`, with `/` as `__` and every other odd character percent-encoded.

    Different names give different files: an underscore behind another one is encoded, so `@a/b` and `@a__b` differ.

    Raises:
        DocsetInvalid: a name or version with `..`, backslashes or control characters, or one that is too long.
    """
    return f"{_encoded(name)}@{_encoded(version or NO_VERSION)}.db"


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
