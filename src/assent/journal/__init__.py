"""The append-only, chained record."""
