"""How the host checks run: fetch what is missing, then start again sealed off from the network.

Used by `check_hosts.py`, `check_plugins.py` and `check_installs.py`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, socket

SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40
"""From Linux's net/if.h: raise a network interface."""


def run_sealed(description: str | None, fetch: Callable[[Path], None], check: Callable[[Path, Path | None], int]) -> int:
    """Read the command line, `fetch` into the cache folder with the network, then `check` without it; the exit code.

    Where the system allows no network namespace, the checks run all the same, and that is said.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docs-researcher-hosts"
    parser.add_argument("--cache", type=Path, default=default, help="where the programs and the docset are kept")
    parser.add_argument("--keep", type=Path, help="write the requests and outputs of each run into this folder")
    parser.add_argument("--sealed", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    cache, keep = arguments.cache.absolute(), arguments.keep and arguments.keep.absolute()
    if arguments.sealed:
        _raise_loopback()
        return check(cache, keep)
    fetch(cache)
    command = [sys.executable, sys.argv[0], "--cache", str(cache), "--sealed", *(["--keep", str(keep)] if keep else [])]
    seal = _sealing()
    if not seal:
        print("This system allows no network namespace: the runs can reach the network.", file=sys.stderr)
    return subprocess.run([*seal, *command], check=False).returncode


def _sealing() -> list[str]:
    """The command in front of another that gives it an empty network; nothing where that is not allowed."""
    unshare = shutil.which("unshare")
    for options in (["-n"], ["-rn"]) if unshare else ():
        if subprocess.run([str(unshare), *options, "true"], capture_output=True, check=False).returncode == 0:
            return [str(unshare), *options]
    return []


def _raise_loopback() -> None:
    """A new network namespace has its loopback down; `ip link set lo up`, where there is no `ip`."""
    if sys.platform != "linux":
        return
    import fcntl

    with socket(AF_INET, SOCK_DGRAM) as any_socket, suppress(PermissionError):
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP | IFF_RUNNING))
