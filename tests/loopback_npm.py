"""An npm registry on loopback: real HTTP, real archives, made from the files that a test names."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote

import pytest

from docs_researcher.testing.loopback import LoopbackServer, QuietHandler

Files = Mapping[str, str]


class LoopbackNpm(LoopbackServer):
    """Serves `packages`: name -> version -> files. The last version of a name is its `latest`."""

    def __init__(self, packages: Mapping[str, Mapping[str, Files]]) -> None:
        self.paths: list[str] = []
        """Every path that was asked for, in order."""
        archives = {
            (name, version): _archive(files) for name, versions in packages.items() for version, files in versions.items()
        }
        stated = {(name, version): files for name, versions in packages.items() for version, files in versions.items()}
        self._needs = {key: _stated(files, "dependencies") for key, files in stated.items()}
        self._peers = {key: _stated(files, "peerDependencies") for key, files in stated.items()}
        registry = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                path = unquote(self.path).lstrip("/")
                registry.paths.append(path)
                body = registry.answer(path, packages, archives)
                self.send_response(200 if body is not None else 404)
                self.send_header("content-length", str(len(body or b"{}")))
                self.end_headers()
                self.wfile.write(body or b"{}")

        super().__init__(Handler)

    @property
    def url(self) -> str:
        return f"{super().url}/"

    @property
    def downloads(self) -> list[str]:
        """The archives that were downloaded."""
        return [path for path in self.paths if path.startswith("archives/")]

    def answer(
        self, path: str, packages: Mapping[str, Mapping[str, Files]], archives: Mapping[tuple[str, str], bytes]
    ) -> bytes | None:
        if path.startswith("archives/"):
            name, _, version = path.removeprefix("archives/").removesuffix(".tgz").rpartition("/")
            return archives.get((name, version))
        if path.startswith("-/package/") and path.endswith("/dist-tags"):
            name = path.removeprefix("-/package/").removesuffix("/dist-tags")
            return json.dumps({"latest": list(packages[name])[-1]}).encode() if name in packages else None
        if path in packages:
            return json.dumps({"name": path, "versions": {v: self.manifest(path, v, archives) for v in packages[path]}}).encode()
        name, _, version = path.rpartition("/")
        if name not in packages:
            return None
        version = list(packages[name])[-1] if version == "latest" else version
        return json.dumps(self.manifest(name, version, archives)).encode() if version in packages[name] else None

    def manifest(self, name: str, version: str, archives: Mapping[tuple[str, str], bytes]) -> dict[str, Any]:
        data = archives[name, version]
        digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
        return {
            "name": name,
            "version": version,
            "description": f"{name} for tests",
            "license": "MIT",
            "dependencies": self._needs[name, version],
            "peerDependencies": self._peers[name, version],
            "dist": {"tarball": f"{self.url}archives/{name}/{version}.tgz", "integrity": f"sha512-{digest}"},
        }


def _stated(files: Files, key: str) -> dict[str, str]:
    """What the package.json among the files says under a key that lists packages."""
    try:
        return dict(json.loads(files.get("package.json", "{}")).get(key, {}))
    except (ValueError, AttributeError):
        return {}


def _archive(files: Files) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path, text in files.items():
            data = text.encode()
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


@contextmanager
def npm_registry(monkeypatch: pytest.MonkeyPatch, packages: Mapping[str, Mapping[str, Files]]) -> Generator[LoopbackNpm]:
    """A running registry that npm's own configuration variable points at."""
    with LoopbackNpm(packages) as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        yield registry


def page(title: str, body: str) -> str:
    """A Markdown page."""
    return f"# {title}\n\n{body}\n"
