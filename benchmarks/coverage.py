"""Which well-known libraries can be answered without any code host, from what: one row a package, written to docs/coverage.md.

    python benchmarks/coverage.py [PACKAGE ...]

Fetches every package from its registry into an empty store. Without arguments it is the list below.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from docs_researcher.core.errors import DocsResearchError
from docs_researcher.docsets.add import add_source
from docs_researcher.docsets.store import Store
from docs_researcher.library.catalogue import Catalogue

TARGET = Path(__file__).parent.parent / "docs" / "coverage.md"
PACKAGES = """
npm:next npm:ai npm:fastify npm:react npm:zod npm:hono npm:express npm:svelte npm:vue npm:vite npm:prisma npm:drizzle-orm
npm:tailwindcss npm:@tanstack/react-query npm:@tanstack/react-router npm:react-router npm:axios npm:lodash npm:typescript
npm:vitest npm:socket.io npm:mongoose
pypi:django pypi:sqlalchemy pypi:flask pypi:pytest pypi:scrapy pypi:click pypi:celery pypi:numpy pypi:fastapi pypi:pydantic
pypi:requests pypi:httpx pypi:aiohttp pypi:attrs pypi:jinja2 pypi:pillow pypi:pandas pypi:rich
"""
HEAD = """\
# What is answered without a code host

Written by `python benchmarks/coverage.py`. Each package was fetched from its registry into an empty store. "Guide" means that
the package ships documentation; "README and declarations" that signatures and comments of its code stand in for one, which
every answer says. Seconds include the download.

| package | version | answered from | pages | chunks | skipped | seconds | MB |
|---|---|---|---:|---:|---:|---:|---:|
"""
RUNGS = {"": "guide", "reference": "README and declarations", "readme": "README"}


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one package."""

    package: str
    cells: tuple[str, ...]


def main() -> int:
    """Fetch, measure, and write the table."""
    packages = sys.argv[1:] or PACKAGES.split()
    catalogue = Catalogue.load()
    with tempfile.TemporaryDirectory() as folder:
        rows = [_row(package, Store(Path(folder)), catalogue) for package in packages]
    text = HEAD + "".join(f"| `{row.package}` | {' | '.join(row.cells)} |\n" for row in rows)
    if sys.argv[1:]:
        print(text)
    else:
        TARGET.write_text(text, encoding="utf-8", newline="\n")
    return 0


def _row(package: str, store: Store, catalogue: Catalogue) -> Row:
    started = time.perf_counter()
    try:
        report = add_source(package, store=store, catalogue=catalogue)
    except DocsResearchError as error:
        return Row(package, ("", f"nothing: {error.message}", "", "", "", f"{time.perf_counter() - started:.1f}", ""))
    seconds = time.perf_counter() - started
    size = report.installed.path.stat().st_size / 1_000_000
    rung = RUNGS[report.installed.meta.coverage]
    counts = (report.pages, report.chunks, len(report.skipped))
    print(f"{package}: {rung}", file=sys.stderr)
    return Row(package, (report.version or "", rung, *(f"{count:,}" for count in counts), f"{seconds:.1f}", f"{size:.1f}"))


if __name__ == "__main__":
    sys.exit(main())
