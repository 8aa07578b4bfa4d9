"""npm and PyPI, read through the configuration that the user already has for them."""
