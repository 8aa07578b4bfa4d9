"""The forms in which people write the address of a repository, and those that are refused."""

from __future__ import annotations

import pytest

from docs_researcher.core.errors import UsageError
from docs_researcher.docsets.sources.git_address import parse_git_address


@pytest.mark.parametrize(
    ("text", "url", "path", "rest"),
    [
        ("https://github.com/o/r", "https://github.com/o/r.git", "o/r", ""),
        ("https://github.com/o/r.git", "https://github.com/o/r.git", "o/r", ""),
        ("https://github.com/o/r/", "https://github.com/o/r.git", "o/r", ""),
        ("https://github.com/o/r?tab=readme-ov-file#readme", "https://github.com/o/r.git", "o/r", ""),
        ("https://www.github.com/o/r", "https://github.com/o/r.git", "o/r", ""),
        ("https://user:token@github.com/o/r", "https://user:token@github.com/o/r.git", "o/r", ""),
        ("github.com/o/r", "https://github.com/o/r.git", "o/r", ""),
        ("github:o/r", "https://github.com/o/r.git", "o/r", ""),
        ("https://github.com/o/r/tree/main/docs", "https://github.com/o/r.git", "o/r", "main/docs"),
        ("https://github.com/o/r/blob/v1/docs/a.md", "https://github.com/o/r.git", "o/r", "v1/docs/a.md"),
        ("https://github.com/o/next.js/issues/3", "https://github.com/o/next.js.git", "o/next.js", ""),
        ("https://gitlab.com/g/sub/r", "https://gitlab.com/g/sub/r.git", "g/sub/r", ""),
        ("https://gitlab.com/g/sub/deep/r/-/tree/main/docs", "https://gitlab.com/g/sub/deep/r.git", "g/sub/deep/r", "main/docs"),
        ("https://gitlab.example.com/g/r", "https://gitlab.example.com/g/r.git", "g/r", ""),
        ("https://github.example.com/o/r", "https://github.example.com/o/r.git", "o/r", ""),
        ("https://bitbucket.org/o/r/src/main/docs", "https://bitbucket.org/o/r.git", "o/r", "main/docs"),
        ("https://codeberg.org/o/r/src/branch/main/docs", "https://codeberg.org/o/r.git", "o/r", "main/docs"),
        ("https://codeberg.org/o/r/src/tag/v1.2", "https://codeberg.org/o/r.git", "o/r", "v1.2"),
        ("https://git.example.com:8443/o/r.git", "https://git.example.com:8443/o/r.git", "o/r", ""),
        ("https://anything.example/deep/er/r.git", "https://anything.example/deep/er/r.git", "deep/er/r", ""),
        ("git+https://anything.example/o/r", "https://anything.example/o/r", "o/r", ""),
        ("git@github.com:o/r.git", "git@github.com:o/r.git", "o/r", ""),
        ("git@github.com:o/r", "git@github.com:o/r", "o/r", ""),
        ("git@127.0.0.1:r.git", "git@127.0.0.1:r.git", "r", ""),
        ("git@host.example:/srv/git/r.git", "git@host.example:/srv/git/r.git", "srv/git/r", ""),
        ("git@host.example:~/r.git", "git@host.example:~/r.git", "r", ""),
        ("git@host.example:~me/r.git", "git@host.example:~me/r.git", "~me/r", ""),
        ("git@[::1]:o/r.git", "git@[::1]:o/r.git", "o/r", ""),
        ("host.example:r.git", "host.example:r.git", "r", ""),
        ("git+git@host.example:r", "git@host.example:r", "r", ""),
        ("ssh://git@host.example:22/o/r.git", "ssh://git@host.example:22/o/r.git", "o/r", ""),
        ("git+ssh://git@host.example/o/r", "ssh://git@host.example/o/r", "o/r", ""),
        ("file:///srv/git/r.git", "file:///srv/git/r.git", "/srv/git/r", ""),
        ("git+file:///srv/r", "file:///srv/r", "/srv/r", ""),
    ],
)
def test_a_repository_is_recognised(text: str, url: str, path: str, rest: str) -> None:
    address = parse_git_address(text)
    assert address is not None
    assert (address.url, address.path, address.rest) == (url, path, rest)


@pytest.mark.parametrize(
    "text",
    ["react", "o/r", "npm:react", "npm:@trpc/server@10", "pkg:npm/next@16", "https://example.com/docs", "./docs", "C:\\docs",
     "https://a.example/x/y", "https://github.com", "https://github.com/o", "https://github.com/a b/r",
     "https://h.example/x.db?sig=1", "https://github.com/../r", "git@github.com:-r.git/../x",
     "git@host.example:", "git@host.example:.git", "me@example.org", "react@18:x y", "host.example:r"],
)  # fmt: skip
def test_other_things_are_no_repositories(text: str) -> None:
    assert parse_git_address(text) is None


@pytest.mark.parametrize(
    "text", ["ext::sh -c id", "git://host.example/o/r.git", "fd::17/foo", "git+ftp://h.example/o/r", "git+ext::x"]
)
def test_what_could_run_or_change_something_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not read through"):
        parse_git_address(text)


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("https://github.com/o/r", "https://github.com/o/r/blob/abc/docs/a.md"),
        ("git@github.com:o/r.git", "https://github.com/o/r/blob/abc/docs/a.md"),
        ("https://gitlab.com/g/s/r", "https://gitlab.com/g/s/r/-/blob/abc/docs/a.md"),
        ("https://bitbucket.org/o/r", "https://bitbucket.org/o/r/src/abc/docs/a.md"),
        ("https://codeberg.org/o/r", "https://codeberg.org/o/r/src/commit/abc/docs/a.md"),
        ("https://anything.example/o/r.git", None),
        ("file:///srv/r", None),
    ],
)
def test_a_page_has_an_address_where_the_host_is_known(text: str, page: str | None) -> None:
    address = parse_git_address(text)
    assert address is not None
    assert address.page_of("docs/a.md", "abc") == page


def test_credentials_are_never_shown() -> None:
    address = parse_git_address("https://user:token@github.com/o/r")
    assert address is not None
    assert address.shown == "https://github.com/o/r.git"
