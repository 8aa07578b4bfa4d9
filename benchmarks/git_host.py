"""A code host on loopback: git repositories served over HTTP the way a real one does it (`git http-backend`).

Tests and benchmarks both read repositories from it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from docs_researcher.testing.loopback import LoopbackServer, QuietHandler


def redirected(instead_of: str, address: str) -> Mapping[str, str]:
    """The environment in which git asks `address` for everything that lies below `instead_of`: its own setting for that."""
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{address}.insteadOf", "GIT_CONFIG_VALUE_0": instead_of}


def serve_commits(repository: Path) -> None:
    """Let a repository be read like one on a code host: without its history, without the files that are not wanted."""
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")


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


class GitHost(LoopbackServer):
    """Serves every repository below a folder: `{url}/owner/name.git` is `folder/owner/name`."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        """The paths of all requests."""
        host = self

        class Handler(QuietHandler):
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

        super().__init__(Handler)
