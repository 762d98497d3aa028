"""Measures Assent against its budgets: `make bench`, or `python -m bench --help`."""
