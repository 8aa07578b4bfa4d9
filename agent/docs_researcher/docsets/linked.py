"""The links of a documentation in its docset: which chunk points at which, and in what words.

They are tables of their own. A docset that was made without them is searched as before, and older versions of this program open
a docset that has them as they open one from elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from docs_researcher.docsets.sql import rows, run_many

if TYPE_CHECKING:
    import apsw

    from docs_researcher.docsets.building.relations import Relation

LINK_TABLES: dict[str, str] = {
    "links": "CREATE TABLE links (source INTEGER NOT NULL, target INTEGER NOT NULL, PRIMARY KEY (source, target)) WITHOUT ROWID",
    "link_words": "CREATE TABLE link_words (stem TEXT NOT NULL, chunk INTEGER NOT NULL, count INTEGER NOT NULL, "
    "PRIMARY KEY (stem, chunk)) WITHOUT ROWID",
}
LINKS_BACK = "CREATE INDEX links_back ON links (target)"


AGREED = 2
"""Links that have to use a word for a chunk before it counts: with the words of single links the order was no better than without
any (214 questions, 2026-11-30)."""


def write_links(connection: apsw.Connection, relations: Iterable[Relation], stems: Callable[[str], Iterable[str]]) -> int:
    """Write the links between chunks and the stems of their words; returns how many chunks are linked with which."""
    pairs: set[tuple[int, int]] = set()
    said: set[tuple[str, int, int]] = set()
    for relation in relations:
        pairs.add((relation.source, relation.target))
        if relation.text:
            said.add((relation.text, relation.target, relation.source))
    known: dict[str, tuple[str, ...]] = {}
    words: Counter[tuple[str, int]] = Counter()
    for text, target, _ in said:
        if text not in known:
            known[text] = tuple(dict.fromkeys(stems(text)))
        words.update((stem, target) for stem in known[text])
    agreed = [(*key, count) for key, count in sorted(words.items()) if count >= AGREED]
    run_many(connection, "INSERT INTO links VALUES (?, ?)", sorted(pairs))
    run_many(connection, "INSERT INTO link_words VALUES (?, ?, ?)", agreed)
    return len(pairs)


def link_words(connection: apsw.Connection, stems: Iterable[str]) -> list[tuple[str, int, int]]:
    """For each of the stems the chunks that links call so, and how many of them do."""
    wanted = tuple(stems)
    marks = ",".join("?" * len(wanted))
    return [
        (str(stem), int(chunk), int(count))
        for stem, chunk, count in rows(
            connection,
            f"SELECT stem, chunk, count FROM link_words WHERE stem IN ({marks})",  # noqa: S608 - only marks
            wanted,
        )
    ]
