"""Who thinks: the port, the extractive model, the scripted model."""
