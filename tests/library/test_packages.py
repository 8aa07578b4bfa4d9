"""Packages named in short or as purls."""

from __future__ import annotations

import pytest
from packageurl import PackageURL

from docs_researcher.library.packages import PackageRef, parse_package


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npm:next@16", PackageRef("npm", "next", "16")),
        ("npm:next", PackageRef("npm", "next")),
        ("npm:@trpc/server@10.0.0", PackageRef("npm", "@trpc/server", "10.0.0")),
        ("npm:@trpc/server", PackageRef("npm", "@trpc/server")),
        ("npm/next@16.1.7", PackageRef("npm", "next", "16.1.7")),
        ("pypi:pytest@9.2.0", PackageRef("pypi", "pytest", "9.2.0")),
        ("pypi:pytest==9.2.0", PackageRef("pypi", "pytest", "9.2.0")),
        ("PyPI:Flask_SQLAlchemy", PackageRef("pypi", "flask-sqlalchemy")),
        ("pkg:npm/next@16.4.6", PackageRef("npm", "next", "16.4.6")),
        ("pkg:npm/%40trpc/server@10.0.0", PackageRef("npm", "@trpc/server", "10.0.0")),
        ("pkg:pypi/zope.interface@7.0", PackageRef("pypi", "zope-interface", "7.0")),
    ],
)
def test_a_package_is_read(text: str, expected: PackageRef) -> None:
    assert parse_package(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "next",
        "next@16",
        "/vercel/next.js",
        "npm:",
        "npm:../../etc/passwd",
        "npm:a/b",
        "npm:next@",
        "npm:next@../x",
        "npm:next@..",
        "npm:next js",
        "npm:" + "a" * 300,
        "pypi:-x",
        "pypi:x/y",
        "pkg:cargo/clap@4",
        "pkg:npm",
        "gem:rails",
    ],
)
def test_what_is_no_package_is_none(text: str) -> None:
    assert parse_package(text) is None


@pytest.mark.parametrize("text", ["npm:next@16.4.6", "npm:@trpc/server@10.0.0-rc.1+b.2", "pypi:zope-interface@1!7.0"])
def test_the_purl_is_the_one_that_packageurl_writes_and_reads_back(text: str) -> None:
    package = parse_package(text)
    assert package is not None
    assert PackageURL.from_string(package.purl).to_string() == package.purl
    assert parse_package(package.purl) == package
    assert parse_package(package.text) == package


def test_a_package_is_moved_to_another_version() -> None:
    assert PackageRef("npm", "next", "16").at("15").text == "npm:next@15"
    assert PackageRef("npm", "next", "16").at(None).purl == "pkg:npm/next"
