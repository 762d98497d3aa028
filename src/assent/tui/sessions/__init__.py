"""The second tab: all sessions, and the page of one."""
