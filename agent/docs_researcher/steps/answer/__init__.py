"""Step 5: an answer made of what was read."""
