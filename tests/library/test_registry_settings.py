"""Settings of npm, pip and uv, from files and variables."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from docs_researcher.library.registries.settings import RegistrySettings


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read(home: Path, project: Path | None = None, **environ: str) -> RegistrySettings:
    # An empty folder stands for the machine's own settings, so that those of the machine that runs the tests do not count.
    return RegistrySettings.read(project, environ={"XDG_CONFIG_DIRS": str(home / "none"), **environ}, home=home)


def test_without_settings_the_public_registries_are_meant(tmp_path: Path) -> None:
    settings = read(tmp_path)
    assert (settings.npm_registry, settings.pypi_indexes, settings.npm_scopes) == (None, (), ())
    assert settings.registry_for("next") is None


def test_the_variable_beats_the_project_and_the_project_beats_the_user(tmp_path: Path) -> None:
    write(tmp_path / ".npmrc", "; comment\n# comment\nregistry = https://user.example/\nbroken line\n")
    project = tmp_path / "project"
    assert read(tmp_path).npm_registry == "https://user.example"
    write(project / ".npmrc", 'registry="https://project.example/npm/"\n')
    assert read(tmp_path, project).npm_registry == "https://project.example/npm"
    assert read(tmp_path, project, npm_config_registry="https://env.example").npm_registry == "https://env.example"
    assert read(tmp_path, project, NPM_CONFIG_REGISTRY="https://env.example").npm_registry == "https://env.example"


def test_a_scope_has_its_own_registry(tmp_path: Path) -> None:
    write(tmp_path / ".npmrc", "registry=https://a.example\n@acme:registry=https://b.example/npm/\n@bad:registry=file:///x\n")
    settings = read(tmp_path)
    assert settings.registry_for("@acme/ui") == "https://b.example/npm"
    assert settings.registry_for("@other/ui") == "https://a.example"
    assert settings.registry_for("@bad/ui") == "https://a.example"


def test_credentials_in_all_of_npms_forms_are_read(tmp_path: Path) -> None:
    password = b64encode(b"pw").decode()
    write(
        tmp_path / ".npmrc",
        "//t.example/npm/:_authToken=${MY_TOKEN}\n//unset.example/:_authToken=${NOT_SET}\n"
        f"//b.example/:_auth=YWI=\n//u.example/:username=me\n//u.example/:_password={password}\n",
    )
    route = read(tmp_path, MY_TOKEN="s3cret").npm_route
    assert route.headers_for("https://t.example/npm/x") == {"authorization": "Bearer s3cret"}
    assert route.headers_for("https://t.example/other") == {}
    assert route.headers_for("https://unset.example/x") == {}
    assert route.headers_for("https://b.example/x") == {"authorization": "Basic YWI="}
    assert route.headers_for("https://u.example/x") == {"authorization": "Basic " + b64encode(b"me:pw").decode()}


def test_a_project_cannot_have_other_secrets_of_the_user_sent(tmp_path: Path) -> None:
    project = tmp_path / "project"
    write(
        project / ".npmrc",
        "registry=https://evil.example/${ANTHROPIC_API_KEY}/\n"
        "//evil.example/:_authToken=${ANTHROPIC_API_KEY}\n//ok.example/:_authToken=${NPM_TOKEN}\n",
    )
    settings = read(tmp_path, project, ANTHROPIC_API_KEY="key", NPM_TOKEN="npm")
    assert settings.npm_registry == "https://evil.example/${ANTHROPIC_API_KEY}"
    assert settings.npm_route.headers_for("https://evil.example/x") == {}
    assert settings.npm_route.headers_for("https://ok.example/x") == {"authorization": "Bearer npm"}


def test_pip_is_read_from_its_files_and_variables(tmp_path: Path) -> None:
    write(
        tmp_path / ".config/pip/pip.conf",
        "[global]\nindex-url = https://a.example/simple/\nextra-index-url =\n    https://b.example/simple\n"
        "    file:///opt/wheels\ncert = ~/ca.pem\n[install]\nindex-url = https://c.example/simple\n",
    )
    settings = read(tmp_path)
    assert settings.pypi_indexes == ("https://c.example/simple", "https://b.example/simple")
    assert settings.pypi_route.cafile == Path("~/ca.pem").expanduser()
    assert read(tmp_path, PIP_INDEX_URL="https://e.example/simple").pypi_indexes[0] == "https://e.example/simple"
    assert read(tmp_path, PIP_CONFIG_FILE="/dev/null").pypi_indexes == ()


def test_a_further_index_does_not_replace_the_public_one(tmp_path: Path) -> None:
    settings = read(tmp_path, PIP_EXTRA_INDEX_URL="https://b.example/simple")
    assert settings.pypi_indexes == ("", "https://b.example/simple")


def test_a_main_index_that_cannot_be_read_leaves_the_public_one(tmp_path: Path) -> None:
    assert read(tmp_path, PIP_INDEX_URL="file:///opt/simple").pypi_indexes == ()


def test_uv_is_read_from_its_file_and_variables(tmp_path: Path) -> None:
    write(
        tmp_path / ".config/uv/uv.toml",
        '[[index]]\nurl = "https://x.example/simple"\n[[index]]\nurl = "https://d.example/simple"\ndefault = true\n'
        '[[index]]\nurl = "https://only.example/simple"\nexplicit = true\n',
    )
    assert read(tmp_path).pypi_indexes == ("https://d.example/simple", "https://x.example/simple")
    settings = read(tmp_path, UV_DEFAULT_INDEX="main=https://m.example/simple", UV_INDEX="a=https://n.example/simple")
    assert settings.pypi_indexes[:2] == ("https://m.example/simple", "https://n.example/simple")


def test_credentials_in_an_index_address_are_taken_out_of_it(tmp_path: Path) -> None:
    settings = read(tmp_path, PIP_INDEX_URL="https://me:p%40ss@a.example/simple")
    assert settings.pypi_indexes == ("https://a.example/simple",)
    expected = {"authorization": "Basic " + b64encode(b"me:p@ss").decode()}
    assert settings.pypi_route.headers_for("https://a.example/simple/x/") == expected


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"[global\nx", b"x" * 2_000_000, b"= = ["])
def test_files_that_cannot_be_read_count_as_empty(tmp_path: Path, content: bytes) -> None:
    for name in (".npmrc", ".config/pip/pip.conf", ".config/uv/uv.toml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    settings = read(tmp_path)
    assert (settings.npm_registry, settings.pypi_indexes) == (None, ())
