"""What went wrong, on one line."""

from assent.errors import AssentError
from assent.views.line import inert

_LONGEST = 300


def sentence(error: AssentError) -> str:
    """What did not happen, and what to do about it. Of several lines the first: the others show a place in a text."""
    what = inert(error.message.partition("\n")[0], _LONGEST)
    hint = inert(error.hint or "", _LONGEST)
    return f"{what} {hint[:1].upper()}{hint[1:]}" if hint else what
