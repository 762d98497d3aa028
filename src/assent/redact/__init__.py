"""What may be written down: contents withheld, known forms of secrets replaced by marks."""

from assent.redact.redactor import Redactor
from assent.redact.scan import Fingerprint
from assent.redact.structure import LONGEST_TEXT, MOST_ITEMS, storable

__all__ = ["LONGEST_TEXT", "MOST_ITEMS", "Fingerprint", "Redactor", "storable"]
