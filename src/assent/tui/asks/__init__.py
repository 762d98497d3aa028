"""One ask on the screen: its card, what a key does to it, and answers on their way."""
