"""Which names of a Python package its pages show, and under what they stand."""

from __future__ import annotations

from pathlib import Path

from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.readers.python_api import python_pages


def pages(tmp_path: Path, files: dict[str, str], only: tuple[str, ...] | None = None) -> dict[str, Page]:
    for path, text in files.items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return {page.path: page for page in python_pages(tmp_path, ("acme",), only=only)}


def headings(page: Page) -> list[str]:
    return [block.title for block in page.blocks if block.kind == "heading"][1:]


def code(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if block.kind == "code")


SHADOWING = {
    "acme/__init__.py": 'from acme.tool import tool\nfrom . import plain\ndef time(hour: int):\n    """A time."""\n',
    "acme/time.py": 'class Time:\n    """Holds a time."""\n',
    "acme/tool.py": 'def tool(name):\n    """Makes it."""\n',
    "acme/plain.py": 'def inner():\n    """Stands in a module that nothing shadows."""\n',
    "acme/user.py": 'from acme import tool as maker\n__all__ = ["maker"]\n',
}


def test_a_name_that_a_package_offers_is_not_lost_behind_its_module_of_the_same_name(tmp_path: Path) -> None:
    found = pages(tmp_path, SHADOWING)
    assert headings(found["acme/__init__.py"]) == ["acme.time"]
    assert headings(found["acme/tool.py"]) == ["acme.tool"]
    assert headings(found["acme/time.py"]) == ["acme.time.Time"]
    assert headings(found["acme/plain.py"]) == ["acme.plain.inner"]


def test_a_wanted_name_means_the_function_and_the_module_of_that_name(tmp_path: Path) -> None:
    found = pages(tmp_path, SHADOWING, only=("acme.time",))
    assert headings(found["acme/__init__.py"]) == ["acme.time"]
    assert headings(found["acme/time.py"]) == ["acme.time.Time"]


def test_the_values_of_an_enum_are_shown_without_any_docstring(tmp_path: Path) -> None:
    day = f'class Day(IntEnum):\n    MONDAY = 0\n    LONG = "{"x" * 200}"\n'
    files = {
        "acme/__init__.py": "",
        "acme/days.py": f"from enum import IntEnum\n{day}class Bare:\n    A = 1\n",
    }
    [page] = pages(tmp_path, files).values()
    assert headings(page) == ["acme.days.Day"]
    assert "class Day(IntEnum):\n  MONDAY = 0\n  LONG\n" in code(page)


def test_what_a_class_gives_its_attributes_is_shown_where_it_is_short(tmp_path: Path) -> None:
    text = f'''
from typing import TypeVar
class Limits:
    """Bounds."""
    DEFAULT = 15.0
    T = TypeVar("T")
    table = {{{", ".join(f'"{number}": {number}' for number in range(40))}}}
    def __init__(self):
        self.own = 1
'''
    [page] = pages(tmp_path, {"acme/__init__.py": "", "acme/limits.py": text}).values()
    assert "class Limits:\n  DEFAULT = 15.0\n" in code(page)
    assert not any(word in code(page) for word in ("TypeVar", "table", "own"))


def test_the_constants_of_a_package_are_shown_also_beside_an_all_that_leaves_them_out(tmp_path: Path) -> None:
    text = """
from typing import TypeVar
from .other import IMPORTED
__all__ = ["run"]
MONDAY = 1
T = TypeVar("T")
_HIDDEN = 2
setting = 3
def run(): ...
"""
    [page] = pages(tmp_path, {"acme/__init__.py": text, "acme/other.py": "IMPORTED = 4\n"}).values()
    assert headings(page) == ["acme.MONDAY", "acme.run"]


def test_only_modules_for_users_show_what_they_say_of_themselves_beside_a_guide(tmp_path: Path) -> None:
    said = f'"""{"A module says what it is for. " * 6}"""\n'
    files = {
        "acme/__init__.py": said,
        "acme/run.py": 'def start():\n    """Starts."""\n',
        "acme/bench/settings.py": said,
        "acme/bench/__init__.py": "",
        "acme/_tests/__init__.py": said,
        "acme/testing/__init__.py": f'{said}def client():\n    """For tests."""\n',
    }
    found = pages(tmp_path, files, only=("acme.run.start", "acme.testing"))
    assert set(found) == {"acme/__init__.py", "acme/run.py", "acme/testing/__init__.py"}
    assert found["acme/testing/__init__.py"].blocks[1].text.startswith("A module says")


def test_the_title_of_a_page_tells_the_module_whose_names_are_imported_from_elsewhere(tmp_path: Path) -> None:
    said = 'def {0}():\n    """Runs."""\n'
    files = {
        "acme/__init__.py": "from acme._core._tasks import spawn\nfrom acme.net import connect\nfrom acme.net._udp import send\n"
        + said.format("run"),
        "acme/_core/__init__.py": "",
        "acme/_core/_tasks.py": said.format("spawn"),
        "acme/net/__init__.py": said.format("connect"),
        "acme/net/_udp.py": said.format("send"),
        "acme/streams.py": said.format("copy"),
    }
    titles = {path: page.title for path, page in pages(tmp_path, files).items()}
    assert titles == {
        "acme/__init__.py": "acme",
        "acme/_core/_tasks.py": "acme: tasks",
        "acme/net/__init__.py": "acme: net",
        "acme/net/_udp.py": "acme: udp",
        "acme/streams.py": "acme.streams",
    }


MADE = {
    "acme/__init__.py": """
from ._log import Gate, Log as _Log
__all__ = ["log", "gate", "Gate"]
log = _Log(level=1)
gate = Gate()
""",
    "acme/_log.py": """
class Log:
    def add(self, sink):
        'Adds a sink.'

class Gate:
    'Lets through.'
""",
}


def test_a_public_value_shows_the_methods_of_the_class_that_nothing_else_leads_to(tmp_path: Path) -> None:
    found = pages(tmp_path, MADE)
    assert headings(found["acme/_log.py"]) == ["acme.log", "log.add", "acme.Gate"]
    assert "Adds a sink." in [block.text for block in found["acme/_log.py"].blocks]
    assert headings(found["acme/__init__.py"]) == ["acme.gate"]


BESIDE = {
    "acme/__init__.py": "from acm import define\nfrom acm._next import fields\n",
    "acme/__init__.pyi": "from typing import overload\n@overload\ndef define(a: int): ...\n@overload\ndef define(a: str): ...\n",
    "acm/__init__.py": "from ._next import define\n",
    "acm/_next.py": 'def define(a):\n    """Defines it."""\n\ndef fields():\n    """Its fields."""\n',
}


def test_wanted_names_are_followed_into_another_package_of_the_project(tmp_path: Path) -> None:
    pages(tmp_path, BESIDE)
    found = python_pages(tmp_path, ("acme", "acm"), only=("acme.define", "acme.fields"))
    assert {page.path: headings(page) for page in found} == {"acm/_next.py": ["acme.define", "acme.fields"]}
