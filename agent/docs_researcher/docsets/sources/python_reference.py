"""Pages of Python's docstrings out of a source tree, whatever holds it: an archive, a folder, a commit. Nothing is imported."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.events import Event, Listener
from docs_researcher.docsets.readers.newer_python import older
from docs_researcher.docsets.unfinished import temporary_folder

if TYPE_CHECKING:
    from docs_researcher.docsets.readers.base import Page

Read = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]
"""Reads files of the tree: their paths in, path and content of those that can be read out."""
_SOURCE_ROOTS = frozenset({"src", "lib", "python"})
_LOOKED_AT = 60
"""Files of a package that are searched for the name that it is imported by."""
MAX_BYTES = 60_000_000
"""Code that is parsed for one library; the largest known has a quarter of it."""


def is_code(path: str) -> bool:
    """Whether a file of this path is Python code that may be the library's own."""
    folders = path.lower().split("/")[:-1]
    return path.endswith((".py", ".pyi")) and not {"tests", "test"}.intersection(folders)


def python_reference(
    paths: Collection[str],
    read: Read,
    version: str | None,
    listener: Listener,
    *,
    only: Sequence[str] | None = None,
    roots: Collection[str] = (),
) -> list[Page]:
    """The pages of the packages in a tree, paths as in the tree.

    Args:
        paths: every file of code in it.
        read: reads some of them.
        version: the release that it is.
        listener: told which packages are parsed.
        only: the dotted names that are wanted; None for all that is public.
        roots: folders that the project's documentation puts on `sys.path`, which go before others.
    """
    from docs_researcher.docsets.readers.python_api import find_packages, python_pages

    places = _places(paths, only, roots) if only else {}
    if not places:
        root, packages = find_packages(paths)
        root, packages = _importable(root, packages, paths, read)
        places = {root: list(packages)} if packages else {}
    pages: list[Page] = []
    for root, packages in places.items():
        listener(Event("build", f"parsing {', '.join(packages)}"))
        with temporary_folder() as folder:
            _lay_out(folder, root, packages, paths, read)
            pages.extend(replace(page, path=root + page.path) for page in python_pages(folder.resolve(), packages, version, only))
    return pages


def _importable(root: str, packages: Sequence[str], paths: Collection[str], read: Read) -> tuple[str, Sequence[str]]:
    """The packages as they are imported: `google`, where those in `google/cloud/` call themselves `google.cloud.storage`."""
    parts = [part for part in root.split("/") if part]
    outer = [part for part in parts if part in _SOURCE_ROOTS]
    inner = parts[len(outer) :]
    if not inner or not packages or parts[: len(outer)] != outer or not all(map(str.isidentifier, inner)):
        return root, packages
    own = sorted(path for path in paths if path.startswith(f"{root}{packages[0]}/"))[:_LOOKED_AT]
    called = re.compile(rf"\b(?:from|import)[ \t]+{'[.]'.join([*inner, packages[0]])}\b".encode())
    if not any(called.search(data) for _, data in read(own)):
        return root, packages
    return "".join(f"{part}/" for part in outer), (inner[0],)


def conf_roots(path: str, roots: Iterable[str]) -> list[str]:
    """The folders that a `conf.py` at `path` puts on `sys.path`, as paths in its tree that end with `/` (empty: its top)."""
    joined = (posixpath.normpath(posixpath.join(posixpath.dirname(path), root)) for root in roots)
    return ["" if root == "." else f"{root}/" for root in joined if not root.startswith("..")]


def _places(paths: Collection[str], names: Sequence[str], preferred: Collection[str]) -> dict[str, list[str]]:
    """The packages that the names begin with, by the folder that each lies in: a preferred one, else the nearest to the top."""
    from docs_researcher.docsets.readers.python_api import is_offered

    found: dict[str, list[str]] = {}
    files = set(paths)
    for top in sorted({name.partition(".")[0] for name in names}):
        ends = (f"{top}/__init__.py", f"{top}/__init__.pyi", f"{top}.py")
        ending = [(path, end) for path in paths for end in ends if path == end or path.endswith(f"/{end}")]
        roots = {path[: -len(end)] for path, end in ending if is_offered(path[: -len(end)] + top)}
        # What lies in a package is a part of it and is imported by its name: `linalg` is that of NumPy.
        roots = {root for root in roots if not {f"{root}__init__.py", f"{root}__init__.pyi"} & files}
        if roots:
            root = min(roots, key=lambda root: (root not in preferred, root.count("/"), root != "src/", root))
            found.setdefault(root, []).append(top)
    return found


def _lay_out(folder: Path, root: str, packages: Sequence[str], paths: Iterable[str], read: Read) -> None:
    """Write the packages below `root`, with what is private beside them (`_pytest` beside `pytest`), into a folder."""
    inside = [path for path in paths if path.startswith(root)]
    wanted = [path for path in inside if path[len(root) :].split("/")[0].removesuffix(".py").lstrip("_") in packages]
    left = MAX_BYTES
    for path, data in read(sorted(wanted)):
        left -= len(data)
        if left < 0:
            break
        code = older(data)
        if code is None and path.endswith(".pyi"):  # the module that it describes may be readable without it
            continue
        target = folder / path[len(root) :]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(code if code is not None else data)
    for place in [place for place in folder.rglob("*") if place.is_dir()]:
        is_above = any(place.glob("*/__init__.py*")) or place.parent == folder
        if is_above and not any(place.glob("__init__.py*")):  # a namespace package, which may lie in many places
            (place / "__init__.py").touch()
