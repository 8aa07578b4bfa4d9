"""Prose out of documentation made ready to be quoted: links, images and tags taken off, then cut into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPAN = re.compile(r"(?P<ticks>`+)(?P<body>.+?)(?<!`)(?P=ticks)(?!`)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_LINK = re.compile(
    r"\[(?P<label>(?:[^\[\]]|\\.){1,200})\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[\"'][^)]*)?\)|\[[^\]]{0,80}\])"
)
_LINK_OF_NOTHING = re.compile(r"(?<!\w)\[\s*\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[\"'][^)]*)?\)|\[[^\]]{0,80}\])")
"""What is left of a badge that links somewhere, once its image is taken off."""
_AUTOLINK = re.compile(r"<?\bhttps?://(?P<host>[\w.-]+)[^\s<>)\]]*>?")
_OTHER_SCHEME = re.compile(r"\b(?:javascript|data|vbscript|file):[^\s`]+", re.IGNORECASE)
_TAG = re.compile(r"(?<!\\)</?[A-Za-z][\w.-]*(?:\s[^<>]{0,400})?/?>")
_ROLE = re.compile(r"(?:\{[\w:+.-]{2,30}\}|(?<!\w):[\w:+.-]{2,30}:)(?=`)")
_ROLE_TARGET = re.compile(r"^[~!]?(?P<label>[^<]*?)\s*<[^>]+>$")
_FOOTNOTE = re.compile(r"\[\^[^\]]{1,20}\]|\[#?\d{0,3}\]_")
_ANCHOR = re.compile(r"\s*\{#[\w-]+\}")
_LABEL = re.compile(r"^\s*(?:\[![A-Z]+\]|\*\*(?:Good to know|Note|Tip|Info)s?:?\*\*:?)\s*", re.IGNORECASE)
_END = re.compile(r"[.!?][\"')\]*_]{0,3}(?P<gap>\s+)(?=[\"'(`*_\[]{0,3}[A-Z0-9`])")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|incl|ca|Mr|Ms|Dr|St|Inc|al|No)\.|\b[A-Z]\.)$")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
"""A mark of Markdown that is meant as a character: `\\*args`."""
_MARK = "\x00"


def plain(text: str) -> str:
    """`text` without links, images, tags, roles and footnote marks; code spans stay as written, labels of links stay.

    A target is not evidence: relative ones lead nowhere outside the page, foreign ones must not be passed on. An address in
    the open text becomes its host name.
    """
    spans: list[str] = []

    def keep(match: re.Match[str]) -> str:
        body = match.group("body")
        target = _ROLE_TARGET.match(body) if match.string[: match.start()].endswith((":", "}")) else None
        spans.append(f"`{target.group('label')}`" if target else match.group())
        return f"{_MARK}{len(spans) - 1}{_MARK}"

    text = text.replace(_MARK, "")
    text = re.sub(r"(?:\{[\w:+.-]{2,30}\}|(?<!\w):[\w:+.-]{2,30}:)(?=\x00)", "", _SPAN.sub(keep, text))
    text = _IMAGE.sub("", text)
    text = _LINK_OF_NOTHING.sub("", text)
    for _ in range(2):  # an image or a bracket inside a link's label needs a second round
        text = _LINK.sub(lambda match: match.group("label"), text)
    text = _OTHER_SCHEME.sub("", _AUTOLINK.sub(lambda match: match.group("host"), text))
    text = _TAG.sub("", text)
    text = _ANCHOR.sub("", _FOOTNOTE.sub("", text))
    text = _ESCAPED.sub(r"\1", text)
    text = re.sub(rf"{_MARK}(\d+){_MARK}", lambda match: spans[int(match.group(1))], text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r" ([.,;:])(?=\s|$)", r"\1", _LABEL.sub("", text))


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a paragraph that went through `plain`. Code spans and abbreviations do not end one."""
    spans: list[str] = []

    def hide(match: re.Match[str]) -> str:
        spans.append(match.group())
        return f"{_MARK}{'x'}{len(spans) - 1}{_MARK}"

    hidden = _SPAN.sub(hide, text)
    pieces: list[str] = []
    for piece in _cut(hidden.replace(f" {_MARK}x", f" X{_MARK}x")):
        if pieces and _ABBREVIATION.search(pieces[-1]):
            pieces[-1] = f"{pieces[-1]} {piece}"
        elif piece.strip():
            pieces.append(piece.strip())

    def shown(piece: str) -> str:
        return re.sub(rf"X?{_MARK}x(\d+){_MARK}", lambda match: spans[int(match.group(1))], piece)

    return tuple(shown(piece) for piece in pieces)


