"""Keeping the documentation that questions fetched within its room on disk. What the user added is never touched."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import DocsResearchError

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Installed, Store

DISK_MB = 2_000
"""Megabytes that fetched documentation may take: three hundred libraries of the size of Next.js."""
SHOWN = 3
"""Docsets that a notice names; of more it says how many."""


def prune(store: Store, disk_mb: int, keep: Collection[Path] = ()) -> tuple[Notice, ...]:
    """Remove what questions fetched, the least recently used first, until the rest fits.

    Args:
        store: the store.
        disk_mb: megabytes that it may take altogether.
        keep: files that stay, such as the one that was fetched just now.

    Returns:
        One notice about what was removed; none when nothing was.
    """
    fetched = [(item, size) for item in store.installed() if _is_fetched(store, item) and (size := _size(item.path)) is not None]
    room = disk_mb * 1_000_000 - sum(size for _, size in fetched)
    removed: list[tuple[Installed, int, float]] = []
    for item, size in sorted(fetched, key=lambda pair: (store.added.last_used(pair[0].path), pair[0].path.name)):
        if room >= 0:
            break
        if item.path in keep:
            continue
        used = store.added.last_used(item.path)
        with suppress(DocsResearchError):
            store.discard(item)
            removed.append((item, size, used))
            room += size
    return (Notice("pruned", _told(removed, disk_mb)),) if removed else ()


def _is_fetched(store: Store, item: Installed) -> bool:
    added = store.added.of(item.path)
    return added is not None and added.by == "question"


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _told(removed: list[tuple[Installed, int, float]], disk_mb: int) -> str:
    named = [
        f"{item.meta.title} {item.version or ''}".rstrip() + f" (last used {time.strftime('%Y-%m-%d', time.localtime(used))})"
        for item, _, used in removed[:SHOWN]
    ]
    more = f" and {len(removed) - SHOWN} more" if len(removed) > SHOWN else ""
    freed = sum(size for _, size, _ in removed) / 1_000_000
    return (
        f"Removed {', '.join(named)}{more}, {freed:.1f} MB, so that fetched documentation stays below {disk_mb:,} MB "
        "(the setting disk_mb); `docs-research add` keeps what it adds."
    )
