"""The tiny program a harness starts for a command hook, and how its copy is placed."""
