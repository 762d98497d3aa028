"""Effects of tools other than the shell, one file per kind of tool."""
