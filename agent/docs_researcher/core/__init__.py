"""Values and rules that everything else is built from. Standard library only."""
