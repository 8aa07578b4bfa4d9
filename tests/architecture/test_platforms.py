"""The package imports on Windows: nothing that only POSIX has is used without asking for the platform first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "agent" / "docs_researcher"
POSIX_MODULES = frozenset(
    "crypt curses fcntl grp nis ossaudiodev posix pty pwd readline resource spwd syslog termios tty".split()
)
POSIX_NAMES = frozenset(
    "fork forkpty wait3 wait4 killpg setsid getsid getpgid setpgid getpgrp getuid geteuid getgid getegid getgroups setuid setgid "
    "initgroups chown fchown lchown fchmod mkfifo mknod openpty sysconf nice uname statvfs chroot sync O_NOFOLLOW O_DIRECTORY "
    "O_CLOEXEC O_NONBLOCK WNOHANG WIFEXITED SIGHUP SIGKILL SIGALRM SIGUSR1 SIGUSR2 SIGQUIT SIGCHLD SIGPIPE SIGTSTP SIGWINCH "
    "alarm setitimer pthread_sigmask add_signal_handler add_reader add_writer".split()
)
"""Attributes of `os`, `signal` and event loops that Windows has not."""
SIGNS = frozenset({"platform", "name", "hasattr"})
"""What stands in a question for the platform: `sys.platform`, `os.name`, `hasattr(os, ...)`."""


def _asks_for_the_platform(test: ast.AST) -> bool:
    return any(
        (
            isinstance(node, ast.Attribute)
            and node.attr in SIGNS
            and isinstance(node.value, ast.Name)
            and node.value.id in ("sys", "os")
        )
        or (isinstance(node, ast.Name) and node.id == "hasattr")
        for node in ast.walk(test)
    )


def _unguarded(body: list[ast.stmt]) -> Iterator[str]:
    """The POSIX-only names in these statements; an `if` that asks for the platform guards itself and what follows it."""
    for statement in body:
        if isinstance(statement, ast.If) and _asks_for_the_platform(statement.test):
            return
        blocks = [block for name in ("body", "orelse", "finalbody") for block in [getattr(statement, name, None)] if block]
        blocks += [handler.body for handler in getattr(statement, "handlers", [])]
        inner = {id(child) for block in blocks for child in block}
        for child in ast.iter_child_nodes(statement):
            if id(child) not in inner and not isinstance(child, ast.ExceptHandler):
                yield from (node.attr for node in ast.walk(child) if isinstance(node, ast.Attribute) and node.attr in POSIX_NAMES)
        for block in blocks:
            yield from _unguarded(block)


def _posix_only(file: Path) -> list[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imported = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    imported += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    return [name for name in imported if name.partition(".")[0] in POSIX_MODULES] + list(_unguarded(tree.body))


def test_no_module_imports_or_uses_what_windows_has_not() -> None:
    found = {str(file.relative_to(PACKAGE)): _posix_only(file) for file in sorted(PACKAGE.rglob("*.py"))}
    assert len(found) > 100
    assert {file: names for file, names in found.items() if names} == {}


def test_the_check_finds_what_is_not_guarded() -> None:
    def found(source: str) -> list[str]:
        return list(_unguarded(ast.parse(source).body))

    assert found("import os\ndef f():\n    with x:\n        os.killpg(1, 2)\n") == ["killpg"]
    assert found("def f():\n    return signal.SIGHUP\n") == ["SIGHUP"]
    assert found("if sys.platform != 'win32':\n    os.killpg(1, 2)\n") == []
    assert found("def f():\n    if sys.platform == 'win32':\n        return\n    os.killpg(1, 2)\n") == []
