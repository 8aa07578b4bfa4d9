"""Which model thinks: what was asked for, what the agent definition says, and what the environment allows."""

from __future__ import annotations

from dataclasses import dataclass

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import UsageError
from docs_researcher.core.events import Listener
from docs_researcher.docsets.installed.known import asked_store, known_libraries
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.models.base import Model
from docs_researcher.models.extractive import ExtractiveModel

EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model, and what the asker has to know about the choice."""

    model: Model
    notices: tuple[Notice, ...] = ()


def choose_thinker(name: str, defined: str, listener: Listener) -> ChosenModel:
    """The model for a run.

    Args:
        name: "extractive"; "auto" (a Claude model when credentials are set, else the extractive one); or a model's alias or id.
        defined: the agent definition's `model`.
        listener: hears the stream and the retries of a Claude model.

    Raises:
        UsageError: there is no model of that name where no key and no address of another server is set.
    """
    if name == EXTRACTIVE:
        return ChosenModel(extractive())
    from docs_researcher.models.anthropic.credentials import KEY_HELP, has_credentials

    if not has_credentials():
        if name == "auto":
            return ChosenModel(extractive())
        _check_known(name)
        return ChosenModel(
            extractive(), (Notice("model_unavailable", f"No key is set for {name}; the extractive model answered. {KEY_HELP}"),)
        )
    from docs_researcher.models.anthropic.model import ClaudeModel

    claude = ClaudeModel(defined if name == "auto" else name, listener=listener)
    return ChosenModel(claude, (Notice("model_assumed", claude.said),) if claude.said and name != "auto" else ())


def check_model(name: str) -> None:
    """That `choose_thinker` has a model for this name; nothing is asked for it.

    Raises:
        UsageError: it has none.
    """
    from docs_researcher.models.anthropic.credentials import has_credentials

    if name not in (EXTRACTIVE, "auto") and not has_credentials():
        _check_known(name)


def _check_known(name: str) -> None:
    from docs_researcher.models.anthropic.names import ALIASES, DEFAULT_ALIAS, is_known

    if not is_known(name):
        raise UsageError(
            f"There is no model {name!r}",
            why="without the address of another server only Claude models can be asked",
            next_step=f"Name one: auto, extractive, {', '.join(ALIASES)}, or an id such as {ALIASES[DEFAULT_ALIAS]}; "
            "for a model of a local server, set ANTHROPIC_BASE_URL.",
        )


def extractive() -> Model:
    """The model that needs no key and no network."""
    return ExtractiveModel(known)


def known() -> Catalogue:
    """The libraries that a question may name, as of now."""
    return known_libraries(asked_store(), Catalogue.load())
