"""Lock files made by the real tools: every direct dependency with its version, members of workspaces included.

The tools are installed into a temporary folder, and the versions that they lock are compared with what they themselves say, or
with versions that are pinned in the manifests.
"""

from __future__ import annotations

import json
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_researcher.library.projects.values import Project
from docs_researcher.library.registries.public import pypi_index
from project_reading import read_project
from project_tools import NEEDS_NPM, npm_tool, python_commands, run

pytestmark = [pytest.mark.registry, pytest.mark.timeout(300)]

ROOT = {"name": "root", "private": True, "workspaces": ["packages/*"], "devDependencies": {"ms": "2.1.3"}}
APP = {"name": "app", "version": "1.0.0"}
APP_DEPENDENCIES = {"ms": "2.0.0", "@sindresorhus/is": "4.6.0", "under": "npm:underscore@1.13.6"}
LIB = {
    "name": "lib",
    "version": "1.0.0",
    "dependencies": {"use-sync-external-store": "1.2.0"},
    "devDependencies": {"react": "~18.2.0"},
    "peerDependencies": {"react": "^18.0.0"},
}
ALL = {
    ("ms", "2.1.3"),
    ("ms", "2.0.0"),
    ("@sindresorhus/is", "4.6.0"),
    ("underscore", "1.13.6"),
    ("use-sync-external-store", "1.2.0"),
    ("react", "18.2.0"),
}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tools")


def workspace(folder: Path, lib: str = "1.0.0") -> Path:
    app = {**APP, "dependencies": {**APP_DEPENDENCIES, "lib": lib}}
    manifests: Mapping[str, Mapping[str, object]] = {".": ROOT, "packages/app": app, "packages/lib": LIB}
    for name, manifest in manifests.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "package.json").write_text(json.dumps(manifest, indent=2))
    (folder / ".git").mkdir()
    return folder


def registry_versions(project: Project) -> set[tuple[str, str | None]]:
    return {(one.name, one.version) for one in project.dependencies if one.direct and not one.local}


def checked(folder: Path, lock: str) -> None:
    """All dependencies from the root; the member's own first from inside of it; its sister is local."""
    project = read_project(folder)
    assert project.notices == ()
    assert registry_versions(project) == ALL
    assert {one.file for one in project.dependencies if not one.local} == {lock}
    assert [one.name for one in project.dependencies if one.local] == ["lib"]
    at_root, in_app = project.find("npm", "ms"), read_project(folder / "packages" / "app").find("npm", "ms")
    assert at_root is not None and at_root.version == "2.1.3"
    assert in_app is not None and in_app.version == "2.0.0"


@NEEDS_NPM
@pytest.mark.parametrize("version", ["1", "2", "3"])
def test_package_locks_of_npm_are_read(version: str, tmp_path: Path) -> None:
    workspace(tmp_path)
    run(tmp_path, "npm", "install", "--package-lock-only", "--lockfile-version", version, "--no-audit", "--no-fund")
    checked(tmp_path, "package-lock.json")


@NEEDS_NPM
@pytest.mark.parametrize("major", ["7", "8", "9"])
def test_locks_of_pnpm_are_read(major: str, tools: Path, tmp_path: Path) -> None:
    workspace(tmp_path, "workspace:*")
    (tmp_path / "pnpm-workspace.yaml").write_text('packages:\n  - "packages/*"\n')
    run(tmp_path, npm_tool(tools, f"pnpm@{major}", "pnpm"), "install", "--lockfile-only")
    checked(tmp_path, "pnpm-lock.yaml")


@NEEDS_NPM
def test_locks_of_classic_yarn_are_read(tools: Path, tmp_path: Path) -> None:
    workspace(tmp_path)
    run(tmp_path, npm_tool(tools, "yarn@1", "yarn"), "install", "--ignore-scripts", "--no-progress")
    checked(tmp_path, "yarn.lock")


@NEEDS_NPM
def test_locks_of_later_yarn_are_read(tools: Path, tmp_path: Path) -> None:
    workspace(tmp_path, "workspace:*")
    (tmp_path / "yarn.lock").touch()
    yarn = npm_tool(tools, "@yarnpkg/cli-dist", "yarn")
    run(tmp_path, yarn, "install", "--mode=update-lockfile", YARN_ENABLE_TELEMETRY="0", YARN_ENABLE_IMMUTABLE_INSTALLS="0")
    checked(tmp_path, "yarn.lock")


