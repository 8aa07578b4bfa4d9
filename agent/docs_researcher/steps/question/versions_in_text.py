"""Which version a question states for which library, as it was written.

A version belongs to the name that it stands behind ("Next 15", "next@15", "React (v19)"), to the name that it is "of", to
the library of the version that it follows ("from Tailwind 3.4 to v4.1"), or, when it cannot be mistaken, to the only
library that could have it. Quantities, status codes, ports and versions of other things are none. It never moves to
another library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from docs_researcher.library.versions import parse_version
from docs_researcher.steps.question.wording import clause_break
from docs_researcher.steps.words import HTTP_STATUS, NUMBER_OWNERS, REQUEST_VERBS, STOP_WORDS, UNITS, word_set

_PRERELEASE = (
    r"(?:[-.+]?(?:alpha|beta|rc|canary|next|preview|pre|dev|nightly|snapshot|final|release|post|experimental|ga|lts)"
    r"[-.]?\d*(?:[.-]\d+)*|[-.]?(?:a|b|c|m|cr)\d+)?"
)
_TEXT = rf"[vVr]?\d+(?:[._]\d+)*(?:\.[xX*])?{_PRERELEASE}"
_BORDER = r"(?![A-Za-z0-9_]|[.,:]\d|%|\.[A-Za-z]|-(?:digit|bit|byte|column|level|way|step|tier|day|hour|minute|second)|°)"
_VERSION = re.compile(rf"{_TEXT}{_BORDER}", re.IGNORECASE)
_FREE = re.compile(rf"(?<![\w.\-/@:#$'\"]){_TEXT}{_BORDER}", re.IGNORECASE)
_VERSION_WORD = r"(?:versions?|ver|release|major|versión|versão|versione|版本|バージョン|버전|версии|версия)"
_BEHIND_NAME = re.compile(
    rf"(?:@[\^~]?|===?|~=|[><]=?|:|-(?=v?\d)|\s*[(\[]\s*{_VERSION_WORD}?\s*|\s*['’]s\s+{_VERSION_WORD}\s+"
    rf"|\s*(?:的\s*)?{_VERSION_WORD}?\.?\s*[>=^~]*\s*)",
    re.IGNORECASE,
)
_RANGE_SIGN = re.compile(r"(?:[><]=?|[~^]|~=|!=)\s*$")
_RANGE_MORE = re.compile(rf"(?:\s*,\s*|\s+)(?:[><]=?|!=|~=)\s*{_TEXT}{_BORDER}", re.IGNORECASE)
_OF_NAME = re.compile(
    rf"\s+(?:(?:{_VERSION_WORD}|api|series|branch|line|docs|documentation|syntax)\s+)?(?:of|de|del|von|du|do)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_LED_IN = re.compile(
    r"\b(?:on|at|to|using|with|version|since|from|in|for|until|under|below|than|before|after|and|still|is|am|have|has|running)\s+$",
    re.IGNORECASE,
)
_OF = re.compile(r"\s+(?:\w+\s+)?(?:of|in)\s+\w", re.IGNORECASE)
_IN_NAME = re.compile(r"\s+(?:in|for|on)\s+(?:the\s+)?$", re.IGNORECASE)
_CHAIN = re.compile(
    r"\s*(?:->|→|=>|⇒|から|と|に対して|에서|와|과|[\u4e00-\u9fff]{0,4}[到至]|和|与|跟|/|\b(?:up\s+to|to|and|or|vs\.?|versus|against|than|compared\s+(?:to|with)|into|a|à|zu|auf|para|y|und"
    r"|et|e|и|на|до)\b|,\s*(?:and|or)?)"
    rf"\s*(?:(?:the|la|le|a|der|die)\s+)?(?:{_VERSION_WORD}\s*)?$",
    re.IGNORECASE,
)
_TARGET_BEFORE = re.compile(
    r"(?:(?<!compared )\b(?:to|into|onto|auf|para|vers)\b|->|→|=>|⇒|到|升级到|升到|至)\s*(?:\S+\s+){0,3}$", re.IGNORECASE
)
_SOURCE_BEFORE = re.compile(
    r"(?:\b(?:from|since|de|desde|von|depuis|was|were|used|old|before|compared)\b|从|自)\s*(?:\S+\s+){0,3}$", re.IGNORECASE
)
_TARGET_BEHIND = re.compile(r"\s*(?:へ|に(?!は)|로|으로)")
_SOURCE_BEHIND = re.compile(r"\s*(?:から|에서\s*v?\d|to\b|->|→|到|升级)")
_CHANGES = re.compile(
    r"\b(?:changed|changes|differ\w*|deprecat\w+|breaking|new|neu\w*|geändert|änder\w+|unterschied\w*|cambi\w+|mud\w+|nuev\w+"
    r"|diferenc\w+|diferenç\w+|différ\w+|nouveau\w*|chang\w+|измен\w+|нов\w+)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre|между)\s+$", re.IGNORECASE)
_AND_NUMBER = re.compile(r"\s+(?:and|und|y|et|e|и)\s+\d", re.IGNORECASE)
_IN_OTHER = re.compile(
    r"\b(?:in|since|on|under|until|before|after|seit|en|desde|dans|depuis|em)\s+(?:(?:the|der|la|le)\s+)?$", re.IGNORECASE
)
_OTHER_VERSION = re.compile(
    rf"\b(?:in|to|of|from|since|on|under|until|before|after|for|with|seit|zu|auf|en|a|de|desde|dans|depuis|à|em|para)\s+"
    rf"(?:(?:the|der|la|le)\s+)?{_VERSION_WORD}\s+$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\b(?:rais|increas|decreas|reduc|lower|chang(?:e|ing)\b|set|scal|resiz|limit|extend|shrink|round|convert|cast|map)\w*"
    r"\s+(?:\S+\s+){1,4}from\s+(?:\S+\s+to\s+)?$",
    re.IGNORECASE,
)
"""What stands before a number that is an amount: "raise the timeout from 1.5 to 2.5"."""
_FROM_NAMED = re.compile(r"\s+(?:version\s+)?from\s+\d", re.IGNORECASE)
_BETWEEN_AMOUNTS = re.compile(r"\b(?:between|zwischen|entre|между)\s+(?:\S+\s+(?:and|und|y|et|e|и)\s+)?$", re.IGNORECASE)
_ON_TO = re.compile(r"\b(?:auf|zu)\s+(?:die\s+)?$", re.IGNORECASE)
_MOVES_BEHIND = re.compile(r"\s+(?:wechsel|umsteig|umzu|aktualisier|migrier|upgrad|geh)\w*", re.IGNORECASE)
_MOVED_TO = re.compile(
    r"\b(?:mov\w+|migrat\w+|upgrad\w+|updat\w+|go|going|get|getting|switch\w*|jump\w*|bump\w*|downgrad\w+|umstieg|umsteigen|aktualis\w+"
    r"|migr\w+|actuali[sz]\w+|pasar|passer|wechsel\w*)"
    r"\s+(?:\S+\s+){0,2}(?:to|auf|zu|a|à|para)\s+(?:(?:the|der|la|le)\s+)?$",
    re.IGNORECASE,
)
_FROM_NUMBER_TO = re.compile(r"\bfrom\s+\d+\s+to\s+$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_TO_NUMBER = re.compile(r"\s+to\s+\d+\b(?!\s*(?:s|ms|seconds|minutes|hours|days)\b)", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([A-Za-z/][\w/-]*)[\s'\"=:#]*$")
_NEXT_WORD = re.compile(r"\s*([^\W\d_]+)")
_TIME_AND_SIZE = UNITS - word_set(
    "items item rows row columns column files file users user threads thread processes process requests request people "
    "records lines line characters chars entries instances copies nodes replicas workers cores cpus steps points things "
    "ways libraries questions times time k"
)
_ONE_WORD = re.compile(r"\s+[a-z]{3,}\s+")
_MOST_WORDS_BETWEEN = 4
_TO = re.compile(r".{0,40}?(?:(?<!how )(?<!want )(?<!need )\bto\b|->|→|=>|⇒|到|から).{0,40}", re.IGNORECASE | re.DOTALL)
_PART_TO = re.compile(r"\s+([A-Za-z]+)(?:\s+[A-Za-z]+)?\s+(?:to|->|→|=>)\s+(?:the\s+)?", re.IGNORECASE)
_FORMATS = {"UUID": re.compile(r"[vV]?[1-8]")}
"""Libraries that are called like the format which they write, with the versions that the format has."""
_MOVES = re.compile(r"\b(?:upgrad|migrat|mov(?:e|ing)|updat|chang|break|deprecat|releas|version of|to v?\d)", re.IGNORECASE)
_MOST_MAJORS = 9
"""Over more major versions nobody moves at once."""


class Named(Protocol):
    """A mention of a library: where it stands and which one it is."""

    @property
    def start(self) -> int: ...  # noqa: D102 - a protocol of plain attributes
    @property
    def end(self) -> int: ...  # noqa: D102 - as above
    @property
    def name(self) -> str: ...  # noqa: D102 - as above


@dataclass(frozen=True, slots=True)
class StatedVersion:
    """A version as written, and where it stands."""

    text: str
    start: int
    end: int


def version_follows(text: str, end: int) -> StatedVersion | None:
    """The version that stands right behind a name which ends at `end`."""
    joint = _BEHIND_NAME.match(text, end)
    position = joint.end() if joint else end
    match = _VERSION.match(text, position)
    if match is None or not _is_version(text, match):
        return None
    sign = _RANGE_SIGN.search(text, end, position)
    bounds = _range_end(text, match.end())
    if sign is None or bounds == match.end():
        return StatedVersion(match[0], match.start(), match.end())  # one bound is said of the version in use: "^4.2"
    return StatedVersion(text[sign.start() : bounds], sign.start(), bounds)


def _range_end(text: str, end: int) -> int:
    """Where a range ends whose first bound ends at `end`: `>=2.2,<3` has two."""
    while more := _RANGE_MORE.match(text, end):
        end = more.end()
    return end


def stated_versions(text: str, mentions: Sequence[Named]) -> dict[str, str]:
    """The version of each library, by its name. Libraries without a stated version are absent."""
    return {name: _target(text, versions).text for name, versions in _all_stated(text, mentions).items()}


def moves_between_versions(text: str, mentions: Sequence[Named]) -> bool:
    """Whether a text names two versions of one library as the old and the new one: "v6 to v7", "4 -> 5"."""
    return any(
        _TO.fullmatch(text, first.end, second.start)
        for versions in _all_stated(text, mentions).values()
        for first, second in pairwise(sorted(versions, key=lambda version: version.start))
    )


def _all_stated(text: str, mentions: Sequence[Named]) -> dict[str, list[StatedVersion]]:
    """Every version that is stated for a library, by its name."""
    hits: dict[str, list[StatedVersion]] = {}
    used: set[int] = set()
    for mention in mentions:
        stated = version_follows(text, mention.end)
        if stated and not any(other.start < stated.end and stated.start < other.end for other in mentions):
            used.add(stated.start)
            if not _is_of_a_format(text, mention, stated):
                hits.setdefault(mention.name, []).append(stated)
    free = [StatedVersion(m[0], m.start(), m.end()) for m in _FREE.finditer(text) if m.start() not in used]
    free = [version for version in free if not any(m.start <= version.start < m.end for m in mentions)]
    for version in free:
        owner = _chain_owner(text, version, hits) or _owner(text, version, mentions, hits)
        if owner:
            hits.setdefault(owner, []).append(version)
    return hits


def _is_of_a_format(text: str, mention: Named, stated: StatedVersion) -> bool:
    """Whether a number is a version of what a library makes: "uuid v4". Who moves between versions means the library's."""
    known = _FORMATS.get(mention.name)
    return known is not None and bool(known.fullmatch(stated.text)) and not _MOVES.search(text)


