"""What one file costs to build into an empty store: its chunks, and the most memory that this process ever held, in KB.

python benchmarks/build_memory.py FILE FOLDER
"""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue


def peak() -> int:
    """The peak of this process in KB. Linux hands `ru_maxrss` on from the process that started it, however large that was."""
    status = Path("/proc/self/status")
    if status.is_file() and (found := re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(), re.MULTILINE)):
        return int(found[1])
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used // 1_024 if sys.platform == "darwin" else used


if __name__ == "__main__":
    report = add_source(sys.argv[1], store=Store(Path(sys.argv[2])), catalogue=Catalogue.load())
    print(report.chunks, peak())
