"""The name of a licence, by the first lines of its text."""

from __future__ import annotations

import re

_KNOWN = (
    (r"MIT License|Permission is hereby granted, free of charge", "MIT"),
    (r"Apache License[\s,]+Version 2\.0", "Apache-2.0"),
    (r"Mozilla Public License,? (?:Version|v\.?) ?2\.0", "MPL-2.0"),
    (r"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3", "AGPL-3.0"),
    (r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3", "LGPL-3.0"),
    (r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1", "LGPL-2.1"),
    (r"GNU GENERAL PUBLIC LICENSE\s+Version 3", "GPL-3.0"),
    (r"GNU GENERAL PUBLIC LICENSE\s+Version 2", "GPL-2.0"),
    (r"ISC License|Permission to use, copy, modify, and(?:/or)? distribute this software", "ISC"),
    (r"Neither the name of", "BSD-3-Clause"),
    (r"Redistribution and use in source and binary forms", "BSD-2-Clause"),
    (r"Attribution 4\.0 International", "CC-BY-4.0"),
    (r"This is free and unencumbered software released into the public domain", "Unlicense"),
    (r"CC0 1\.0 Universal", "CC0-1.0"),
)


def licence_name(text: str) -> str | None:
    """The SPDX name of the licence that a text is, or None when it is not one of the usual ones."""
    for pattern, name in _KNOWN:
        if re.search(pattern, text, re.IGNORECASE):
            return name
    return None
