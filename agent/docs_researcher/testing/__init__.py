"""Public test aids. No other room imports this one."""
