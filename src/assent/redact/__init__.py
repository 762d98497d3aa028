"""Redaction: contents withheld, known forms of secrets replaced by marks."""

from assent.redact.scan import Fingerprint
from assent.redact.structure import LONGEST_TEXT, MOST_ITEMS, Redactor, storable

__all__ = ["LONGEST_TEXT", "MOST_ITEMS", "Fingerprint", "Redactor", "storable"]
