"""Where documentation comes from during a run: the provider port, our docsets, MCP servers."""
