"""A library's own name in a question: every chunk of its documentation is about it, so it tells none from another."""

from __future__ import annotations

import re
from functools import lru_cache

from docs_researcher.docsets.searching.terms import STOP_WORDS, query_terms


def without_name(query: str, names: tuple[str, ...], *, with_version: bool) -> str:
    """The question without the library's name and the version behind it; a name inside a path (`next/image`) stays.

    Where nothing else is said ("how do I frob" of the library frob), the name is what is asked for.
    """
    bare = query
    for name in names:
        pattern = _pattern(name, with_version=with_version)
        bare = pattern.sub(" ", bare) if pattern is not None else bare
    return bare if any(term.text not in STOP_WORDS for term in query_terms(bare)) else query


@lru_cache(maxsize=256)
def _pattern(name: str, *, with_version: bool) -> re.Pattern[str] | None:
    """What finds a name however its words are joined, and the version behind it; None for a name without words."""
    words = [re.escape(word) for word in re.split(r"[\s._-]+", name) if word]
    if not words:
        return None
    spelt = r"[\s._-]*".join(words)
    version = r"(?:\s+v?\d+(?:\.(?:\d+|x))*(?![\w.]))?" if with_version else ""
    return re.compile(rf"(?<![\w./@$-]){spelt}(?:'s)?(?![\w/-]|\.\w){version}", re.IGNORECASE)
