"""Git repositories made by tests, and served over HTTP on loopback the way a code host does it (`git http-backend`)."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


def git(folder: Path, *arguments: str) -> str:
    """What a git command prints; its author and date are always the same."""
    env = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
           for what, value in (("NAME", "T"), ("EMAIL", "t@example.org"), ("DATE", "2026-03-18T10:00:00+00:00"))},
    }  # fmt: skip
    done = subprocess.run(["git", *arguments], cwd=folder, env=env, capture_output=True, check=True)
    return done.stdout.decode().strip()


def commit(folder: Path, files: Mapping[str, str], tag: str | None = None) -> None:
    """Write files into a checkout, commit everything in it, and tag the commit."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    if tag:
        git(folder, "tag", "-a", "-m", "x", tag)


def make_repository(folder: Path, versions: Mapping[str | None, Mapping[str, str]]) -> Path:
    """A repository with one commit for each of `versions`: tag (None for no tag) -> files."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for tag, files in versions.items():
        commit(folder, files, tag)
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    return folder


class GitHost:
    """Serves every repository below a folder: `{url}/owner/name.git` is `folder/owner/name`."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        """The paths of all requests."""
        host = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None: ...

            def do_GET(self) -> None:
                self._answer(b"")

            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers.get("content-length", "0"))))

            def _answer(self, body: bytes) -> None:
                host.asked.append(self.path)
                path, _, query = self.path.partition("?")
                repository, mark, rest = path.partition(".git/")
                env = {
                    **os.environ,
                    "GIT_PROJECT_ROOT": str(folder),
                    "GIT_HTTP_EXPORT_ALL": "1",
                    "GIT_CONFIG_COUNT": "1",
                    "GIT_CONFIG_KEY_0": "safe.directory",
                    "GIT_CONFIG_VALUE_0": "*",
                    "PATH_INFO": f"{repository}/.git/{rest}" if mark else path,
                    "QUERY_STRING": query,
                    "REQUEST_METHOD": self.command,
                    "CONTENT_TYPE": self.headers.get("content-type", ""),
                    "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
                    "GIT_PROTOCOL": self.headers.get("git-protocol", ""),
                    "REMOTE_ADDR": "127.0.0.1",
                }
                done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, check=False)
                head, _, content = done.stdout.partition(b"\r\n\r\n")
                headers = [line.partition(": ")[::2] for line in head.decode().split("\r\n") if line]
                status = next((value for name, value in headers if name == "Status"), "200 OK")
                self.send_response(int(status.split()[0]))
                for name, value in headers:
                    if name != "Status":
                        self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """The address without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> GitHost:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@contextmanager
def code_host(monkeypatch: pytest.MonkeyPatch, folder: Path, instead_of: str = "https://github.com") -> Generator[GitHost]:
    """A running host that git asks in the place of a real one, by git's own setting for that."""
    with GitHost(folder) as host:
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{host.url}/.insteadOf")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"{instead_of}/")
        yield host
