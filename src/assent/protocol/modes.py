"""A run that `assent exec` started: how its asks end where nobody sits at a terminal, and which stance it adds.

It travels in the environment of the run's hooks, where an agent can read it and a forger could write it. So it can only
take away: deny at once, let a person decide, leave it to the client. Nothing it says makes anything more permitted.
"""

import re
from typing import Literal

from msgspec import Struct

VARIABLE = "ASSENT_RUN"
OnAsk = Literal["deny", "wait", "hand-back"]

_LONGEST = 200
_ID = re.compile(r"[0-9a-f]{1,32}")


class Run(Struct, frozen=True):
    id: str = ""
    on_ask: OnAsk = "deny"
    # How long a person has, in seconds.
    wait: int = 0
    # Added to the one in the settings: of the two the stricter counts. Empty adds none.
    stance: str = ""


def write(run: Run) -> str:
    stance = f" stance={run.stance}" if run.stance else ""
    return f"id={run.id} on-ask={run.on_ask} wait={run.wait}{stance}"


def read(text: str | None) -> Run | None:
    """None where there is no such run. What cannot be read denies."""
    if not text:
        return None
    said = dict(word.partition("=")[::2] for word in text[:_LONGEST].split())
    wait = said.get("wait", "")
    name = said.get("id", "")
    on_ask: OnAsk = "deny"
    match said.get("on-ask"):
        case "wait":
            on_ask = "wait"
        case "hand-back":
            on_ask = "hand-back"
    return Run(
        id=name if _ID.fullmatch(name) else "",
        on_ask=on_ask,
        wait=int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 6 else 0,
        stance=said.get("stance", ""),
    )
