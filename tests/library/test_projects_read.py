"""What is read of a project without any tool: which folder counts, what is nearer, what is local, where a version is from."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from docs_researcher.library.packages import PackageRef
from docs_researcher.library.projects.read import find_project
from docs_researcher.library.projects.values import Project
from project_reading import read_project, write


def one(project: Project, ecosystem: str, name: str) -> tuple[str | None, str | None, str]:
    found = project.find(ecosystem, name)
    assert found is not None
    return found.version, found.declared, found.file


def test_a_folder_without_manifests_is_in_no_project(tmp_path: Path) -> None:
    write(tmp_path, **{"docs__guide.md": "# Guide", "src__main.c": ""})
    assert find_project(tmp_path / "src") is None


def test_the_project_ends_at_the_root_of_its_repository(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"outside": "1"}}')
    inner = tmp_path / "inner"
    inner.mkdir()
    write(inner, **{"package.json": {"dependencies": {"next": "16"}}, "src__deep__a.ts": ""})
    project = read_project(inner / "src" / "deep")
    assert project.root == inner
    assert [dependency.name for dependency in project.dependencies] == ["next"]


def test_outside_of_a_repository_only_the_folder_itself_counts(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"outside": "1"}}')
    (tmp_path / "inner").mkdir()
    assert find_project(tmp_path / "inner") is None


def test_the_nearest_member_of_a_workspace_comes_first(tmp_path: Path) -> None:
    lock = {
        "lockfileVersion": 3,
        "packages": {
            "node_modules/next": {"version": "16.2.1"},
            "apps/old/node_modules/next": {"version": "14.2.0"},
            "apps/old": {},
        },
    }
    write(
        tmp_path,
        **{
            "package.json": {"workspaces": {"packages": ["apps/*", "!apps/out"]}, "dependencies": {"next": "^16"}},
            "apps__old__package.json": {"name": "old", "dependencies": {"next": "14"}},
            "apps__new__package.json": {"name": "new", "dependencies": {"next": "^16"}},
            "apps__out__package.json": {"name": "out", "dependencies": {"react": "^16"}},
            "package-lock.json": lock,
        },
    )
    assert one(read_project(tmp_path / "apps" / "old"), "npm", "next") == ("14.2.0", "14", "package-lock.json")
    assert one(read_project(tmp_path / "apps" / "new"), "npm", "next") == ("16.2.1", "^16", "package-lock.json")
    assert one(read_project(tmp_path), "npm", "next") == ("16.2.1", "^16", "package-lock.json")
    assert read_project(tmp_path).find("npm", "react") is None


@pytest.mark.parametrize(
    "asked",
    ["workspace:*", "file:../own", "link:../own", "git+ssh://x/y.git", "github:a/b", "a/b#main", "./own", "https://x/y.tgz"],
)
def test_what_comes_from_no_registry_is_local_and_not_fetched(asked: str, tmp_path: Path) -> None:
    project = read_project(write(tmp_path, **{"package.json": {"dependencies": {"own": asked, "next": "~16.2.0"}}}))
    assert [(dependency.name, dependency.local) for dependency in project.dependencies] == [("own", True), ("next", False)]
    assert not project.names(PackageRef("npm", "own"))
    assert project.names(PackageRef("npm", "next"))


def test_a_member_is_local_also_where_its_range_looks_like_one_of_a_registry(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "package.json": {"name": "root", "workspaces": ["packages/*"], "dependencies": {"@acme/ui": "^1.0.0"}},
            "packages__ui__package.json": {"name": "@acme/ui"},
        },
    )
    assert not read_project(tmp_path).names(PackageRef("npm", "@acme/ui"))


def test_the_lock_file_of_the_named_manager_counts_where_several_lie(tmp_path: Path) -> None:
    lock = (
        "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      next:\n"
        "        specifier: ^16\n        version: 16.2.9(react@19.0.0)\n"
    )
    files = {
        "package.json": {"packageManager": "pnpm@9.1.0", "dependencies": {"next": "^16"}},
        "package-lock.json": {"packages": {"node_modules/next": {"version": "16.0.0"}}},
        "pnpm-lock.yaml": lock,
    }
    assert one(read_project(write(tmp_path, **files)), "npm", "next") == ("16.2.9", "^16", "pnpm-lock.yaml")
    (tmp_path / "package.json").write_text('{"dependencies": {"next": "^16"}}')
    assert one(read_project(tmp_path), "npm", "next") == ("16.0.0", "^16", "package-lock.json")


def test_an_installed_copy_counts_where_no_lock_file_says_more(tmp_path: Path) -> None:
    files = {
        "package.json": {"dependencies": {"next": "^16", "react": "^19"}},
        "node_modules__next__package.json": {"version": "16.2.4"},
        "node_modules__react__package.json": "{ broken",
    }
    project = read_project(write(tmp_path, **files))
    assert one(project, "npm", "next") == ("16.2.4", "^16", "node_modules/next/package.json")
    assert one(project, "npm", "react") == (None, "^19", "package.json")
    assert project.notices == ()


def test_a_declaration_has_its_line(tmp_path: Path) -> None:
    write(tmp_path, **{"package.json": '{\n  "name": "next",\n  "dependencies": {\n    "next": "^16"\n  }\n}\n'})
    [found] = read_project(tmp_path).dependencies
    assert (found.file, found.line) == ("package.json", 4)


def test_python_manifests_of_every_form_are_read(tmp_path: Path) -> None:
    pyproject = """\
[project]
name = "shop"
keywords = ["flask"]
dependencies = [
    "Flask>=3",
    "httpx[http2]~=0.28.0 ; python_version >= '3.9'",
    "here @ file:///somewhere",
]

