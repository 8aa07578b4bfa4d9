"""Repositories read over ssh, from a real server: in the form of scp and as `ssh://` addresses."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from git_host import git

from docs_researcher.core.errors import SourceUnavailable, UsageError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_git import make_repository
from loopback_ssh import SshHost, ssh_host

pytestmark = pytest.mark.interop

CATALOGUE = Catalogue.load()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tags of a bare repository `group/turbine.git`."""
    folder = tmp_path_factory.mktemp("srv")
    work = make_repository(
        folder / "work",
        {"v1.0.0": {"docs/use.md": "# Use\n\nSpin it slowly.\n"}, "v1.1.0": {"docs/use.md": "# Use\n\nSpin it quickly.\n"}},
    )
    (folder / "group").mkdir()
    git(folder, "clone", "-q", "--bare", str(work), "group/turbine.git")
    return folder / "group" / "turbine.git"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[SshHost]:
    with ssh_host(tmp_path_factory.mktemp("ssh")) as host:
        yield host


@pytest.fixture
def host(server: SshHost, monkeypatch: pytest.MonkeyPatch) -> SshHost:
    monkeypatch.setenv("GIT_SSH_COMMAND", server.ssh)
    return server


def add(argument: str, store: Store, tag: str | None = "v1.0.0") -> BuildReport:
    return add_source(argument, store=store, catalogue=CATALOGUE, tag=tag)


@pytest.mark.parametrize(
    "form",
    ["{user}@127.0.0.1:{path}", "{user}@code.example:{path}", "code.example:{path}", "git+{user}@code.example:{path}",
     "{user}@code.example:{plain}", "ssh://{user}@127.0.0.1:{port}{path}", "ssh://{user}@127.0.0.1:{port}{plain}",
     "ssh://code.example{path}", "git+ssh://{user}@code.example{path}"],
)  # fmt: skip
def test_every_form_of_an_address_is_read_over_ssh(host: SshHost, repository: Path, store: Store, form: str) -> None:
    plain = str(repository).removesuffix(".git")
    report = add(form.format(user=host.user, port=host.port, path=repository, plain=plain), store)
    assert (report.id, report.version, report.pages) == ("/group/turbine", "1.0.0", 1)
    assert report.installed.meta.commit == git(repository, "rev-parse", "v1.0.0^{commit}")
    page = store.open(report.installed).page("docs/use.md")
    assert page is not None
    assert "slowly" in page.content


def test_a_name_alone_is_a_repository_in_the_users_own_folder(host: SshHost, store: Store) -> None:
    with pytest.raises(SourceUnavailable, match="could not be read with git") as caught:
        add(f"{host.user}@code.example:no-such-repository-here.git", store)
    assert "'no-such-repository-here.git' does not appear to be a git repository" in caught.value.why


def test_without_a_tag_the_tags_are_listed_over_ssh(host: SshHost, repository: Path, store: Store) -> None:
    with pytest.raises(UsageError, match="2 tags") as caught:
        add(f"{host.user}@code.example:{repository}", store, tag=None)
    assert caught.value.why == "the newest are v1.1.0, v1.0.0"


def test_a_host_whose_key_is_unknown_is_not_trusted_and_the_error_says_what_to_do(
    host: SshHost, repository: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_SSH_COMMAND", f"{host.ssh} -o UserKnownHostsFile=/dev/null")
    with pytest.raises(SourceUnavailable) as caught:
        add(f"ssh://{host.user}@127.0.0.1:{host.port}{repository}", store)
    assert "Host key verification failed" in caught.value.why
    assert "Connect once with ssh" in caught.value.next_step


def test_a_key_that_is_not_accepted_is_said_with_what_to_do(
    host: SshHost, repository: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_SSH_COMMAND", f"{host.ssh} -o PubkeyAuthentication=no")
    with pytest.raises(SourceUnavailable) as caught:
        add(f"{host.user}@code.example:{repository}", store)
    assert "Permission denied" in caught.value.why
    assert "https" in caught.value.next_step
