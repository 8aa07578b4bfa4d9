"""Library ids: `/owner/project`, with an optional version behind a slash or an `@`.

Ids are kept byte for byte. A version inside an id may itself hold `/` and `@`
(`/tanstack/query/@tanstack/react-query@5.60.5`), and a project may hold dots (`/vercel/next.js`), so nothing is cut at
a character class: an id is everything up to white space, and its first two segments are the library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ID = re.compile(r"/[^\s/@][^\s/]*/[^\s/]+(?:/\S+)?")

SCOPED_OWNER = "npm"
"""Under `/npm/` a project may be a scoped name, which holds a slash: `/npm/@tanstack/react-query`."""


@dataclass(frozen=True, slots=True)
class LibraryId:
    """An id taken apart: `base` is `/owner/project`, `version` what follows, `text` the id as it was given."""

    text: str
    owner: str
    project: str
    version: str | None = None

    @property
    def base(self) -> str:
        """The id without its version."""
        return f"/{self.owner}/{self.project}"

    def at(self, version: str | None) -> LibraryId:
        """The same library at another version (None: without one)."""
        text = f"{self.base}/{version}" if version else self.base
        return LibraryId(text, self.owner, self.project, version)

    def __str__(self) -> str:
        return self.text

    @classmethod
    def parse(cls, text: str) -> LibraryId:
        """Take an id apart.

        Raises:
            ValueError: if `text` is not of the form `/owner/project[/version]`.
        """
        if not _ID.fullmatch(text):
            raise ValueError(f"not a library id: {text!r}; an id looks like /owner/project or /owner/project/version")
        owner, rest = text[1:].split("/", 1)
        if owner == SCOPED_OWNER and rest.startswith("@") and "/" in rest:
            scope, rest = rest.split("/", 1)
            project, version = _split_project(rest)
            return cls(text, owner, f"{scope}/{project}", version)
        project, version = _split_project(rest)
        return cls(text, owner, project, version)

    @classmethod
    def try_parse(cls, text: str) -> LibraryId | None:
        """Like `parse`, but None instead of an error."""
        try:
            return cls.parse(text)
        except ValueError:
            return None


def _split_project(rest: str) -> tuple[str, str | None]:
    """Split `project`, `project/version` or `project@version` at whichever border comes first."""
    slash = rest.find("/")
    at = rest.find("@", 1)
    cut = min((position for position in (slash, at) if position > 0), default=-1)
    if cut < 0:
        return rest, None
    return rest[:cut], rest[cut + 1 :] or None


def find_ids(text: str) -> tuple[str, ...]:
    """The library ids that stand in a text as words of their own, in order, byte for byte.

    Trailing sentence punctuation is not part of an id. A path such as `/etc/hosts` has the same form; the caller decides
    whether an id is known or was given as an instruction.
    """
    found: list[str] = []
    for match in re.finditer(r"(?<!\S)[(\[\"'`]*(/[^\s/@][^\s/]*/\S+)", text):
        candidate = match.group(1).rstrip(".,;:!?)]}\"'`")
        if _ID.fullmatch(candidate):
            found.append(candidate)
    return tuple(dict.fromkeys(found))