@NEEDS_NPM
def test_locks_of_bun_are_read(tools: Path, tmp_path: Path) -> None:
    workspace(tmp_path, "workspace:*")
    run(tmp_path, npm_tool(tools, "bun", "bun"), "install", "--lockfile-only", "--save-text-lockfile")
    checked(tmp_path, "bun.lock")


@NEEDS_NPM
def test_installed_copies_count_where_there_is_no_lock_file(tmp_path: Path) -> None:
    workspace(tmp_path)
    run(tmp_path, "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
    project = read_project(tmp_path)
    assert registry_versions(project) == ALL
    found = project.find("npm", "react")
    assert found is not None and found.file == "node_modules/react/package.json"


@pytest.fixture(scope="module")
def python_tools(tools: Path) -> Path:
    """The folder of the commands of an environment with uv, poetry, pdm, pipenv and a pip that can lock."""
    return python_commands(tools, "pip>=25.1", "uv", "poetry>=2", "pdm", "hishel<2", "pipenv")  # pdm 2.29 fails with hishel 2


def python_project(folder: Path) -> None:
    core = folder / "packages" / "core"
    core.mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "pyproject.toml").write_text(
        """\
[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["iniconfig==2.0.0", "core", "packaging<25; python_version >= '3.8'"]

[project.optional-dependencies]
more = ["zipp==3.20.2"]

[dependency-groups]
dev = ["pluggy==1.5.0", { include-group = "types" }]
types = ["Typing_Extensions==4.12.2"]

[tool.uv.workspace]
members = ["packages/*"]

[tool.uv.sources]
core = { workspace = true }
"""
    )
    (core / "pyproject.toml").write_text(
        '[project]\nname = "core"\nversion = "0.1.0"\nrequires-python = ">=3.11"\ndependencies = ["mdurl==0.1.1"]\n'
    )


def test_locks_of_uv_are_read(python_tools: Path, tmp_path: Path) -> None:
    python_project(tmp_path)
    run(tmp_path, python_tools / "uv", "lock")
    project = read_project(tmp_path)
    assert project.notices == ()
    assert registry_versions(project) == {
        ("iniconfig", "2.0.0"),
        ("packaging", "24.2"),
        ("zipp", "3.20.2"),
        ("pluggy", "1.5.0"),
        ("typing-extensions", "4.12.2"),
        ("mdurl", "0.1.1"),
    }
    assert {one.file for one in project.dependencies if not one.local} == {"uv.lock"}
    assert [one.name for one in project.dependencies if one.local] == ["core"]
    lines = (tmp_path / "uv.lock").read_text().split("\n")
    found = project.find("pypi", "pluggy")
    assert found is not None and found.line is not None and lines[found.line - 1] == 'name = "pluggy"'
    assert read_project(tmp_path / "packages" / "core").dependencies[0].name == "mdurl"


def test_locks_of_poetry_are_read(python_tools: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        f"""\
[tool.poetry]
name = "shop"
version = "0.1.0"
description = ""
authors = []
package-mode = false

[tool.poetry.dependencies]
python = "^3.11"
iniconfig = "2.0.0"
Typing_Extensions = {{ version = "4.12.2", optional = true }}

[tool.poetry.group.dev.dependencies]
pluggy = "~1.5.0"

[[tool.poetry.source]]
name = "index"
url = "{pypi_index()}"
priority = "primary"
"""
    )
    run(tmp_path, python_tools / "poetry", "lock", "--no-interaction", POETRY_VIRTUALENVS_CREATE="false")
    project = read_project(tmp_path)
    assert project.notices == ()
    expected = {("iniconfig", "2.0.0"), ("typing-extensions", "4.12.2"), ("pluggy", "1.5.0")}
    assert registry_versions(project) == expected
    assert {one.file for one in project.dependencies} == {"poetry.lock"}


