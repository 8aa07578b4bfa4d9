"""Words that developers use for one another: what a question says and what a reference page calls it.

General language only. No name of a library's API stands here, so nothing is known about any one library.
"""

from __future__ import annotations

import re

from docs_researcher.core.lines import lines_of
from docs_researcher.steps.stems import stem

SPELLED_OUT: dict[str, str] = {
    "auth": "authentication",
    "authn": "authentication",
    "authz": "authorization",
    "i18n": "internationalization",
    "l10n": "localization",
    "a11y": "accessibility",
    "db": "database",
    "perf": "performance",
    "repo": "repository",
    "deps": "dependencies",
}
"""Short forms that prose means by the long one. Those that are names in code as well (`env`, `config`, `args`) are not here."""

_GROUPS = """
login signin authenticate session
logout signout
secret password credential hidden
terminal screen console stdout output
print wrote written output stdout
broke broken fail failed failure
rerun again repeat retry
stop cancel kill abort terminate revoke
discard drop throw remove skip
resume continue pause persist
parallel concurrent simultaneously group
wait delay backoff
longer increase exponential backoff
itself automatically auto
temporary temp tmp
directory folder path
environment env variable
settings configuration options
switch flag toggle option
argument parameter value
several many multiple any
callback handler hook listener
failed error exception failure
mock stub fake patch
fetch request load
save store write export persist
entry record item row
cache memoize
schedule cron periodic interval
validate check verify schema
protect secure guard
redirect forward
performance fast speed optimize
limit throttle rate
share common scope
start run launch execute invoke
show display render
twice confirm confirmation
ask prompt input
send emit publish
delete remove destroy
change update modify edit
rename alias
combine merge join
split divide partition
order sort
number count amount
background worker job
cleanup teardown dispose
nested child subcommand
"""

SYNONYM_GROUPS: tuple[tuple[str, ...], ...] = tuple(tuple(line.split()) for line in lines_of(_GROUPS.strip()))
"""Groups of words any of which may stand for another in a question."""

_CALLED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), name)
    for pattern, name in (
        (
            r"\b(?:(?:run|execute|call)(?:ning|ing|s)? (?:some |my |the |a |own )?(?:code|functions?|something|logic) )?"
            r"(before|after) (?:each|every|any|all)(?: (?:the|of the|single|incoming))? ([a-z]+?)s?\b",
            r"\2 hooks lifecycle \1_\2",
        ),
        (
            r"\b(?:page|address|url|route|path)(?:e?s)? (?:that |which )?(?:do|does|is|are)(?: not|n't) (?:exist|found|there)\b",
            "404 not found",
        ),
        (r"\b(path|route|url)[ -](param)(?:eter)?s?\b", r"\1 \2eters route variable dynamic segment"),
        (r"(?<![\w.])404(?![\w.])(?! not[- ]found)", "not-found 404"),
        (r"(?<![\w.])401(?![\w.])", "401 unauthorized"),
        (r"(?<![\w.])403(?![\w.])", "403 forbidden"),
        (r"(?<![\w.])429(?![\w.])", "429 rate limit"),
        (r"\b(?:sign|log)(?:ed|ged)[ -]in\b", "login authenticated"),
        (r"\b(?:sign|log)(?:s|ing|ging)?[ -]in\b(?! (?:the|a|an)\b)", "login"),
        (r"\b(?:sign|log)(?:s|ed|ged|ing|ging)?[ -]out\b", "logout"),
        (r"\b(?:several|many|multiple) times\b|\bmore than once\b", "multiple"),
    )
)
"""What people describe, and what developers call it."""

RELATION = re.compile(r"(?<![A-Za-z])(one|many)[ _-]?to[ _-]?(one|many)(?-i:(?![a-z]))", re.IGNORECASE)
"""A kind of relation, however it is written: one notion, though each of its words is small."""
_TWO_OR_ONE = (
    "time zone,file name,file path,data frame,date time,web socket,drop down,check box,rate limit,auto complete,auto generate,"
    "auto generat,sub command,type check,life cycle,host name,user name,white space,back end,front end,code block,name space"
)
COMPOUND = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join(pair.replace(' ', '[ )-]') for pair in _TWO_OR_ONE.split(','))})(?=[a-z]{{0,4}}(?![a-z]))",
    re.IGNORECASE,
)
"""Things that are written as one word or as two: "timezone" and "Time zones", "subcommand" and "(sub)commands"."""
MOST_OTHER_WORDS = 16
WORDS_OF_A_GROUP = 3


def other_words(query: str) -> tuple[str, ...]:
    """Other words for the same things as those of a query, the first few of each group that one of its words belongs to."""
    asked = {stem(word) for word in re.findall(r"[a-z]+", query.lower())}
    found: dict[str, None] = {}
    for group in SYNONYM_GROUPS:
        new = [word for word in group if stem(word) not in asked]
        if len(new) < len(group):
            found.update(dict.fromkeys(new[:WORDS_OF_A_GROUP]))
    return tuple(found)[:MOST_OTHER_WORDS]


def called(question: str) -> str:
    """The question with what it describes called by developers' names: "before each request" is a hook."""
    for pattern, name in _CALLED:
        question = pattern.sub(name, question)
    return question
