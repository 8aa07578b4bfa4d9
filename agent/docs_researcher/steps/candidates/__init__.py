"""Step 3: which of the offered libraries is meant."""
