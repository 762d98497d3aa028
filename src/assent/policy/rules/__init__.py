"""Rules: their language, their files, and matching."""
