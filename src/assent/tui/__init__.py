"""``assent watch``: the same product in a terminal. What is drawn are lines of named pieces, made by pure functions."""
