"""Where the program starts: `docs-research`, and `python -m docs_researcher`.

Nothing is imported before Ctrl-C is caught: the imports are most of the first fifty milliseconds.
"""

import sys

INTERRUPTED_EXIT = 130
"""What a shell reports for a program that Ctrl-C ended; that of `cli.failures`, which is not imported yet."""


def main() -> None:
    """Run the command line and leave the process."""
    try:
        from docs_researcher.cli.main import main as command_line

        command_line()
    except KeyboardInterrupt:  # before the command line catches it itself
        sys.stderr.write("Interrupted.\n")
        sys.exit(INTERRUPTED_EXIT)


if __name__ == "__main__":
    main()
