"""How fast docsets are built, how large they are, and how much memory very large files take.

    python benchmarks/build.py [--runs N] [PACKAGE ...]

Every package is fetched once; then its pages, held in memory, are read, cut, indexed and written `--runs` times, and the run
with the least CPU time counts. Beside it stands what reading the same files from a disk and hashing them costs, so that machines
can be compared. The large files are generated and read by a process of their own each, whose peak of memory is told.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.acquiring.fetch import MAX_ARCHIVE_BYTES
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.base import Document, Neighbours, Source, SourceInfo, SourceTree
from docs_researcher.docsets.sources.npm import NpmSource
from docs_researcher.docsets.sources.pypi import PypiSource
from docs_researcher.library.packages import parse_package
from docs_researcher.library.registries.npm import NpmRegistry
from docs_researcher.library.registries.pypi import PypiIndex

PACKAGES = ("npm:next", "npm:ai", "npm:fastify", "pypi:flask", "pypi:scrapy", "pypi:pytest", "pypi:django")
SECTION = """\
## Section {0}

Some words about number {0}, with `code{0}` and [a link](/x/{0}).

```python
value = {0}

def f{0}(x: int) -> int:
    return x + {0}
```

| a | b |
|---|---|
| {0} | text |

- one {0}
- two {0}

"""
HTML = (
    "<h2 id='s{0}'>Section {0}</h2><p>Some words about <b>number</b> {0}.</p>"
    "<pre><code>value = {0}</code></pre><ul><li>one</ul>\n"
)
MEASURE = Path(__file__).with_name("build_memory.py")


@dataclass(frozen=True, slots=True)
class Held:
    """A source whose documents are in memory already; pages of declarations are left out."""

    info: SourceInfo
    documents: tuple[Document, ...]
    near: Neighbours

    def read(self, listener: Listener = ignore) -> SourceTree:
        """The documents again."""
        return SourceTree(self.info, iter(self.documents), [], self.near)


def main() -> int:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docs-researcher-bench-") as folder:
        print("| package | files | MB of text | CPU s | files a second | read and hash, times that | file, times its text |")
        print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
        for package in options.packages:
            print(_row(package, Path(folder), options.runs), flush=True)
        print("\n| file | chunks | peak MB |\n|---|---:|---:|", flush=True)
        for name, text in _large():
            print(_memory(name, text, Path(folder)), flush=True)
    return 0


def _row(package: str, folder: Path, runs: int) -> str:
    held = _held(package, folder)
    size = sum(len(document.data) for document in held.documents)
    store = Store(folder / "home")
    build = _best(lambda: build_docset(held, store, replace=True), runs)
    report = build_docset(held, store)
    files = folder / "files"
    files.mkdir(exist_ok=True)
    for number, document in enumerate(held.documents):
        (files / str(number)).write_bytes(document.data)
    hashed = _best(lambda: [hashlib.sha256((files / str(n)).read_bytes()).digest() for n in range(len(held.documents))], runs)
    count = len(held.documents)
    ratio = report.installed.path.stat().st_size / size
    return (
        f"| {package} {held.info.version} | {count} | {size / 1e6:.1f} | {build:.2f} | {count / build:,.0f} | "
        f"{build / hashed:,.0f} | {ratio:.2f} |"
    )


def _held(package: str, folder: Path) -> Held:
    source = _source(package, folder)
    tree = source.read()
    documents = tuple(document for document in tree.documents if document.page is None)
    return Held(tree.info, documents, tree.near)


def _source(package: str, folder: Path) -> Source:
    wanted = parse_package(package)
    if wanted is None:
        raise SystemExit(f"{package} is no package")
    if wanted.type == "npm":
        registry = NpmRegistry(cache_dir=folder)
        manifest = registry.manifest(wanted.name, wanted.version or "latest")
        registry.download(manifest, folder / "package.tgz", max_bytes=MAX_ARCHIVE_BYTES)
        return NpmSource(manifest, folder / "package.tgz")
    index = PypiIndex()
    release = index.release(wanted.name, wanted.version)
    index.download(release, folder / release.filename, max_bytes=MAX_ARCHIVE_BYTES)
    return PypiSource(release, folder / release.filename)


def _best(work: Callable[[], object], runs: int) -> float:
    """CPU seconds of the cheapest run; one more before them warms caches and imports."""
    times: list[float] = []
    for _ in range(runs + 1):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return max(min(times[1:]), 1e-6)


def _large() -> Iterator[tuple[str, str]]:
    yield "50mb.md", "# Big\n\n" + "".join(map(SECTION.format, range(50_000_000 // len(SECTION))))
    yield "50mb-no-headings.md", "Words about nothing in particular.\n\n" * (50_000_000 // 36)
    yield "30mb-one-line.md", "word " * 6_000_000
    yield "30mb.html", "<title>Big</title><main>" + "".join(map(HTML.format, range(30_000_000 // len(HTML)))) + "</main>"


def _memory(name: str, text: str, folder: Path) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, str(MEASURE), str(path), str(folder / "large")], capture_output=True, text=True)
    if done.returncode:
        return f"| {name} | {done.stderr.strip().splitlines()[-1]} | |"
    chunks, memory = map(int, done.stdout.split())
    return f"| {name} | {chunks:,} | {memory / 1_024:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
