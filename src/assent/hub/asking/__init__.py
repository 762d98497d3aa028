"""Asks inside the hub: which events are asked, what is drawn, queues and lasting permissions."""
