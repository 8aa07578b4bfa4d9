"""Reading over HTTP: bounds, redirects, checksums, errors, progress."""

from __future__ import annotations

import gzip
import hashlib
import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_researcher.core.errors import PackageNotFound, SourceRefused, SourceUnavailable
from docs_researcher.core.events import Event
from docs_researcher.library.registries.http import Route, download, get, get_json, may_follow
from docs_researcher.library.registries.integrity import Integrity
from loopback_web import Answer, Asked, Loopback

DATA = bytes(range(256)) * 4096
"""One megabyte."""


def sha512_of(data: bytes) -> Integrity:
    integrity = Integrity.from_sri("sha512-" + b64encode(hashlib.sha512(data).digest()).decode())
    assert integrity is not None
    return integrity


def redirect(target: str) -> Answer:
    return Answer(status=302, headers={"location": target})


def test_a_json_document_is_read(loopback: Loopback) -> None:
    loopback.pages["/x"] = Answer(b'{"a": 1}')
    assert get_json(f"{loopback.url}/x") == {"a": 1}
    assert loopback.asked[0].headers["user-agent"] == "docs-researcher"


def test_what_is_no_json_is_an_unavailable_source(loopback: Loopback) -> None:
    loopback.pages["/x"] = Answer(b"<html>sign in</html>")
    with pytest.raises(SourceUnavailable, match="did not answer with JSON"):
        get_json(f"{loopback.url}/x")


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (404, PackageNotFound),
        (410, PackageNotFound),
        (401, SourceUnavailable),
        (429, SourceUnavailable),
        (503, SourceUnavailable),
    ],
)
def test_an_error_status_is_an_error_of_ours_that_names_the_host(loopback: Loopback, status: int, error: type[Exception]) -> None:
    loopback.pages["/x"] = Answer(b"no", status)
    with pytest.raises(error, match=r"127\.0\.0\.1"):
        get(f"{loopback.url}/x")


def test_nobody_listening_is_an_unavailable_source_that_names_the_host(loopback: Loopback, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SourceUnavailable, match=rf"127\.0\.0\.1:{port} cannot be reached") as caught:
        download(f"http://127.0.0.1:{port}/x.tgz", tmp_path / "x.tgz", max_bytes=10)
    assert "--offline" in caught.value.next_step
    assert list(tmp_path.iterdir()) == []


def test_a_document_over_its_limit_is_refused_also_when_it_is_packed(loopback: Loopback) -> None:
    bomb = gzip.compress(b"0" * 50_000_000)
    loopback.pages["/x"] = Answer(bomb, headers={"content-encoding": "gzip"})
    with pytest.raises(SourceRefused, match="more than 1 MB"):
        get(f"{loopback.url}/x", max_bytes=1024 * 1024)


def test_a_redirect_on_the_same_host_is_followed(loopback: Loopback, other_loopback: Loopback) -> None:
    loopback.pages["/x"] = redirect("/y")
    loopback.pages["/y"] = redirect(f"{other_loopback.url}/z")
    other_loopback.pages["/z"] = Answer(b"1")
    response = get(f"{loopback.url}/x")
    assert (response.body, response.url) == (b"1", f"{other_loopback.url}/z")


@pytest.mark.parametrize("target", ["http://192.0.2.1/x", "file:///etc/passwd", "ftp://127.0.0.1/x", "//192.0.2.1/x"])
def test_a_redirect_to_plain_http_elsewhere_or_to_another_scheme_is_refused(loopback: Loopback, target: str) -> None:
    loopback.pages["/x"] = redirect(target)
    with pytest.raises(SourceRefused, match="not followed"):
        get(f"{loopback.url}/x")


def test_https_is_never_left() -> None:
    assert may_follow("https://a.example/x", "https://b.example/y")
    assert not may_follow("https://a.example/x", "http://a.example/x")
    assert may_follow("http://a.example/x", "https://b.example/y")
    assert not may_follow("http://a.example/x", "http://b.example/x")


def test_redirects_in_a_circle_end(loopback: Loopback) -> None:
    loopback.pages["/x"] = redirect("/x")
    with pytest.raises(SourceRefused, match="redirects more than 5 times"):
        get(f"{loopback.url}/x")
    assert len(loopback.asked) == 6


def test_credentials_go_to_their_address_and_nowhere_else(loopback: Loopback, other_loopback: Loopback) -> None:
    loopback.pages["/private/x"] = redirect(f"{other_loopback.url}/y")
    other_loopback.pages["/y"] = Answer(b"1")
    bare = loopback.url.removeprefix("http:")
    route = Route(credentials=((f"{bare}/private/", "Bearer secret"), (bare, "Bearer weaker")))
    get(f"{loopback.url}/private/x", route=route)
    assert loopback.asked[0].headers["authorization"] == "Bearer secret"
    assert "authorization" not in other_loopback.asked[0].headers
    assert route.headers_for(f"{loopback.url}-evil.example/x") == {}


def test_a_download_is_complete_checked_and_told(loopback: Loopback, tmp_path: Path) -> None:
    loopback.pages["/x.tgz"] = Answer(DATA, content_type="application/octet-stream")
    events: list[Event] = []
    target = tmp_path / "x.tgz"
    size = download(
        f"{loopback.url}/x.tgz", target, max_bytes=2_000_000, listener=events.append, integrity=sha512_of(DATA), label="x 1.0"
    )
    assert target.read_bytes() == DATA
    assert size == len(DATA)
    assert [path.name for path in tmp_path.iterdir()] == ["x.tgz"]
    assert {(event.kind, event.text, event.total) for event in events} == {("fetch", "x 1.0", len(DATA))}
    progress = [event.done or 0 for event in events]
    assert progress == sorted(progress)
    assert (progress[0], progress[-1]) == (0, len(DATA))
    assert len(progress) >= 4


