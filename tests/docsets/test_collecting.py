"""While a docset is built garbage is searched for seldom, and afterwards as often as before."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from docs_researcher.core.errors import NoDocumentation
from docs_researcher.core.events import Event
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.collecting import SELDOM, collecting_seldom
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue


def test_a_build_searches_seldom_and_leaves_the_setting_as_it_was(tmp_path: Path, store: Store) -> None:
    (tmp_path / "guide").mkdir()
    (tmp_path / "guide" / "a.md").write_text("# A\n\nSome words.\n")
    before, during = gc.get_threshold(), list[tuple[int, int, int]]()

    def note(event: Event) -> None:
        during.append(gc.get_threshold())

    add_source(str(tmp_path / "guide"), store=store, catalogue=Catalogue.load(), listener=note)
    assert SELDOM in during
    assert gc.get_threshold() == before != SELDOM


def test_a_build_that_fails_leaves_the_setting_as_it_was(tmp_path: Path, store: Store) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "a.md").write_text("")
    before = gc.get_threshold()
    with pytest.raises(NoDocumentation):
        add_source(str(tmp_path / "empty"), store=store, catalogue=Catalogue.load())
    assert gc.get_threshold() == before


def test_the_last_of_several_builds_sets_it_back() -> None:
    before = gc.get_threshold()
    first, second = collecting_seldom(), collecting_seldom()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == SELDOM
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before
