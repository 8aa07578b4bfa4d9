"""A finished answer held against what was read."""
