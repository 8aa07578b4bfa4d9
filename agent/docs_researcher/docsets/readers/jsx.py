"""Tags in Markdown text, HTML and JSX alike: where one ends, and what stands in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HTML = (
    "a abbr address article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col "
    "colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame "
    "frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu "
    "meta meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search "
    "section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th "
    "thead time title tr track tt u ul var video wbr path g circle rect line polyline polygon defs use"
)
HTML_NAMES = frozenset(_HTML.split())
_OPEN = re.compile(r"<(/?)([A-Za-z][\w.-]*)?(?=[\s/>])")
_SPACE = re.compile(r"\s*")
_ATTRIBUTE = re.compile(r"[A-Za-z_:@#][\w:.@-]*")
_EQUALS = re.compile(r"\s*=\s*")
_UNQUOTED = re.compile(r"[^\s\"'=<>`{]+")
_IN_EXPRESSION = re.compile(r"[{}\"'`]|/\*")
_STRING = {
    '"': re.compile(r'"(?:[^"\\\n]|\\.)*"', re.DOTALL),
    "'": re.compile(r"'(?:[^'\\\n]|\\.)*'", re.DOTALL),
    "`": re.compile(r"`(?:[^`\\]|\\.)*`", re.DOTALL),
}
_CLOSED = re.compile(r"</([A-Za-z][\w.-]*)[ \t]*>")
_CLOSED_TEMPLATE = re.compile(r"\{%-?[ \t]*/[ \t]*([\w-]+)")


@dataclass(slots=True)
class Scan:
    """What the scans over one document share.

    `left` bounds the work that failed scans may cost in all, so that thousands of unclosed tags, quotes or braces stay
    linear: when it is used up, a `<` is a plain character.
    """

    closed: frozenset[str]
    """Names that have a closing tag somewhere in the document; those of Markdoc's tags with a `%` before them."""
    left: int

    @classmethod
    def of(cls, text: str) -> Scan:
        """The scan for one document."""
        templates = (f"%{name}" for name in _CLOSED_TEMPLATE.findall(text)) if "{%" in text else ()
        return cls(frozenset((*_CLOSED.findall(text), *templates)), 4 * len(text) + 10_000)


@dataclass(slots=True)
class Tag:
    """One tag: `end` is the position behind its `>`. `name` is empty for a fragment (`<>`)."""

    name: str
    closing: bool
    end: int = 0
    self_closing: bool = False
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    """Values as text. An expression keeps its braces; an attribute without a value is empty."""

    def is_markup(self, scan: Scan) -> bool:
        """Whether this is a tag and not a placeholder that its author forgot to escape (`<your-project>`)."""
        if not self.name or self.closing or self.self_closing or self.attributes:
            return True
        return self.name.lower() in HTML_NAMES or self.name in scan.closed

    def is_component(self) -> bool:
        """Whether it is a JSX component rather than an HTML element."""
        return self.name[:1].isupper() or "." in self.name


def scan_tag(text: str, start: int, end: int, scan: Scan) -> Tag | None:
    """The tag that begins at `start`, or None when there is none that ends before `end`."""
    if scan.left <= 0:
        return None
    match = _OPEN.match(text, start, end)
    if match is None:
        return None
    tag = Tag(match.group(2) or "", match.group(1) == "/")
    position = match.end()
    while True:
        position = _skip_space(text, position, end)
        character = text[position : position + 1] if position < end else ""
        if character == ">":
            tag.end = position + 1
            return tag
        if text.startswith("/>", position) and position + 2 <= end:
            tag.self_closing, tag.end = True, position + 2
            return tag
        following = None if tag.closing or not tag.name else _attribute(text, position, end, tag, scan)
        if following is None:
            scan.left -= position - start + 1
            return None
        position = following


def _attribute(text: str, position: int, end: int, tag: Tag, scan: Scan) -> int | None:
    """Read one attribute into `tag` and return the position behind it."""
    if text[position : position + 1] == "{":  # a spread: {...props}
        return scan_braces(text, position, end, scan)
    name = _ATTRIBUTE.match(text, position, end)
    if name is None:
        return None
    equals = _EQUALS.match(text, name.end(), end)
    if equals is None:
        tag.attributes[name.group()] = ""
        return name.end()
    start = equals.end()
    quote = text[start : start + 1] if start < end else ""
    if quote in ('"', "'"):
        closing = text.find(quote, start + 1, end)
        if closing < 0 or "\n\n" in text[start:closing]:
            scan.left -= (closing if closing >= 0 else end) - start
            return None
        tag.attributes[name.group()] = text[start + 1 : closing]
        return closing + 1
    if quote == "{":
        closing_brace = scan_braces(text, start, end, scan)
        if closing_brace is not None:
            tag.attributes[name.group()] = text[start:closing_brace]
        return closing_brace
    value = _UNQUOTED.match(text, start, end)
    if value is None:
        return None
    tag.attributes[name.group()] = value.group()
    return value.end()


def _skip_space(text: str, position: int, end: int) -> int:
    match = _SPACE.match(text, position, end)
    return match.end() if match else position


def scan_braces(text: str, start: int, end: int, scan: Scan) -> int | None:
    """The position behind the `}` that closes the `{` at `start`; strings and comments inside are skipped."""
    depth = 0
    position = start
    while scan.left > 0:
        match = _IN_EXPRESSION.search(text, position, end)
        if match is None:
            break
        found = match.group()
        position = match.end()
        if found == "{":
            depth += 1
        elif found == "}":
            depth -= 1
            if depth == 0:
                return position
        else:
            position = _skip_quoted(text, match.start(), end, scan)
    scan.left -= end - start
    return None


def _skip_quoted(text: str, start: int, end: int, scan: Scan) -> int:
    """The position behind the string or comment at `start`; an unclosed one (an apostrophe in prose) is one character."""
    pattern = _STRING.get(text[start])
    if pattern is not None:
        match = pattern.match(text, start, end)
        if match is not None:
            return match.end()
    else:
        closing = text.find("*/", start + 2, end)
        if closing >= 0:
            return closing + 2
    line_end = text.find("\n", start, end) if text[start] in "\"'" else -1
    scan.left -= (end if line_end < 0 else line_end) - start
    return start + 1
