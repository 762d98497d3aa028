"""How much a yes could cost."""

from enum import IntEnum


class Risk(IntEnum):
    """Ordered, so that ``max`` of several risks is the risk of all of them together."""

    LOOK = 0
    CHANGE = 1
    CARE = 2
    DANGER = 3

    @property
    def word(self) -> str:
        """The word people see, and the one journals and filters use."""
        return self.name.lower()

    @classmethod
    def parse(cls, word: str) -> "Risk":
        return cls[word.upper()]
