"""What is said about options of the command line, said to an agent that has only the arguments of a tool."""

from __future__ import annotations

import re

from docs_researcher.core.errors import WITHOUT_STRICT

_SAID = (
    (r"with --library NAME", "with the argument `library`"),
    (r"\(--library ([^\s()]+)\)", r"(`library`: \1)"),
    (r" or pass --yes\.", ", or have the server started with --yes."),
    (r"--offline forbids fetching it", "the server runs with --offline"),
    (r"Run once without --offline, or: (docs-research add )", r"Have it installed on the server's machine: \1"),
    (rf"; ask {re.escape(WITHOUT_STRICT)} to use it\.", "; it answers when the server runs without --strict-version."),
    (rf"Ask {re.escape(WITHOUT_STRICT)} to be", "When the server runs without --strict-version, a question can be"),
    (r", or answer from what is installed with --offline\.", ", or ask about a library that is installed."),
)


def for_an_agent(text: str) -> str:
    """A message of ours (a failure, a question back) with what to do next in the words of the tool."""
    for pattern, words in _SAID:
        text = re.sub(pattern, words, text)
    return text
