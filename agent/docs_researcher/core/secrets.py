"""Secrets found in a text, so that a query leaves the process without them."""

from __future__ import annotations

import re

REDACTED = "[secret removed]"

_PREFIXED = (
    r"sk-ant-[A-Za-z0-9_-]{16,}",
    r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}",
    r"ctx7(?:sk|op)[-_][A-Za-z0-9-]{8,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"glpat-[A-Za-z0-9_-]{16,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{40,}",
    r"hf_[A-Za-z0-9]{20,}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"(?:AKIA|ASIA)[0-9A-Z]{16}",
    r"AIza[0-9A-Za-z_-]{30,}",
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}",
    r"whsec_[A-Za-z0-9]{16,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
)
_PATTERNS = tuple(re.compile(rf"(?<![A-Za-z0-9]){pattern}") for pattern in _PREFIXED)
_URL_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,100}:)([^\s/@]{1,200})(@)", re.IGNORECASE)
_NAMED = re.compile(
    r"(?i)(\b[A-Z0-9_.-]{0,40}(?:api[_-]?key|secret|token|passw(?:or)?d|credential)s?\b[\"']?\s{0,3}[:=]\s{0,3}[\"']?)"
    r"((?=[^\s\"',;]*[0-9])[A-Za-z0-9_\-./+=]{16,})"
)
"""A value of 16 characters and more with a digit in it, behind a name that says what it is. `token = request.get("x")` stays."""
_BEARER = re.compile(r"(?i)(\bbearer\s{1,3})((?=[^\s\"']*[0-9])[A-Za-z0-9_\-./+=]{16,})")


def remove_secrets(text: str) -> tuple[str, int]:
    """`text` with every secret replaced by a mark, and how many there were. Linear in the length of the text."""
    count = 0
    for pattern in _PATTERNS:
        text, found = pattern.subn(REDACTED, text)
        count += found
    for pattern, replacement in (
        (_URL_PASSWORD, rf"\1{REDACTED}\3"),
        (_NAMED, rf"\1{REDACTED}"),
        (_BEARER, rf"\1{REDACTED}"),
    ):
        text, found = pattern.subn(replacement, text)
        count += found
    return text, count
