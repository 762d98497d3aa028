"""A short way with a real client: a scripted model on loopback, a home of its own, and what became of two calls."""
