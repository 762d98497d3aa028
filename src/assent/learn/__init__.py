"""Learning from the record: what other rules would have decided, and which rules would have saved asks."""
