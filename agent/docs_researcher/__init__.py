"""Research documentation in a conversation of its own and hand back one short, cited answer."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # so that `typing` is not imported: it is most of the time before the program can catch Ctrl-C
if TYPE_CHECKING:
    from typing import Any

    from docs_researcher.core.answer import Answer
    from docs_researcher.core.errors import DocsResearchError
    from docs_researcher.core.limits import Limits
    from docs_researcher.runtime.research import make_researcher, research, research_sync
    from docs_researcher.runtime.researcher import Researcher

__version__ = "0.1.0"

_HOMES = {
    "Answer": "docs_researcher.core.answer",
    "DocsResearchError": "docs_researcher.core.errors",
    "Limits": "docs_researcher.core.limits",
    "Researcher": "docs_researcher.runtime.researcher",
    "make_researcher": "docs_researcher.runtime.research",
    "research": "docs_researcher.runtime.research",
    "research_sync": "docs_researcher.runtime.research",
}

__all__ = ["Answer", "DocsResearchError", "Limits", "Researcher", "make_researcher", "research", "research_sync"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing the package costs nothing."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
