"""Reading from registries over HTTP: bounded in time, size and redirects, with the user's own proxies and certificates.

The one place of the library room that imports `httpx2`, and only when something is really fetched. Addresses come from the
user's configuration or from `packageurl`; the host is named in errors, at run time only.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from docs_researcher.core.errors import DocsResearchError, PackageNotFound, SourceRefused, SourceUnavailable
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.library.registries.integrity import Integrity

if TYPE_CHECKING:
    import ssl

    import httpx2

CONNECT_SECONDS = 5.0
"""A registry that does not answer the door within five seconds is treated as unreachable."""
READ_SECONDS = 20.0
"""The longest silence inside a response."""
JSON_SECONDS = 60.0
"""The longest that one document may take altogether."""
DOWNLOAD_SECONDS = 900.0
"""The longest that one archive may take altogether: 60 MB at half a megabit a second."""
MAX_JSON_BYTES = 32 * 1024 * 1024
"""Larger than every index page of PyPI and every single manifest of npm."""
MAX_REDIRECTS = 5
"""Mirrors and archive stores use one or two."""
PROGRESS_BYTES = 256 * 1024
"""How often a download tells how far it is."""

_TRUST_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@dataclass(frozen=True, slots=True)
class Response:
    """A document that was read whole: its body, the address it finally came from, and its headers (lower case)."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def json(self, **options: Any) -> Any:
        """The body as JSON.

        Raises:
            SourceUnavailable: it is none.
        """
        try:
            return json.loads(self.body, **options)
        except (ValueError, RecursionError) as error:
            raise SourceUnavailable(
                f"{host_of(self.url)} did not answer with JSON",
                why="a proxy or a sign-in page may stand in between",
                next_step="Open the registry's address in a browser and see what it says.",
            ) from error


@dataclass(frozen=True, slots=True)
class Route:
    """How to reach a registry: what to send with a request to an address, and whose certificates to trust beside."""

    credentials: tuple[tuple[str, str], ...] = ()
    """(address without its scheme, value of the Authorization header): sent below that address and nowhere else."""
    cafile: Path | None = None

    def headers_for(self, url: str) -> dict[str, str]:
        """The Authorization header for this address, the one with the longest address first."""
        bare = url.partition(":")[2]
        for address, value in sorted(self.credentials, key=lambda pair: -len(pair[0])):
            if bare == address.rstrip("/") or bare.startswith(address.rstrip("/") + "/"):
                return {"authorization": value}
        return {}


def get(
    url: str,
    *,
    route: Route | None = None,
    headers: Mapping[str, str] | None = None,
    max_bytes: int = MAX_JSON_BYTES,
    seconds: float = JSON_SECONDS,
) -> Response:
    """Read one document. A 304 comes back with an empty body.

    Raises:
        PackageNotFound: 404 or 410.
        SourceUnavailable: the host cannot be reached, is too slow, or answers with another error.
        SourceRefused: the document is larger than `max_bytes`, or a redirect leads where we do not follow.
    """
    deadline = time.monotonic() + seconds
    with _open(url, route or Route(), headers or {}, deadline) as response:
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > max_bytes:
                raise _too_large(url, max_bytes)
            _check_deadline(url, deadline)
        sent = {name.lower(): value for name, value in response.headers.items()}
        return Response(response.status_code, str(response.url), sent, bytes(body))


def get_json(url: str, *, route: Route | None = None) -> Any:
    """Read one JSON document. Raises as `get` and `Response.json` do."""
    return get(url, route=route, headers={"accept": "application/json"}).json()


def download(
    url: str,
    target: Path,
    *,
    max_bytes: int,
    listener: Listener = ignore,
    route: Route | None = None,
    integrity: Integrity | None = None,
    label: str = "",
) -> int:
    """Read an archive into `target` and return its size in bytes.

    It is written to a temporary file beside the target and moved into place when it is complete and its checksum is right;
    after an error nothing is left behind. Progress is told as events of kind "fetch".

    Raises:
        PackageNotFound, SourceUnavailable: as `get`.
        SourceRefused: larger than `max_bytes`, or not what its checksum says.
        OSError: the target's folder cannot be written.
    """
    label = label or target.name
    deadline = time.monotonic() + DOWNLOAD_SECONDS
    headers = {"accept-encoding": "identity"}  # the checksum is that of the bytes as they are sent
    with _open(url, route or Route(), headers, deadline) as response, _temporary_beside(target) as (temporary, file):
        check = integrity.start() if integrity else None
        done = 0

        def told(so_far: int, total: int | None) -> None:
            listener(Event("fetch", label, so_far, total))

        for piece in _pieces(response, url, max_bytes, deadline, told):
            done += len(piece)
            file.write(piece)
            if check is not None:
                check.update(piece)
        if check is not None and not check.matches():
            raise SourceRefused(
                f"{label} from {host_of(url)} is not what the registry says it is",
                why=f"its {check.algorithm} checksum differs",
                next_step="Try again; if it stays so, the mirror or proxy in between changes files.",
            )
        file.flush()
        os.fsync(file.fileno())
        file.close()
        temporary.replace(target)
        listener(Event("fetch", label, done, done))
        return done


