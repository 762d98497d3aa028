"""Telegram: a bot of one's own, in a private chat. Only the hub reads its messages."""

from assent.surfaces.telegram.surface import KIND

__all__ = ["KIND"]
