"""What a Python program gives, checked before anything is built: a wrong value is a `UsageError` that says what to give."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from docs_researcher.core.errors import UsageError
from docs_researcher.library.packages import parse_package
from docs_researcher.runtime.setting_values import READERS

if TYPE_CHECKING:
    from docs_researcher.runtime.options import ResearchOptions

_LIMITS = ("turns", "resolve_calls", "query_calls", "tokens_read", "answer_tokens", "seconds", "cost")
_PACKAGE = re.compile(r"(?:npm|pypi):|pkg:(?:npm|pypi)/", re.IGNORECASE)
_NEVER_NONE = frozenset({"model", "docs_from"})


def check_question(question: object, library: object, answer_tokens: object, trace: object) -> Path | None:
    """Check what one question is asked with.

    Returns:
        The file for the transcript as a path; None without one.

    Raises:
        UsageError: one of them cannot be what it is.
    """
    _check("question", question, _text)
    if library is not None:
        _check("library", library, library_text)
    if answer_tokens is not None:
        _check("answer_tokens", answer_tokens, READERS["answer_tokens"])
    return None if trace is None else Path(cast("str", _check("trace", trace, _path)))


def check_options(options: ResearchOptions) -> None:
    """Check the values of the options; which ones there are, `options.refuse_unknown` says.

    Raises:
        UsageError: an option cannot be what it is.
    """
    for name, value in options.items():
        reader = _OPTIONS.get(name)
        if reader is not None and (value is not None or name in _NEVER_NONE):
            _check(name, value, reader)


def _check(name: str, value: object, reader: Callable[[object], object]) -> object:
    try:
        return reader(value)
    except ValueError as error:
        raise UsageError(
            f"{name} cannot be {_shown(value)}",
            why=f"it takes {error}",
            next_step=f"Give {name} such a value, or leave it out." if name != "question" else "Give it as a text.",
        ) from error


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a str")
    return value


def library_text(value: object) -> str:
    """The library that an asker fixes.

    Raises:
        ValueError: what it has to be; none is fixed by leaving it out, and not by an empty text.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a name, name@version, a package such as npm:next@16, or an id such as /vercel/next.js")
    if _PACKAGE.match(value.strip()) and parse_package(value) is None:
        raise ValueError("a package as npm:NAME, npm:NAME@VERSION, pypi:NAME or pypi:NAME==VERSION")
    return value


def check_library(value: str | None) -> None:
    """Check the library that is fixed beside a question; None is none.

    Raises:
        UsageError: it is an empty text.
    """
    if value is not None:
        _check("library", value, library_text)


def _path(value: object) -> str:
    if not isinstance(value, str | os.PathLike) or not os.fspath(cast("str", value)):
        raise ValueError("a Path, or a str that is one")
    return str(os.fspath(cast("str", value)))


def _folder(value: object) -> str:
    path = _path(value)
    if not os.path.isdir(path):  # noqa: PTH112 -- what no file system takes is no folder, and no error of its own
        raise ValueError("a folder of your project that is there, or leave it out")
    return path


def _model(value: object) -> object:
    if isinstance(value, str):
        return READERS["model"](value)
    if not hasattr(value, "reply"):
        raise ValueError('"auto", "extractive", the alias or id of a model, or a Model of your own')
    return value


def _limits(value: object) -> object:
    if not isinstance(value, Mapping):
        raise ValueError(f"a mapping of limits to numbers; the limits are {', '.join(_LIMITS)}")
    for name, limit in cast("Mapping[object, object]", value).items():
        if name not in _LIMITS:
            raise ValueError(f"limits that there are, which {name!r} is not: {', '.join(_LIMITS)}")
        if limit is not None:
            _limit(str(name), limit)
    return cast("object", value)


def _limit(name: str, value: object) -> None:
    try:
        READERS[name](value)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from error


def _callable(value: object) -> object:
    if not callable(value):
        raise ValueError("a function")
    return value


_OPTIONS: Mapping[str, Callable[[object], object]] = {
    "docs_from": READERS["docs_from"],
    "model": _model,
    "offline": READERS["offline"],
    "yes": READERS["offline"],
    "strict_version": READERS["strict_version"],
    "listener": _callable,
    "agent": _path,
    "limits": _limits,
    "prices": _path,
    "confirm": _callable,
    "first_fetch_free": READERS["offline"],
    "cache": READERS["offline"],
    "project_dir": _folder,
    "server_notes": READERS["server_notes"],
    "disk_mb": READERS["disk_mb"],
}
"""Every option of `ResearchOptions` with the reader of its value."""
