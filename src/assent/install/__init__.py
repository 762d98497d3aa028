"""Careful edits of other programs' settings: plan, diff, apply, undo."""
