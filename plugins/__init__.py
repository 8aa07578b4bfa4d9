"""Plugin folders for coding agents, as package data."""