def _is_version(text: str, match: re.Match[str]) -> bool:
    """Whether a number right behind a name is a version and no quantity, year or status code."""
    number = match[0]
    if number[0] in "vVr" or "." in number or "_" in number:
        return True
    following = _NEXT_WORD.match(text, match.end())
    if following and following[1].lower() in _TIME_AND_SIZE:
        return False
    return number not in HTTP_STATUS and len(number) <= 3


def _chain_owner(text: str, version: StatedVersion, hits: dict[str, list[StatedVersion]]) -> str | None:
    """The library of the version that this one follows: "from Tailwind 3.4 to v4.1"."""
    return next((name for name, stated in hits.items() if _chained(text, stated[-1], version)), None)


def _chained(text: str, first: StatedVersion, second: StatedVersion) -> bool:
    if not first.end <= second.start <= first.end + 40:
        return False
    following = _NEXT_WORD.match(text, second.end)
    if following and following[1].lower() in UNITS and second.text.isdigit():
        return False
    return bool(_CHAIN.fullmatch(text[first.end : second.start])) or _is_part_of_next(text, first, second)


def _is_part_of_next(text: str, first: StatedVersion, second: StatedVersion) -> bool:
    """Whether both versions have a part of their library behind them: "13 pages to 15 app", "2 mixins to 3 composables"."""
    between, following = _PART_TO.fullmatch(text, first.end, second.start), _NEXT_WORD.match(text, second.end)
    if between is None or following is None or not _height(first) < _height(second) <= (_height(first)[0] + _MOST_MAJORS,):
        return False
    plural, first_plural = following[1].lower().endswith("s"), between[1].lower().endswith("s")
    return between[1].lower() not in REQUEST_VERBS and following[1].lower() not in UNITS and (first_plural or not plural)


