"""What well-known libraries are answered from where no code host can be reached: one row a library.

    scripts/bench coverage [--write] [PACKAGE ...]

Every package is acquired the way a question does it, into an empty store. Git is sent to a closed port in the place of every code
host, so nothing waits for one. Without packages the list below is taken; --write puts the table into docs/coverage.md.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from coverage_page import arguments, publish
from git_host import redirected

from docs_researcher.core.errors import DocsResearchError
from docs_researcher.docsets.acquiring.acquire import Acquirer, FetchPolicy
from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import parse_package

PACKAGES = """
npm:next npm:react-router npm:shadcn pypi:fastapi pypi:sqlalchemy pypi:djangorestframework pypi:pydantic npm:@auth0/nextjs-auth0
npm:next-intl npm:@tanstack/react-query npm:react-hook-form npm:tailwindcss npm:vue-router npm:element-plus npm:prisma npm:express
npm:svelte npm:@supabase/supabase-js npm:wrangler npm:ahooks npm:@angular/core pypi:polars pypi:boto3 pypi:langgraph
npm:ai npm:fastify npm:react npm:zod npm:hono npm:vue npm:vite
pypi:django pypi:flask pypi:pytest pypi:scrapy pypi:click pypi:celery pypi:numpy pypi:requests pypi:httpx
"""
"""First the libraries of npm and PyPI that tests/cases/questions.jsonl asks about, then others that are well known."""
HEADING = "Without a code host"
HEAD = """\
`scripts/bench coverage --write`. Each library was acquired the way a question does it, into an empty store, with git sent to a
closed port. No website could be reached where this was measured either, so no `llms.txt` answers. "Guide" means that the package
ships documentation; "README and declarations" that signatures and comments of its code stand in for one, which every answer says.
Seconds include the download. The first 24 are those of npm and PyPI that `tests/cases/questions.jsonl` asks about. "Outside" is
what the catalogue knows for the library; where the package ships no guide, that is asked before the declarations.

| package | version | answered from | pages | chunks | skipped | seconds | MB | outside |
|---|---|---|---:|---:|---:|---:|---:|---|
"""
RUNGS = {"": "guide", "reference": "README and declarations", "readme": "README"}


def main() -> int:
    """Acquire, measure, and show the table."""
    parser = arguments(__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    options = parser.parse_args()
    os.environ.update(redirected("https://", "http://127.0.0.1:9/"))
    catalogue = Catalogue.load()
    rows: list[str] = []
    with tempfile.TemporaryDirectory(prefix="docs-researcher-bench-") as folder:
        for package in options.packages or PACKAGES.split():
            rows.append(f"| `{package}` | {' | '.join(_cells(package, Store(Path(folder)), catalogue))} |\n")
            print(rows[-1], end="", file=sys.stderr)
    publish(HEADING, HEAD + "".join(rows), write=options.write)
    return 0


def _cells(text: str, store: Store, catalogue: Catalogue) -> tuple[str, ...]:
    package = parse_package(text)
    if package is None:
        return ("", "no package", "", "", "", "", "", "")
    entry = catalogue.by_package(package)
    outside = " and ".join(name for name, place in (("git", entry.git), ("llms.txt", entry.llms)) if place) if entry else ""
    acquirer = Acquirer(store, catalogue, FetchPolicy(yes=True))
    started = time.perf_counter()
    try:
        installed = acquirer.acquire(acquirer.library_id(package)).installed
    except DocsResearchError as error:
        return ("", f"nothing: {error.message}", "", "", "", f"{time.perf_counter() - started:.1f}", "", outside)
    seconds = time.perf_counter() - started
    with store.open(installed) as docset:
        counts = (installed.meta.pages, installed.meta.chunks, len(docset.skipped()))
    size = installed.path.stat().st_size / 1_000_000
    return (
        installed.version or "",
        _rung(installed),
        *(f"{count:,}" for count in counts),
        f"{seconds:.1f}",
        f"{size:.1f}",
        outside,
    )


def _rung(installed: Installed) -> str:
    meta = installed.meta
    if meta.commit is not None:
        return "guide, git"
    return "guide, llms.txt" if meta.source_url is not None else RUNGS[meta.coverage]


if __name__ == "__main__":
    sys.exit(main())