[project.optional-dependencies]
fast = ["orjson==3.10.1"]

[dependency-groups]
dev = ["pytest", { include-group = "docs" }]
docs = ["sphinx (>=8,<9)"]

[tool.uv]
dev-dependencies = ["ruff"]

[tool.uv.sources]
ruff = { git = "x" }

[tool.poetry.dependencies]
python = "^3.11"
Django = { version = "^5.2", extras = ["argon2"] }
own = { path = "../own" }

[tool.poetry.group.test.dependencies]
hypothesis = "*"
"""
    project = read_project(write(tmp_path, **{"pyproject.toml": pyproject}))
    found = {dependency.name: (dependency.version, dependency.declared, dependency.line) for dependency in project.dependencies}
    assert found == {
        "flask": (None, ">=3", 5),
        "httpx": (None, "~=0.28.0", 6),
        "here": (None, "@ file:///somewhere", 7),
        "orjson": ("3.10.1", "==3.10.1", 11),
        "pytest": (None, None, 14),
        "sphinx": (None, ">=8,<9", 15),
        "ruff": (None, None, 18),
        "django": (None, "^5.2", 25),
        "own": (None, None, 26),
        "hypothesis": (None, None, 29),
    }
    assert {dependency.name for dependency in project.dependencies if dependency.local} == {"here", "ruff", "own"}


def test_requirements_are_read_with_what_they_include(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "# all\n-r requirements/base.txt\n-c limits.txt\nFlask  # web\n--index-url https://x.invalid\n"
        "-e ./own\nrequests == 2.32.3 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n",
        "requirements__base.txt": "django==5.2.1 ; python_version > '3'\n",
        "limits.txt": "flask==3.1.0\nunused==1\n",
        "requirements-dev.txt": "pytest>=8\n",
    }
    project = read_project(write(tmp_path, **files))
    assert project.notices == ()
    assert {(found.name, found.version, found.file) for found in project.dependencies} == {
        ("django", "5.2.1", "requirements/base.txt"),
        ("flask", "3.1.0", "limits.txt"),
        ("requests", "2.32.3", "requirements.txt"),
        ("pytest", None, "requirements-dev.txt"),
    }


def test_the_active_environment_says_what_a_range_came_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = tmp_path / "elsewhere"
    for name in ("django-5.2.3.dist-info", "Typing_Extensions-4.12.2.dist-info", "odd.dist-info"):
        (environment / "lib" / "python3.12" / "site-packages" / name).mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    monkeypatch.setenv("VIRTUAL_ENV", str(environment))
    inner = tmp_path / "inner"
    inner.mkdir()
    files = {"pyproject.toml": '[project]\nname = "a"\ndependencies = ["Django>=5", "typing-extensions", "flask"]\n'}
    project = read_project(write(inner, **files))
    assert one(project, "pypi", "django") == ("5.2.3", ">=5", "elsewhere")
    assert one(project, "pypi", "typing_extensions") == ("4.12.2", None, "elsewhere")
    assert one(project, "pypi", "flask") == (None, None, "pyproject.toml")
    (inner / "pyproject.toml").unlink()
    assert find_project(inner) is None  # an environment alone makes no project of a folder that it does not lie in


def test_the_environment_that_runs_this_program_is_not_the_project_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, inner = tmp_path / "ours", tmp_path / "inner"
    (ours / "lib" / "python3.12" / "site-packages" / "rich-15.0.0.dist-info").mkdir(parents=True)
    (ours / "pyvenv.cfg").touch()
    inner.mkdir()
    files = {"pyproject.toml": '[project]\nname = "a"\ndependencies = ["rich>=13"]\n'}
    write(inner, **files)
    monkeypatch.setattr(sys, "prefix", str(ours))
    (tmp_path / "link").symlink_to(ours)
    for named in (ours, tmp_path / "link"):
        monkeypatch.setenv("VIRTUAL_ENV", str(named))
        assert one(read_project(inner), "pypi", "rich") == (None, ">=13", "pyproject.toml")
    ours.rename(inner / ".venv")  # installed beside the project's own packages, it is the project's environment after all
    monkeypatch.setattr(sys, "prefix", str(inner / ".venv"))
    monkeypatch.setenv("VIRTUAL_ENV", str(inner / ".venv"))
    assert one(read_project(inner), "pypi", "rich") == ("15.0.0", ">=13", ".venv")


def test_a_lock_file_of_uv_with_several_versions_of_one_package_gives_the_newest(tmp_path: Path) -> None:
    package = '\n[[package]]\nname = "numpy"\nversion = "{}"\nsource = {{ registry = "x" }}\n'
    lock = "version = 1\n" + package.format("1.26.4") + package.format("2.2.1")
    files = {"pyproject.toml": '[project]\nname = "a"\ndependencies = ["numpy"]\n', "uv.lock": lock}
    assert one(read_project(write(tmp_path, **files)), "pypi", "numpy") == ("2.2.1", None, "uv.lock")


def test_a_project_of_several_languages_is_read_whole(tmp_path: Path) -> None:
    files = {
        "package.json": {"dependencies": {"next": "16.2.1"}},
        "pyproject.toml": '[project]\nname = "a"\ndependencies = ["django==5.2.1"]\n',
        "go.mod": "module a\n\nrequire github.com/spf13/cobra v1.9.1\n",
    }
    project = read_project(write(tmp_path, **files))
    assert {(found.ecosystem, found.name) for found in project.dependencies} == {
        ("npm", "next"),
        ("pypi", "django"),
        ("golang", "github.com/spf13/cobra"),
    }
