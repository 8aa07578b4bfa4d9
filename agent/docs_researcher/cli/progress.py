"""What happens during a run, shown on stderr as it happens.

On a terminal: a line for each step and a bar for each fetch or build, drawn by rich, which is imported with the first
event. Elsewhere: the notices only, one plain line each.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING

from docs_researcher.cli.interrupts import check_stopping
from docs_researcher.cli.output import Output, is_terminal, one_line
from docs_researcher.core.events import Event

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SHORT = 100
SHORT_IN_BAR = 50
"""Characters of an event's text that a line of progress shows, and those beside a bar."""


class Narrator:
    """The listener of one run. Use it as a context manager: leaving takes the bars off the screen."""

    def __init__(self, output: Output, *, answer_follows: bool = False) -> None:
        """`answer_follows` says that an answer is shown behind, with all of its notices: they are not said before it too."""
        self._talks = output.talks
        self._answer_follows = answer_follows
        self._screen = _Screen() if output.talks and is_terminal(sys.stderr) else None
        self.said: set[str] = set()
        """The notices that were shown."""

    def __call__(self, event: Event) -> None:
        """Show one event; a notice only once. A worker thread that reports after Ctrl-C is ended here."""
        check_stopping()
        if not self._talks or (event.code and self._answer_follows):
            return
        if event.kind == "notice":
            line = one_line(event.text)
            if line in self.said:
                return
            self.said.add(line)
        if self._screen is not None:
            self._screen.show(event)
        elif event.kind == "notice":
            sys.stderr.write(one_line(event.text) + "\n")
            sys.stderr.flush()

    def notices_only(self, event: Event) -> None:
        """Show notices, fetches and builds, but no steps: for many runs at once, whose steps would be one tangle."""
        check_stopping()
        if event.kind in ("notice", "fetch", "build"):
            self(event)

    def count(self, things: str, done: int, total: int) -> None:
        """Show on a terminal how many of all things are done."""
        if self._screen is not None:
            self._screen.count(things, done, total)

    def pause(self) -> None:
        """Take the bars off the screen, for a question to the user; the next event brings them back."""
        if self._screen is not None:
            self._screen.clear()

    def __enter__(self) -> Narrator:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.pause()


class _Screen:
    """Lines and bars on a terminal."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._bars: dict[str, TaskID] = {}

    def show(self, event: Event) -> None:
        progress = self._started()
        if event.kind in ("fetch", "build"):
            self._advance(progress, event)
        elif event.kind == "step":
            progress.console.print(f"· {_short(event.text)}", style="dim")
        elif event.kind == "notice":
            progress.console.print(f"! {one_line(event.text)}", style="yellow")

    def count(self, things: str, done: int, total: int) -> None:
        progress = self._started()
        if things not in self._bars:
            self._bars[things] = progress.add_task(things, total=total)
        progress.update(self._bars[things], description=f"{done} of {total} {things}", total=total, completed=done)

    def _advance(self, progress: Progress, event: Event) -> None:
        """Move the bar of the event's kind; what was fetched is on its way into the index, so its bar goes."""
        text = _short(event.text, SHORT_IN_BAR)
        if event.kind == "build" and (fetched := self._bars.pop("fetch", None)) is not None:
            progress.remove_task(fetched)
        if event.kind not in self._bars:
            self._bars[event.kind] = progress.add_task(text, total=event.total)
        progress.update(self._bars[event.kind], description=text, total=event.total, completed=event.done or 0)

    def clear(self) -> None:
        if self._progress is not None:
            self._progress.stop()
        self._progress = None
        self._bars.clear()

    def _started(self) -> Progress:
        if self._progress is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn

            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                console=Console(stderr=True, markup=False, emoji=False, highlight=False),
                transient=True,
            )
            self._progress.start()
        return self._progress


def _short(text: str, limit: int = SHORT) -> str:
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"
