"""Cards on another machine than the agent's: without the answers that only that machine can carry out."""

import sys

import msgspec
from msgspec.structs import replace

from assent.asks import approval
from assent.asks.choices import CHOICES, PERMITTING
from assent.hub.asking.case import without_contents
from assent.protocol.bodies import SAFE, Choice
from assent.protocol.card import GRANTS, Card, Flag, Segment, View
from assent.protocol.record import ELSEWHERE
from assent.protocol.team import SharedAsk, Whom
from assent.redact import Redactor
from assent.text.safe import middle, plain_line

# What lasts is kept where the agent runs, and offered there.
NOT_CARRIED: tuple[Choice, ...] = ("allow_here", "allow_for", "deny_here", *GRANTS)
LONGEST_NAME, LONGEST_LINE, LONGEST_TEXT, MOST_STEPS = 100, 400, 2_000, 5


def carried(card: Card, machine: str) -> Card:
    """As it is shown elsewhere. A hub does this to its own cards and, whatever was done before, to those of others."""
    return replace(
        card,
        subject=replace(card.subject, machine=plain_line(machine, LONGEST_NAME)),
        flags=_with(card.flags, "other_machine"),
        untold=(*card.untold, *(choice for choice in NOT_CARRIED if choice not in card.untold)),
        stays=(),
        timed=(),
    )


def shortened(card: Card) -> Card:
    """Of a card that is too large or too deep to be sent only the beginnings: enough for a no."""
    view, subject = card.view, card.subject
    whole = "".join(segment.text for segment in view.segments) or view.markdown
    text = f"{whole[:LONGEST_TEXT]}\n… {len(whole) - LONGEST_TEXT:,} more" if len(whole) > LONGEST_TEXT else whole
    steps = tuple(
        replace(step, words=_line(step.words), why=_line(step.why), command=_line(step.command), where=())
        for step in view.steps[:MOST_STEPS]
    )
    fields = {name: _line(getattr(subject, name)) for name in subject.__struct_fields__}
    return replace(
        card,
        view=View(
            verb=_line(view.verb),
            tool=_line(view.tool),
            line=_line(view.line),
            steps=steps,
            segments=(Segment(text),) if text else (),
        ),
        subject=replace(subject, **fields),
        risk=replace(card.risk, reason=_line(card.risk.reason), safer=_line(card.risk.safer), instead="", match=""),
        says=_line(card.says),
        words=_line(card.words),
        asked=_line(card.asked),
        flags=_with(card.flags, "shortened"),
        stays=(),
        timed=(),
    )


def here(shared: SharedAsk, owner: str, *, may_say_yes: bool, may_say_no: bool, is_new: bool = False) -> Card:
    """An ask of another hub as this one shows it. ``owner``: whose it is, where that is another person; ``is_new``:
    this machine joined a moment ago."""
    owner = plain_line(owner, LONGEST_NAME)
    machine = f"{shared.machine} ({owner})" if owner else shared.machine
    card = carried(shared.card, machine)
    card = replace(card, subject=replace(card.subject, session=session_here(shared), owner=owner))
    if not may_say_no and not may_say_yes:
        return replace(card, flags=_with(card.flags, "read_only"))
    refused = {choice for choice in CHOICES[card.kind] if choice not in SAFE} if is_new else frozenset()
    refused |= frozenset() if may_say_yes else PERMITTING
    card = replace(card, untold=(*card.untold, *sorted(refused - set(card.untold))))
    return replace(card, flags=_with(card.flags, "new_machine")) if is_new and may_say_yes else card


def session_here(shared: SharedAsk) -> str:
    """Sessions of two machines are never taken for one."""
    return f"{ELSEWHERE}{shared.hub[:8]}-{shared.session[:LONGEST_NAME]}"


def stored(card: Card, redactor: Redactor) -> dict[str, object]:
    """As it may be written down here: the other hub took out its secrets, and this one takes out its own."""
    kept: dict[str, object] = redactor.storable(msgspec.to_builtins(without_contents(card)))
    return kept


def whom_of(card: Card, otherwise: tuple[Whom, ...]) -> tuple[Whom, ...]:
    """All whose yes may count, now or at a later step."""
    return otherwise if card.approval is None else approval.whom_now(card.approval, sys.maxsize)


def _with(flags: tuple[Flag, ...], flag: Flag) -> tuple[Flag, ...]:
    return flags if flag in flags else (*flags, flag)


def _line(text: str) -> str:
    return middle(text, LONGEST_LINE)
