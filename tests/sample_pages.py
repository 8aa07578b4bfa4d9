"""Pages of documentation of invented libraries, for tests that need something to read."""

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

GUARDS = "# Authentication Guards\n\nA guard decides whether a visitor may see a page, and sends others to the login.\n"
OTHERS = {
    "images": "# Images\n\nPictures are made smaller and cached.\n",
    "forms": "# Forms\n\nA form sends its fields to an action.\n",
    "styles": "# Styles\n\nStyle sheets are imported by components.\n",
    "deploying": "# Deploying\n\nA build runs on any server with Node.\n",
    "testing": "# Testing\n\nComponents are rendered without a browser.\n",
}
