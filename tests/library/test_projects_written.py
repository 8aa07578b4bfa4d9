"""Manifests and lock files of ecosystems whose tools are not at npm or PyPI, written by hand after their documentation.

They are marked as unverified: no real tool made them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_researcher.library.projects.values import Dependency
from project_reading import read_project, write

pytestmark = pytest.mark.unverified


def project(folder: Path, **files: str) -> list[Dependency]:
    """The dependencies of a project of these files, named as for `write`."""
    found = read_project(write(folder, **files))
    assert found.notices == ()
    return list(found.dependencies)


def rows(found: list[Dependency]) -> list[tuple[str, str | None, str | None, bool, str, int | None]]:
    return [(one.name, one.version, one.declared, one.direct, one.file, one.line) for one in found]


def test_cargo_takes_the_locked_version_of_the_declared_major(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "Cargo.toml": '[package]\nname = "shop"\n\n[dependencies]\ntokio = { version = "1", features = ["full"] }\n'
            'rand = "0.8"\nmine = { path = "mine" }\n\n[dev-dependencies]\njson = { package = "serde_json", '
            'version = "1.0" }\n',
            "Cargo.lock": 'version = 4\n\n[[package]]\nname = "rand"\nversion = "0.7.3"\nsource = "registry+x"\n\n'
            '[[package]]\nname = "rand"\nversion = "0.8.5"\nsource = "registry+x"\n\n[[package]]\nname = "serde_json"\n'
            'version = "1.0.140"\nsource = "registry+x"\n\n[[package]]\nname = "tokio"\nversion = "1.45.0"\n'
            'source = "registry+x"\n',
        },
    )
    assert rows(found) == [
        ("tokio", "1.45.0", "1", True, "Cargo.lock", 19),
        ("rand", "0.8.5", "0.8", True, "Cargo.lock", 9),
        ("mine", None, None, True, "Cargo.toml", 7),
        ("serde_json", "1.0.140", "1.0", True, "Cargo.lock", 14),
    ]
    assert [one.name for one in found if one.local] == ["mine"]


def test_cargo_without_a_lock_says_what_is_declared_also_in_a_workspace(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n\n[workspace.dependencies]\nclap = "4.5"\n',
            "crates__web__Cargo.toml": '[package]\nname = "web"\n\n[dependencies]\nclap = { workspace = true }\naxum = "0.8"\n',
        },
    )
    assert rows(found) == [
        ("clap", None, "4.5", True, "crates/web/Cargo.toml", 5),
        ("axum", None, "0.8", True, "crates/web/Cargo.toml", 6),
    ]


def test_go_leaves_replaced_modules_out_and_marks_indirect_ones(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "go.mod": "module example.com/shop\n\ngo 1.24\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0\n"
            "\tgolang.org/x/sys v0.30.0 // indirect\n\texample.com/own v0.0.0\n)\n\nreplace example.com/own => ../own\n"
        },
    )
    assert rows(found) == [
        ("github.com/gin-gonic/gin", "v1.10.0", "v1.10.0", True, "go.mod", 6),
        ("golang.org/x/sys", "v0.30.0", "v0.30.0", False, "go.mod", 7),
        ("example.com/own", None, "v0.0.0", True, "go.mod", 8),
    ]


def test_go_reads_single_lines(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{"go.mod": "module a\n\nrequire github.com/spf13/cobra v1.9.1\n\nexclude github.com/x/y v1.0.0\n\ntool (\n\tx v1\n)\n"},
    )
    assert [(one.name, one.version) for one in found] == [("github.com/spf13/cobra", "v1.9.1")]


def test_gems_of_the_dependencies_section_are_direct(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "Gemfile.lock": "PATH\n  remote: engines/shop\n  specs:\n    shop (0.1.0)\n      rails\n\nGEM\n  specs:\n"
            "    nokogiri (1.18.2-x86_64-linux-gnu)\n      racc (~> 1.4)\n    racc (1.8.1)\n    rails (8.0.1)\n"
            "      racc (>= 1)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  nokogiri\n  rails (~> 8.0.0)\n  shop!\n\n"
            "BUNDLED WITH\n   2.6.2\n"
        },
    )
    assert rows(found) == [
        ("nokogiri", "1.18.2", None, True, "Gemfile.lock", 9),
        ("rails", "8.0.1", "~> 8.0.0", True, "Gemfile.lock", 12),
        ("shop", None, None, True, "Gemfile.lock", 4),
        ("racc", "1.8.1", None, False, "Gemfile.lock", 11),
    ]
    assert [one.name for one in found if one.local] == ["shop"]


def test_gems_from_a_repository_are_not_asked_of_a_registry(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "Gemfile.lock": "GIT\n  remote: x\n  revision: abc\n  specs:\n    devise (5.0.0.beta)\n\nGEM\n  specs:\n"
            "    puma (6.6.0)\n\nDEPENDENCIES\n  devise!\n  puma (>= 5.0)\n"
        },
    )
    assert [(one.name, one.version, one.local) for one in found] == [("devise", None, True), ("puma", "6.6.0", False)]


def test_composer_reads_requirements_at_their_locked_versions(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "composer.json": '{\n  "require": {\n    "php": "^8.2",\n    "ext-json": "*",\n    '
            '"laravel/framework": "^12.0"\n  },\n'
            '  "require-dev": {"phpunit/phpunit": "^11.0"}\n}\n',
            "composer.lock": '{"packages": [{"name": "laravel/framework", "version": "v12.1.1"},'
            ' {"name": "monolog/monolog", "version": "3.8.1"}], "packages-dev": [{"name": "phpunit/phpunit", '
            '"version": "11.5.3"}]}',
        },
    )
    assert sorted(rows(found)) == [
        ("laravel/framework", "12.1.1", "^12.0", True, "composer.lock", None),
        ("monolog/monolog", "3.8.1", None, False, "composer.lock", None),
        ("phpunit/phpunit", "11.5.3", "^11.0", True, "composer.lock", None),
    ]


def test_composer_without_a_lock_says_what_is_declared(tmp_path: Path) -> None:
    found = project(tmp_path, **{"composer.json": '{\n  "require": {\n    "symfony/symfony": "7.2.*"\n  }\n}\n'})
    assert rows(found) == [("symfony/symfony", None, "7.2.*", True, "composer.json", 3)]


def test_maven_fills_in_properties_and_the_version_of_the_parent(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "pom.xml": '<project xmlns="x">\n <parent><groupId>org.springframework.boot</groupId>'
            "<artifactId>spring-boot-starter-parent</artifactId><version>3.4.2</version></parent>\n"
            " <properties><junit.version>5.11.4</junit.version></properties>\n <dependencies>\n"
            "  <dependency><groupId>org.springframework.boot</groupId><artifactId>"
            "spring-boot-starter-web</artifactId></dependency>\n"
            "  <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>"
            "<version>${junit.version}</version></dependency>\n </dependencies>\n</project>\n"
        },
    )
    assert rows(found) == [
        ("org.springframework.boot/spring-boot-starter-web", "3.4.2", None, True, "pom.xml", 5),
        ("org.junit.jupiter/junit-jupiter", "5.11.4", "${junit.version}", True, "pom.xml", 6),
    ]


def test_maven_takes_versions_from_the_pom_above(tmp_path: Path) -> None:
    project(
        tmp_path,
        **{
            "pom.xml": "<project><dependencyManagement><dependencies><dependency><groupId>com.google.guava</groupId>"
            "<artifactId>guava</artifactId><version>33.4.0-jre</version></dependency></dependencies>"
            "</dependencyManagement></project>",
            "web__pom.xml": "<project><dependencies><dependency><groupId>com.google.guava</groupId>"
            "<artifactId>guava</artifactId></dependency></dependencies></project>",
        },
    )
    assert [(one.name, one.version, one.file) for one in read_project(tmp_path / "web").dependencies] == [
        ("com.google.guava/guava", "33.4.0-jre", "web/pom.xml")
    ]


def test_dotnet_reads_references_at_their_locked_versions(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>\n<PackageReference Include="Serilog" '
            'Version="4.*" />\n'
            '<PackageReference Include="Dapper"><Version>2.1.66</Version></PackageReference>\n</ItemGroup></Project>',
            "packages.lock.json": '{"version": 1, "dependencies": {"net9.0": {"Serilog": {"type": "Direct", '
            '"requested": "[4.*, )",'
            ' "resolved": "4.2.0"}, "System.Text.Json": {"type": "Transitive", "resolved": "9.0.1"}}}}',
        },
    )
    assert rows(found) == [
        ("Serilog", "4.2.0", "4.*", True, "packages.lock.json", None),
        ("Dapper", "2.1.66", "2.1.66", True, "Shop.csproj", 3),
        ("System.Text.Json", "9.0.1", None, False, "packages.lock.json", None),
    ]


def test_dotnet_takes_versions_from_the_central_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "Directory.Packages.props": '<Project><ItemGroup><PackageVersion Include="xunit" Version="2.9.3"/>'
            "</ItemGroup></Project>",
            "src__A.csproj": '<Project><ItemGroup><PackageReference Include="xunit"/></ItemGroup></Project>',
        },
    )
    assert [(one.name, one.version) for one in read_project(tmp_path / "src").dependencies] == [("xunit", "2.9.3")]


def test_bun_locks_are_json_with_commas_at_the_end(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        **{
            "package.json": '{"workspaces": ["apps/*"], "dependencies": {"hono": "^4.6.0"}}',
            "apps__web__package.json": '{"name": "web", "dependencies": {"hono": "4.5.0", "mine": "workspace:*"}}',
            "bun.lock": '{\n  "lockfileVersion": 1, // text\n  "workspaces": {\n    "": {"name": "shop",},\n'
            '    "apps/web": {"name": "web",},\n  },\n  "packages": {\n    "hono": ["hono@4.6.14", "", {}, "sha512-a,]=="],\n\n'
            '    "web/hono": ["hono@4.5.0", "", {}, "sha512-b=="],\n  },\n}\n',
        },
    )
    assert [(one.name, one.version, one.local) for one in found] == [
        ("hono", "4.6.14", False),
        ("hono", "4.5.0", False),
        ("mine", None, True),
    ]


def test_pdm_locks_and_pipfiles_are_read(tmp_path: Path) -> None:
    pdm, pipenv = tmp_path / "pdm", tmp_path / "pipenv"
    pdm.mkdir()
    pipenv.mkdir()
    found = project(
        pdm,
        **{
            "pyproject.toml": '[project]\nname = "a"\ndependencies = ["flask>=3"]\n\n'
            '[tool.pdm.dev-dependencies]\ntest = ["pytest"]\n',
            "pdm.lock": '[metadata]\ngroups = ["default"]\n\n[[package]]\nname = "flask"\nversion = "3.1.0"\n'
            'requires_python = ">=3.9"\n'
            '\n[[package]]\nname = "pytest"\nversion = "8.3.4"\ngit = "x"\n',
        },
    )
    assert [(one.name, one.version, one.local) for one in found] == [("flask", "3.1.0", False), ("pytest", None, True)]
    found = project(
        pipenv,
        **{
            "Pipfile": '[packages]\nDjango = "~=5.2"\nown = {path = "."}\n\n[dev-packages]\npytest = "*"\n',
            "Pipfile.lock": '{"default": {"django": {"version": "==5.2.1"}}, "develop": {"pytest": {"version": "==8.3.4"}}}',
        },
    )
    assert rows(found) == [
        ("django", "5.2.1", "~=5.2", True, "Pipfile.lock", None),
        ("own", None, None, True, "Pipfile", 3),
        ("pytest", "8.3.4", None, True, "Pipfile.lock", None),
    ]
