"""The command line in process, over a real store in an empty home."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runs import Run, runner
from sample_pages import SIGNING

SCREEN = """\
# Drawing the screen

Wrap the tree in `<Suspense>` and index it with `arr[bold]`; `[/x]` and `:smile:` are plain text here.

```jsx
<App mood=":smile:">{arr[bold]}</App>
```
"""


@pytest.fixture
def docs_research(home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run one command in process, piped, in the empty home."""
    return runner(capsys)


@pytest.fixture
def relay(tmp_path: Path) -> Path:
    """A folder of documentation of an invented library, with one file that is not UTF-8."""
    folder = tmp_path / "relay"
    folder.mkdir()
    (folder / "signing.md").write_text(SIGNING, encoding="utf-8")
    (folder / "screen.md").write_text(SCREEN, encoding="utf-8")
    (folder / "broken.md").write_bytes(b"# Gr\xfc\xdfe\n\n\xff\xfe\x00\x81 is not UTF-8\n")
    return folder
