"""Running text of AsciiDoc as Markdown: attributes, links, cross references, emphasis."""

from __future__ import annotations

import re
from collections.abc import Mapping

_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ATTRIBUTE = re.compile(r"\{([\w-]+)\}")
_URL = re.compile(r"(?:link:)?(https?://[^\s\[\]<>]+)\[([^\]]*)\]")
_LINK = re.compile(r"(?:link|xref):([^\s\[\]]+)\[([^\]]*)\]")
_CROSS = re.compile(r"<<([^,<>]+)(?:,([^<>]+))?>>")
_MACRO = re.compile(r"(?:kbd|btn|menu|image|icon|footnote|pass|stem):+[^\s\[\]]*\[([^\]]*)\]")
_BOLD = re.compile(r"(?<![\w*])\*(?!\s|\*)([^*\n]+?)(?<!\s)\*(?![\w*])")
_ITALIC = re.compile(r"(?<![\w_])_(?!\s|_)([^_\n]+?)(?<!\s)_(?![\w_])")
_PLUS = re.compile(r"(?<!\w)\+(?!\s|\+)([^+\n]+?)(?<!\s)\+(?!\w)")
_MARKED = re.compile(r"(?:\[[\w.,# -]*\])?(?<![\w#])#(?!\s|#)([^#\n]+?)(?<!\s)#(?![\w#])")
_CHARACTERS = {
    "nbsp": " ", "sp": " ", "empty": "", "blank": "", "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "plus": "+",
    "cpp": "C++", "cxx": "C++", "pp": "++", "asterisk": "*", "tilde": "~", "caret": "^", "backtick": "`", "backslash": "\\",
    "startsb": "[", "endsb": "]", "vbar": "|", "zwsp": "", "wj": "", "two-colons": "::", "two-semicolons": ";;", "hyphen": "-",
    "ndash": "–", "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°", "brvbar": "¦",
}  # fmt: skip
"""Characters that every document may write as an attribute."""
_ANCHOR = re.compile(r"\[\[[\w:.-]+(?:,[^\]]*)?\]\]")


def inline(text: str, attributes: Mapping[str, str]) -> str:
    """One piece of running text as Markdown. Of inline code only attributes are put in."""
    pieces: list[str] = []
    position = 0
    for match in _CODE.finditer(text):
        pieces.append(_outside(text[position : match.start()], attributes))
        code = with_attributes(match[2].strip("+"), attributes)
        pieces.append(f"`{code}`")
        position = match.end()
    pieces.append(_outside(text[position:], attributes))
    return "".join(pieces)


def with_attributes(text: str, attributes: Mapping[str, str]) -> str:
    """`text` with the values of attributes; one that is not known stays as written."""
    return _ATTRIBUTE.sub(lambda found: attributes.get(found[1], _CHARACTERS.get(found[1].lower(), found[0])), text)


def _outside(text: str, attributes: Mapping[str, str]) -> str:
    text = with_attributes(text, attributes)
    text = _MARKED.sub(r"\1", text)
    text = _ANCHOR.sub("", text)
    text = _URL.sub(lambda found: f"[{found[2].partition(',')[0].rstrip('^') or found[1]}]({found[1]})", text)
    text = _LINK.sub(lambda found: found[2].rstrip("^") or found[1], text)
    text = _CROSS.sub(lambda found: (found[2] or found[1]).strip(), text)
    text = _MACRO.sub(r"\1", text)
    text = _PLUS.sub(r"`\1`", text)
    text = _ITALIC.sub(r"*\1*", _BOLD.sub(r"\0\1\0", text))
    return text.replace("\0", "**")
