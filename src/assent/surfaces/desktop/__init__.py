"""Notifications on the desktop in front of which the hub runs: Linux by its bus, macOS by what is installed there."""

from assent.surfaces.desktop.surface import KIND

__all__ = ["KIND"]
