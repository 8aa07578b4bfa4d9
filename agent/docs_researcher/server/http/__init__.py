"""Our MCP server and the Context7-compatible API over HTTP, on one port."""
