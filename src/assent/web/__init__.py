"""Files of the page; nothing here runs in Python."""
