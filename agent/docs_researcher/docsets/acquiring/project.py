"""The documentation of everything that a project depends on directly, added in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from docs_researcher.core.errors import DocsResearchError, NoDocumentation, PackageNotFound, UsageError, VersionNotFound
from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.acquiring.acquire import Acquirer, FetchPolicy
from docs_researcher.docsets.installed.added import Added

if TYPE_CHECKING:
    from docs_researcher.docsets.acquiring.acquire import Acquired
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.library.packages import PackageRef
    from docs_researcher.library.projects.values import Dependency, Project

AT_ONCE = 4
"""Dependencies that are fetched at the same time: indexing is work for one processor, and registries are not to be rushed."""
_TYPES = "@types/"

Became = Literal["added", "present", "nothing", "failed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one dependency.

    Attributes:
        package: with the version that the project has, or asks for.
        became: `added`; `present` when it was installed before; `nothing` when there is no documentation to be had; `failed`.
        acquired: the docset that answers for it now.
        why: the reason, where there is none.
        next_step: what the user can do about it.
    """

    package: PackageRef
    became: Became
    acquired: Acquired | None = None
    why: str = ""
    next_step: str = ""


def direct_packages(project: Project) -> tuple[PackageRef, ...]:
    """The packages of npm and PyPI that a project names itself, each once, by name.

    A package of types (`@types/react`) is left out beside the package that it describes.

    Raises:
        UsageError: it names none.
    """
    found: dict[tuple[str, str], PackageRef] = {}
    for dependency in project.dependencies:
        package = _package(dependency)
        if package is not None:
            found.setdefault((package.type, package.name), package)
    described = {("npm", name) for kind, name in found if kind == "npm"}
    kept = [
        package
        for _, package in sorted(found.items())
        if not (package.name.startswith(_TYPES) and ("npm", _described(package.name)) in described)
    ]
    if not kept:
        raise UsageError(
            f"{project.root} names no package of npm or PyPI",
            why="read are the manifests and lock files of npm, pnpm, yarn, bun, pip, uv, poetry and pdm",
            next_step="Run it in the project's folder, or name that with --project-dir.",
        )
    return tuple(kept)


def add_project(
    project: Project, store: Store, catalogue: Catalogue, listener: Listener = ignore, *, offline: bool = False
) -> Iterator[Outcome]:
    """Install the documentation of every direct dependency, at the project's versions; each as soon as it is done.

    Raises:
        UsageError: the project names no package.
    """
    packages = direct_packages(project)
    policy = FetchPolicy(offline=offline, yes=True, project=project, by="user")
    acquirer = Acquirer(store, catalogue, policy, listener)

    def add(package: PackageRef) -> Outcome:
        return _add(package, acquirer, store)

    yield from _in_parallel(add, packages)


def _in_parallel(add: Callable[[PackageRef], Outcome], packages: tuple[PackageRef, ...]) -> Iterator[Outcome]:
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        running: set[Future[Outcome]] = {pool.submit(add, package) for package in packages}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _add(package: PackageRef, acquirer: Acquirer, store: Store) -> Outcome:
    base = acquirer.library_id(package)
    before = {item.path for item in store.find(base)}
    try:
        acquired = acquirer.acquire(base, package.version)
    except (NoDocumentation, PackageNotFound, VersionNotFound) as error:
        return Outcome(package, "nothing", why=error.message, next_step=error.next_step)
    except DocsResearchError as error:
        return Outcome(package, "failed", why=error.message, next_step=error.next_step)
    path = acquired.installed.path
    if path not in before:
        return Outcome(package, "added", acquired)
    known = store.added.of(path)
    if known is not None and known.by == "question":  # the user wants it now, so it stays
        store.added.note(path, Added(known.argument, "user"))
    return Outcome(package, "present", acquired)


def _package(dependency: Dependency) -> PackageRef | None:
    """The package of a direct dependency at the version that the project has, else the one that it asks for."""
    package = dependency.package
    if package is None or not dependency.direct:
        return None
    return package.at(package.version or _asked(dependency.declared))


def _asked(declared: str | None) -> str | None:
    """What a manifest asks for, where it is a range; a word or an address stands for the newest."""
    text = (declared or "").strip()
    return text if any(character.isdigit() for character in text) and ":" not in text and "/" not in text else None


def _described(name: str) -> str:
    """The package that a package of types describes: `@types/a__b` is for `@a/b`."""
    plain = name.removeprefix(_TYPES)
    return f"@{plain.replace('__', '/', 1)}" if "__" in plain else plain
