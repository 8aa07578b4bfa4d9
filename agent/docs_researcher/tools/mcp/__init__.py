"""Documentation from any MCP server. The only place that imports `mcp`'s client."""
