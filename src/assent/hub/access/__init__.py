"""Who may come in, from where, and how far: doors, devices, signatures, pairing, certificates."""
