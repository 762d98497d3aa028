"""What an ask's state is called, word for word: it follows from the ask, from what was sent here, and the time."""

from typing import Literal, NamedTuple

from assent.protocol.bodies import Choice
from assent.protocol.card import Flag, Said, ShownAsk
from assent.views.line import inert
from assent.words.times import ago, clock, duration, hour_minute, stopwatch
from assent.words.who import agent_name

Name = Literal[
    "open",
    "gone",
    "sending",
    "told",
    "done",
    "failed",
    "no",
    "elsewhere",
    "expired",
    "handed_back",
    "withdrawn",
    "lost",
]
# What became of an answer given here: "held" can still be taken back.
Phase = Literal["held", "posting", "sent"]

DID: dict[Choice, str] = {
    "allow": "Allowed",
    "allow_edited": "Allowed with changes",
    "allow_session": "Allowed for the session",
    "allow_project": "Allowed for the project",
    "allow_user": "Allowed for all projects",
    "deny": "Denied",
    "deny_and_stop": "Denied, and the turn stopped",
    "hand_back": "Left for the terminal",
    "answer": "Answered",
    "approve": "Approved",
    "revise": "Notes sent",
    "submit": "Filled in",
    "decline": "Declined",
    "cancel": "Cancelled",
    "keep_going": "Kept going",
    "let_stop": "Stopped",
}
FLAGS: dict[Flag, str] = {
    "hidden_characters": "hidden characters",
    "redacted": "secrets shown as marks",
    "outside_project": "outside the project",
    "unattended": "nobody at the terminal",
    "bypass": "bypass: nothing is asked here",
    "limited_host": "limited: this host does not report refusals",
    "unread": "not read to its end",
    "burst": "one of many",
}
_NO: frozenset[Choice] = frozenset({"deny", "deny_and_stop", "decline", "cancel", "let_stop", "revise"})
_LONGEST = 200


class Told(NamedTuple):
    name: Name
    sign: str
    text: str

    @property
    def is_open(self) -> bool:
        return self.name in ("open", "gone")


def is_waiting(ask: ShownAsk) -> bool:
    return ask.state in ("open", "doubtful")


def state(ask: ShownAsk, now: float, *, mine: Phase | None = None, turned: float | None = None) -> Told:
    """``mine`` is how far an answer from this screen got, ``turned`` when the ask came into its state."""
    if ask.undelivered:
        return Told("lost", "▲", f"{agent_name(ask.subject.harness)} was not told: {inert(ask.undelivered, _LONGEST)}")
    if ask.state == "closed":
        return _ended(ask)
    if mine in ("held", "posting"):
        return Told("sending", "◔", "Sending…")
    if ask.state == "open":
        return Told("open", "", waiting(ask, now))
    if ask.state == "doubtful":
        return Told("gone", "◌", f"Looks answered at the terminal{_evidence(ask, now)}")
    if mine is None and ask.answer is not None:
        return Told("elsewhere", "→", said(ask.answer))
    if ask.state == "answered":
        return Told("sending", "◔", "Sending…")
    since = now - (turned if turned is not None else now)
    return Told("told", "✓", f"Told {agent_name(ask.subject.harness)} {ago(since)}")


def waiting(ask: ShownAsk, now: float) -> str:
    """``waiting 0:42 · until 9:58``"""
    until = f" · until {hour_minute(ask.expires_at)}" if ask.expires_at else ""
    return f"waiting {stopwatch(now - ask.opened_at)}{until}"


def said(answer: Said) -> str:
    """``Allowed on iPhone, 09:41:07``"""
    parts = (DID.get(answer.choice, inert(answer.choice, _LONGEST)), _place(answer))
    return f"{' '.join(filter(None, parts))}, {clock(answer.at)}"


def answerer(answer: Said) -> str:
    """A person is known by the name of their device, as in ``person:Chrome-on-Linux``."""
    return inert(answer.by.removeprefix("person:").replace("-", " ") or answer.surface, _LONGEST)


def flags(ask: ShownAsk) -> list[str]:
    """What is unusual about it, in words."""
    told = [FLAGS[flag] for flag in ask.flags if flag in FLAGS]
    if "other_machine" in ask.flags and ask.subject.machine:
        told.insert(0, f"on {inert(ask.subject.machine, _LONGEST)}")
    return told


def _place(answer: Said) -> str:
    where = answerer(answer)
    if where == "terminal":
        return "in the terminal"
    return "at the desk" if where == "desk" else f"on {where}" if where else ""


def _evidence(ask: ShownAsk, now: float) -> str:
    if ask.result is None:
        return ""
    if ask.result.why:
        return f" ({inert(ask.result.why, _LONGEST)})"
    return f" (no prompt seen for {round((now - ask.result.at) / 1000)} s)" if ask.result.at else ""


def _at_the_terminal(why: str, at: str) -> str:
    """``Allowed in the terminal, 09:41:07``; what is only concluded says from what."""
    did = why.removesuffix(" at the terminal")
    if did in ("allowed", "denied"):
        return f"{did.capitalize()} in the terminal, {at}"
    return f"Answered in the terminal, {at}{f' ({why})' if why else ''}"


def _ended(ask: ShownAsk) -> Told:
    answer, result = ask.answer, ask.result
    ending = result.ending if result else "unknown"
    why = inert(result.why, _LONGEST) if result else ""
    at = (result.at if result else None) or ask.opened_at
    if answer is not None and ending != "failed" and answer.choice in _NO:
        return Told("no", "✕", said(answer))
    took = f", {duration(at - answer.at)}" if answer is not None and at > answer.at else ""
    match ending:
        case "ran":
            return Told("done", "✓", f"ran{took}")
        case "failed":
            return Told("failed", "✕", f"ran{f': {why}' if why else ', failed'}{took}")
        case "denied":
            return Told("no", "✕", said(answer) if answer else f"Denied{f': {why}' if why else ''}")
        case "terminal":
            return Told("elsewhere", "→", _at_the_terminal(why, clock(at)))
        case "expired":
            when = hour_minute((result.at if result else None) or ask.expires_at or ask.opened_at)
            return Told("expired", "◌", f"Expired at {when}. Nothing was sent; the terminal decides.")
        case "handed_back":
            return Told("handed_back", "→", "Left for the terminal")
        case "withdrawn":
            return Told("withdrawn", "◌", why or "The agent moved on")
        case _:
            return Told("withdrawn", "◌", why or "Nobody reported how it ended")
