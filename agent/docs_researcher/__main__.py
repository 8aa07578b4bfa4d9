"""`python -m docs_researcher` is the command line."""

from docs_researcher.cli.main import main

if __name__ == "__main__":
    main()
