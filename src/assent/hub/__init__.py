"""The daemon. No other package imports it; it is started as a process."""
