"""HTTP routes for people's programs."""
