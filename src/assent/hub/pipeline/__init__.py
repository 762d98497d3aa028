"""The path of one event: decode, judge, record, reply."""
