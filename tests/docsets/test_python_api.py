"""Python docstrings and signatures as pages: parsed, never imported."""

from __future__ import annotations

from pathlib import Path

import pytest
from griffe import Docstring

from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.readers.autodoc import autodoc_names
from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.readers.docstrings import docstring_blocks
from docs_researcher.docsets.readers.python_api import find_packages, python_pages

CLIENT = '''
"""How to talk to it."""
import os
raise SystemExit("nobody may import this")

def _helper(): ...

class Client(Base):
    """A connection.

    Args:
        token: who asks.

    Example:
        >>> Client("t").get("/")
    """

    url: str = "https://a.example"

    def __init__(self, token: str, *, retries: int = 3) -> None: ...

    def get(self, path, /, *parts, timeout: float | None = None, **more) -> bytes:
        """Read ``path``.

        :param path: where
        :param timeout: seconds
        :raises OSError: when it fails
        """

    def undocumented(self): ...
    def _private(self):
        """Ours."""
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "acme"
    (folder / "v1").mkdir(parents=True)
    (folder / "_client.py").write_text(CLIENT)
    (folder / "__init__.py").write_text(
        'from ._client import Client\nfrom os import path\n__all__ = ["Client", "gone", "path"]\n'
    )
    (folder / "v1" / "__init__.py").write_text('def old():\n    """Old."""\n')
    (folder / "broken.py").write_text("def (:\n")
    return tmp_path


def headings(page: Page) -> list[str]:
    return [block.title for block in page.blocks if block.kind == "heading"]


def test_a_name_stands_under_its_public_path_with_signature_and_docstring(package: Path) -> None:
    pages = {page.path: page for page in python_pages(package, ["acme"], "2.0")}
    page = pages["acme/_client.py"]
    assert page.title == "acme: client"
    assert headings(page) == ["acme: client", "acme.Client", "Client.get"]
    text = "\n\n".join(block.text for block in page.blocks)
    assert "How to talk to it." in text
    assert "class Client(Base):\n  url: str = 'https://a.example'\n" in text
    assert "  def __init__(token: str, *, retries: int = 3) -> None\n  def undocumented()" in text
    assert "def get(path, /, *parts, timeout: float | None = None, **more) -> bytes" in text
    assert "- `token`: who asks." in text
    assert '```pycon\n>>> Client("t").get("/")\n```' in text
    assert "Read `path`." in text
    assert "- `timeout`: seconds" in text
    assert "- `OSError`: when it fails" in text
    assert "Ours." not in text
    assert "_helper" not in text


def test_an_older_version_inside_the_package_is_left_out(package: Path) -> None:
    assert "acme/v1/__init__.py" not in {page.path for page in python_pages(package, ["acme"], "2.0")}
    assert "acme/v1/__init__.py" in {page.path for page in python_pages(package, ["acme"], "1.0")}


def test_only_the_names_that_are_wanted_are_taken(package: Path) -> None:
    [page] = python_pages(package, ["acme"], "2.0", ["acme.Client", "acme.nothing", "other.Client"])
    assert headings(page)[1:] == ["acme.Client", "Client.get"]


def test_a_package_that_is_not_there_gives_no_pages(tmp_path: Path) -> None:
    assert python_pages(tmp_path, ["acme"]) == []


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["src/acme/__init__.py", "src/_acme/__init__.py", "tests/__init__.py", "docs/x/__init__.py"], ("src/", ("acme",))),
        (["acme/__init__.py", "acme/sub/__init__.py", "setup.py"], ("", ("acme",))),
        (["lib/acme/__init__.py", "setup.py", "examples/demo/__init__.py"], ("lib/", ("acme",))),
        (["acme/types.py", "acme/graph/__init__.py", "bench/__init__.py", "bench/wide.py"], ("", ("acme",))),
        (["src/acme/types.py", "src/acme/graph/__init__.py"], ("src/", ("acme",))),
        (["src/run.py", "src/acme/__init__.py"], ("src/", ("acme",))),
        (["google/cloud/store/__init__.py"], ("google/cloud/", ("store",))),
        (["six.py", "setup.py", "conftest.py"], ("", ("six",))),
        (["acme-2.dist-info/METADATA"], ("", ())),
    ],
)
def test_the_packages_of_a_source_tree_are_found(paths: list[str], found: tuple[str, tuple[str, ...]]) -> None:
    assert find_packages(paths) == found


def test_autodoc_directives_name_what_belongs_there() -> None:
    page = """
.. currentmodule:: acme

.. autoclass:: Client
   :members:

.. automethod:: acme.Client.get
.. autofunction:: acme.api.get
.. automodule:: acme.tools
.. class:: NotThis
"""
    assert autodoc_names([page]) == ("acme.Client", "acme.api.get", "acme.tools")


TILDES = '''
"""
acme.api
~~~~~~~~

Calls it::

    call("now")

:copyright: (c) 2012 by somebody.
"""

