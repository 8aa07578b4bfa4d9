"""What a user sees of an error, and what a program reads."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs_researcher.cli.failures import failure_of, report
from docs_researcher.cli.interrupts import Terminated
from docs_researcher.cli.main import run
from docs_researcher.cli.output import Output, cleaned, one_line
from docs_researcher.core.errors import DocsResearchError, LibraryNotFound, StoreUnwritable, UsageError

WRONG = [
    ["list", "foo", "bar"],
    ["ask"],
    ["--json"],
    ["search", "fastify"],
    ["list", "--no-such-option"],
    ["ask", "how do I x", "--docs-from", "nowhere"],
    ["how do I x", "--answer-tokens", "many"],
    ["search", "x", "y", "--limit", "0"],
    ["identify"],
    ["completion", "tcsh"],
]


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_arguments_end_with_2_and_three_lines_on_stderr(
    arguments: list[str], home: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([argument for argument in arguments if argument != "--json"] or ["ask"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert [line.partition(":")[0] for line in shown.err.splitlines()] == ["Error", "Why", "Next"]


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_arguments_with_json_are_one_json_value(
    arguments: list[str], home: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--json"]) == 2
    shown = capsys.readouterr()
    value = json.loads(shown.out)
    assert value["status"] == "failed"
    assert set(value["error"]) == {"code", "message", "next"}
    assert value["error"]["code"] == "usage"
    assert shown.err == ""


def test_a_commands_name_followed_by_words_it_does_not_take_shows_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", "foo", "bar"]) == 2
    assert 'docs-research ask "list foo bar"' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["serve", "--port", "3"], "No such option '--port'"),
        (["search", "click", "words", "--limi", "3"], "Did you mean '--limit'"),
        (["list", "--limit", "3"], "No such option '--limit'"),
        (["add", "relay", "--pkg-version"], "Option '--pkg-version' requires an argument"),
        (["add", "relay", "--name", "x", "--path"], "Option '--path' requires an argument"),
    ],
)
def test_an_option_that_there_is_not_or_that_lacks_its_value_is_named(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "relay", ""],
        ["add", "relay", "--save", " "],
        ["batch", ""],
        ["plugins", "build", "--out", ""],
        ["ask", "how", "--trace="],
    ],
)
def test_an_empty_argument_is_taken_for_an_unset_variable_and_not_for_the_current_folder(
    arguments: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert "is empty" in capsys.readouterr().err


def test_an_error_of_ours_keeps_its_exit_code_and_status(capsys: pytest.CaptureFixture[str]) -> None:
    error = LibraryNotFound("nope is not installed", why="nothing is", next_step="Add it.")
    assert report(error, Output(json=True)) == 3
    value = json.loads(capsys.readouterr().out)
    assert value == {
        "status": "not_found",
        "error": {"code": "library_not_found", "message": "nope is not installed: nothing is", "next": "Add it."},
    }


def test_every_error_of_ours_becomes_its_own_failure() -> None:
    def leaves(kind: type[DocsResearchError]) -> list[type[DocsResearchError]]:
        return [kind, *(leaf for child in kind.__subclasses__() for leaf in leaves(child))]

    for kind in leaves(DocsResearchError):
        failure = failure_of(kind("what", why="why", next_step="next"))
        assert (failure.code, failure.exit_code, failure.status) == (kind.code, kind.exit_code, kind.status)


@pytest.mark.parametrize(
    ("error", "code", "exit_code"),
    [
        (KeyboardInterrupt(), "interrupted", 130),
        (Terminated(), "interrupted", 143),
        (OSError(errno.ENOSPC, "No space left on device"), "no_space", 1),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), "system", 1),
        (ValueError("odd"), "internal", 1),
        (UsageError("what"), "usage", 2),
        (StoreUnwritable("what"), "store_unwritable", 1),
    ],
)
def test_every_other_exception_has_a_code_and_an_exit_code(error: BaseException, code: str, exit_code: int) -> None:
    failure = failure_of(error)
    assert (failure.code, failure.exit_code) == (code, exit_code)


def test_a_traceback_is_shown_only_with_debug(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError("odd")
    except ValueError as error:
        report(error, Output())
        assert "Traceback" not in capsys.readouterr().err
        report(error, Output(debug=True))
        assert "Traceback" in capsys.readouterr().err


def test_text_from_outside_is_made_safe_before_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    report(LibraryNotFound("a\x1b[31mb\u202ec\nd", why="\x07e"), Output())
    assert capsys.readouterr().err == "Error: abc d\nWhy: e\n"
    assert cleaned({"a\x07": ["\x1b[1mb", 1, None, {"c": "\u2066d"}]}) == {"a": ["b", 1, None, {"c": "d"}]}
    assert one_line(" a\n\tb ") == "a b"


def test_the_switches_are_read_wherever_they_stand_before_two_dashes() -> None:
    assert Output.from_arguments(["list", "--json"]).json
    assert not Output.from_arguments(["ask", "--", "--json"]).json
    assert not Output.from_arguments(["ask", "what does --json do"]).json
    assert not Output(quiet=True).talks
    assert not Output(json=True).may_ask


@pytest.mark.interop
class TestStreams:
    """How the process treats its standard streams; each test starts the real program."""

    def _start(self, *arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "docs_researcher", *arguments]
        return subprocess.run(command, check=False, timeout=50, **options)  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownVariableType] -- options of run

    def test_a_reader_that_leaves_early_is_no_error(self, home: object) -> None:
        command = f'"{sys.executable}" -m docs_researcher --help | head -c 1'
        done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, timeout=50)
        assert done.stderr == b""

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
    def test_a_full_disk_behind_stdout_is_an_error_without_a_traceback(self, home: object) -> None:
        with open("/dev/full", "wb") as full:  # noqa: PTH123 -- a device, not a file of ours
            done = self._start("--version", stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr
        assert b"No space left" in done.stderr

    def test_the_output_is_utf_8_whatever_the_locale(self, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
        done = self._start("list", "日本語", capture_output=True)
        assert done.returncode == 2
        assert "日本語" in done.stderr.decode("utf-8")

    def test_no_file_is_read_with_the_systems_code_page(self, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTHONWARNDEFAULTENCODING", "1")
        monkeypatch.setenv("PYTHONWARNINGS", "error::EncodingWarning")
        assert self._start("list", capture_output=True).returncode == 0

    def test_closed_streams_are_survived(self, home: object) -> None:
        command = f'"{sys.executable}" -m docs_researcher list <&- >&- 2>&-'
        assert subprocess.run(["bash", "-c", command], check=False, timeout=50).returncode == 0


@pytest.mark.interop
@pytest.mark.timeout(20)  # the pipe is never opened if the command fails to start
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_process_cleanly(number: signal.Signals, code: int, home: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "row.json"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "docs_researcher", "identify", "--candidates", str(pipe)]
    # Under `nohup` the tests ignore SIGHUP, and what they start would do so too, as it should.
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)
    )
    with process, pipe.open("wb"):  # opens when the command has opened its end, and then waits for a row
        process.send_signal(number)
        out, err = process.communicate(timeout=50)
    assert process.returncode == code
    assert out == b""
    assert err.decode().count("\n") == 1


@pytest.mark.interop
def test_a_worker_thread_is_ended_by_what_it_reports_after_ctrl_c(home: Path) -> None:
    script = """\