def _owner(text: str, version: StatedVersion, mentions: Sequence[Named], hits: dict[str, list[StatedVersion]]) -> str | None:
    """The library that a version belongs to which stands behind no name; None when that is not certain."""
    dotted = "." in version.text and (_is_led_in(text, version) or _is_of_a_part(text, version, mentions))
    clear = version.text[0] in "vV" or version.text.count(".") > 1 or dotted
    behind = next((mention for mention in mentions if mention.start >= version.end), None)
    if behind is not None and behind.name not in hits:
        between = text[version.end : behind.start]
        if _OF_NAME.fullmatch(between) or (clear and _IN_NAME.fullmatch(between)):
            return behind.name
        if version.text[0] in "vV" and between == " ":
            return behind.name
    return _loose_owner(text, version, mentions, hits, clear=clear)


def _is_of_a_part(text: str, version: StatedVersion, mentions: Sequence[Named]) -> bool:
    """Whether a text begins with a library, one part of it, and the version: "celery beat 5.3 ..."."""
    first = mentions[0] if mentions else None
    if first is None or text[: first.start].strip() or version.text.startswith("0"):
        return False
    return bool(_ONE_WORD.fullmatch(text, first.end, version.start))


def _is_led_in(text: str, version: StatedVersion) -> bool:
    """Whether a number such as 5.1 stands behind a word that versions follow, and so is no amount."""
    if _LED_IN.search(text, max(0, version.start - 12), version.start):
        return True
    return not version.text.startswith("0.") and bool(_OF.match(text, version.end))


