"""One line a request on stderr: who, what, how it ended and how long it took. What was asked is not in it unless asked for."""

from __future__ import annotations

import logging
from urllib.parse import unquote_plus

from docs_researcher.core.clean import clean
from docs_researcher.core.secrets import remove_secrets

logger = logging.getLogger("docs_researcher.access")

MAX_QUERY = 300
"""Characters of a query that are written down."""


def log_request(caller: str, method: str, path: str, query: str | None, status: int, seconds: float) -> None:
    """Write one line: `caller` is the name of the token, else the address; `query` is None where it is to be left out."""
    asked = f"?{_shown(query)}" if query else ""
    logger.info("%s %s %s%s %s %.1f ms", _word(caller), _word(method), _word(path), asked, status, seconds * 1000)


def _word(text: str) -> str:
    """A text from outside on one line, so that nobody can write lines of their own into the log."""
    return " ".join(clean(text).split())[:MAX_QUERY] or "-"


def _shown(query: str) -> str:
    return _word(remove_secrets(unquote_plus(query))[0])
