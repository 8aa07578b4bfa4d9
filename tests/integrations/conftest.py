"""A small installed library for the integrations."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue

CODE = 'header = sign_request(secret="s3cret", body=b"{}")'
PAGE = f"""\
# Signing requests

Every request to parcelo is signed. `sign_request` takes the secret and returns the header.

```python
{CODE}
```

## Rotating secrets

Call `rotate_secret` once a month; the old secret stays valid for an hour.

```python
rotate_secret(keep_old_for=3600)
```
"""


@pytest.fixture
def parcelo(home: Path, tmp_path: Path) -> str:
    """An installed library, `parcelo` 2.1. Gives the code that its documentation shows for signing."""
    folder = tmp_path / "parcelo"
    folder.mkdir()
    (folder / "signing.md").write_text(PAGE, encoding="utf-8")
    add_source(str(folder), store=Store(), catalogue=Catalogue.load(), pkg_version="2.1")
    return CODE
