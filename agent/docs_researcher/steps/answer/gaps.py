"""What an answer cannot give, in plain sentences: that its source is thin, and which names, words and messages stand nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.steps.answer.next_query import next_queries
from docs_researcher.steps.answer.section import ConceptEvidence, Section
from docs_researcher.steps.answer.unit_choice import NEAR, UNSURE

MOST_NAMED = 3
LONGEST_RUN = 4
"""Words of a message that have to stand in a row: the others may be the asker's own values."""
FEWEST_WORDS = 3
"""A message of fewer words stands everywhere."""

FROM_README = "The package ships no guide; this is from its README."
_README = re.compile(r"(?:^|/)readme(?:\.\w+)?$", re.IGNORECASE)
_DOCS_FOLDER = re.compile(r"(?:^|/)(?:docs?|documentation|website|site|guides?)/", re.IGNORECASE)
_GOES_ON = (
    "for when in on with how what why if while after at my and from to is of because inside during although but handling handler"
    " middleware message page code codes"
)
"""What stands behind the name of an error where the question goes on, and no message is quoted."""
_MESSAGE = re.compile(
    r"[\"“](?P<quoted>[^\"“”]{12,})[\"”]"
    rf"|\b\w*(?:Error|Exception|Warning|error)\b(?:: ?|\s+(?!(?:{_GOES_ON.replace(' ', '|')})\b))(?P<behind>[^?!]{{8,}})"
    r"|(?:^|[:,]\s)(?P<complaint>(?:cannot|could not|can't|failed to|unable to|no such|never call|unknown|unexpected)\b"
    r"[^?!]{8,})",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.;,]\s|\bhow do\b|\bwhat\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is said of an answer's limits."""

    told: str
    """The sentences, for the top of the answer; empty where there is nothing to say."""
    are_asked_for: bool
    """Whether the source is thin, and what was asked for is not in it."""


def gaps(
    sections: Sequence[Section], concepts: Sequence[ConceptEvidence], left_out: Sequence[str], *, only_reference: bool
) -> Gaps:
    """What an answer of these sections cannot give.

    `left_out` are the concepts that were not looked up. `only_reference` says that the documentation holds no guide.
    """
    thin = only_reference or _is_only_readme(concepts)
    missing = _missing(sections)
    said = [FROM_README] if thin and not only_reference else []  # what told so has its sentence in the lead
    weak = _weak(sections)
    said += [weak] if weak else []
    apart = next((section.terms.sides for section in sections if section.terms.sides and not section.tells_apart), ())
    if apart and not missing and not weak:
        said.append(f"What was read does not compare {_listed(apart)}; this is what it says of each.")
    shown = missing or (_missing_words(sections) if thin else [])
    much = bool(shown) and any(section.lacks_much for section in sections)
    if shown and not weak:
        said.append(f"What was read does not mention {', '.join(shown)}.")
    bare = _is_only_readme(concepts) and any(_shows_nothing(section) for section in sections)
    if bare:
        said.append("It shows no code for this.")
    declared = only_reference and any(section.is_bare for section in sections)
    if declared and not weak:
        said.append("Only declarations were found for this, without a word or an example of use.")
    messages = dict.fromkeys(message for section in sections if (message := unread_message(section)))
    said += [f"The message “{message}” stands nowhere in what was read." for message in messages]
    empty = [concept.concept for concept in concepts if not concept.passages]
    if empty:
        said.append(f"Nothing was found for: {', '.join(empty)}.")
    if left_out:
        said.append(f"Not looked up, ask again for: {', '.join(left_out)}.")
    return Gaps(" ".join(said), thin and bool(sections) and bool(weak or missing or much or messages or bare or declared))


def _is_only_readme(concepts: Sequence[ConceptEvidence]) -> bool:
    """Whether all that was found stands in a package's README; an index page of a docs folder is called so too."""
    paths = {passage.path or "" for concept in concepts for passage in concept.passages}
    return bool(paths) and all(_README.search(path) and not _DOCS_FOLDER.search(path) for path in paths)


def _missing(sections: Sequence[Section]) -> list[str]:
    """Names of the API that stand nowhere, and other names where it is unsure."""
    found: dict[str, str] = {}
    for section in sections:
        found |= {name: f"`{name}`" for name in (*section.unnamed, *section.unnamed_sides)}
        names = section.missing_names if section.sureness < UNSURE else ()
        found |= {name: f"“{name}”" for name in names if name not in found}
    return list(found.values())[:MOST_NAMED]


def _listed(sides: Sequence[str]) -> str:
    return " and ".join([", ".join(f"“{side}”" for side in sides[:-1]), f"“{sides[-1]}”"])


def _missing_words(sections: Sequence[Section]) -> list[str]:
    words = [word for section in sections if section.sureness < UNSURE for word in section.missing_words]
    return [f"“{word}”" for word in dict.fromkeys(words)][:MOST_NAMED]


def _shows_nothing(section: Section) -> bool:
    """Whether somebody who asks how a thing is done gets no code from the best unit, nor from one that is about as good."""
    quoted = [one.unit for one in section.units if one.score >= NEAR * section.units[0].score]
    return section.terms.intent in ("how_to", "error") and bool(quoted) and not any(unit.blocks for unit in quoted)


def _weak(sections: Sequence[Section]) -> str:
    if sections and all(section.weak for section in sections):
        return f"Weak match: the documentation found does not clearly answer this. {_next_try(sections[0])}"
    told = [f"Weak match for “{section.concept}”. {_next_try(section)}" for section in sections if section.weak]
    told += [_doubt(section) for section in sections if section.is_doubtful]
    return " ".join(told)


def _doubt(section: Section) -> str:
    of = "" if section.alone else f" for “{section.concept}”"
    return f"Unsure match{of}: what was found may not answer this. {_not_mentioned(section)}".rstrip()


def _not_mentioned(section: Section) -> str:
    words = list(dict.fromkeys([*section.missing_names, *section.missing_words]))
    missing = ", ".join(f"“{word}”" for word in words[:MOST_NAMED])
    return f"It does not mention {missing}. " if missing else ""


def _next_try(section: Section) -> str:
    queries = " or ".join(f"“{query}”" for query in next_queries(section.units, section.terms))
    return f"{_not_mentioned(section)}Ask next for {queries or _OWN_NAMES}."


_OWN_NAMES = "the API's own names for it"


def unread_message(section: Section) -> str:
    """The message of an error that a question quotes, if it stands in nothing that was found; else empty."""
    if section.terms.intent != "error":
        return ""
    match = _MESSAGE.search(section.terms.text)
    message = next((text for text in match.groups() if text), "") if match else ""
    message = _ENDS.split(message, maxsplit=1)[0].strip(' .:,"`')
    whole = message.count("'") == 2 and message.startswith("'") and message.endswith("'")
    message = message.strip("'") if whole or message.count("'") % 2 else message  # a name in quotes at its end stays in them
    words = _words(message)
    if len(words) < FEWEST_WORDS:
        return ""
    length = min(LONGEST_RUN, len(words))
    runs = [" ".join(words[start : start + length]) for start in range(len(words) - length + 1)]
    texts = [" ".join(_words(f"{passage.title}\n{passage.content}")) for passage in section.material.passages]
    return "" if any(f" {run} " in f" {text} " for run in runs for text in texts) else message


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
