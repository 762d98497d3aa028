"""Slack: an app of one's own, in its direct messages, over a connection that the hub opens. No port is open."""

from assent.surfaces.slack.surface import KIND

__all__ = ["KIND"]
