"""What may stand in a form that a server asks to be filled in: the same where it is typed and where it is taken."""
