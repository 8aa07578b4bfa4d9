"""Agent definitions: a Markdown file with frontmatter becomes an `AgentDefinition`."""
