"""What `add` says where an argument is nearly one of its kinds: which kind it took it for, and how that is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_researcher.core.errors import DocsResearchError, NoDocumentation, UsageError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_git import make_repository


def error_of(argument: str, store: Store) -> DocsResearchError:
    with pytest.raises(DocsResearchError) as caught:
        add_source(argument, store=store, catalogue=Catalogue.load())
    return caught.value


@pytest.mark.parametrize("argument", ["npm:", "npm:@", "pypi:Django==", "npm:two words"])
def test_a_package_without_a_name_or_a_version_is_told_how_one_is_written(argument: str, store: Store) -> None:
    error = error_of(argument, store)
    assert isinstance(error, UsageError)
    assert "npm:NAME@VERSION" in error.next_step


def test_an_archive_at_an_address_is_no_page(store: Store) -> None:
    error = error_of("https://docs.example.org/manual.tar.gz", store)
    assert isinstance(error, UsageError)
    assert "Download it" in error.next_step


def test_an_address_without_a_host_says_how_one_is_written(store: Store) -> None:
    error = error_of("https://", store)
    assert isinstance(error, NoDocumentation)
    assert "https://docs.example.org" in error.next_step


@pytest.mark.interop
def test_a_repository_on_this_disk_is_named_by_its_whole_path(store: Store, tmp_path: Path) -> None:
    repository = make_repository(tmp_path / "repo", {"v1.0": {"docs/use.md": "# Use\n\nTurn it.\n"}})
    assert error_of(repository.as_uri(), store).what == f"{repository} has 1 tag; is it meant?"
