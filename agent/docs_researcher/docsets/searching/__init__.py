"""Ranking inside one docset, and what it shows."""
