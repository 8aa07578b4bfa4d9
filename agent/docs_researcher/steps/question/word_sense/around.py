"""The text around one word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docs_researcher.steps.question.mentions import Mention

_NEXT_WORD = re.compile(r"(?:'s)?[ ]+(?:(?:still|also|really|already|even|now|actually)[ ]+)?([A-Za-z][\w'+#-]*)")
_PREVIOUS_WORD = re.compile(r"([A-Za-z][\w'+#-]*)[ ]+$")


@dataclass(frozen=True, slots=True)
class Around:
    """A word that may be a name, in its text, with the words before and behind it in lower case (empty for none)."""

    text: str
    mention: Mention
    before: str
    after: str

    @classmethod
    def of(cls, text: str, mention: Mention) -> Around:
        """Look at the words beside a mention."""
        before = _PREVIOUS_WORD.search(text, max(0, mention.start - 30), mention.start)
        after = _NEXT_WORD.match(text, mention.end)
        return cls(text, mention, before[1].lower() if before else "", after[1].lower() if after else "")
