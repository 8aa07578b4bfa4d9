"""What ends a server when our own process is killed and can end nothing itself.

A process that is killed runs no more code, but the kernel closes its pipes. A shell of a few lines waits at the other end of
one: when the pipe closes without a word, it ends the server's process group. It does not hang on a thread, as the parent-death
signal of Linux does, reaches what the server itself has started, and works on every POSIX system. Where there is no shell, and
on Windows, a server has to see by itself that its stdin has closed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

SHELL = "/bin/sh"
END_SECONDS = 1.0
"""The shell ends within a millisecond of being told; this bounds the wait on a machine that is very busy."""

_SCRIPT = """\
if read -r _; then exit; fi
for signal in TERM KILL; do
    sleep 1
    kill -s $signal -- "-$1" || exit
done
"""
"""A line means that all is well, the end of the input that we are gone. The second of patience is for a server that leaves by
itself on the end of its own input; a group that is gone already ends the loop."""


class Watch:
    """Looks after one server's process group, from here to `end`."""

    def __init__(self, group: int) -> None:
        """Begin to watch the processes of `group`; without a shell nothing is watched."""
        self._shell: subprocess.Popen[bytes] | None = None
        if sys.platform == "win32":
            return
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(  # noqa: S603 - a fixed script with a number
                [SHELL, "-c", _SCRIPT, SHELL, str(group)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=os.sep,  # so that it holds no folder
                env={"PATH": os.environ.get("PATH", os.defpath)},
                start_new_session=True,  # so that no Ctrl-C and no terminal that closes ends it before us
            )

    def end(self) -> bool:
        """Stop watching: the server was ended, or is about to be. Safe to call twice.

        Returns:
            Whether somebody was watching, and heard of it.
        """
        shell, self._shell = self._shell, None
        if shell is None:
            return False
        try:
            with contextlib.suppress(OSError):
                shell.communicate(b"\n", timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            shell.kill()
            shell.wait()
        return shell.returncode == 0
