"""What libraries are answered from where a code host can be reached: real documentation in git repositories, served on loopback.

    scripts/bench coverage_git [--write]

What each project publishes is fetched from its registry, committed, tagged the way the project does it, and served by
`git http-backend`, which git asks in the place of GitHub. Then it is read from there with the steps that a question and `add`
take. --write puts the table into docs/coverage.md.
"""

from __future__ import annotations

import os
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from coverage_page import arguments, publish
from git_host import GitHost, git, redirected, serve_commits

from docs_researcher.core.errors import DocsResearchError, NoDocumentation
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.acquiring.outside import Outside, Wanted
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.registries.npm import NpmRegistry
from docs_researcher.library.registries.pypi import PypiIndex

CODE_HOST = "https://github.com"


@dataclass(frozen=True, slots=True)
class Project:
    """A package, and the repository that its files are put into.

    Attributes:
        package: where the files come from.
        repository: `owner/name`; for a library with a repository in the catalogue it is that one.
        tag: how releases are tagged there.
        moved: the docs folder of the package, and where it lies in the repository.
    """

    package: str
    repository: str
    tag: str
    moved: tuple[str, str] | None = None


PROJECTS = (
    Project("npm:fastify", "fastify/fastify", "v{version}"),
    Project("npm:ai", "vercel/ai", "ai@{version}", ("docs", "content/docs")),
    Project("npm:next", "vercel/next.js", "v{version}", ("dist/docs", "docs")),
    Project("npm:react-router", "remix-run/react-router", "react-router@{version}"),
    Project("pypi:flask", "pallets/flask", "{version}"),
    Project("pypi:pytest", "pytest-dev/pytest", "{version}"),
    Project("pypi:celery", "celery/celery", "v{version}"),
    Project("pypi:sqlalchemy", "sqlalchemy/sqlalchemy", "rel_{underscored}"),
)
HEADING = "With a code host"
HEAD = """\
`scripts/bench coverage_git --write`. What each project publishes was committed, tagged and served on loopback by `git
http-backend`, and read as from GitHub: refs listed, one commit fetched, its docs folder read out of git's objects. "Question"
is the step that a question takes where the catalogue knows the repository and the package ships no guide; "add" is
`docs-research add ADDRESS --tag TAG`, where the docs folder has to be found. "Archive" is the number of pages that the same
release gives as the registry's archive. The docstrings that a Python guide leaves to autodoc are read beside it from either.
SQLAlchemy publishes its pages rendered as well, beside their sources: those count as skipped. Seconds are those of the fetch
and the build.

| package | tag | read by | pages | archive | chunks | skipped | seconds | MB |
|---|---|---|---:|---:|---:|---:|---:|---:|
"""
MAX_BYTES = 256 * 1024 * 1024


def main() -> int:
    """Fetch, serve, measure, and show the table."""
    write = bool(arguments(__doc__).parse_args().write)
    catalogue = Catalogue.load()
    rows: list[str] = []
    with tempfile.TemporaryDirectory(prefix="docs-researcher-bench-") as name:
        folder = Path(name)
        with GitHost(folder / "host") as host:
            os.environ.update(redirected(f"{CODE_HOST}/", f"{host.url}/"))
            for project in PROJECTS:
                rows.append(_row(project, folder, catalogue))
                print(rows[-1], end="", file=sys.stderr)
    publish(HEADING, HEAD + "".join(rows), write=write)
    return 0


def _row(project: Project, folder: Path, catalogue: Catalogue) -> str:
    version, archive = _archive(project.package, folder)
    tag = project.tag.format(version=version, underscored=version.replace(".", "_"))
    _commit(archive, folder / "host" / project.repository, tag, project.moved)
    packed = add_source(f"{project.package}@{version}", store=Store(folder / "packed"), catalogue=catalogue)
    started = time.perf_counter()
    try:
        how, report = _read(project, version, tag, Store(folder / "read" / archive.stem), catalogue)
    except DocsResearchError as error:
        return f"| `{project.package}` | `{tag}` | nothing: {error.message} | | | | | | |\n"
    seconds = time.perf_counter() - started
    size = report.installed.path.stat().st_size / 1_000_000
    counts = f"{report.pages:,} | {packed.pages:,} | {report.chunks:,} | {len(report.skipped):,}"
    return f"| `{project.package}` | `{tag}` | {how} | {counts} | {seconds:.1f} | {size:.1f} |\n"


def _read(project: Project, version: str, tag: str, store: Store, catalogue: Catalogue) -> tuple[str, BuildReport]:
    entry = catalogue.find(project.package)
    if entry is None or entry.git is None:
        return "add", add_source(f"{CODE_HOST}/{project.repository}", store=store, catalogue=catalogue, tag=tag)
    outside = Outside(entry, store)
    report = outside.fetch(Wanted(version, lambda: version))
    if report is None:
        raise NoDocumentation("; ".join(notice.text for notice in outside.missed))
    return "question", report


def _archive(package: str, folder: Path) -> tuple[str, Path]:
    """The newest release of a package, and its archive with everything that the project publishes."""
    kind, _, name = package.partition(":")
    if kind == "npm":
        registry = NpmRegistry()
        manifest = registry.manifest(name)
        path = folder / f"{name}.tgz"
        registry.download(manifest, path, max_bytes=MAX_BYTES)
        return manifest.version, path
    index = PypiIndex()
    release = index.release(name, index.newest(name))
    path = folder / release.filename
    index.download(release, path, max_bytes=MAX_BYTES)
    return release.version, path


def _commit(archive: Path, repository: Path, tag: str, moved: tuple[str, str] | None) -> None:
    """Make a repository of an archive's one folder: one commit, with its tag."""
    unpacked = archive.with_name(f"{archive.name}-unpacked")
    with tarfile.open(archive) as packed:
        packed.extractall(unpacked, filter="data")
    repository.parent.mkdir(parents=True, exist_ok=True)
    next(path for path in unpacked.iterdir() if path.is_dir()).rename(repository)
    if moved is not None:
        target = repository / moved[1]
        target.parent.mkdir(parents=True, exist_ok=True)
        (repository / moved[0]).rename(target)
    git(repository, "init", "-q", "-b", "main")
    git(repository, "add", "-A", "-f")
    git(repository, "commit", "-qm", tag)
    git(repository, "tag", tag)
    serve_commits(repository)


if __name__ == "__main__":
    sys.exit(main())
