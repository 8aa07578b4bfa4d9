"""What components show of their attributes: labels, alternative texts, code, tables of properties, entries of a file tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from docs_researcher.docsets.readers.badges import is_badge
from docs_researcher.docsets.readers.base import Kind
from docs_researcher.docsets.readers.jsx import Scan, Tag, scan_tag
from docs_researcher.docsets.readers.literals import parse_literal, render_literal, template_text
from docs_researcher.docsets.readers.rst_code import fenced

_TEXTS = "title label text description content alt heading header caption summary subtitle question answer message tagline"
_TEXT_NAMES = frozenset(_TEXTS.split())
_QUIET = (
    "class classname style href src srcset srclight srcdark id key icon to target rel width height sizes color variant "
    "lang language data-version viewbox d fill xmlns"
)
_QUIET_NAMES = frozenset(_QUIET.split())
_CODE = re.compile(r"snippet|command|code", re.IGNORECASE)
_FIELD = re.compile(r"(?:field|param|prop|property)$", re.IGNORECASE)
_FILE = re.compile(r"(?:^|\.)(File|Folder)$")
_TAB = re.compile(r"(?:^|\.)(?:Tab|TabItem|TabPanel|CodeTab)$")
_TABS = re.compile(r"<(?:Tabs|CodeTabs|Tabs\.Root)\b[^<>]*?\bitems=\{(\[[^\[\]{}]*\])\}", re.DOTALL)
_TAB_OPENING = re.compile(r"<(/?)((?:Tabs\.)?Tab(?:Item|s)?)(?=[\s>])([^<>]*)>")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:.*?^[ \t]*\1[`~]*[ \t]*$|.*\Z)", re.MULTILINE | re.DOTALL)
_KIND_ATTRIBUTES = ("type", "kind", "variant", "intent", "status")
_ASIDES = frozenset({"callout", "aside", "admonition", "alert", "note", "hint"})
"""Components whose `type` says which kind of admonition they are."""
_KINDS = {
    "note": "Note", "tip": "Tip", "info": "Info", "warning": "Warning", "warn": "Warning", "danger": "Danger",
    "caution": "Caution", "important": "Important", "error": "Error", "success": "Success",
    "deprecated": "Deprecated", "hint": "Hint",
}  # fmt: skip
_COMMAND = re.compile(
    r"\$ |(?:npm|npx|pnpm|yarn|bun|bunx|pip|uv|uvx|cargo|brew|curl|docker|git|cd|go|deno|apt|poetry|touch|mkdir|node|python|"
    r"sudo|ng) "
)
_IMPORT = re.compile(r"import\b.*\bfrom\s*['\"]|const .*require\(", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Carried:
    """One piece that a tag stands for: its kind and its text as Markdown."""

    kind: Kind
    text: str
    language: str = ""


def carried(tag: Tag, column: int = 0) -> list[Carried]:
    """What a tag shows by itself, in order. `column` is where it stands on its line: entries of a file tree nest by it."""
    if tag.closing:
        return []
    if not tag.is_component():
        is_shown = tag.name.lower() in ("img", "area") and not is_badge(tag.attributes.get("src", ""))
        alternative = _image_text(tag.attributes.get("alt", "")) if is_shown else ""
        return [Carried("text", alternative)] if alternative else []
    entry = _FILE.search(tag.name)
    if entry and tag.attributes.get("name"):
        end = "/" if entry[1] == "Folder" and not tag.attributes["name"].endswith("/") else ""
        return [Carried("list", f"{' ' * column}- `{tag.attributes['name']}{end}`")]
    field_text = _field_text(tag) if _FIELD.search(tag.name) else ""
    if field_text:
        return [Carried("text", field_text)]
    return [*_label(tag), *_attributes(tag)]


def attribute_text(tag: Tag) -> str:
    """The same inside a line of running text."""
    pieces = [_one_line(piece) for piece in carried(tag)]
    return " ".join(piece for piece in pieces if piece)


def is_code_component(tag: Tag) -> bool:
    """Whether a component shows its text as code (`<CodeBlock>`, `<Snippet>`); a group of code blocks holds Markdown."""
    return tag.is_component() and _CODE.search(tag.name) is not None and not tag.closing and not tag.self_closing


def code_child(text: str, tag: Tag) -> tuple[str, str, int] | None:
    """Code and language of an element whose only child is a template literal, and the position behind the element."""
    match = re.compile(rf"\s*\{{\s*(`(?:[^`\\]|\\.)*`)\s*\}}\s*</{re.escape(tag.name)}\s*>", re.DOTALL).match(text, tag.end)
    if match is None:
        return None
    code = dedent(template_text(match[1])).strip("\n")
    return code, _language(tag, code), match.end()


def label_tabs(text: str) -> str:
    """The text with a label at every tab whose name stands in the list of its group (`<Tabs items={['npm', 'yarn']}>`)."""
    if "items={[" not in text or not _TABS.search(_FENCE.sub("", text)):
        return text
    code = [match.span() for match in _FENCE.finditer(text)]
    groups: list[list[str]] = []
    pieces: list[str] = []
    position = 0
    for match in _TAB_OPENING.finditer(text):
        if any(start <= match.start() < end for start, end in code):
            continue
        closing, name = match[1], match[2]
        if name == "Tabs":
            groups = groups[:-1] if closing else [*groups, _listed(text, match.start())]
        elif not closing and groups and groups[-1]:
            label = groups[-1].pop(0)
            if not re.search(r"\b(?:label|title)=", match[3]) and '"' not in label:
                end = match.start(3)
                pieces += [text[position:end], f' label="{label}"']
                position = end
    return "".join([*pieces, text[position:]])


def _listed(text: str, start: int) -> list[str]:
    """The names in the list of the group of tabs that opens at `start`; none where it has none."""
    items = _TABS.match(text, start)
    names = parse_literal(items[1]) if items else []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _one_line(piece: Carried) -> str:
    if piece.kind != "code":
        return " ".join(piece.text.split())
    code = " ".join(piece.text.split("\n", 1)[1].rpartition("\n")[0].split())
    return code if "`" in code else f"`{code}`"


def _label(tag: Tag) -> Iterator[Carried]:
    """The label of an admonition: its kind, as its name or its type says it, and its title."""
    name = tag.name.rpartition(".")[2].lower()
    kind = next((tag.attributes[key].lower() for key in _KIND_ATTRIBUTES if tag.attributes.get(key)), "")
    shown = _KINDS.get(kind, "") if name in _ASIDES else ""
    shown = shown or _KINDS.get(name, "")
    if shown:
        title = " ".join(tag.attributes.get("title", "").split()) if not tag.attributes.get("title", "").startswith("{") else ""
        title = "" if title.lower() == shown.lower() else title
        yield Carried("admonition", f"**{shown}: {title}**" if title and "*" not in title else f"**{shown}**")


def _attributes(tag: Tag) -> Iterator[Carried]:
    is_labelled = any(True for _ in _label(tag))
    shown_title = ""
    code: Carried | None = None
    rest: list[Carried] = []
    for name, value in tag.attributes.items():
        lowered = name.lower()
        if lowered == "title" and is_labelled:
            continue
        if _shows_code(tag, lowered):
            found = _code_text(value)
            code = Carried("code", fenced(_language(tag, found), found), _language(tag, found)) if found else code
            continue
        if lowered == "packages" and tag.name.startswith("Install"):
            command = f"npm install {'--save-dev ' if 'dev' in tag.attributes else ''}{_code_text(value)}"
            code = Carried("code", fenced("bash", command), "bash")
            continue
        rendered = _value_text(lowered, value)
        if rendered and lowered in ("title", "label", "filename") and not shown_title:
            shown_title = rendered
            rest.append(Carried("text", rendered))
        elif rendered:
            rest.append(Carried("list" if rendered.startswith("- ") else "text", rendered))
    if not rest and _TAB.search(tag.name) and re.fullmatch(r"[\w .+#/-]+", tag.attributes.get("value", "")):
        rest.append(Carried("text", f"**{tag.attributes['value']}**"))
    yield from rest
    if code is not None:
        yield code


def _shows_code(tag: Tag, name: str) -> bool:
    return name in ("code", "command") or (name == "text" and _CODE.search(tag.name) is not None)


def _code_text(value: str) -> str:
    """The code in an attribute: a string, a template literal, a list of lines."""
    if not value.startswith("{"):
        return value.strip()
    inner = value[1:-1].strip()
    if inner.startswith("`"):
        return dedent(template_text(inner)).strip("\n")
    literal = parse_literal(inner)
    if isinstance(literal, list):
        return "\n".join(item for item in literal if isinstance(item, str))
    return literal if isinstance(literal, str) else ""


def _language(tag: Tag, code: str) -> str:
    for name in ("lang", "language"):
        stated = tag.attributes.get(name, "")
        if re.fullmatch(r"[\w+#-]+", stated):
            return stated
    if _COMMAND.match(code):
        return "bash"
    return "ts" if _IMPORT.match(code) else ""


def _field_text(tag: Tag) -> str:
    """`<ParamField path="id" type="string" required>` and its like as "`id` (`string`, required)"."""
    names = [tag.attributes[key] for key in ("name", "path", "query", "body", "header") if tag.attributes.get(key)]
    if not names:
        return ""
    kind = tag.attributes.get("type", "")
    default = tag.attributes.get("default", "")
    facts = [
        f"`{kind}`" if kind and "`" not in kind and not kind.startswith("{") else "",
        "required" if tag.attributes.get("required", "false") in ("", "{true}", "true") else "",
        f"default `{default}`" if default and "`" not in default and not default.startswith("{") else "",
    ]
    shown = ", ".join(filter(None, facts))
    return f"`{names[0]}` ({shown})" if shown else f"`{names[0]}`"


def _image_text(alternative: str) -> str:
    words = " ".join(alternative.split())
    return f"(Image: {words})" if words else ""


def _value_text(name: str, value: str) -> str:
    if name in _QUIET_NAMES or name.startswith(("on", "data-", "aria-")):
        return ""
    if value.startswith("{"):
        return render_literal(parse_literal(value[1:-1]))
    if name == "alt":
        return _image_text(value)
    text = " ".join(value.split())
    if not text or (name not in _TEXT_NAMES and len(text.split()) < 3):
        return ""
    return f"**{text}**" if name in ("title", "label", "heading", "header") and "*" not in text else text


def opening_tag(text: str, start: int, end: int, scan: Scan) -> Tag | None:
    """The tag of a code component that opens at `start`; None for anything else."""
    tag = scan_tag(text, start, end, scan)
    return tag if tag is not None and is_code_component(tag) else None
