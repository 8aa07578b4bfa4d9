"""Python that is compiled or written for a newer Python: stubs, overloads alone, docstrings that are added, type parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_researcher.core.events import ignore
from docs_researcher.docsets.readers.autodoc import autodoc_names
from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.readers.newer_python import older
from docs_researcher.docsets.sources.python_reference import python_reference


def pages(files: Mapping[str, str], only: tuple[str, ...] | None = None) -> dict[str, Page]:
    found = python_reference(files, lambda paths: ((path, files[path].encode()) for path in paths), "1.0", ignore, only=only)
    return {page.path: page for page in found}


def text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks)


def test_a_function_that_a_stub_declares_by_overloads_alone_is_read() -> None:
    stub = (
        "from typing import overload\n@overload\ndef parse(x: str) -> int: ...\n@overload\ndef parse(x: bytes) -> None: ...\n"
        "class Reader:\n    @overload\n    def read(self) -> str: ...\n    @overload\n    def read(self, n: int) -> bytes: ...\n"
    )
    shown = text(pages({"acme/__init__.pyi": stub})["acme/__init__.pyi"])
    assert "def parse(x: str) -> int\ndef parse(x: bytes) -> None" in shown
    assert "def read(n: int) -> bytes" in shown


def test_a_docstring_that_another_file_adds_belongs_to_the_compiled_name() -> None:
    files = {
        "acme/__init__.py": "from acme._core import array, Grid\nfrom acme import _docs\n",
        "acme/_core.pyi": "def array(x: object) -> Grid: ...\nclass Grid:\n    def turn(self) -> Grid: ...\n",
        "acme/_docs.py": (
            "add_newdoc('acme._core', 'array', '''Make a grid.\n\n    Of anything.''')\n"
            "add_newdoc('acme.elsewhere', 'Grid', ('turn', '''Turn it.'''))\n"
            "add_newdoc('acme._core', 'computed', 'a' + str(1))\n"
        ),
    }
    shown = text(pages(files)["acme/_core.pyi"])
    assert "Make a grid." in shown
    assert "Of anything." in shown


@pytest.mark.parametrize(
    ("newer", "like"),
    [
        ("type Pair[T] = tuple[T, T]\n", "Pair = tuple[T, T]\n"),
        ("type Name = str\n", "Name = str\n"),
        ("def first[T: (int, str)](x: list[T]) -> T: ...\n", "def first(x: list[T]) -> T: ...\n"),
        ("class Box[T = int](Base[T]):\n    pass\n", "class Box(Base[T]):\n    pass\n"),
        ("async def go[\n    T,\n](x: T): ...\nlast = 1\n", "async def go\\\n\\\n(x: T): ...\nlast = 1\n"),
    ],
)
def test_type_parameters_are_left_out_and_every_line_keeps_its_number(newer: str, like: str) -> None:
    found = older(newer.encode())
    assert found is not None
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(like))
    assert found.count(b"\n") == newer.count("\n")


@pytest.mark.parametrize(
    "code", ["x = type\n", "def f(a): return a[0]\n", "class A: ...\n", 'def f[T](): ...\ntext = """\ntype Name = str\n"""\n']
)
def test_other_code_and_texts_stay_as_they_are_written(code: str) -> None:
    assert older(code.encode()) == code.replace("f[T]", "f").encode()


def test_a_stub_that_no_python_parses_hides_nothing_of_its_module() -> None:
    files = {"acme/__init__.py": 'def spin():\n    """Spins."""\n', "acme/__init__.pyi": "def spin[T(: ...\n"}
    assert "Spins." in text(pages(files)["acme/__init__.py"])


def test_a_summary_names_what_belongs_there_below_its_module() -> None:
    page = """
.. currentmodule:: acme

.. autosummary::
   :toctree: generated/

   array
   ~linalg.norm
   The grid <Grid.turn>

Text about it.

```{autosummary}
zeros
```
"""
    assert autodoc_names([page]) == (
        "acme.array", "acme.linalg.norm", "linalg.norm", "acme.Grid.turn", "Grid.turn", "acme.zeros",
    )  # fmt: skip


def test_a_summary_is_filled_and_a_part_of_a_package_is_no_package_of_its_own() -> None:
    files = {
        "acme/__init__.py": "from acme._impl import array, Grid\n",
        "acme/_impl.py": 'def array():\n    """Makes one."""\nclass Grid:\n    def turn(self):\n        """Turns."""\n',
        "acme/linalg/__init__.py": 'def norm():\n    """Its length."""\n',
    }
    found = pages(files, ("acme.array", "acme.linalg.norm", "linalg.norm", "acme.Grid.turn"))
    assert {path: page.title for path, page in found.items()} == {
        "acme/_impl.py": "acme: impl", "acme/linalg/__init__.py": "acme.linalg",
    }  # fmt: skip
    assert "Turns." in text(found["acme/_impl.py"])


def test_packages_in_a_namespace_stand_under_the_name_that_they_are_imported_by() -> None:
    files = {
        "wind/power/gale/__init__.py": "from wind.power.gale.blow import blow\n",
        "wind/power/gale/blow.py": 'def blow():\n    """Blows."""\n',
        "wind/power/_gale_v2/__init__.py": 'def old():\n    """Old."""\n',
    }
    found = pages(files)
    assert {path: page.title for path, page in found.items()} == {"wind/power/gale/blow.py": "wind.power.gale: blow"}


def test_a_folder_that_only_holds_a_package_is_no_part_of_its_name() -> None:
    files = {
        "bindings/python/gale/__init__.py": "from gale.blow import blow\n",
        "bindings/python/gale/blow.py": 'def blow():\n    """Blows."""\n',
    }
    assert [page.title for page in pages(files).values()] == ["gale: blow"]


def test_files_are_only_looked_at(tmp_path: Path) -> None:
    proof = tmp_path / "ran"
    pages({"acme/__init__.py": f"open({str(proof)!r}, 'w')\ndef f[T](): ...\n"})
    assert not proof.exists()
