"""Where documentation is read from: packages, folders, archives."""
