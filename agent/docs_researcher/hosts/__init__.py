"""Plugin folders and client configuration for Claude Code, Cursor and other hosts, all out of one source of texts."""
