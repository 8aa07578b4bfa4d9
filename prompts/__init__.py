"""Agent definitions and prompt texts, as package data."""
