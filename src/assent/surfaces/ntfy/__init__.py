"""ntfy: a topic on a phone, and a second one by which presses come back. No port is opened for either."""

from assent.surfaces.ntfy.surface import KIND

__all__ = ["KIND"]
