"""The command line, one module a command. The only place that imports `rich`."""
