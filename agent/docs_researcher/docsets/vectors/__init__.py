"""Search by meaning, with the extra `semantic`: a small embedding model, and its vectors in the docset."""