def test_locks_of_pdm_are_read(python_tools: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        """\
[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["iniconfig==2.0.0", "packaging<25"]

[project.optional-dependencies]
more = ["zipp==3.20.2"]

[dependency-groups]
dev = ["Typing_Extensions==4.12.2"]

[tool.pdm]
distribution = false
"""
    )
    run(tmp_path, python_tools / "pdm", "lock", "-q", "-G", ":all", PDM_CHECK_UPDATE="0", PDM_USE_VENV="0")
    project = read_project(tmp_path)
    assert project.notices == ()
    expected = {("iniconfig", "2.0.0"), ("packaging", "24.2"), ("zipp", "3.20.2"), ("typing-extensions", "4.12.2")}
    assert registry_versions(project) == expected
    assert {one.file for one in project.dependencies} == {"pdm.lock"}


def test_locks_of_pipenv_are_read(python_tools: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "Pipfile").write_text(
        f"""\
[[source]]
url = "{pypi_index()}"
verify_ssl = true
name = "index"

[packages]
iniconfig = "==2.0.0"
Typing_Extensions = {{ version = "==4.12.2" }}

[dev-packages]
pluggy = "~=1.5.0"
"""
    )
    run(
        tmp_path, python_tools / "pipenv", "lock", "-q", PIPENV_IGNORE_VIRTUALENVS="1", WORKON_HOME=str(tmp_path / "environments")
    )
    project = read_project(tmp_path)
    assert project.notices == ()
    assert registry_versions(project) == {("iniconfig", "2.0.0"), ("typing-extensions", "4.12.2"), ("pluggy", "1.5.0")}
    assert {one.file for one in project.dependencies} == {"Pipfile.lock"}


def test_locks_of_pip_are_read(python_tools: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("iniconfig<2.1\nTyping_Extensions\n")
    run(tmp_path, python_tools / "pip", "lock", "-q", "-r", "requirements.txt", "typing_extensions==4.12.2", "-o", "pylock.toml")
    project = read_project(tmp_path)
    assert registry_versions(project) == {("iniconfig", "2.0.0"), ("typing-extensions", "4.12.2")}
    assert {one.file for one in project.dependencies} == {"pylock.toml"}
    (tmp_path / "requirements.txt").unlink()
    alone = read_project(tmp_path)
    assert {(one.name, one.version, one.direct) for one in alone.dependencies} == {
        ("iniconfig", "2.0.0", False),
        ("typing-extensions", "4.12.2", False),
    }


def test_compiled_requirements_tell_direct_from_indirect(python_tools: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.in").write_text("markdown-it-py==3.0.0\n")
    run(tmp_path, python_tools / "uv", "pip", "compile", "-q", "requirements.in", "--generate-hashes", "-o", "requirements.txt")
    project = read_project(tmp_path)
    assert [(one.name, one.version, one.direct) for one in project.dependencies] == [
        ("markdown-it-py", "3.0.0", True),
        ("mdurl", "0.1.2", False),
    ]


def test_an_environment_gives_the_versions_that_a_manifest_leaves_open(python_tools: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "a"\nversion = "1"\ndependencies = ["iniconfig"]\n')
    run(tmp_path, python_tools / "uv", "venv", "-q", ".venv")
    run(tmp_path, python_tools / "uv", "pip", "install", "-q", "--python", ".venv", "iniconfig==2.0.0", "markdown-it-py==3.0.0")
    [found] = read_project(tmp_path).dependencies
    assert (found.name, found.version, found.declared, found.file) == ("iniconfig", "2.0.0", None, ".venv")
    (tmp_path / "pyproject.toml").unlink()
    alone = {(one.name, one.version, one.direct) for one in read_project(tmp_path).dependencies}
    assert alone == {("iniconfig", "2.0.0", False), ("markdown-it-py", "3.0.0", False), ("mdurl", "0.1.2", False)}


def test_pip_says_which_packages_were_asked_for(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    venv.create(tmp_path / ".venv", with_pip=True)
    pip = tmp_path / ".venv" / ("Scripts" if sys.platform == "win32" else "bin") / "pip"
    run(tmp_path, pip, "install", "-q", "markdown-it-py==3.0.0")
    project = read_project(tmp_path)
    told = {one.name: one.direct for one in project.dependencies if one.name in ("markdown-it-py", "mdurl")}
    assert told == {"markdown-it-py": True, "mdurl": False}
