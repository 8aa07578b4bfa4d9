"""The one token estimate that is used everywhere.

Characters divided by four is wrong by -13 % on code, -45 % on JSON and -64 % on Japanese. Six character classes with
fitted weights stay within 6 % for nine kinds of text, measured against the last public Claude tokenizer on 2026-11-29.
The figure is the raw estimate; only a model's own context budget multiplies it (newer models need more tokens).
"""

from __future__ import annotations

import math
import re

LETTER = 0.233
DIGIT = 0.19
PUNCTUATION = 0.76
SPACE = 0.03
CJK = 0.80
OTHER = 0.53
"""Tokens per character of each class."""

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = b"0123456789"
_SPACES = b" \t\r\n\f\v"
_CJK = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens in `text`, rounded up; 0 only for the empty string."""
    if not text:
        return 0
    # Deleting bytes counts a class faster than any regular expression; each time less is left to look through.
    data = text.encode("ascii", "ignore")
    rest = data.translate(None, _LETTERS)
    letters = len(data) - len(rest)
    bare = rest.translate(None, _SPACES)
    spaces = len(rest) - len(bare)
    punctuation = len(bare.translate(None, _DIGITS))
    total = LETTER * letters + DIGIT * (len(bare) - punctuation) + PUNCTUATION * punctuation + SPACE * spaces
    if len(data) != len(text):
        cjk = len(_CJK.findall(text))
        total += CJK * cjk + OTHER * (len(text) - len(data) - cjk)
    return max(1, math.ceil(total))
