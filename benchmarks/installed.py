"""Docsets for the benchmarks: built by the product, kept between runs, built again when what builds them changes.

Archives are downloaded once and shared. Docsets lie in a home folder for each state of the building code, so that two checkouts
can measure beside each other. Everything is under the folder that DOCS_RESEARCH_BENCH names, else the platform's cache folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.acquiring.fetch import MAX_ARCHIVE_BYTES
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import PackageRef, parse_package
from docs_researcher.library.registries.npm import NpmRegistry
from docs_researcher.library.registries.pypi import PypiIndex

if TYPE_CHECKING:
    from docs_researcher.docsets.file import Docset
    from docs_researcher.docsets.sources.base import Source

PRODUCT = Path(__file__).parents[1] / "agent" / "docs_researcher"
ONLY_SEARCHED_WITH = frozenset(
    {
        "search.py",
        "index.py",
        "ranked.py",
        "order.py",
        "nudges.py",
        "absent.py",
        "basics.py",
        "joined_names.py",
        "verbs.py",
        "identifiers.py",
        "confidence.py",
        "explain.py",
        "hits.py",
        "fusion.py",
        "full_text.py",
        "own_name.py",
        "related.py",
        "ranking.py",
        "versions.py",
        "planes.py",
        "thesaurus.py",
        "compile_thesaurus.py",
        "thesaurus.json",
        "trim.py",
        "outline.py",
        "nearest.py",
    }
)
"""Changing these changes no docset. Any other file of `docsets` may."""
KEPT_DAYS = 3


def bench_folder() -> Path:
    """Where archives, docsets and peers are kept."""
    named = os.environ.get("DOCS_RESEARCH_BENCH", "").strip()
    if named:
        return Path(named).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("docs-researcher-benchmarks", appauthor=False)


@cache
def home() -> Path:
    """The home folder for docsets of this state of the code."""
    folder = bench_folder() / "homes" / _builder_digest()
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for other in folder.parent.iterdir():
        if time.time() - other.stat().st_mtime > KEPT_DAYS * 24 * 3600:
            shutil.rmtree(other, ignore_errors=True)
    return folder


@cache
def store() -> Store:
    """The docsets of this state of the code."""
    return Store(home())


@cache
def docset(package: str) -> Docset:
    """The open docset of a package at an exact version, such as `pypi:click@8.5.1`; built first when it is not there.

    Raises:
        DocsResearchError: it cannot be fetched or holds no documentation.
    """
    wanted = parse_package(package)
    if wanted is None or wanted.version is None:
        raise SystemExit(f"{package!r} is no package at an exact version; write pypi:click@8.5.1")
    for item in store().installed():
        if (
            item.name == wanted.name
            and item.version == wanted.version
            and (item.meta.purl or "").startswith(f"pkg:{wanted.type}/")
        ):
            return store().open(item)
    print(f"building {package}", file=sys.stderr)
    return store().open(build_docset(_source(wanted, wanted.version), store()).installed)


def home_with_vectors() -> Path:
    """The home folder for the same docsets with the model's vectors."""
    return home() / "with-vectors"


@cache
def docset_with_vectors(package: str) -> Docset:
    """The same docset with its vectors, in a store of its own; what was embedded once is kept for all homes.

    Raises:
        SemanticUnavailable: the extra `semantic` is not installed.
    """
    from docs_researcher.docsets.vectors.make import add_vectors

    there = Store(home_with_vectors())
    plain = store().at(docset(package).path)
    target = there.path_for(plain.meta.name, plain.meta.version, plain.meta.purl)
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(plain.path, target)
    print(f"embedding {package}", file=sys.stderr)
    add_vectors(there.at(target), there, cache=bench_folder() / "vectors")
    return there.open(there.at(target))


def _source(package: PackageRef, version: str) -> Source:
    archives = bench_folder() / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    entry = Catalogue.load().by_package(package)
    if package.type == "npm":
        from docs_researcher.docsets.sources.npm import NpmSource

        registry = NpmRegistry(cache_dir=archives)
        manifest = registry.manifest(package.name, version)
        archive = archives / f"npm-{package.name.replace('/', '__')}-{version}.tgz"
        if not archive.exists():
            partial = archive.with_suffix(f".{os.getpid()}")
            registry.download(manifest, partial, max_bytes=MAX_ARCHIVE_BYTES)
            partial.replace(archive)
        return NpmSource(manifest, archive, entry)
    from docs_researcher.docsets.sources.pypi import PypiSource

    index = PypiIndex()
    release = index.release(package.name, version)
    archive = archives / release.filename
    if not archive.exists():
        partial = archive.with_name(f"{os.getpid()}-{release.filename}")
        index.download(release, partial, max_bytes=MAX_ARCHIVE_BYTES)
        partial.replace(archive)
    return PypiSource(release, archive, entry)


def _builder_digest() -> str:
    digest = hashlib.sha256()
    for folder in (PRODUCT / "docsets", PRODUCT / "library" / "data"):
        for file in sorted(folder.rglob("*")):
            # Vectors are added to a finished docset.
            if (
                "vectors" not in file.relative_to(PRODUCT).parts
                and file.suffix in (".py", ".yaml", ".json", ".bin")
                and file.name not in ONLY_SEARCHED_WITH
            ):
                digest.update(file.relative_to(PRODUCT).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
