"""Sheets that lie over the screen until somebody decides, or leaves them."""