def _pieces(
    response: httpx2.Response, url: str, max_bytes: int, deadline: float, told: Callable[[int, int | None], None]
) -> Iterator[bytes]:
    """The body as it comes, within its bounds; `told` hears now and then how much of how much has come."""
    total = _content_length(response)
    if total is not None and total > max_bytes:
        raise _too_large(url, max_bytes)
    done, last = 0, 0
    told(0, total)
    for piece in response.iter_raw():
        done += len(piece)
        if done > max_bytes:
            raise _too_large(url, max_bytes)
        _check_deadline(url, deadline)
        yield piece
        if done - last >= PROGRESS_BYTES:
            last = done
            told(done, total)


def host_of(url: str) -> str:
    """The host and port of an address, without credentials, for messages."""
    parts = urlsplit(url)
    host = parts.hostname or url
    return f"{host}:{parts.port}" if parts.port else host


def is_web_address(url: str) -> bool:
    """Whether this is an address that we read from."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def may_follow(source: str, target: str) -> bool:
    """Whether a link or redirect from one address to the other is followed: never out of https, http only on one host."""
    start, end = urlsplit(source), urlsplit(target)
    if not is_web_address(target):
        return False
    return end.scheme == "https" or (start.scheme == "http" and start.hostname == end.hostname)


@contextmanager
def _open(url: str, route: Route, headers: Mapping[str, str], deadline: float) -> Generator[httpx2.Response]:
    """A response whose body is still to be read; every error of the HTTP library is one of ours, also while reading."""
    import httpx2

    timeout = httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
    try:
        with httpx2.Client(verify=_tls_context(route.cafile, _trust()), timeout=timeout, follow_redirects=False) as client:
            for _ in range(MAX_REDIRECTS + 1):
                _check_deadline(url, deadline)
                sent = {"user-agent": "docs-researcher", **headers, **route.headers_for(url)}
                with client.stream("GET", url, headers=sent) as response:
                    location = response.headers.get("location") if response.is_redirect else None
                    if location is None:
                        _check_status(url, response.status_code)
                        yield response
                        return
                url = _redirected(url, location)
        raise SourceRefused(f"{host_of(url)} redirects more than {MAX_REDIRECTS} times")
    except httpx2.HTTPError as error:
        raise _unreachable(url, error) from error
    except httpx2.InvalidURL as error:
        raise SourceRefused(f"{host_of(url)} is no address that can be read", why=str(error)) from error


def _redirected(url: str, location: str) -> str:
    target = urljoin(url, location)
    if not may_follow(url, target):
        raise SourceRefused(
            f"{host_of(url)} redirects to {host_of(target)}, which is not followed",
            why="only https, or http on the same host, is followed",
            next_step="Point the registry setting of npm or pip at the final address.",
        )
    return target


def _check_status(url: str, status: int) -> None:
    if status in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        return
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        raise PackageNotFound(f"{host_of(url)} has nothing at {urlsplit(url).path}")
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.PROXY_AUTHENTICATION_REQUIRED):
        raise SourceUnavailable(
            f"{host_of(url)} refuses access (HTTP {status})",
            next_step="Check the credentials in .npmrc or pip.conf, and the proxy's.",
        )
    raise SourceUnavailable(f"{host_of(url)} answered with HTTP {status}", next_step="Try again in a minute.")


def _unreachable(url: str, error: Exception) -> DocsResearchError:
    reason = str(error) or type(error).__name__
    return SourceUnavailable(
        f"{host_of(url)} cannot be reached",
        why=reason,
        next_step="Check the network and proxy settings, or answer from what is installed with --offline.",
    )


def _too_large(url: str, max_bytes: int) -> SourceRefused:
    return SourceRefused(f"{host_of(url)} sent more than {max_bytes / 1024 / 1024:.0f} MB", why="which is the limit for it")


def _check_deadline(url: str, deadline: float) -> None:
    if time.monotonic() > deadline:
        raise SourceUnavailable(
            f"{host_of(url)} was too slow",
            why="the time allowed for one file is over",
            next_step="Try again on a faster connection.",
        )


def _content_length(response: httpx2.Response) -> int | None:
    text = response.headers.get("content-length", "")
    return int(text) if text.isdecimal() else None


@contextmanager
def _temporary_beside(target: Path) -> Generator[tuple[Path, Any]]:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=".part", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield temporary, file
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _trust() -> tuple[str | None, ...]:
    return tuple(os.environ.get(name) for name in _TRUST_VARIABLES)


@lru_cache(maxsize=4)
def _tls_context(cafile: Path | None, trust: tuple[str | None, ...]) -> ssl.SSLContext:
    """The certificates to trust: the system's, `SSL_CERT_FILE`'s, and those of `cafile` beside them. Costs 40 ms, so kept."""
    import httpx2

    context = httpx2.create_ssl_context()
    if cafile is not None:
        try:
            context.load_verify_locations(cafile=str(cafile))
        except OSError as error:  # ssl.SSLError among them
            raise SourceUnavailable(
                f"The certificates in {cafile} cannot be used",
                why=error.strerror or str(error),
                next_step="Correct `cafile` in .npmrc or `cert` in pip.conf.",
            ) from error
    return context
