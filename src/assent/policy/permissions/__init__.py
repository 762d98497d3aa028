"""Lasting permissions: shapes of commands, runs of project code, changes git can undo."""
