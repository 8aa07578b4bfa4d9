"""Step 1: what a question is about."""
