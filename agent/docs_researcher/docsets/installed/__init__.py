"""The docsets of this machine: where they lie, what they are called, and how they are kept."""
