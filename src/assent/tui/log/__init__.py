"""The fourth tab: what was decided, and the story of each call."""