def call(when, **more):
    """Sends a call.

    Usage:

    r = call("now")
    assert r.ok

    :param str when: the time
        of day.
    :param more: what :func:`send` takes.
    :type more: dict
    :return: :class:`Response <Response>` object
    :rtype: acme.Response
    :raises OSError: when it fails.

    Usage::

      >>> call("now")
      <Response>
    """

class AcmeError(Exception):
    """Something failed."""

class TimedOut(AcmeError):
    """It took too long."""

class Refused(AcmeError):
    """It may not."""
    def why(self):
        """The reason."""

class Session:
    """Holds a connection."""
    def __init__(self, url, limit=3):
        self.url = url
        self.limit = limit
        self.state: str = url
'''


def test_fields_of_sphinx_are_lists_and_what_stands_behind_them_stays(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "__init__.py").write_text("")
    (tmp_path / "acme" / "api.py").write_text(TILDES)
    [page] = python_pages(tmp_path, ["acme"], "2.0")
    assert [block.text for block in page.blocks][:14] == [
        "# acme.api",
        "Calls it:",
        '```python\ncall("now")\n```',
        "## acme.api.call",
        "```python\ndef call(when, **more)\n```",
        "Sends a call.",
        "Usage:",
        '```python\nr = call("now")\nassert r.ok\n```',
        "Parameters:",
        "- `when`: the time of day.\n- `more`: what `send()` takes.",
        "Returns:",
        "- `acme.Response`: `Response` object",
        "Raises:",
        "- `OSError`: when it fails.",
    ]
    assert [block.text for block in page.blocks][14:16] == ["Usage:", '```pycon\n>>> call("now")\n<Response>\n```']


def test_exceptions_with_a_sentence_stand_together_and_those_with_more_apart(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "__init__.py").write_text(TILDES)
    [page] = python_pages(tmp_path, ["acme"], "2.0")
    assert headings(page)[2:] == ["Exceptions", "acme.AcmeError", "acme.TimedOut", "acme.Refused", "Refused.why", "acme.Session"]
    [chunk] = [chunk for chunk in chunk_page(page) if chunk.heading == ("Exceptions",)]
    assert "### acme.TimedOut" in chunk.content
    assert "Refused" not in chunk.content


def test_what_init_assigns_is_shown_where_it_says_its_type(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "__init__.py").write_text(TILDES)
    [page] = python_pages(tmp_path, ["acme"], "2.0")
    assert "class Session:\n  def __init__(url, limit=3)\n  state: str\n```" in "\n".join(block.text for block in page.blocks)


def test_code_that_only_a_sentence_announces_is_code(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    text = "Sets it.\n\n    Usage:\n\n    q = Params(1)\n    q = q.set(2)\n\n    Usage of it is free: ask us.\n"
    (tmp_path / "acme" / "__init__.py").write_text(f'def set_it():\n    """{text}    """\n')
    [page] = python_pages(tmp_path, ["acme"], "2.0")
    assert [block.text for block in page.blocks][4:] == [
        "Usage:",
        "```python\nq = Params(1)\nq = q.set(2)\n```",
        "Usage of it is free: ask us.",
    ]


DESCRIBED = '''
from typing import Annotated
from annotated_doc import Doc
from typing_extensions import deprecated
from ._base import Session
from elsewhere import Other

__version__ = "1"

def Option(
    default: Annotated[str | None, Doc("What it is without one.")] = None,
    prompt: Annotated[
        bool,
        Doc(
            """
            Ask for the value.

            ```python
            Option(prompt=True)
            ```
            """
        ),
    ] = False,
    plain: Annotated[int, "a mark of another library"] = 0,
    computed: Annotated[int, Doc(f"{TEXT}")] = 0,
    regex: Annotated[str | None, Doc("A pattern."), deprecated("Use `pattern` instead.")] = None,
    deprecated: bool = False,
) -> str: ...

