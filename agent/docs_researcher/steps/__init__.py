"""The five steps of the research as pure functions."""
