"""A Claude model, or anything that speaks the Messages API. The only room in `models` that imports `anthropic`."""
