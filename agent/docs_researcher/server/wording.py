"""What is said about options of the command line, said to an agent that has only the arguments of a tool."""

from __future__ import annotations

import re

_SAID = (
    (r"with --library NAME", "with the argument `library`"),
    (r"\(--library ([^\s()]+)\)", r"(`library`: \1)"),
    (r" or pass --yes\.", ", or have the server started with --yes."),
    (r"--offline forbids fetching it", "the server runs with --offline"),
    (r"Run once without --offline, or: (docs-research add )", r"Have it installed on the server's machine: \1"),
    (r"; ask without --strict-version to use it\.", "; it answers when the server runs without --strict-version."),
    (r", or answer from what is installed with --offline\.", ", or ask about a library that is installed."),
)


def for_an_agent(text: str) -> str:
    """A message of ours (a failure, a question back) with what to do next in the words of the tool."""
    for pattern, words in _SAID:
        text = re.sub(pattern, words, text)
    return text
