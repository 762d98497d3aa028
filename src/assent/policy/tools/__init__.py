"""What calls of tools other than the shell would do, one file per kind of tool."""
