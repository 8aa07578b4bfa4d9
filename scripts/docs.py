"""Write docs/cli.md from the help texts of the real commands; with --check, fail if it is out of date."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from docs_researcher.cli.commands import COMMANDS, command_line, load_command
from docs_researcher.cli.failures import PROGRAM

TARGET = Path(__file__).parent.parent / "docs" / "cli.md"
WIDTH = 100
HEAD = """\
# Command line

Written by `python scripts/docs.py` from the help texts of the commands; change those, not this page.
"""


def main() -> int:
    """Write the page, or compare it."""
    text = page()
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TARGET.name} is out of date: run: python scripts/docs.py", file=sys.stderr)
    return 1


def page() -> str:
    """The whole page: the program, then every command."""
    settings: dict[str, Any] = {**command_line.context_settings, "max_content_width": WIDTH, "terminal_width": WIDTH}
    top = click.Context(command_line, info_name=PROGRAM, **settings)
    parts = [HEAD, _section(f"`{PROGRAM}`", command_line.get_help(top))]
    for name in COMMANDS:
        command = load_command(name)
        context = click.Context(command, info_name=name, parent=top, **settings)
        parts.append(_section(f"`{PROGRAM} {name}`", command.get_help(context)))
    return "\n".join(parts)


def _section(title: str, text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"## {title}\n\n```text\n{lines}\n```\n"


if __name__ == "__main__":
    sys.exit(main())
