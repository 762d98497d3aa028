"""Nothing of other programs is changed before somebody saw what, and said yes."""

from assent.cli import output
from assent.errors import AssentError, UsageError


def must_be_confirmed(question: str, *, yes: bool) -> None:
    """Raises unless somebody agrees, now or with ``--yes``."""
    if yes:
        return
    if not output.is_interactive():
        raise UsageError(
            "Nothing was changed: there is no terminal to ask on.", hint="--yes goes ahead without being asked."
        )
    if not output.confirmed(question):
        raise AssentError("Nothing was changed.")
