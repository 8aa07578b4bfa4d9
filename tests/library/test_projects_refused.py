"""Broken, huge and hostile files of projects: a notice with file and line, everything else still read, never an error."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from docs_researcher.library.projects.blocks import read_yaml
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, MAX_MANIFEST_BYTES, MAX_NOTICES, ProjectFiles
from docs_researcher.library.projects.read import MAX_DEPENDENCIES
from docs_researcher.library.projects.values import Project
from project_reading import read_project

DEEP = "[" * 5_000
PACKAGE = '{"dependencies": {"next": "^16.2.0"}}'


def project(folder: Path, files: dict[str, str | bytes]) -> Project:
    (folder / ".git").mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_project(folder)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("package-lock.json", '{"packages":\n' + DEEP, "package-lock.json:2 was not read: its values lie too deep"),
        ("package-lock.json", '{"packages": {\n"a" 1}}', "package-lock.json:2 was not read: it is not JSON"),
        ("package-lock.json", "[]", "package-lock.json:1 was not read: it holds no JSON object"),
        ("package-lock.json", '{"a":\n' + "1" * 100_000 + "}", "package-lock.json was not read"),
        ("package-lock.json", b'{\n"a": "\xff"}', "package-lock.json:2 was not read: it is not UTF-8"),
        ("package-lock.json", "{\n\0}", "package-lock.json:2 was not read: it is no text"),
        ("package-lock.json", "{\n<<<<<<< HEAD\n=======\n>>>>>>> main\n}", "package-lock.json:2 was not read: a merge"),
        ("package-lock.json", " " * (MAX_LOCK_BYTES + 1), "package-lock.json was not read: it has 8,388,609 bytes"),
        (
            "pnpm-lock.yaml",
            "importers:\n  .:\n    dependencies: &a {}\n    x: [*a, *a]\n",
            "pnpm-lock.yaml:4 was not read: it holds",
        ),
        ("pnpm-lock.yaml", "importers: " + DEEP, "pnpm-lock.yaml:1 was not read: it is not YAML"),
        (
            "pnpm-lock.yaml",
            "importers:\n  a: b" + " " * 500_000 + "c\n",
            "pnpm-lock.yaml was not read: it has YAML of an unusual",
        ),
        ("yarn.lock", "what is this\n", "yarn.lock:1 was not read: it is not of the form"),
        ("yarn.lock", "a@1:\n" * 100_000, "yarn.lock:1 was not read: it is not of the form"),
        ("bun.lock", "{\n  what\n}", "bun.lock:2 was not read: it is not JSON"),
        ("bun.lock", "," * 100_000, "bun.lock:1 was not read: it is not JSON"),
    ],
)
def test_a_lock_file_that_cannot_be_used_is_told_and_the_manifest_still_counts(
    name: str, content: str | bytes, said: str, tmp_path: Path
) -> None:
    found = project(tmp_path, {"package.json": PACKAGE, name: content})
    assert len(found.notices) == 1
    assert found.notices[0].startswith(said)
    assert [(one.name, one.version, one.declared, one.file) for one in found.dependencies] == [
        ("next", None, "^16.2.0", "package.json")
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("package.json", '{"dependencies": ' + DEEP + "}", "package.json:1 was not read"),
        ("package.json", " " * (MAX_MANIFEST_BYTES + 1), "package.json was not read: it has 262,145 bytes"),
        ("pyproject.toml", "[project]\ndependencies = " + DEEP, "pyproject.toml:2 was not read: its values lie too deep"),
        ("pyproject.toml", "[project]\nname = \n", "pyproject.toml:2 was not read: it is not TOML"),
        ("pyproject.toml", "[project]\n" + "a." * 100_000 + "b = 1", "pyproject.toml:2 was not read: a line in it is too long"),
        (
            "pom.xml",
            '<?xml version="1.0"?>\n<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n<project>&b;</project>',
            "pom.xml:2 was not read: it has a DOCTYPE",
        ),
        ("pom.xml", "<project>\n<a></project>", "pom.xml:2 was not read: it is not XML"),
        ("a.csproj", "<Project>", "a.csproj:1 was not read: it is not XML"),
        ("composer.json", "{", "composer.json:1 was not read: it is not JSON"),
        ("Cargo.toml", "[", "Cargo.toml:1 was not read: it is not TOML"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_told(name: str, content: str, said: str, tmp_path: Path) -> None:
    found = project(tmp_path, {name: content})
    assert found.dependencies == ()
    assert [notice[: len(said)] for notice in found.notices] == [said]


LOCKS = {
    "poetry.lock": (
        '[tool.poetry.dependencies]\ndjango = ">=5"\n',
        "pyproject.toml",
        '[[package]]\nname = "django"\nversion = 5.2.1\n',
        3,
    ),
    "pdm.lock": ('[project]\nname = "a"\ndependencies = ["django>=5"]\n', "pyproject.toml", "[[package]]\nname = django\n", 2),
    "pylock.toml": ('[project]\nname = "a"\ndependencies = ["django>=5"]\n', "pyproject.toml", "\n[[packages]]\nname = \n", 3),
    "Pipfile.lock": ('[packages]\ndjango = ">=5"\n', "Pipfile", '{\n"default": {"django" }}', 2),
    "Cargo.lock": (
        '[package]\nname = "a"\n[dependencies]\nserde = "1"\n',
        "Cargo.toml",
        "version = 4\n[[package]]\nname = \n",
        3,
    ),
    "composer.lock": ('{"require": {"laravel/framework": "^11"}}', "composer.json", '{\n\n"packages": [', 3),
    "packages.lock.json": (
        '<Project><ItemGroup><PackageReference Include="xunit" Version="2.9"/></ItemGroup></Project>',
        "a.csproj",
        "{\n]",
        2,
    ),
}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_broken_lock_file_of_any_ecosystem_is_told_with_its_line_and_the_manifest_counts(lock: str, tmp_path: Path) -> None:
    manifest, name, broken, line = LOCKS[lock]
    found = project(tmp_path, {name: manifest, lock: broken})
    assert [notice.partition(" ")[0] for notice in found.notices] == [f"{lock}:{line}"]
    assert [one.file for one in found.dependencies] == [name]


@pytest.mark.parametrize("lock", [*LOCKS, "uv.lock", "Gemfile.lock", "go.mod"])
@pytest.mark.parametrize("content", [b"\0" * 100, b"\xff\xfe\xff", b"[" * 20_000, b"{" * 20_000, b" " * (MAX_LOCK_BYTES + 1)])
def test_a_hostile_lock_file_of_any_ecosystem_costs_nothing_but_a_notice(lock: str, content: bytes, tmp_path: Path) -> None:
    manifest, name, _, _ = LOCKS.get(lock, ("", "README", "", 0))
    found = project(tmp_path, {name: manifest, lock: content})
    assert all(notice.startswith(lock) for notice in found.notices)
    assert {one.file for one in found.dependencies} <= {name}
    assert all(one.version is None for one in found.dependencies if one.ecosystem != "nuget")


def test_a_lock_file_in_toml_is_refused_at_the_package_that_is_broken(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {
            "pyproject.toml": '[project]\nname = "a"\ndependencies = ["django>=5"]\n',
            "uv.lock": 'version = 1\n\n[[package]]\nname = "django"\nversion = 5.2.1\n',
        },
    )
    assert found.notices == ("uv.lock:5 was not read: it is not TOML.",)
    assert [(one.name, one.version) for one in found.dependencies] == [("django", None)]


def test_requirements_that_include_one_another_are_read_once(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {"requirements.txt": "-r more.txt\ndjango==5.2.1\n", "more.txt": "flask==3.1.0\n-r requirements.txt\n-r more.txt\n"},
    )
    assert {(one.name, one.version, one.file) for one in found.dependencies} == {
        ("django", "5.2.1", "requirements.txt"),
        ("flask", "3.1.0", "more.txt"),
    }
    assert found.notices == ("more.txt:2 was not read: it includes itself.", "more.txt:3 was not read: it includes itself.")


def test_requirements_reach_nothing_outside_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("password==1\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "link.txt").symlink_to(tmp_path / "secret.txt")
    found = project(
        inner,
        {
            "requirements.txt": "-r ../secret.txt\n-c /etc/passwd\n-r link.txt\n-r https://host.invalid/x\n"
            "-r gone.txt\ndjango==5.2.1"
        },
    )
    assert [one.name for one in found.dependencies] == ["django"]
    assert [notice.partition(" ")[0] for notice in found.notices] == [f"requirements.txt:{line}" for line in range(1, 6)]


def test_requirements_nest_only_so_deep(tmp_path: Path) -> None:
    found = project(
        tmp_path, {"requirements.txt": "-r r1.txt\n", **{f"r{n}.txt": f"-r r{n + 1}.txt\np{n}==1\n" for n in range(1, 30)}}
    )
    assert 5 < len(found.dependencies) < 15
    assert [notice.partition(": ")[2] for notice in found.notices] == ["files include one another more than 8 deep."]


@pytest.mark.parametrize("line", ["a" + (">1" + " " * 90) * 20 + "!!", "a" + "<" * 1_900, "a[" + "x," * 900, "a " * 900])
def test_lines_made_to_be_slow_are_no_requirements(line: str, tmp_path: Path) -> None:
    found = project(tmp_path, {"requirements.txt": "\n".join([line] * 100) + "\ndjango==5.2.1\n"})
    assert [one.name for one in found.dependencies] == ["django"]


def test_names_and_versions_that_no_registry_takes_are_left_out(tmp_path: Path) -> None:
    lock = '{"lockfileVersion": 3, "packages": {"node_modules/next": {"version": "16.2.1\\u001b[31m/../.."}}}'
    found = project(
        tmp_path,
        {
            "package.json": '{"dependencies": {"../../etc": "1", "a b": "1", "next": "16\\u0007", "\\u202e": "1"}}',
            "package-lock.json": lock,
        },
    )
    assert [(one.name, one.version, one.declared) for one in found.dependencies] == [("next", None, None)]


def test_a_project_with_too_many_dependencies_is_cut_and_told(tmp_path: Path) -> None:
    names = ",".join(f'"p{number}":"1"' for number in range(MAX_DEPENDENCIES + 10))
    found = project(tmp_path, {"package.json": f'{{"dependencies": {{{names}}}}}'})
    assert len(found.dependencies) == MAX_DEPENDENCIES
    assert found.notices == ("The project has more than 5,000 dependencies; the others are left out.",)


def test_much_that_is_broken_is_told_in_a_few_notices(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {f"packages/p{number}/package.json": "{" for number in range(MAX_NOTICES + 20)}
    found = project(tmp_path, {"package.json": '{"workspaces": ["packages/*"]}', **members})
    assert len(found.notices) == MAX_NOTICES


def test_workspaces_reach_nothing_outside_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "package.json").write_text('{"dependencies": {"stolen": "1"}}')
    inner = tmp_path / "inner"
    (inner / "packages").mkdir(parents=True)
    (inner / "packages" / "link").symlink_to(tmp_path / "outside", target_is_directory=True)
    patterns = '{"workspaces": ["../outside", "packages/*", "/etc", "**/**/**/**", "packages/../../outside"]}'
    assert project(inner, {"package.json": patterns}).dependencies == ()


@pytest.mark.parametrize("pattern", ["x" * 5_000, "x" * 5_000 + "/*", "a\\u0000b", "a\\u0000b/*", "[", "**/[!", "\\ud800/*"])
def test_patterns_that_no_folder_can_have_name_none(pattern: str, tmp_path: Path) -> None:
    found = project(tmp_path, {"package.json": f'{{"workspaces": ["{pattern}"]}}', "requirements.txt": f"-r {'x' * 5_000}\n"})
    assert found.dependencies == ()
    assert found.notices == ("requirements.txt:1 was not read: it includes a file that does not exist.",)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_in_the_place_of_a_manifest_blocks_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "package.json")
    assert project(tmp_path, {}).notices == ("package.json was not read: it is no file.",)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="whoever may read everything is refused nothing")
def test_a_manifest_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "package.json").chmod(0)
    assert project(tmp_path, {}).notices == ("package.json was not read: Permission denied.",)


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  b: 1.0\n  'c d': \"x\"\n  e: {}\n  f:\n    - one\n    - 'two'\n  g: []\n# end\nh:\n  i:\n    j: ^1.2.3 # why\n",
        "packages:\n  - 'packages/*'\n  - apps/**\n",
        "packages:\n- packages/*\ncatalog:\n  react: ^18.2.0\n",
        "a: 'it''s'\n",
        "b: x:y\nc: npm:underscore@^1.13.0\n",
    ],
)
def test_plain_yaml_is_read_as_a_yaml_library_reads_it(text: str, tmp_path: Path) -> None:
    import yaml

    files = ProjectFiles(tmp_path)
    assert read_yaml(files, tmp_path / "x.yaml", text) == yaml.load(text, yaml.BaseLoader)
    assert files.notices == []
