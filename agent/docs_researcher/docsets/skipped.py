"""What was left out of a documentation, and why."""

from __future__ import annotations

from dataclasses import dataclass

from docs_researcher.core.clean import clean

MAX_SHOWN_PATH = 200
"""A hostile name may be as long as its archive; a report shows its beginning."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, or not read as it stands, and the reason in a few words."""

    path: str
    reason: str

    @classmethod
    def of(cls, name: str, reason: str) -> Skipped:
        """A report about a name from outside: safe to print, and not endlessly long."""
        shown = clean(name.encode("utf-8", "backslashreplace").decode()).replace("\n", " ").replace("\t", " ")
        return cls(shown if len(shown) <= MAX_SHOWN_PATH else shown[:MAX_SHOWN_PATH] + "…", reason)
