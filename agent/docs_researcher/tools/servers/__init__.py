"""Which MCP servers the user has configured, where, and which of them may be used."""
