"""A Python package as griffe parses it, and what it offers under the name of one of its own modules.

`pendulum.datetime` is a function and a module. For Python the function is what `from pendulum import datetime` gives; griffe
keeps one member a name, and the module wins there. Griffe is imported with this module, so import it where a package is read.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from griffe import Alias, Class, Extension, GriffeLoader, Module, load_extensions

from docs_researcher.docsets.readers.added_docs import add_docs

if TYPE_CHECKING:
    from griffe import Attribute, Function, Object


def load_package(root: Path, package: str, shadowed: dict[str, Object | Alias], beside: Sequence[str] = ()) -> Module | None:
    """The package or module of this name in `root`, None where it cannot be read.

    What it offers under the dotted path of one of its modules is put into `shadowed`. Names that it takes from the
    packages `beside` it in the same project are followed into those.
    """
    kept = _InitNames()
    extensions = load_extensions(kept, OverloadsAlone())
    loader = GriffeLoader(extensions=extensions, search_paths=[str(root)], allow_inspection=False, store_source=False)
    with silent():
        for name in beside:  # first: griffe follows names into them while it reads a package with stubs
            with suppress(Exception):
                loader.load(name, try_relative_path=False)
        try:
            loaded = loader.load(package, try_relative_path=False)
            loader.resolve_aliases(implicit=False, external=None)  # None: `_pytest` beside `pytest` is the same project
        except Exception:  # a tree that griffe gives up on has its README left; it raises errors of the code's syntax tree too
            return None
    if not isinstance(loaded, Module):
        return None
    folder = root / package
    if folder.is_dir():
        add_docs(loaded, folder)
    for path, item in kept.found.items():
        is_the_module = isinstance(item, Alias) and item.target_path == path
        if not is_the_module and _is_module(loaded, path):
            shadowed[path] = item
    return loaded


class OverloadsAlone(Extension):
    """Makes a member of every name that has overloads and no implementation, as in stubs: no other way would lead to them."""

    def on_members(self, *, obj: Object, **kwargs: Any) -> None:
        """Look at a module or class whose members have been read."""
        if not isinstance(obj, (Module, Class)):
            return
        for name, overloads in list(obj.overloads.items()):
            if overloads and name not in obj.members:
                overloads[0].overloads = list(overloads)
                obj.set_member(name, overloads[0])


class _InitNames(Extension):
    """Keeps the names that packages define or import in their `__init__`, by their dotted path."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Object | Alias] = {}

    def on_function_instance(self, *, func: Function, **kwargs: Any) -> None:
        self._keep(func)

    def on_class_instance(self, *, cls: Class, **kwargs: Any) -> None:
        self._keep(cls)

    def on_attribute_instance(self, *, attr: Attribute, **kwargs: Any) -> None:
        self._keep(attr)

    def on_alias_instance(self, *, alias: Alias, **kwargs: Any) -> None:
        self._keep(alias)

    def _keep(self, item: Object | Alias) -> None:
        parent = item.parent
        if parent is not None and parent.is_module and cast("Module", parent).is_init_module:
            self.found[item.path] = item


def _is_module(package: Module, path: str) -> bool:
    """Whether a dotted path is that of a module of the package."""
    found: Object | Alias | None = package
    for part in path.split(".")[1:]:
        found = found.members.get(part) if found is not None and not found.is_alias else None
    return found is not None and not found.is_alias and found.is_module


@contextmanager
def silent() -> Generator[None]:
    """Keep the parser's remarks about other people's code out of our stderr."""
    logger = logging.getLogger("griffe")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before
