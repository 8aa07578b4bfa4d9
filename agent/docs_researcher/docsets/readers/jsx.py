"""Tags in Markdown text, HTML and JSX alike: where one ends, and which of its attributes carry text for a reader."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docs_researcher.docsets.readers.literals import parse_literal, render_literal

_HTML = (
    "a abbr address article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col "
    "colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame "
    "frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu "
    "meta meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search "
    "section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th "
    "thead time title tr track tt u ul var video wbr path g circle rect line polyline polygon defs use"
)
HTML_NAMES = frozenset(_HTML.split())
_TEXTS = "title label text description content alt heading header caption summary subtitle question answer message tagline"
_TEXT_NAMES = frozenset(_TEXTS.split())
_QUIET = (
    "class classname style href src srcset srclight srcdark id key icon to target rel width height sizes color variant "
    "lang language data-version viewbox d fill xmlns"
)
_QUIET_NAMES = frozenset(_QUIET.split())
_CODE_COMPONENT = re.compile(r"snippet|command|code", re.IGNORECASE)
_FIELD_COMPONENT = re.compile(r"(?:field|param|prop|property)$", re.IGNORECASE)
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


@dataclass(slots=True)
class Scan:
    """What the scans over one document share.

    `left` bounds the work that failed scans may cost in all, so that thousands of unclosed tags, quotes or braces stay
    linear: when it is used up, a `<` is a plain character.
    """

    closed: frozenset[str]
    """Names that have a closing tag somewhere in the document."""
    left: int

    @classmethod
    def of(cls, text: str) -> Scan:
        """The scan for one document."""
        return cls(frozenset(_CLOSED.findall(text)), 4 * len(text) + 10_000)


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


def attribute_text(tag: Tag) -> str:
    """The text that a tag carries in its attributes, as Markdown: labels, alternative texts, tables of properties."""
    if tag.closing or not tag.attributes:
        return ""
    if not tag.is_component():
        return _image_text(tag.attributes.get("alt", "")) if tag.name.lower() in ("img", "area") else ""
    if _FIELD_COMPONENT.search(tag.name):
        field_text = _field_text(tag)
        if field_text:
            return field_text
    parts: list[str] = []
    for name, value in tag.attributes.items():
        rendered = _value_text(tag.name, name.lower(), value)
        if rendered:
            parts.append(rendered)
    return "\n\n".join(parts)


def _field_text(tag: Tag) -> str:
    """`<ParamField path="id" type="string">` and its like as "`id` (`string`)"."""
    names = [tag.attributes[key] for key in ("name", "path", "query", "body", "header") if tag.attributes.get(key)]
    kind = tag.attributes.get("type", "")
    text = f"`{names[0]}`" if names else ""
    return f"{text} (`{kind}`)" if text and kind and "`" not in kind else text


def _image_text(alternative: str) -> str:
    words = " ".join(alternative.split())
    return f"(Image: {words})" if words else ""


def _value_text(component: str, name: str, value: str) -> str:
    if name in _QUIET_NAMES or name.startswith(("on", "data-", "aria-")):
        return ""
    if value.startswith("{"):
        return render_literal(parse_literal(value[1:-1]))
    if name == "alt":
        return _image_text(value)
    text = " ".join(value.split())
    if name not in _TEXT_NAMES and not (name in ("code", "command") or len(text.split()) >= 3):
        return ""
    if not text:
        return ""
    if name in ("code", "command") or (name == "text" and _CODE_COMPONENT.search(component)):
        return text if "`" in text else f"`{text}`"
    return f"**{text}**" if name in ("title", "label", "heading", "header") and "*" not in text else text
