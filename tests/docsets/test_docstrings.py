"""Docstrings as their authors laid them out: code, line breaks and escapes."""

from __future__ import annotations

from pathlib import Path

from docs_researcher.docsets.readers.python_api import python_pages

ESCAPES = r'''
def send():
    """Send it.

    For example::

        def report(seen):
            sys.stdout.write(
                "\r%s done" % (
                    seen))
            sys.stdout.flush()

    It is ``GET /\r\n`` in :class:`bytes`, or ``a\x0bb\u2028c``.

    \f
    More.
    """
'''


def shown(tmp_path: Path, code: str) -> str:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "__init__.py").write_text(code, encoding="utf-8")
    [page] = python_pages(tmp_path, ["acme"], "2.0")
    return "\n\n".join(block.text for block in page.blocks)


def test_escapes_of_control_characters_in_an_example_are_shown_and_end_no_line(tmp_path: Path) -> None:
    text = shown(tmp_path, ESCAPES)
    assert '        "\\r%s done" % (\n            seen))\n    sys.stdout.flush()\n```' in text
    assert "It is `GET /\\r\\n` in `bytes`, or `a\\vb\\u2028c`." in text
    assert text.endswith("More.")


def test_code_below_a_line_that_ends_in_dots_keeps_its_lines(tmp_path: Path) -> None:
    text = shown(
        tmp_path, '"""Ways to send.\n\nExample usages...\n\n# Twice.\na = Way(2)\nb = Client(a)\n"""\ndef f():\n    "F."\n'
    )
    assert "```python\n# Twice.\na = Way(2)\nb = Client(a)\n```" in text
