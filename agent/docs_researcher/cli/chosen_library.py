"""The argument LIB: an installed library, or the error that says how it is added."""

from __future__ import annotations

from docs_researcher.core.errors import LibraryNotFound
from docs_researcher.docsets.installed.named import NamedLibrary, installed_under
from docs_researcher.docsets.installed.store import Store


def named_library(text: str, store: Store) -> NamedLibrary:
    """What LIB names among the installed libraries and the damaged files of such.

    Raises:
        LibraryNotFound: nothing of that name is installed.
        DocsetUnreadable: the store may not be read.
    """
    found = installed_under(text, store)
    if found is not None:
        return found
    from docs_researcher.docsets.acquiring.refusals import command_that_adds
    from docs_researcher.library.catalogue import Catalogue

    text, installed = text.strip(), list(dict.fromkeys(item.library_id for item in store.listing().files))
    raise LibraryNotFound(
        f"{text or 'An empty name'} is not installed",
        why=f"installed: {', '.join(installed[:10])}" if installed else "nothing is installed yet",
        next_step=f"Add it: {command_that_adds(text, Catalogue.load())}; docs-research list shows what there is.",
    )