def _loose_owner(
    text: str, version: StatedVersion, mentions: Sequence[Named], hits: dict[str, list[StatedVersion]], *, clear: bool
) -> str | None:
    before = _WORD_BEFORE.search(text, max(0, version.start - 30), version.start)
    word = before[1] if before else ""
    version_said = bool(re.fullmatch(_VERSION_WORD, word, re.IGNORECASE))
    in_quotes = text[version.start - 1 : version.start] in ("'", '"')
    nearest = next((mention for mention in reversed(mentions) if mention.end <= version.start), None)
    certain = version_said or (
        (clear or _in_migration(text, version)) and not _is_amount(text, version, nearest.end if nearest else 0)
    )
    if in_quotes or not certain or word.lower() in NUMBER_OWNERS:
        return None
    if word[:1].isupper() and not version_said and version.text[0] not in "vV":
        return None
    names = {mention.name for mention in mentions}
    if nearest is not None and nearest.name not in hits and not clause_break(text, nearest.end, version.start):
        words = len(text[nearest.end : version.start].split())
        if words <= _MOST_WORDS_BETWEEN or len(names) == 1:
            return nearest.name
    if len(names) == 1 and (not hits or _is_of_another_release(text, version)):
        return next(iter(names))
    return None


def _is_of_another_release(text: str, version: StatedVersion) -> bool:
    """Whether a second version is one of the same library: "X 4 had a, what replaces it in v5?"."""
    before = max(0, version.start - 60)
    if _moved_to(text, version) or _OTHER_VERSION.search(text, before, version.start):
        return True
    return not version.text.isdigit() and bool(_IN_OTHER.search(text, before, version.start))


