"""Our MCP server. The only place that imports `mcp`'s server."""