import signal, sys, threading
from docs_researcher.cli.interrupts import catch_signals
from docs_researcher.cli.output import Output
from docs_researcher.cli.progress import Narrator
from docs_researcher.core.events import Event

catch_signals()
narrator, ready, ended = Narrator(Output(json=True)), threading.Event(), []

def work():
    try:
        while True:
            narrator(Event("build", "a page"))
            ready.set()
    except KeyboardInterrupt:
        ended.append(True)

worker = threading.Thread(target=work)
worker.start()
ready.wait()
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    worker.join()
    sys.exit(0 if ended else 1)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=50).returncode == 0


def test_ctrl_c_while_the_program_is_still_imported_ends_it_without_a_traceback() -> None:
    script = """
import signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "docs_researcher.cli.commands":
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what runs in the background without it
sys.meta_path.insert(0, Interrupting())
sys.argv = ["docs-research", "list"]
from docs_researcher.__main__ import main
main()
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False, timeout=50, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Interrupted.\n")


def test_both_commands_start_where_python_m_does() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["scripts"].values()) == {"docs_researcher.__main__:main"}


def test_the_exit_code_of_an_early_interrupt_is_that_of_a_late_one() -> None:
    from docs_researcher import __main__

    assert failure_of(KeyboardInterrupt()).exit_code == __main__.INTERRUPTED_EXIT
