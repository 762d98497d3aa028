"""Assent: the control plane for coding-agent hooks."""

from assent._version import __version__

__all__ = ["__version__"]
