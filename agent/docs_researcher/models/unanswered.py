"""The replies that are no answer: a question back, nothing found, a fault. Each says what to do next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docs_researcher.core.answer import Needs, Notice
from docs_researcher.core.errors import WITHOUT_STRICT
from docs_researcher.core.messages import Reply, ToolResult
from docs_researcher.core.passages import Candidate
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.question.identify import Identification
from docs_researcher.steps.question.mentions import find_mentions
from docs_researcher.steps.question.typos import near_names

MOST_CHOICES = 4
ROTATE = "What looks like a secret in the question was left out and not looked up; rotate it, since it has been sent."
_PACKAGE = re.compile(r"@?[\w.-]+(?:/[\w.-]+)?", re.ASCII)


def no_lookup(identification: Identification, catalogue: Catalogue) -> Reply:
    """No library is named, or nothing has to be looked up: one question back."""
    if identification.libraries:
        name = identification.libraries[0].name
        question = f"What should be looked up in the documentation of {name}?"
        text = f"No lookup in the documentation of {name} is due: {identification.reason}. {question}"
        notice = Notice("docs_not_needed", f"Nothing was looked up: {identification.reason}.")
        return Reply(text, status="needs_input", needs=Needs(question), notices=(notice,))
    choices = _near_names(identification.query, catalogue)
    question = "Which library is the question about?"
    text = f"No library was recognised in the question, so nothing was looked up ({identification.reason}). {question}"
    if choices:
        text += f" Did you mean {_either(choices)}?"
    text += " Name it in the question, or with --library NAME."
    notice = Notice("no_library", "No library was recognised in the question.")
    return Reply(text, status="needs_input", needs=Needs(question, choices), notices=(notice,))


def _near_names(text: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Libraries that a word of the text may mean after all, then those that are spelled like one."""
    doubted = [mention.entry.name for mention in find_mentions(text, catalogue) if mention.entry is not None]
    words = [word.strip(".,;:!?()\"'`") for word in text.split()]
    found = [name for word in dict.fromkeys(words) for name in near_names(word, catalogue, 2)]
    return tuple(dict.fromkeys([*doubted, *found]))[:MOST_CHOICES]


def tied(name: str, candidates: Sequence[Candidate]) -> Reply:
    """Several libraries are equally likely: one question back, with their ids to choose from."""
    choices = tuple(candidate.id for candidate in candidates[:MOST_CHOICES])
    question = f"Which {name} is meant?"
    lines = [f"- `{candidate.id}`: {_short(candidate.description or candidate.title)}" for candidate in candidates[:MOST_CHOICES]]
    text = "\n".join([f"Several libraries are called {name}, and the question does not tell them apart. {question}", "", *lines])
    return Reply(text, status="needs_input", needs=Needs(question, choices))


def no_such_library(name: str, offered: Sequence[Candidate], catalogue: Catalogue) -> Reply:
    """No library of that name: the nearest ones that exist."""
    near = [f"{candidate.title} (`{candidate.id}`)" for candidate in offered]
    near += [f"{entry.name} (`{entry.id}`)" for entry in catalogue.similar(name, MOST_CHOICES)]
    named = list(dict.fromkeys(near))[:MOST_CHOICES]
    text = f"No documentation was found for a library named {name}."
    text += f" The nearest names are {_either(named)}." if named else ""
    package = name.lower() if _PACKAGE.fullmatch(name) else "NAME"
    text += f" Check the spelling, or name its package, such as npm:{package} or pypi:{package}."
    return Reply(text, status="not_found")


def no_such_version(missing: str) -> Reply:
    """The version asked for is not there, and no other one was wanted. `missing` says what is there."""
    text = f"{missing} No other version was read. Ask {WITHOUT_STRICT} to be answered from the nearest one."
    return Reply(text, status="not_found", notices=(Notice("version_not_found", missing),))


def nothing_found(name: str, asked: Sequence[str], lead: Sequence[str], *, also_other_words: bool = False) -> Reply:
    """The library is there, but nothing in its documentation matches. `asked` are the asker's own words."""
    terms = "; ".join(f"“{query}”" for query in dict.fromkeys(asked))
    others = ", and other words for the same" if also_other_words else ""
    text = f"Nothing in the documentation of {name} matches. Tried: {terms}{others}. Ask again with the names that its API uses."
    return Reply(" ".join([*lead, text]), status="not_found")


def failed(doing: str, results: Sequence[ToolResult]) -> Reply:
    """What `doing` says could not be done, with the tools' own reasons; a fetch that is still running is no failure."""
    # What follows "Next:" is advice for a model that calls tools.
    reasons = " ".join(dict.fromkeys(_short(result.text.partition("\n\nNext:")[0], 400) for result in results))
    waiting = any(result.outcome == "not_ready" for result in results)
    said = reasons if waiting or not doing else f"{doing} failed. {reasons}"
    return Reply(said, status="partial" if waiting else "failed")


def cut_short(stopped_by: str | None) -> Reply:
    """A limit was reached before anything was read."""
    return Reply(
        f"Stopped by {stopped_by or 'a limit'} before any documentation was read. Ask again, or raise the limit.",
        status="partial",
    )


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _short(text: str, most: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def with_rotation_advice(reply: Reply) -> Reply:
    """`reply`, told first that something in the question looked like a secret, was left out, and should be replaced."""
    text = reply.text if ROTATE in reply.text else f"{ROTATE} {reply.text}"
    return replace(reply, text=text, notices=(*reply.notices, Notice("secret_removed", ROTATE)))


def refused_version(warnings: Sequence[str]) -> Reply:
    """The end of a run that wants no other version than the one which is not listed; the last warning says so."""
    return Reply(" ".join(warnings), status="not_found", notices=(Notice("version_not_found", warnings[-1]),))
