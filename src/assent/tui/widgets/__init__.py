"""The few widgets everything is made of."""
