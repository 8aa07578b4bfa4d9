"""From sources over readers and chunks to a docset file, and search in it."""
