"""TOML files people write: read carefully, and explained to the character when they are wrong."""
