"""The public registries' addresses, as `packageurl` knows them, so that they stand nowhere in our own text."""

from __future__ import annotations

import importlib
from functools import cache
from urllib.parse import urlsplit


@cache
def npm_registry() -> str:
    """The address of npm's public registry, without a slash at the end."""
    return _origin("get_download_url", "pkg:npm/x@1.0.0")


@cache
def pypi_index() -> str:
    """The address of PyPI's public "simple" index, without a slash at the end."""
    return _origin("get_repo_url", "pkg:pypi/x") + "/simple"


def _origin(function: str, purl: str) -> str:
    purl2url = importlib.import_module("packageurl.contrib.purl2url")  # states no types, so it is called by name
    parts = urlsplit(str(getattr(purl2url, function)(purl)))
    return f"{parts.scheme}://{parts.netloc}"
