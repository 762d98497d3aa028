"""State machine of an ask. Pure.

    open ⇄ doubtful ─▶ answered ─▶ told ─▶ closed
      └───────┴───────────┴──────────────────┘

The desk asks it before it acts, the view when it reads what was recorded: both get the same answer."""

from msgspec import Struct
from msgspec.structs import replace

from assent.protocol.bodies import Certainty, Ending
from assent.protocol.card import State

ANSWERABLE: frozenset[State] = frozenset({"open", "doubtful"})
_LETTERS = "abcdefghijkmnopqrstuvwxyz"
_NAMES = len(_LETTERS) ** 5
# Shares no factor with the number of names, so that counting up meets each of them once.
_STRIDE = 6_700_417


class Life(Struct, frozen=True, omit_defaults=True):
    state: State = "open"
    # Set when closed; on a doubtful ask it is what seems to have happened.
    ending: Ending | None = None
    certainty: Certainty = "certain"

    @property
    def is_answerable(self) -> bool:
        return self.state in ANSWERABLE

    @property
    def is_over(self) -> bool:
        """Nothing that happens later changes what is known of it: only a report can still become certain."""
        return self.state == "closed" and self.certainty != "reported"


def answered(life: Life) -> Life | None:
    """An answer was accepted. None: too late."""
    return Life("answered") if life.is_answerable else None


def told(life: Life) -> Life | None:
    """The agent has the answer."""
    return replace(life, state="told") if life.state == "answered" else None


def ended(life: Life, ending: Ending, certainty: Certainty) -> Life | None:
    """How it ended, as far as that is known: a report closes it, a guess only casts doubt on it."""
    if certainty == "certain":
        return None if life.is_over else Life("closed", ending)
    if not life.is_answerable:
        # A person's answer is better evidence than what others say.
        return None
    return Life("closed" if certainty == "reported" else "doubtful", ending, certainty)


def seen_waiting(life: Life) -> Life | None:
    """The agent itself says that it still waits."""
    return Life() if life.state == "doubtful" else None


def revised(life: Life) -> Life | None:
    """What is shown has changed, so it has to be read again."""
    return Life() if life.is_answerable else None


def name(number: int) -> str:
    """Five letters without l. Different numbers have different names, until there are no more."""
    left, letters = number * _STRIDE % _NAMES, []
    for _ in range(5):
        left, letter = divmod(left, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)