class Settings:
    name: Annotated[str, Doc("How it is called.")] = "a"
'''
BASE = '''
class Session:
    def get(self, path: str) -> bytes:
        """Read a path."""
'''


@pytest.fixture
def described(tmp_path: Path) -> dict[str, str]:
    """The section of every name of a package that describes its parameters in their annotations."""
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "__init__.py").write_text(DESCRIBED)
    (folder / "_base.py").write_text(BASE)
    found: dict[str, str] = {}
    name = ""
    for block in (block for page in python_pages(tmp_path, ["acme"]) for block in page.blocks):
        if block.kind == "heading":
            name = block.title
        else:
            found[name] = f"{found.get(name, '')}{block.text}\n\n"
    return found


def test_what_annotations_say_of_a_parameter_is_read_and_the_signature_stays_short(described: dict[str, str]) -> None:
    text = described["acme.Option"]
    assert "default: str | None = None" in text
    assert "prompt: bool = False" in text
    assert "- `default`: What it is without one." in text
    assert "regex: str | None = None" in text, "a parameter of the same name hides what `deprecated` stands for"
    assert "**Deprecated:** Use `pattern` instead." in text
    assert "`prompt`: Ask for the value.\n\n```python\nOption(prompt=True)\n```" in text


def test_an_annotation_of_another_library_and_a_computed_description_stay_as_they_are(described: dict[str, str]) -> None:
    text = described["acme.Option"]
    assert "plain: Annotated[int, 'a mark of another library'] = 0" in text
    assert "computed: Annotated[int, Doc(" in text


def test_an_attribute_is_described_by_its_annotation(described: dict[str, str]) -> None:
    assert described["Settings.name"] == "```python\nname: str = 'a'\n```\n\nHow it is called.\n\n"


def test_a_class_without_a_docstring_is_kept_for_its_members_under_the_name_that_its_package_imports(
    described: dict[str, str],
) -> None:
    assert "class Session:" in described["acme.Session"]
    assert "Read a path." in described["Session.get"]
    assert not any("Other" in name for name in described)


def test_a_directive_alone_in_a_description_is_read_like_one_in_text() -> None:
    docstring = Docstring("Raise.\n\n:param check:\n    .. versionadded:: 8.4\n\n    Is called with ``error``.\n")
    text = "\n".join(block.text for block in docstring_blocks(docstring))
    assert ".. versionadded" not in text
    assert "Added in version 8.4" in text
    assert "Is called with `error`" in text


def docstring(text: str) -> str:
    return "\n\n".join(block.text for block in docstring_blocks(Docstring(text)))


def test_named_links_of_a_docstring_show_their_address_wherever_it_stands() -> None:
    text = """Reads the `content`_ field, see `here <https://a.example/x>`_.

:param encoding: one of those in the
    `codecs documentation`_ or RFC_
:param other: see `elsewhere`_

.. _codecs documentation:
    https://docs.example/codecs.html
.. _content: https://c.example
.. _RFC: https://rfc.example
"""
    shown = docstring(text)
    assert "Reads the [content](https://c.example) field, see [here](https://a.example/x)." in shown
    assert (
        "- `encoding`: one of those in the [codecs documentation](https://docs.example/codecs.html) or [RFC](https://rfc.example)"
        in shown
    )
    assert "- `other`: see elsewhere" in shown
    assert "`_" not in shown


def test_a_directive_that_touches_the_text_above_it_is_read() -> None:
    text = "Works.\n.. note:: Slowly.\n\n:param size: The least size.\n    .. versionadded:: 4.0\n\n    More.\n"
    text += ":rtype: :class:`~a.B`\\[:class:`~a.C`\\]\n"
    shown = docstring(text)
    assert "Works.\n\n**Note:** Slowly." in shown
    assert "- `size`: The least size.\n\n  **Added in version 4.0**\n\n  More." in shown
    assert "- `B[C]`" in shown
    assert "Added in version 1.0" in docstring("Args:\n    a: The first.\n        .. versionadded:: 1.0\n")
