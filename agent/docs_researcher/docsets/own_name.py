"""A library's own name in a question: every chunk of its documentation is about it, so it tells none from another."""

from __future__ import annotations

import re

from docs_researcher.docsets.ranking import is_about_versions
from docs_researcher.docsets.terms import STOP_WORDS, query_terms


def without_name(query: str, names: tuple[str, ...]) -> str:
    """The question without the library's name and the version behind it; a name inside a path (`next/image`) stays.

    Where nothing else is said ("how do I frob" of the library frob), the name is what is asked for.
    """
    bare = query
    version = "" if is_about_versions(query) else r"(?:\s+v?\d+(?:\.(?:\d+|x))*(?![\w.]))?"
    for name in names:
        words = [re.escape(word) for word in re.split(r"[\s._-]+", name) if word]
        if words:
            spelt = r"[\s._-]*".join(words)
            bare = re.sub(rf"(?<![\w./@$-]){spelt}(?:'s)?(?![\w/-]|\.\w){version}", " ", bare, flags=re.IGNORECASE)
    return bare if any(term.text not in STOP_WORDS for term in query_terms(bare)) else query
