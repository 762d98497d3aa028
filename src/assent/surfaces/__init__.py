"""Where people see and answer asks when they look at none of our own screens."""
