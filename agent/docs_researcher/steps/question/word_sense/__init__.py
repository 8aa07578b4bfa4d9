"""Names that are English words: whether the library is meant, by kind of evidence."""
