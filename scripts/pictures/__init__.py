"""The pictures of README and docs, and one of every screen, made with the real program and a real browser."""
