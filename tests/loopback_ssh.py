"""A real `sshd` on loopback that lets in whoever runs the tests, with keys of its own, and no account's settings."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest

STOP_SECONDS = 5.0
"""How long its thread may take to end."""


@dataclass(frozen=True, slots=True)
class SshHost:
    """A host that ssh reaches by `127.0.0.1` and its port, and by the name `code.example` alone.

    Attributes:
        port: where it listens.
        user: who is let in.
        settings: the file in which ssh finds its key and the host's; another one knows neither.
    """

    port: int
    user: str
    settings: Path

    @property
    def ssh(self) -> str:
        """The ssh command that knows the host, as git takes it."""
        return f"ssh -F '{self.settings}' -o BatchMode=yes"


def find_sshd() -> str:
    """The server's program; a machine without it skips the test."""
    found = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip("no sshd here: install openssh-server")
    return found


@contextmanager
def ssh_host(folder: Path) -> Generator[SshHost]:
    """The host while the `with` lasts. `folder`, an empty one, holds its keys and settings.

    It starts a server for each connection, as inetd does: a port that is taken by a server itself could be another's by then.
    """
    sshd = find_sshd()
    if os.geteuid() == 0:  # where root's sshd locks itself in; what starts it for the system makes it too
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    (folder / "sshd_config").write_text(
        f"HostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\nStrictModes no\nUsePAM no\nPidFile none\n"
        "PasswordAuthentication no\nPermitRootLogin prohibit-password\n"
    )

    class Connection(BaseRequestHandler):
        def handle(self) -> None:
            arguments = [sshd, "-i", "-f", str(folder / "sshd_config")]
            subprocess.run(arguments, stdin=self.request, stdout=self.request, stderr=subprocess.DEVNULL, check=False)

    with ThreadingTCPServer(("127.0.0.1", 0), Connection) as server:
        port = server.server_address[1]
        key = " ".join((folder / "host.pub").read_text().split()[:2])
        (folder / "known").write_text(f"loopback {key}\n")
        (folder / "ssh_config").write_text(
            "Host code.example\n  HostName 127.0.0.1\n"
            f"Host *\n  Port {port}\n  HostKeyAlias loopback\n  UserKnownHostsFile {folder}/known\n"
            f"  GlobalKnownHostsFile /dev/null\n  IdentityFile {folder}/user\n  IdentitiesOnly yes\n"
        )
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield SshHost(port, getpass.getuser(), folder / "ssh_config")
        finally:
            server.shutdown()
            thread.join(STOP_SECONDS)
