"""Which model thinks: what was asked for, what the agent definition says, and what the environment allows."""

from __future__ import annotations

from dataclasses import dataclass

from docs_researcher.core.answer import Notice
from docs_researcher.core.events import Listener
from docs_researcher.docsets.known import asked_store, known_libraries
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
    """
    if name == EXTRACTIVE:
        return ChosenModel(extractive())
    from docs_researcher.models.anthropic.credentials import KEY_HELP, has_credentials

    if not has_credentials():
        if name == "auto":
            return ChosenModel(extractive())
        return ChosenModel(
            extractive(), (Notice("model_unavailable", f"No key is set for {name}; the extractive model answered. {KEY_HELP}"),)
        )
    from docs_researcher.models.anthropic.model import ClaudeModel

    claude = ClaudeModel(defined if name == "auto" else name, listener=listener)
    return ChosenModel(claude, (Notice("model_assumed", claude.said),) if claude.said and name != "auto" else ())


def extractive() -> Model:
    """The model that needs no key and no network."""
    return ExtractiveModel(known)


def known() -> Catalogue:
    """The libraries that a question may name, as of now."""
    return known_libraries(asked_store(), Catalogue.load())
