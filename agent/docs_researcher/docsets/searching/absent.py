"""Names, codes and quoted messages of a question that stand nowhere in a docset: what is found is then about something else."""

from __future__ import annotations

import re

from docs_researcher.docsets.searching.index import Index, word_frequency

MOST_CHECKED = 8
"""Of one question; a pasted log has hundreds."""
RUN = 4
"""Words of a message that have to stand in a row somewhere: the others may be the asker's own values."""
FEWEST_WORDS = 3
"""A quotation of fewer words is no message."""

_QUOTED = re.compile(r"[\"“`]([^\"“”`\n]{8,300})[\"”`]")
_CODE = re.compile(
    r"(?<![\w.@/-])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*"
    r"|[A-Z]{2,}\d{2,}|[A-Z]{6,}|[A-Z]\d{3,5})(?![\w@/-])"
)
"""ERR_BAD_OPTION, model_dump, useState, BaseModel, TS2345, ECONNREFUSED, E0502."""
_WORD = re.compile(r"[^\W_]+")


def absent(index: Index, question: str) -> tuple[str, ...]:
    """Those of them that no chunk holds, as the question writes them; the library's own names are not asked for."""
    own = {name.lower() for name in index.names}
    names = [name for name in _CODE.findall(question) if name.lower() not in own]
    said = [quoted for quoted in _QUOTED.findall(question) if len(_WORD.findall(quoted)) >= FEWEST_WORDS]
    wanted = tuple(dict.fromkeys([*names, *said]))[:MOST_CHECKED]
    return tuple(text for text in wanted if not _stands_somewhere(index, text))


def _stands_somewhere(index: Index, text: str) -> bool:
    words = _WORD.findall(text.lower())
    runs = (" ".join(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1)))
    return any(word_frequency(index, run) for run in runs)
