"""Access control: listeners, devices, signatures, pairing, certificates."""
