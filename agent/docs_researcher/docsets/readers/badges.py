"""Images that tell the state of a project (its build, its downloads) and say nothing about how it is used."""

from __future__ import annotations

import re

_BADGE = re.compile(
    r"badge|shields\.io|/workflows/|travis-ci|circleci|appveyor|codecov|coveralls|codacy|codeclimate|pepy\.tech|snyk\.io"
    r"|zenodo|tidelift|opencollective|gitter|sonarcloud|dev\.azure\.com|readthedocs\.org/projects/",
    re.IGNORECASE,
)


def is_badge(address: str) -> bool:
    """Whether an image at this address is a badge, whose text stands for nothing that a reader looks for."""
    return _BADGE.search(address) is not None