def _cut(text: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(text):
        yield text[start : match.start("gap")]
        start = match.end("gap")
    yield text[start:]


_LEANS_BACK = re.compile(
    r"^(?:this|that|these|those|it|they|he|she|its|their|such|however|but|and|or|so|then|therefore|thus|hence|also"
    r"|otherwise|instead(?! of\b)"
    r"|likewise|similarly|in (?:this|that|these|such|both|either) cases?|in addition|additionally|moreover"
    r"|furthermore|for (?:example|instance)"
    r"|as a result|alternatively|conversely|finally|after that|if so|if not|the (?:same|latter|former|above|second"
    r"|other)|both|here|there(?! (?:are|is|was|were)\b)|now|the above"
    r"|(?:while|since|because(?: of)?|although|though|unlike|like|with(?:out)?|once|after|before|when|if|as|by doing|to do|all of"
    r"|each of|one of|some of|none of|both of) (?:this|that|these|those|it|they|them)"
    r"|previously|again|as such|another (?:way|option|approach|possibility))\b",
    re.IGNORECASE,
)
_IT_IS_POSSIBLE = re.compile(
    r"^it(?:'s| is| may be| can be) (?:\w+ )?"
    r"(?:advisable|best|common|easy|important|necessary|possible|recommended|useful|worth)\b",
    re.IGNORECASE,
)
"""This "it" stands for what follows."""
_ON_THE_OTHER_HAND = re.compile(r"\bon the other hand\b", re.IGNORECASE)


def leans_on_the_one_before(sentence: str) -> bool:
    """Whether a sentence cannot be understood without the one before it."""
    text = sentence.lstrip("*_\"'( ")
    if _IT_IS_POSSIBLE.match(text):
        return False
    return bool(_LEANS_BACK.match(text) or _ON_THE_OTHER_HAND.search(sentence[:80]))


_POINTS_ELSEWHERE = re.compile(
    r"\b(?:see (?:also|the|below|above|our|`)|(?:please|can|should|^) ?refer to|for more (?:information|details|on)|read more"
    r"|learn (?:more|about|how)|as you can see|as we (?:saw|have seen)"
    r"|(?:next|previous|following|this) (?:section|chapter|page|tutorial|guide|document)|in the (?:next|previous"
    r"|above)|(?:shown|described|listed|mentioned|discussed) (?:above|earlier|below|in)"
    r"|table of contents|find (?:out|a list)|diagram|screenshot|the highlighted|the (?:code|example"
    r"|snippet) (?:above|below)|the earlier example|here(?:'s| is| are) (?:an?|some"
    r"|the|another) (?:\w+ )?examples?)\b",
    re.IGNORECASE,
)


LONG = 24
"""A sentence of more words tells something, though it names another place."""
_ONLY_A_PLACE = re.compile(
    r"(?:(?:see|reference|docs?|documentation|source|detailed reference|read more|more)\b[^.:]{0,40}:?(?: on| at| in)? )?"
    r"(?:[\w-]+\.)+(?:com|org|net|io|dev|app|sh|ai|co|me)[.:]?",
    re.IGNORECASE,
)
"""What is left of a paragraph that was nothing but a link."""


def points_elsewhere(sentence: str) -> bool:
    """Whether a sentence sends the reader on instead of telling something."""
    if sentence.lstrip("*_\"'( ").lower().startswith("see ") or _ONLY_A_PLACE.fullmatch(sentence):
        return True
    return bool(_POINTS_ELSEWHERE.search(sentence)) and sentence.count(" ") < LONG


_INTRODUCES = re.compile(
    r"(?::|,|\b(?:as follows|like (?:this|so|the following)|for (?:example|instance)|such as"
    r"|(?:shown|given|listed) (?:here|below)|the following(?: \w+){0,4}"
    r"|(?:example|code|snippet|table|list|output|command)s? below))[.,:*_ ]*$",
    re.IGNORECASE,
)


_LABEL_ALONE = re.compile(r"\*\*[^*]{1,80}\*\*:?")
_END_OF_IT = 80
"""Characters at the end of a sentence in which the announcement stands."""


def is_label(sentence: str) -> bool:
    """Whether a sentence is nothing but the label of what stands behind it: "**See Also**"."""
    return bool(_LABEL_ALONE.fullmatch(sentence))


def introduces(sentence: str) -> bool:
    """Whether a sentence announces what stands right behind it, as does the label of a tab ("**ini**")."""
    return bool(_LABEL_ALONE.fullmatch(sentence)) or bool(_INTRODUCES.search(sentence[-_END_OF_IT:]))


_SHOWS = re.compile(
    r"\b(?:outputs?|picture|image|screenshot|diagram|figure|chart|table|visuali[sz]\w+|looks? like|example|snippet|code)\b"
    r"[^.]{0,60}:\W*$",
    re.IGNORECASE,
)


def shows_something(sentence: str) -> bool:
    """Whether a sentence ends by announcing what is to be looked at, so that no plain paragraph can be it."""
    return bool(_SHOWS.search(sentence))
