"""Names as they are compared loosely: a suffix that only says the language does not count."""

from __future__ import annotations

import re

from docs_researcher.library.entries import fold_name

_LANGUAGE_SUFFIX = re.compile(r"(?<=..)(?:js|go|py|rs)$")


def fold_loosely(name: str) -> str:
    """`name` folded, without a language suffix: `vue`, `Vue.js` and `vuejs` are one."""
    return _LANGUAGE_SUFFIX.sub("", fold_name(name))
