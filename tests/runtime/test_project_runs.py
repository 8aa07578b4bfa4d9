"""Questions asked inside small projects: the version that the project has is fetched, and the second run needs no network."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.answer import Answer
from docs_researcher.core.messages import Reply
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.models.base import ModelRequest
from docs_researcher.runtime.research import research_sync
from docs_researcher.runtime.researcher import Researcher
from loopback_npm import Files, LoopbackNpm, npm_registry, page
from loopback_web import Answer as WebAnswer
from loopback_web import Loopback
from project_reading import read_project


def auth(version: str) -> str:
    return page(
        "Authentication",
        f"To protect a route, call `requireUser` of version {version}:\n\n```ts\nrequireUser('{version}')\n```\n",
    )


def docs(version: str, path: str = "docs/auth.md") -> Files:
    return {"package.json": "{}", path: auth(version)}


IN_NEXT = "dist/docs/01-app/02-guides/authentication.md"
PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "next": {version: docs(version, IN_NEXT) for version in ("16.2.0", "16.2.3", "16.4.6")},
    "fastify": {version: docs(version, "docs/Guides/auth.md") for version in ("4.9.0", "5.1.0", "5.12.8")},
    "@acme/wire-protocol": {version: docs(version) for version in ("2.0.1", "3.0.0")},
}
AUTH = "How do I protect a route with authentication in {}?"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] -- used by pytest
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


def write(folder: Path, files: Mapping[str, object]) -> Path:
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


@pytest.fixture
def pinned(tmp_path: Path) -> Path:
    """Next pinned by npm, beside a package that the catalogue does not hold."""
    return write(
        tmp_path / "shop",
        {
            "package.json": {"dependencies": {"next": "^16.2.0", "@acme/wire-protocol": "^2.0.0"}},
            "package-lock.json": {
                "lockfileVersion": 3,
                "packages": {
                    "node_modules/next": {"version": "16.2.3"},
                    "node_modules/@acme/wire-protocol": {"version": "2.0.1"},
                },
            },
            "src/app/page.tsx": "",
        },
    )


def ask(question: str, folder: Path | None, **options: Any) -> Answer:
    return research_sync(question, model="extractive", docs_from="local", project_dir=folder, **options)


def codes(answer: Answer) -> list[str]:
    return [notice.code for notice in answer.notices]


def said(answer: Answer, code: str) -> str:
    return next(notice.text for notice in answer.notices if notice.code == code)


def test_the_pinned_version_is_fetched_and_read_again_without_a_network(pinned: Path, npm: LoopbackNpm) -> None:
    first = ask(AUTH.format("Next.js"), pinned / "src" / "app")
    assert first.status == "complete"
    assert first.library is not None
    assert (first.library.name, first.library.version) == ("Next.js", "16.2.3")
    assert first.library.version_choice == "installed in this project (package-lock.json)"
    assert said(first, "project_version") == "This project has Next.js 16.2.3 (package-lock.json)."
    assert "This project has Next.js 16.2.3 (package-lock.json)." in first.text
    assert "requireUser('16.2.3')" in first.text
    assert npm.downloads == ["archives/next/16.2.3.tgz"]
    requests = len(npm.paths)
    second = ask(AUTH.format("Next.js"), pinned, offline=True)
    assert (second.text, second.library) == (first.text, first.library)
    assert "fetched" not in codes(second)
    assert len(npm.paths) == requests


def test_outside_of_a_project_the_newest_version_answers(pinned: Path, npm: LoopbackNpm) -> None:
    answer = ask(AUTH.format("Next.js"), None)
    assert answer.library is not None
    assert answer.library.version == "16.4.6"
    assert "project_version" not in codes(answer)


def test_the_version_of_the_question_wins_and_the_disagreement_is_said(pinned: Path, npm: LoopbackNpm) -> None:
    answer = ask(AUTH.format("Next.js 16.4.6"), pinned)
    assert answer.library is not None
    assert (answer.library.version, answer.library.version_choice) == ("16.4.6", "asked for")
    sentence = "This project has Next.js 16.2.3 (package-lock.json), but 16.4.6 was asked for, and counts."
    assert said(answer, "project_version") == sentence
    assert sentence in answer.text


def test_the_question_wins_over_the_library_argument_and_it_is_said(pinned: Path, npm: LoopbackNpm) -> None:
    answer = ask(AUTH.format("Fastify 5.1.0"), None, library="fastify@4")
    assert answer.library is not None
    assert answer.library.version == "5.1.0"
    sentence = "The question names Fastify 5.1.0 and the library argument 4; the question counts."
    assert said(answer, "version_overruled") == sentence


def test_a_project_with_a_version_that_has_no_documentation_is_told_so(tmp_path: Path, npm: LoopbackNpm) -> None:
    files = {
        "package.json": {"dependencies": {"next": "14.2.1"}},
        "node_modules/next/package.json": {"version": "14.2.1"},
    }
    folder = write(tmp_path / "old", files)
    answer = ask(AUTH.format("Next.js"), folder)
    assert answer.library is not None
    assert answer.library.version == "16.2.0"
    sentence = "This project uses Next.js 14.2.1; this is from the documentation of 16.2.0"
    assert said(answer, "version_substituted").startswith(sentence)
    assert answer.library.version_choice == "nearest to 14.2.1 that has documentation"


def test_a_dependency_outside_of_the_catalogue_is_known_and_fetched_without_asking(pinned: Path, npm: LoopbackNpm) -> None:
    answer = ask(AUTH.format("@acme/wire-protocol"), pinned)
    assert answer.library is not None
    assert (answer.library.id, answer.library.version) == ("/npm/@acme/wire-protocol", "2.0.1")
    assert answer.library.version_choice == "installed in this project (package-lock.json)"
    assert "requireUser('2.0.1')" in answer.text


def test_the_same_package_is_not_fetched_where_the_project_does_not_depend_on_it(tmp_path: Path, npm: LoopbackNpm) -> None:
    local = write(tmp_path / "other", {"package.json": {"dependencies": {"@acme/wire-protocol": "workspace:*"}}})
    for folder in (None, local):
        assert ask(AUTH.format("@acme/wire-protocol"), folder).status != "complete"
    assert npm.downloads == []


def test_a_workspace_answers_for_the_member_that_is_asked_in(tmp_path: Path, npm: LoopbackNpm) -> None:
    importer = "  apps/{0}:\n    dependencies:\n      fastify:\n        specifier: {1}\n        version: {2}\n\n"
    folder = write(
        tmp_path / "mono",
        {
            "package.json": {"name": "mono", "private": True},
            "pnpm-workspace.yaml": "packages:\n  - 'apps/*'\n",
            "apps/old/package.json": {"name": "old", "dependencies": {"fastify": "^4.0.0"}},
            "apps/new/package.json": {"name": "new", "dependencies": {"fastify": "^5.0.0"}},
            "pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n\n"
            + importer.format("new", "^5.0.0", "5.1.0")
            + importer.format("old", "^4.0.0", "4.9.0")
            + "packages:\n\n  fastify@4.9.0:\n    resolution: {integrity: sha512-x}\n",
        },
    )
    old, new = ask(AUTH.format("Fastify"), folder / "apps" / "old"), ask(AUTH.format("Fastify"), folder / "apps" / "new")
    assert [answer.library and answer.library.version for answer in (old, new)] == ["4.9.0", "5.1.0"]
    assert said(old, "project_version") == "This project has Fastify 4.9.0 (pnpm-lock.yaml)."
    assert npm.downloads == ["archives/fastify/4.9.0.tgz", "archives/fastify/5.1.0.tgz"]
    again = ask(AUTH.format("Fastify"), folder / "apps" / "old", offline=True)
    assert again.text == old.text


def sdist(version: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in {
            "PKG-INFO": f"Metadata-Version: 2.1\nName: Django\nVersion: {version}\n",
            "docs/topics/auth.txt": f"Authentication\n==============\n\nTo protect a view in {version}, use the "
            f"``login_required`` decorator::\n\n    @login_required\n    def view{version.replace('.', '')}(request): ...\n",
        }.items():
            member = tarfile.TarInfo(f"django-{version}/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


@pytest.fixture
def pypi(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    server = Loopback()
    files: list[dict[str, object]] = []
    for version in ("5.1.4", "5.2.1", "6.0.0"):
        name, data = f"django-{version}.tar.gz", sdist(version)
        server.pages[f"/files/{name}"] = WebAnswer(data, content_type="application/gzip")
        digest = hashlib.sha256(data).hexdigest()
        files.append({"filename": name, "url": f"/files/{name}", "hashes": {"sha256": digest}, "size": len(data)})
    body = json.dumps({"meta": {"api-version": "1.1"}, "files": files}).encode()
    server.pages["/simple/django/"] = WebAnswer(body, content_type="application/vnd.pypi.simple.v1+json")
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
    yield server
    server.stop()


def test_a_project_of_uv_answers_for_the_locked_version(tmp_path: Path, pypi: Loopback) -> None:
    folder = write(
        tmp_path / "site",
        {
            "pyproject.toml": '[project]\nname = "site"\nversion = "1"\ndependencies = ["Django>=5,<6"]\n',
            "uv.lock": 'version = 1\n\n[[package]]\nname = "django"\nversion = "5.2.1"\nsource = { registry = "x" }\n',
        },
    )
    question = "How do I protect a view with authentication in Django?"
    first = ask(question, folder)
    assert first.library is not None, first.text
    assert (first.library.version, first.library.version_choice) == ("5.2.1", "installed in this project (uv.lock)")
    assert "5.2.1" in first.text
    assert [asked.path for asked in pypi.asked if asked.path.startswith("/files/")] == ["/files/django-5.2.1.tar.gz"]
    requests = len(pypi.asked)
    second = ask(question, folder, offline=True)
    assert second.text == first.text
    assert len(pypi.asked) == requests


def test_what_could_not_be_read_of_a_project_is_told_with_its_line(pinned: Path, npm: LoopbackNpm) -> None:
    (pinned / "package-lock.json").write_text("{\n  broken")
    answer = ask(AUTH.format("Next.js"), pinned)
    assert said(answer, "project_file").startswith("package-lock.json:2 was not read: it is not JSON")
    assert answer.library is not None
    assert answer.library.version is not None
    assert answer.library.version.startswith("16.")
    assert answer.library.version_choice == "declared in this project (package.json: ^16.2.0)"


class Listening:
    """A model that reads its first message and answers nothing of its own."""

    name = "listening"
    thinks_for_free = False
    only_quotes = False

    def __init__(self) -> None:
        self.read: list[str] = []

    async def prepare(self) -> None: ...

    async def aclose(self) -> None: ...

    async def reply(self, request: ModelRequest) -> Reply:
        message: Any = request.messages[0]
        self.read.append(message.text)
        return Reply("Call `requireUser`.")


def test_a_model_that_reads_is_told_what_the_project_has(pinned: Path, npm: LoopbackNpm) -> None:
    import asyncio

    model = Listening()

    async def run() -> Answer:
        async with Researcher(model=model, project=read_project(pinned), policy=FetchPolicy()) as researcher:
            return await researcher.research(AUTH.format("Next.js"))

    answer = asyncio.run(run())
    told = "(In this project: Next.js 16.2.3 by package-lock.json. Versions that the question names come first.)"
    assert model.read[0].endswith(told)
    assert npm.downloads == ["archives/next/16.2.3.tgz"]
    assert answer.library is not None
    assert answer.library.version_choice == "installed in this project (package-lock.json)"
    assert said(answer, "project_version") == "This project has Next.js 16.2.3 (package-lock.json)."
