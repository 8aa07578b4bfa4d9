"""What a reader sees of interpreted text: `:class:`~flask.Flask`` is `Flask` as code, `:pep:`8`` is the words "PEP 8"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from docs_researcher.docsets.readers.powers import raised_alone

Form = Literal["text", "code", "emphasis", "strong", "link", "reference"]

_TAG = re.compile(r"<[^<>]*>")
_TITLED = re.compile(r"(.+?)\s*<([^<>]*)>", re.DOTALL)
_PRIVATE_PREFIX = re.compile(r"^(~?)_[a-z]\w*\.(?=\w)")
"""`_orm.Session`: a private module, or a project's short word for a module, of which its published pages show nothing."""
_CALLABLE = frozenset({"func", "meth", "function", "method"})
_MEMBER = frozenset({"meth", "attr", "method", "attribute", "property"})
_WORDS = frozenset(
    "text dfn term abbr numref download title title-reference t eq sub sup subscript superscript "
    "index mailheader newsgroup regexp-text user gh-user sd-badge".split()
)
_RAISED = frozenset({"sup", "superscript"})
_NUMBERED = {"pep": "PEP ", "rfc": "RFC ", "cve": "CVE-", "cwe": "CWE-"}
_HASHED = frozenset("issue issues ticket pr pull gh gh-issue bug commit-issue user-issue bpo ghpull ghissue ghpr".split())
NO_OBJECT = (
    _WORDS | _NUMBERED.keys() | _HASHED | {"math", "emphasis", "strong", "e", "code", "kbd", "samp", "file", "command", "program"}
)
"""Roles whose text names nothing that documentation describes."""
_SHOWN_AS = {"emphasis": "emphasis", "e": "emphasis", "strong": "strong"}
_ICONS = frozenset({"octicon", "fas", "fab", "far", "fa", "material-regular", "material-outlined", "material-round"})
_LABELS = frozenset({"menuselection", "guilabel"})
_LABELLED = re.compile(r"&(?=\w)")
"""Stands before the letter that a menu answers to."""
DOC = "doc:"
"""What the label of a reference to a whole page begins with."""
_PLACES = frozenset({"ref", "std:ref", "any", "doc"})


@dataclass(frozen=True, slots=True)
class Shown:
    """The visible text of a role, how it is set, and for a link its address or for a reference its label."""

    form: Form
    text: str
    target: str = ""


def shown_role(role: str, text: str, captions: Mapping[str, str] | None = None) -> Shown:
    """What is to be seen of `text` in this role. A role that is not known is code if it is one word, else text.

    `captions` are the roles that a project has itself, with what they show (`#%s`).
    """
    name = role.lower()
    titled = _TITLED.fullmatch(text)
    title, target = (titled.group(1), titled.group(2).strip()) if titled else ("", text.strip())
    if captions and name in captions:
        return Shown("text", title or captions[name].replace("%s", target))
    if name in _PLACES or name.endswith(":ref"):
        return _place(name, title, target)
    short = name.rpartition(":")[2]
    if short.startswith("raw-") or short in _SHOWN_AS:
        return _as_set(short, text)
    if short in _NUMBERED or short in _HASHED:
        return Shown("text", title or _number(short, target))
    if short in _ICONS or short in _LABELS:
        return Shown("text", _LABELLED.sub("", title or text).replace("-->", "→") if short in _LABELS else "")
    if short in _WORDS or short.startswith("bdg") or not role:
        shown = title or text
        return _default(shown) if not role else Shown("text", raised_alone(shown) if short in _RAISED else shown)
    if short == "math":
        return Shown("code", text)
    if title:
        return Shown("text" if " " in title else "code", title)
    if " " in target and short not in _CALLABLE | _MEMBER | {
        "class",
        "option",
        "samp",
        "kbd",
        "command",
        "code",
        "file",
        "envvar",
    }:
        return Shown("text", target)
    return Shown("code", _object_name(short, target))


def _as_set(role: str, text: str) -> Shown:
    """Text that is set in a way of its own; `raw-html` is what projects call a role that is raw text for one kind of output."""
    if role.startswith("raw-"):
        return Shown("text", _TAG.sub("", text) if role == "raw-html" else "")
    return Shown("strong" if role == "strong" else "emphasis", text)


def _place(name: str, title: str, target: str) -> Shown:
    if title:
        return Shown("text", title)
    if name == "doc":
        parts = [part for part in target.split("/") if part not in ("", ".", "..")]
        if len(parts) > 1 and parts[-1] == "index":
            parts.pop()
        return Shown("reference", parts[-1].replace("-", " ").replace("_", " ") if parts else target, DOC + target)
    if name == "any":
        return _default(target)
    return Shown("reference", target.rpartition(":")[2].replace("-", " ").replace("_", " "), target)


def _number(role: str, target: str) -> str:
    if role in _NUMBERED:
        return _NUMBERED[role] + target.partition("#")[0].removeprefix("CVE-").removeprefix("CWE-")
    return f"#{target}" if target.isdigit() else target


def _default(text: str) -> Shown:
    """Single back-quotes without a role: mostly names, sometimes a title."""
    return Shown("text", text) if " " in text else Shown("code", text)


def _object_name(role: str, target: str) -> str:
    """The name of an object as shown: without `!`, `~` cut to its end, functions with their brackets."""
    name = _PRIVATE_PREFIX.sub(r"\1", target.removeprefix("!").removeprefix("."), count=1)
    if name.startswith("~"):
        parts = name.removeprefix("~").removeprefix(".").split(".")
        name = ".".join(parts[-2:] if role in _MEMBER else parts[-1:])
    if role in _CALLABLE and name and not name.endswith(")"):
        name += "()"
    return name
