"""Which arguments are a question and which are a command.

A question needs no command's name in front of it: `docs-research "How do I ...?"` is `docs-research ask "How do I ...?"`.
One argument with white space in it is always a question; otherwise the first word decides.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Sequence

ASK = "ask"
_OWN_SWITCHES = {"--help", "-h", "--version"}
_UNSAFE_IN_DOUBLE_QUOTES = set('"$`\\!')


def route(arguments: Sequence[str], commands: Collection[str], ask_values: Callable[[], Collection[str]]) -> list[str]:
    """The arguments with the command's name first.

    Args:
        arguments: as the user wrote them.
        commands: the names of all commands.
        ask_values: the options of `ask` that take a value; called only if an option comes first.
    """
    before, word, after = _first_word(list(arguments), ask_values)
    if word is None:
        own = [argument for argument in before if argument in _OWN_SWITCHES]
        return own if own or not arguments else [ASK, *arguments]
    if word == "help" and not before and not after:
        return ["--help"]
    if word in commands:
        return [word, *before, *after]
    return [ASK, *arguments]


def _first_word(arguments: list[str], ask_values: Callable[[], Collection[str]]) -> tuple[list[str], str | None, list[str]]:
    """The options in front of the first word, that word (None: there is none), and what follows it."""
    if arguments and not arguments[0].startswith("-"):
        return [], arguments[0], arguments[1:]
    takes_value = ask_values() if arguments else ()
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        if argument == "--":
            return arguments, "", []
        if not is_option(argument, takes_value):
            return arguments[:position], argument, arguments[position + 1 :]
        position += 2 if argument in takes_value else 1
    return arguments, None, []


def is_option(argument: str, known: Collection[str] = ()) -> bool:
    """Whether an argument is an option. `-` is not, nor is a quoted text that only begins with a dash."""
    if not argument.startswith("-") or argument == "-":
        return False
    return not any(map(str.isspace, argument)) or ("=" in argument and argument.partition("=")[0] in known)


def options_first(arguments: Sequence[str], takes_value: Collection[str]) -> tuple[list[str], list[str]]:
    """Split a command's arguments into its options (with their values) and its words, both in their order."""
    options: list[str] = []
    words: list[str] = []
    queue = iter(arguments)
    for argument in queue:
        if argument == "--":
            words.extend(queue)
        elif not is_option(argument, takes_value):
            words.append(argument)
        else:
            options.append(argument)
            if argument in takes_value:
                options.extend([value for value in [next(queue, None)] if value is not None])
    return options, words


def lacks_value(options: Sequence[str], takes_value: Collection[str]) -> bool:
    """Whether the last of these options takes a value and has none."""
    queue = iter(options)
    return any(option in takes_value and next(queue, None) is None for option in queue)


def as_question(words: Sequence[str]) -> str:
    """The command that asks these words as a question, ready to paste into a shell."""
    text = " ".join(" ".join(words).split())
    quoted = shlex.quote(text) if _UNSAFE_IN_DOUBLE_QUOTES.intersection(text) else f'"{text}"'
    return f"docs-research {ASK} {quoted}"
