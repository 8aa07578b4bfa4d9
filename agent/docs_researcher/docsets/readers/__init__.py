"""One documentation format each: text in, a page of blocks out."""
