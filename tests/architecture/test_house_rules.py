"""Rules about files and names that keep the house easy to live in."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import docs_researcher

ROOT = Path(__file__).parents[2]
MAX_LINES = 400
VAGUE = ("manager", "helper", "util", "common", "misc")


def _tracked() -> list[Path]:
    """Every file that is tracked, or would be when added."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.decode("utf-8").split("\0") if name]
    return [path for path in paths if path.is_file()]


def _modules() -> list[Path]:
    return sorted(path for path in _tracked() if path.suffix == ".py")


def test_a_file_has_at_most_400_lines() -> None:
    sizes = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in _modules()}
    assert {name: size for name, size in sizes.items() if size > MAX_LINES} == {}


def test_a_module_is_named_after_its_subject() -> None:
    names = [path.relative_to(ROOT) for path in _modules() if path.is_relative_to(ROOT / "agent")]
    assert [str(name) for name in names if any(word in name.stem.split("_") for word in VAGUE)] == []


def test_a_module_says_what_it_is_for() -> None:
    import ast

    silent = [path for path in _modules() if path.is_relative_to(ROOT / "agent")]
    assert [str(path.relative_to(ROOT)) for path in silent if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


def test_text_is_cut_into_lines_in_one_place() -> None:
    cut = [path for path in _modules() if path.is_relative_to(ROOT / "agent") and ".splitlines(" in path.read_text("utf-8")]
    assert [str(path.relative_to(ROOT)) for path in cut] == [], "core.lines says where a line ends"


def test_the_public_names_are_sorted_and_importable() -> None:
    names = docs_researcher.__all__
    assert names == sorted(names)
    for name in names:
        assert getattr(docs_researcher, name).__name__ == name


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_of_that_name"):
        _ = docs_researcher.nothing_of_that_name  # pyright: ignore[reportAttributeAccessIssue] -- the point of the test


def test_every_package_is_shipped() -> None:
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = set(settings["tool"]["setuptools"]["packages"])
    folders = [path.parent for path in (ROOT / "agent").rglob("__init__.py")]
    found = {".".join(folder.relative_to(ROOT / "agent").parts) for folder in folders}
    assert found <= shipped
    for name in shipped:
        importlib.import_module(name)


def test_no_tracked_file_names_the_host_of_a_registry() -> None:
    hosts = _registry_hosts()
    assert len(hosts) >= 3
    found = [
        f"{path.relative_to(ROOT)}: {host}" for path in _tracked() for host in hosts if host.encode() in path.read_bytes().lower()
    ]
    assert found == []


def _registry_hosts() -> set[str]:
    """The hosts of npm and PyPI, derived so that this file does not name them either."""
    from packageurl.contrib import purl2url

    addresses: list[str | None] = [  # pyright: ignore[reportUnknownVariableType] -- purl2url is not typed
        purl2url.get_repo_url("pkg:npm/x"),  # pyright: ignore[reportUnknownMemberType] -- not typed
        purl2url.get_download_url("pkg:npm/x@1.0.0"),  # pyright: ignore[reportUnknownMemberType] -- not typed
        purl2url.get_repo_url("pkg:pypi/x"),  # pyright: ignore[reportUnknownMemberType] -- not typed
    ]
    hosts = {urlsplit(address).netloc.removeprefix("www.") for address in addresses if address}
    return {*hosts, "python" + "hosted"}
