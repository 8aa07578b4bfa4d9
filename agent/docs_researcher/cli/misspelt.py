"""A command with a wrong letter and arguments behind it: refused with the right one, before it costs a fetch as a question.

Only where nothing else can be meant. What may be a word of a question stays one.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence

from docs_researcher.cli.routing import as_question
from docs_researcher.core.errors import UsageError

_LIKE_A_COMMAND = re.compile(r"[a-z]{2,12}")
_LONG = 6
"""Commands of so many letters may have two of them wrong, shorter ones one."""
_SHORT_LINE = 2
"""Words of a line that is a command and its one argument: `ad flask`."""


def refuse_misspelt(arguments: Sequence[str], commands: Collection[str]) -> None:
    """Check the arguments of the command line as they were given.

    Raises:
        UsageError: the first one is surely a command with a letter wrong.
    """
    words = [argument for argument in arguments if not argument.startswith("-")]
    if (
        len(arguments) < _SHORT_LINE
        or words[:1] != [arguments[0]]
        or not _LIKE_A_COMMAND.fullmatch(words[0])
        or words[0] in commands
    ):
        return
    nearest = _nearest(words[0], commands)
    if nearest is None or not _is_surely_one(words, nearest):
        return
    raise UsageError(
        f"There is no command {words[0]!r}",
        why=f"it is spelled like {nearest}, and was not read as a question",
        next_step=f"docs-research {nearest} {shlex.join(arguments[1:])}, or as a question: {as_question(words)}",
    )


def _nearest(word: str, commands: Collection[str]) -> str | None:
    from rapidfuzz.distance import OSA

    near = sorted((OSA.distance(word, command), command) for command in commands)
    (distance, command), (second, _) = near[0], near[1]
    if distance > (2 if len(command) >= _LONG else 1) or distance == second or word[0] != command[0]:
        return None
    return command


def _is_surely_one(words: Sequence[str], command: str) -> bool:
    """Whether the first word is no library, and no word at all or, before one library, a command with a letter left out."""
    from docs_researcher.docsets.static_vectors.table import word_table
    from docs_researcher.runtime.model_choice import known

    catalogue = known()
    if catalogue.by_name(words[0]) is not None:
        return False
    if not word_table().rows_of(words[0]):
        return True  # no English word
    left_out = any(words[0] == command[:at] + command[at + 1 :] for at in range(len(command)))
    return left_out and len(words) == _SHORT_LINE and catalogue.find(words[1]) is not None