def _in_migration(text: str, version: StatedVersion) -> bool:
    """Whether a bare number stands in "from 4 to 5", "what changed between 4 and 5" or "how do we get to 5"."""
    before = max(0, version.start - 60)
    if _FROM_NUMBER_TO.search(text, before, version.start) or _moved_to(text, version):
        return True
    if _BETWEEN.search(text, before, version.start) and _AND_NUMBER.match(text, version.end):
        return _asks_for_changes(text)
    return bool(_FROM.search(text, before, version.start) and _TO_NUMBER.match(text, version.end))


def _is_amount(text: str, version: StatedVersion, name_end: int) -> bool:
    """Whether a number is one end of a range or change of something else: "between 0.5 and 1.5", "raise X from 3 to 5"."""
    if version.text[0] in "vV" or version.text.count(".") > 1 or _FROM_NAMED.match(text, name_end):
        return False
    before = max(0, version.start - 60)
    if _BETWEEN_AMOUNTS.search(text, before, version.start):
        return not _asks_for_changes(text)
    return bool(_AMOUNT.search(text, before, version.start))


@lru_cache(maxsize=2)  # asked for each number of one question, which may be 8,000 characters long
def _asks_for_changes(text: str) -> bool:
    return bool(_CHANGES.search(text))


def _moved_to(text: str, version: StatedVersion) -> bool:
    """Whether somebody moves to this number, and it counts nothing: "move to 5"."""
    if len(version.text) > len("99.9"):
        return False
    before = max(0, version.start - 60)
    if _MOVES_BEHIND.match(text, version.end):
        return bool(_ON_TO.search(text, before, version.start))
    following = _NEXT_WORD.match(text, version.end)
    counts = following is not None and following[1].lower() not in STOP_WORDS
    return not counts and bool(_MOVED_TO.search(text, before, version.start))


def _target(text: str, versions: Sequence[StatedVersion]) -> StatedVersion:
    """Of several versions of one library the one to go to, else the highest."""
    if len(versions) == 1:
        return versions[0]
    return max(versions, key=lambda version: (_direction(text, version), _height(version)))


def _direction(text: str, version: StatedVersion) -> int:
    before = text[max(0, version.start - 40) : version.start]
    to, away = _last(_TARGET_BEFORE, before), _last(_SOURCE_BEFORE, before)
    points = (to > away) - (away > to)
    points += bool(_TARGET_BEHIND.match(text, version.end)) - bool(_SOURCE_BEHIND.match(text, version.end))
    return points


def _last(pattern: re.Pattern[str], text: str) -> int:
    """Where the last match begins that reaches to the end of the text; -1 without one."""
    found = pattern.search(text)
    return found.start() if found else -1


def _height(version: StatedVersion) -> tuple[int, ...]:
    parsed = parse_version(version.text)
    return parsed.numbers if parsed else ()
