"""What `list` and `show` tell about an installed docset, as one JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Installed


def facts_of(installed: Installed) -> dict[str, Any]:
    """The facts about one installed library version. `id` is without the version."""
    meta = installed.meta
    return {
        "id": installed.library_id,
        "version": installed.version,
        "name": installed.name,
        "title": meta.title,
        "description": meta.description,
        "pages": meta.pages,
        "chunks": meta.chunks,
        "snippets": meta.snippets,
        "links": meta.links,
        "dangling_links": meta.dangling_links,
        "date": meta.date,
        "license": meta.license,
        "purl": meta.purl,
        "coverage": meta.coverage or "guide",
        "source_url": meta.source_url,
        "commit": meta.commit,
        "file": str(installed.path),
    }