@pytest.mark.parametrize(
    "page",
    [
        Answer(DATA[:-1] + b"!"),
        Answer(DATA, cut_after=500_000),
        Answer(DATA, headers={"content-length": str(len(DATA) + 10)}),
    ],
    ids=["changed", "cut", "short"],
)
def test_a_damaged_download_leaves_nothing_behind(loopback: Loopback, tmp_path: Path, page: Answer) -> None:
    loopback.pages["/x.tgz"] = page
    target = tmp_path / "x.tgz"
    target.write_bytes(b"older")
    with pytest.raises((SourceRefused, SourceUnavailable)):
        download(f"{loopback.url}/x.tgz", target, max_bytes=2_000_000, integrity=sha512_of(DATA))
    assert target.read_bytes() == b"older"
    assert [path.name for path in tmp_path.iterdir()] == ["x.tgz"]


def test_a_wrong_checksum_is_refused_and_said(loopback: Loopback, tmp_path: Path) -> None:
    loopback.pages["/x.tgz"] = Answer(b"evil")
    with pytest.raises(SourceRefused, match="its sha512 checksum differs"):
        download(f"{loopback.url}/x.tgz", tmp_path / "x.tgz", max_bytes=100, integrity=sha512_of(b"good"))


@pytest.mark.parametrize("stated", [True, False])
def test_a_download_over_its_limit_is_refused(loopback: Loopback, tmp_path: Path, stated: bool) -> None:
    chunked = b"".join(b"%x\r\n%b\r\n" % (len(DATA), DATA) for _ in range(3)) + b"0\r\n\r\n"
    loopback.pages["/x.tgz"] = Answer(DATA) if stated else Answer(chunked, headers={"transfer-encoding": "chunked"})
    with pytest.raises(SourceRefused, match="more than"):
        download(f"{loopback.url}/x.tgz", tmp_path / "x.tgz", max_bytes=len(DATA) - 1)
    assert list(tmp_path.iterdir()) == []


def test_a_document_that_takes_too_long_is_given_up(loopback: Loopback) -> None:
    loopback.pages["/x"] = Answer(b"1")
    with pytest.raises(SourceUnavailable, match="too slow"):
        get(f"{loopback.url}/x", seconds=-1)


def test_a_missing_target_folder_is_an_operating_system_error(loopback: Loopback, tmp_path: Path) -> None:
    loopback.pages["/x"] = Answer(b"1")
    with pytest.raises(OSError, match="absent"):
        download(f"{loopback.url}/x", tmp_path / "absent" / "x", max_bytes=10)


def test_a_proxy_of_the_users_is_used_unless_the_host_is_excepted(
    loopback: Loopback, other_loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", other_loopback.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    loopback.pages["/x"] = Answer(b"1")
    assert get(f"{loopback.url}/x").body == b"1"
    assert other_loopback.asked == []
    other_loopback.pages["http://registry.invalid/x"] = Answer(b"2")
    assert get("http://registry.invalid/x").body == b"2"


def test_certificates_that_cannot_be_used_are_named(loopback: Loopback, tmp_path: Path) -> None:
    broken = tmp_path / "ca.pem"
    broken.write_text("no certificate")
    with pytest.raises(SourceUnavailable, match=r"certificates in .*ca\.pem"):
        get(f"{loopback.url}/x", route=Route(cafile=broken))


def test_the_library_for_http_is_imported_only_when_something_is_fetched() -> None:
    script = (
        "import sys\n"
        "import docs_researcher.library.registries.npm, docs_researcher.library.registries.pypi\n"
        "print([name for name in ('httpx2', 'packageurl', 'packaging') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.strip() == "[]"


def test_the_strongest_checksum_counts() -> None:
    data = b"abc"
    sha1 = b64encode(hashlib.sha1(data).digest()).decode()
    sha512 = b64encode(hashlib.sha512(data).digest()).decode()
    integrity = Integrity.from_sri(f"sha1-{sha1} sha512-{sha512}?opt md5-x sha256-***")
    assert integrity is not None
    assert integrity.algorithm == "sha512"
    check = integrity.start()
    check.update(b"a")
    check.update(b"bc")
    assert check.matches()
    assert Integrity.from_sri("md5-AAAA") is None
    assert Integrity.from_hex({"sha256": "zz", "md5": "00"}) is None


def conditional(body: bytes, etag: str) -> Callable[[Asked], Answer]:
    """A page that answers 304 to who has it already."""

    def answer(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == etag:
            return Answer(status=304, headers={"etag": etag})
        return Answer(body, headers={"etag": etag})

    return answer


def test_an_unchanged_document_is_not_sent_again(loopback: Loopback) -> None:
    loopback.pages["/x"] = conditional(b"1", '"v1"')
    assert get(f"{loopback.url}/x").headers["etag"] == '"v1"'
    again = get(f"{loopback.url}/x", headers={"if-none-match": '"v1"'})
    assert (again.status, again.body) == (304, b"")
