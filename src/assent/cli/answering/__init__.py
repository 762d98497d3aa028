"""Answering in the shell: the card in full, and a person's key after it."""
