"""From pages to chunks to a docset file."""
