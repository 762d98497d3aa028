"""Redaction: contents withheld, known forms of secrets replaced by marks.

What is named here is loaded on use: the policy needs the forms of secrets, and not the rest."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assent.redact.scan import Fingerprint
    from assent.redact.structure import LONGEST_TEXT, MOST_ITEMS, Redactor, storable

__all__ = ["LONGEST_TEXT", "MOST_ITEMS", "Fingerprint", "Redactor", "storable"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"assent.redact.{'scan' if name == 'Fingerprint' else 'structure'}"), name)
