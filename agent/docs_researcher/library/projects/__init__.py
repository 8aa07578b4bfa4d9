"""What a project depends on, read from its manifests, lock files and installed copies. Nothing of it is executed."""
