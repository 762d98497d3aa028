"""The hub's end of a team: asks out and in, answers from other machines, and who may give them."""
