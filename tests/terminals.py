"""A command at a pseudo-terminal, as a person runs it."""

from __future__ import annotations

import os
import re
import select
import subprocess

SILENCE_SECONDS = 50
"""How long a command may show nothing, or take to end, before the test fails."""
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def at_a_terminal(*command: str, replies: str = "") -> tuple[int, str]:
    """Run a command with a terminal on all three streams; gives the exit code and what was on the screen."""
    import pty

    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True)
    os.close(slave)
    if replies:
        os.write(master, replies.encode())
    screen = b""
    while select.select([master], [], [], SILENCE_SECONDS)[0]:
        try:
            read = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        screen += read
    code = process.wait(timeout=SILENCE_SECONDS)
    os.close(master)
    return code, _COLOURS.sub("", screen.decode("utf-8", "replace")).replace("\r\n", "\n")
