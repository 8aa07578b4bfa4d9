"""What is being written when a process has to end at once is removed on its way out."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_researcher.docsets.building.chunks import Chunk
from docs_researcher.docsets.building.write import write_docset
from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.sources.base import SourceInfo
from docs_researcher.docsets.unfinished import remove_unfinished, temporary_folder


def test_a_docset_in_the_middle_of_its_writing_leaves_nothing(tmp_path: Path) -> None:
    there: list[list[str]] = []

    def pages() -> Iterator[tuple[Page, tuple[Chunk, ...]]]:
        there.append([path.suffix for path in tmp_path.iterdir()])
        remove_unfinished()
        there.append([path.suffix for path in tmp_path.iterdir()])
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        write_docset(tmp_path / "a@1.db", SourceInfo("a", "1", "/local/a"), pages())
    assert there == [[".partial"], []]


def test_a_temporary_folder_is_gone_behind_its_use_and_at_a_sudden_end(tmp_path: Path) -> None:
    with temporary_folder("fetch-", tmp_path) as folder:
        (folder / "package.tgz").write_bytes(b"half")
    assert not folder.exists()
    with temporary_folder("fetch-", tmp_path) as folder:
        (folder / "package.tgz").write_bytes(b"half")
        remove_unfinished()
        assert list(tmp_path.iterdir()) == []
    remove_unfinished()


@pytest.mark.interop
@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process there without asking it")
def test_sigterm_while_a_worker_builds_leaves_no_file(tmp_path: Path) -> None:
    code = (
        "import signal, threading\n"
        "from pathlib import Path\n"
        "from docs_researcher.cli import interrupts\n"
        "from docs_researcher.docsets.sources.base import SourceInfo\n"
        "from docs_researcher.docsets.building.write import write_docset\n"
        "interrupts.GRACE = 0.2\n"
        "interrupts.catch_signals()\n"
        "def pages():\n"
        "    print('writing', flush=True)\n"
        "    threading.Event().wait()\n"
        "    yield\n"
        f"target = Path({str(tmp_path)!r}, 'a@1.db')\n"
        "threading.Thread(target=write_docset, args=(target, SourceInfo('a', '1', '/local/a'), pages())).start()\n"
        "signal.pause()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    assert [path.suffix for path in tmp_path.iterdir()] == [".partial"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 143
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []
