"""How an agent runs: its permission mode in our words, and the run that `assent exec` started."""

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
    # Started without a screen of its own: for clients that do not say themselves whether a person is there.
    screenless: bool = False


def write(run: Run) -> str:
    stance = f" stance={run.stance}" if run.stance else ""
    return f"id={run.id} on-ask={run.on_ask} wait={run.wait}{stance}{' screenless=1' if run.screenless else ''}"


def read(text: str | None) -> Run | None:
    """None where there is no such run. What cannot be read denies."""
    if not text:
        return None
    fields = dict(word.partition("=")[::2] for word in text[:_LONGEST].split())
    wait = fields.get("wait", "")
    name = fields.get("id", "")
    on_ask: OnAsk = "deny"
    match fields.get("on-ask"):
        case "wait":
            on_ask = "wait"
        case "hand-back":
            on_ask = "hand-back"
    return Run(
        id=name if _ID.fullmatch(name) else "",
        on_ask=on_ask,
        wait=int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 6 else 0,
        stance=fields.get("stance", ""),
        screenless=fields.get("screenless") == "1",
    )


Mode = Literal["default", "accept_edits", "plan", "auto", "preapproved_only", "bypass"]

DEFAULT: Mode = "default"
# The client lets edits of files pass.
ACCEPT_EDITS: Mode = "accept_edits"
# The agent plans and changes nothing.
PLAN: Mode = "plan"
# A classifier of the vendor's decides.
AUTO: Mode = "auto"
# The client refuses what nothing allows.
PREAPPROVED_ONLY: Mode = "preapproved_only"
# The client never asks, and may drop prompts of hooks.
BYPASS: Mode = "bypass"
MODES: tuple[Mode, ...] = (DEFAULT, PLAN, ACCEPT_EDITS, AUTO, PREAPPROVED_ONLY, BYPASS)

# The modes in which an agent may go on with a plan, in answers of every version.
PlanMode = Literal["default", "accept_edits", "acceptEdits"]

# Spellings of earlier versions, in records, in rules.toml and in answers. They are also those of the first client.
Earlier = Literal["acceptEdits", "dontAsk", "bypassPermissions"]
EARLIER: dict[str, Mode] = {
    "acceptEdits": ACCEPT_EDITS,
    "dontAsk": PREAPPROVED_ONLY,
    "bypassPermissions": BYPASS,
}


def canonical(word: str) -> str:
    """Today's word for a mode, however an earlier version spelt it; a word that is not known stays."""
    return EARLIER.get(word, word)
