"""What things are called where people read text: in the terminal and in the shell. Pure, and the same in both."""
