"""The beginning of a connection over stdio, before the server is imported: its pipes taken over, its first lines answered."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docs_researcher.docsets.installed.home import cache_folder, default_home, docsets_folder
from docs_researcher.server.docsets import installed_state
from docs_researcher.server.first_answers import FirstAnswers, circumstances
from docs_researcher.server.pipes import LineReader, LineWriter, take_standard_streams

AHEAD_SECONDS = 0.2
"""How long the first lines have the processor to themselves. A host sends all of them within a few milliseconds of their answers;
what a call needs is imported afterwards, before there is one."""
FLUSH_SECONDS = 1.0
"""The last answers may take this long to be written to a host that reads slowly."""
FOLDER = "first-answers"


@dataclass(frozen=True, slots=True)
class Opening:
    """A connection that has begun."""

    reader: LineReader
    writer: LineWriter
    first: FirstAnswers
    listed: tuple[str, ...]
    """The state of the docsets that the first answers are of."""

    def is_enough(self) -> bool:
        """Wait until the server is needed, and return False; True if the host has left with all that it wanted."""
        self.reader.wait_for_more(AHEAD_SECONDS)
        if self.reader.is_over:
            self.writer.finish(FLUSH_SECONDS)
        return self.reader.is_over


def open_connection(options: Mapping[str, Any], *, kept: bool = True) -> Opening:
    """Take over this process's stdin and stdout, and answer what can be answered.

    Args:
        options: those of the server; its answers depend on them.
        kept: answer from what is kept. Without it the server itself answers everything, and what is kept is set right.
    """
    # Most of the time until a server answers is imports; the collector finds nothing in them to free. `serve_stdio` enables it.
    gc.disable()
    incoming, outgoing = take_standard_streams()
    home = default_home()
    listed = installed_state(docsets_folder(home))
    writer = LineWriter(outgoing)
    first = FirstAnswers(cache_folder(home) / FOLDER, circumstances([dict(options), str(home), listed]), writer.put)
    reader = LineReader(incoming, first.answer) if kept else LineReader(incoming)
    return Opening(reader, writer, first, listed)
