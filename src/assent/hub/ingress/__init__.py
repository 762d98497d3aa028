"""How events, telemetry and spooled gaps reach the hub."""
