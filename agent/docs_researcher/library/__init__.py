"""What is known about libraries: the catalogue, versions and ranges, package names, registries."""
