"""Slack: an app of one's own, in its direct messages, over a connection that the hub opens. No port is open."""

from assent.surfaces.slack.kind import KIND

__all__ = ["KIND"]
