"""Where a transcript may be written: over an older one, never over anything else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_researcher.core.errors import UsageError
from docs_researcher.runtime.transcript import Transcript


def written(path: Path) -> str:
    transcript = Transcript(path)
    transcript.question("How do I turn it?", "")
    transcript.close()
    return path.read_text(encoding="utf-8")


def test_an_older_transcript_and_an_empty_file_are_written_over(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.touch()
    assert "How do I turn it?" in written(path)
    assert len(written(path).splitlines()) == 1


@pytest.mark.parametrize("content", ["my notes\n", "[1, 2]\n", '{"name": "a package"}\n', "\x00\x01binary", "{\n"])
def test_any_other_file_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content.encode())
    with pytest.raises(UsageError, match="is no transcript") as caught:
        Transcript(path)
    assert "--trace" in caught.value.next_step
    assert path.read_bytes() == content.encode()


@pytest.mark.skipif(os.name != "posix", reason="there are no such devices")
def test_a_device_holds_nothing_to_lose() -> None:
    device = Path(os.devnull)
    Transcript(device).close()
    assert device.is_char_device()
