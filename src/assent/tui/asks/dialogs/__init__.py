"""Dialogs over the screen, open until decided or cancelled."""
