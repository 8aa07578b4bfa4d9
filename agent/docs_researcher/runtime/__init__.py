"""The research run: the loop, its limits and deadlines, and the facade."""
