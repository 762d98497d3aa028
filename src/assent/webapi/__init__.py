"""What the hub's and the relay's HTTP APIs share: endpoints with errors people can read, and signed requests."""
