"""How a docset comes to be installed: what was named, where it may be had, and which version."""
