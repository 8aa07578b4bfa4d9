"""The page docs/coverage.md: one section for each of the two measurements, written one at a time."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "coverage.md"


def arguments(description: str | None) -> argparse.ArgumentParser:
    """The options that both measurements have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into docs/coverage.md and not on the terminal")
    return parser


def publish(heading: str, section: str, *, write: bool) -> None:
    """Print a section of the page, or put it in the place of the one with the same heading."""
    section = f"## {heading}\n\n{section.strip()}\n"
    if not write:
        print(section)
        return
    page = PAGE.read_text(encoding="utf-8")
    old = re.compile(rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    found = old.search(page)
    before, after = (page[: found.start()], page[found.end() :]) if found else (page, "")
    parts = (part.strip() for part in (before, section, after))
    PAGE.write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8", newline="\n")
