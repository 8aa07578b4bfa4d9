"""The digest that a docset keeps of each chunk: of equal ones a search shows one, and a damaged one is told by it."""

from __future__ import annotations

import hashlib


def chunk_digest(heading: str, content: str) -> int:
    """Equal for chunks of the same heading (its parts joined by ` > `) and text, however it is spaced."""
    text = f"{heading}\n{' '.join(content.split())}"
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)
