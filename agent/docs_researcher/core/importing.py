"""One heavy import at a time, whichever thread it runs in.

Importing an SDK is all work and no waiting, so two at once gain nothing. And where they share libraries, two threads may each
wait for a module that the other one is making; Python ends that by handing out a module that is only half made.
"""

from __future__ import annotations

import threading

IMPORTING = threading.Lock()
"""Held while `anthropic` or `mcp` is imported in a thread."""
