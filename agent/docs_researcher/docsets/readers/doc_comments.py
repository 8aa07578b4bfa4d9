"""Comments of the form `/** ... */`: the running text and the tags of JSDoc and TSDoc, as Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docs_researcher.docsets.readers.reference import fenced

_EDGE = re.compile(r"^\s*/\*\*+|\*+/\s*$")
_STAR = re.compile(r"^[ \t]*\*(?: |(?=\t)|$)?")
_TAG = re.compile(r"^[ \t]*@(\w+)(?![\w/.(@-])[ \t]*(.*)$", re.DOTALL)
"""What goes on with other signs is a package (`@scope/name`) or a decorator (`@Injectable()`) at the start of a line."""
_LINK = re.compile(r"\{@link(?:code|plain)?\s+([^\s|}]+)\s*\|?\s*([^}]*)\}")
_TYPE = re.compile(r"^\{[^{}]*\}[ \t]*")
_PARAMETER = re.compile(r"(?:\[([\w.$]+)(?:=((?:[^\[\]]|\[[^\[\]]*\])*))?\]|([\w.$]+))[ \t]*(?:[-–:][ \t]*)?(.*)", re.DOTALL)
_CAPTION = re.compile(r"<caption>(.*?)</caption>")
_HIDDEN = frozenset({"internal", "private", "hidden", "ignore"})
_PARAMETERS = frozenset({"param", "arg", "argument", "property", "prop", "template", "typeparam", "typeParam"})
_LABELS = {
    "returns": "Returns",
    "return": "Returns",
    "throws": "Throws",
    "exception": "Throws",
    "deprecated": "Deprecated",
    "see": "See",
    "since": "Since",
    "version": "Since",
    "default": "Default",
    "defaultValue": "Default",
    "remarks": "",
    "description": "",
    "desc": "",
    "summary": "",
    "note": "Note",
    "warning": "Warning",
    "experimental": "Experimental",
    "beta": "Beta",
    "alpha": "Alpha",
}


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment as Markdown; `is_hidden` where its authors say that it is for themselves."""

    text: str
    is_hidden: bool = False

    @property
    def is_deprecated_only(self) -> bool:
        """Whether it says nothing but what to use instead, in one line."""
        return self.text.startswith("Deprecated") and "\n" not in self.text

    @property
    def as_deprecated(self) -> str:
        """Such a comment as it stood in its file, in one line."""
        return " ".join(f"/** @deprecated {self.text.removeprefix('Deprecated').strip(' :.')} */".split())


def read_comment(source: str) -> Comment:
    """Read a comment with its marks (`/** ... */`). Tags that say nothing to a reader are left out."""
    text = _EDGE.sub("", source.strip())
    lines = [_STAR.sub("", line, count=1).rstrip() for line in text.split("\n")]
    lines[0] = lines[0].strip()
    parts: list[str] = []
    hidden = False
    for name, body in _tags(lines):
        hidden = hidden or name in _HIDDEN
        parts.append(_part(name, _LINK.sub(_link, body).strip("\n")))
    return Comment(_joined(parts), hidden)


def _tags(lines: list[str]) -> list[tuple[str, str]]:
    """The text in front of the first tag (its name is empty), then every tag with its text. Fences hold no tags."""
    found: list[tuple[str, list[str]]] = [("", [])]
    fence = ""
    for line in lines:
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        tag = _TAG.match(line) if not fence and not mark else None
        if tag:
            found.append((tag[1], [tag[2]]))
        else:
            found[-1][1].append(line)
    return [(name, "\n".join(body)) for name, body in found]


def _part(name: str, body: str) -> str:
    if not name:
        return body.strip()
    if name == "example":
        return _example(body)
    if name in _PARAMETERS:
        return _parameter(body)
    label = _LABELS.get(name)
    if label is None:
        return ""
    text = _TYPE.sub("", body.strip())
    if not label:
        return text
    return f"{label}: {text}" if text else f"{label}." if label in ("Deprecated", "Experimental", "Beta", "Alpha") else ""


def _parameter(body: str) -> str:
    found = _PARAMETER.fullmatch(_TYPE.sub("", body.strip()))
    if found is None or not found[4].strip():
        return ""
    default = f" (default `{found[2]}`)" if found[2] else ""
    text = found[4] if "```" in found[4] else " ".join(found[4].split())
    return f"- `{found[1] or found[3]}`{default}: {text}"


def _example(body: str) -> str:
    """An example is code unless it holds a fence of its own; its first line may be a caption."""
    caption = _CAPTION.search(body)
    code = _CAPTION.sub("", body).strip("\n")
    if "```" in code or "~~~" in code:
        return code.strip() if not caption else f"{caption[1]}\n\n{code.strip()}"
    indents = [len(line) - len(line.lstrip()) for line in code.split("\n") if line.strip()]
    if not indents:
        return ""
    margin = min(indents)
    text = fenced("ts", "\n".join(line[margin:] for line in code.split("\n")).strip("\n"))
    return f"{caption[1]}\n\n{text}" if caption else text


def _joined(parts: list[str]) -> str:
    """The parts with a blank line between them, rows of parameters without."""
    text = ""
    before = ""
    for part in filter(None, parts):
        gap = "\n" if part.startswith("- `") and before.startswith("- `") else "\n\n"
        text += (gap if text else "") + part
        before = part
    return text


def _link(match: re.Match[str]) -> str:
    target, label = match[1], match[2].strip()
    if target.startswith(("http://", "https://")):
        return f"[{label}]({target})" if label and label != target else target
    return f"`{label or target}`"
