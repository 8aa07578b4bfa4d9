"""A page of documentation of an invented library, for tests that need something to read."""

from __future__ import annotations

SIGNING = """\
# Signing requests

Every request to the relay is signed. `sign_request` takes the secret and returns the header.

```python
header = sign_request(secret="s3cret", body=b"{}")
```

## Rotating secrets

Call `rotate_secret` once a month; the old secret stays valid for an hour.

```python
rotate_secret(keep_old_for=3600)
```
"""
