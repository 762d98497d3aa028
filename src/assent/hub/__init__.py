"""The daemon. Nobody imports it; it is started as a process."""
