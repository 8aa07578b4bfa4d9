"""Step 4: what is asked of the documentation, one concept at a time."""
