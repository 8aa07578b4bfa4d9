"""Names of models, and what each kind can be asked for. Imports nothing, so that names can be checked before a key exists."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_ALIAS = "haiku"
"""Reading and quoting needs no larger model."""

ALIASES = {
    "haiku": "claude-haiku-5-5",
    "sonnet": "claude-sonnet-5-5",
    "opus": "claude-opus-5-5",
    "fable": "claude-fable-5-2",
}
"""The newest of each class in the type literals of `anthropic` 2.14 (2026-11-29)."""

_DEFAULTS = frozenset({"", "inherit", "auto", "default"})
"""Words that leave the choice to us."""


@dataclass(frozen=True, slots=True)
class Features:
    """What a request to a model may hold beside messages and tools."""

    effort: bool
    caching: bool
    search_results: bool
    """Whether tool results may be `search_result` blocks, which the model cites by themselves."""


FULL = Features(effort=True, caching=True, search_results=True)
PLAIN = Features(effort=False, caching=False, search_results=False)
"""For models that are not Claude's: Ollama, LM Studio, llama.cpp and vLLM take messages and tools, and little else for sure."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The id to send, and what has to be said about how it was chosen (or an empty string)."""

    id: str
    said: str = ""

    @property
    def features(self) -> Features:
        """What this model can be asked for; the adapter gives a feature up when the API refuses it."""
        return FULL if self.id.startswith("claude-") else PLAIN


def is_known(name: str) -> bool:
    """Whether a name is one of Claude's: an alias, or an id of any provider (`claude-...`, `anthropic.claude-...`)."""
    word = name.strip().split("[", 1)[0].lower()
    return word in _DEFAULTS or word in ALIASES or "claude" in word


def choose_model(name: str) -> ModelChoice:
    """The model behind a name: an alias in any case (`haiku`, `sonnet[1m]`), `inherit`, or an id that is sent as it is."""
    word = name.strip().split("[", 1)[0].lower()
    if word in _DEFAULTS:
        chosen = ALIASES[DEFAULT_ALIAS]
        said = f'The agent definition says "inherit"; there is nothing to inherit from here, so {chosen} thinks.'
        return ModelChoice(chosen, said if word == "inherit" else "")
    return ModelChoice(ALIASES.get(word, name.strip()))
