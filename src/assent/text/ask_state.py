"""Words for the state of an ask: it follows from the ask, from what was sent here, and the time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from assent.text import wording
from assent.text.safe import plain_line
from assent.text.times import ago, clock, duration, hour_minute, waited
from assent.text.who import agent_name

if TYPE_CHECKING:
    from assent.protocol.bodies import Choice
    from assent.protocol.card import Said, ShownAsk, StepView
    from assent.protocol.queue import Item

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

_NO: "frozenset[Choice]" = frozenset({"deny", "deny_here", "deny_and_stop", "decline", "cancel", "let_stop", "revise"})
_LONGEST = 200
# The surface of answers that came from other machines.
_TEAM = "team"
# How a person's own words are begun; all others of the context are an agent's.
YOU_ASKED, THEY_ASKED = "You asked", "They asked"
PERSONS = (YOU_ASKED, THEY_ASKED)


class Told(NamedTuple):
    name: Name
    sign: str
    text: str

    @property
    def is_open(self) -> bool:
        return self.name in ("open", "gone")


def is_waiting(ask: "ShownAsk") -> bool:
    return ask.state in ("open", "doubtful")


# So many of what a command would do are told, the worst of it; the rest is counted.
MOST_STEPS = 5


def steps(ask: "ShownAsk") -> "tuple[StepView, ...]":
    """What a command would do; nothing where the heading says all of it."""
    every = ask.view.steps
    return every if len(every) > 1 or any(step.where for step in every) else ()


def tally(every: "tuple[StepView, ...]") -> str:
    """``11 things, 8 dangerous``"""
    risks = [step.risk for step in every]
    things = "1 thing" if len(risks) == 1 else f"{len(risks)} things"
    if "danger" in risks:
        return f"{things}, {risks.count('danger')} dangerous"
    return f"{things}, {risks.count('care')} with care" if "care" in risks else things


def context(ask: "ShownAsk") -> list[tuple[str, str]]:
    """What led to it, each with its label: what the person asked for, and what the agent said before and about it."""
    task = ask.subject.task if ask.subject.agent else ""
    said = [(THEY_ASKED if ask.subject.owner else YOU_ASKED, ask.asked), ("Its task", task), ("Agent says", ask.words)]
    return [(label, text) for label, text in (*said, ("" if ask.words else "Agent says", ask.says)) if text]


def changed(ask: "ShownAsk") -> str:
    """``Changed since 14:02: 3 lines added, 1 removed``: a plan against the one that was sent back before it."""
    if ask.round is None:
        return ""
    diff, since = ask.round.diff, hour_minute(ask.round.since)
    if not diff.added and not diff.removed:
        return f"Nothing changed since {since}"
    added = f"{diff.added} {'line' if diff.added == 1 else 'lines'} added"
    return f"Changed since {since}: {added}, {diff.removed} removed"


def queued(items: "Sequence[Item]") -> str:
    """``Queued: 2. Next, when it stops: Run the tests``; "" where nothing is."""
    if not items:
        return ""
    return f"Queued: {len(items)}. Next, {wording.TOLD_WHEN[items[0].to]}: {plain_line(items[0].text, _LONGEST)}"


def state(ask: "ShownAsk", now: float, *, mine: Phase | None = None, turned: float | None = None) -> Told:
    """``mine`` is how far an answer from this screen got, ``turned`` when the ask came into its state."""
    agent = agent_name(ask.subject.harness)
    if ask.undelivered:
        return _told("lost", agent=agent, why=plain_line(ask.undelivered, _LONGEST))
    if ask.state == "closed":
        ended = _ended(ask)
        with_it = f" · told with this result: “{plain_line(ask.told_with, _LONGEST)}”" if ask.told_with else ""
        return ended._replace(text=f"{ended.text}{with_it}")
    if mine in ("held", "posting"):
        return _told("sending")
    if ask.state == "open":
        return Told("open", "", waiting(ask, now))
    if ask.state == "doubtful":
        return _told("gone", why=_evidence(ask, now))
    if mine is None and ask.answer is not None:
        return _told("elsewhere", said=said(ask.answer))
    if ask.state == "answered":
        return _told("sending")
    since = now - (turned if turned is not None else now)
    return _told("told", agent=agent, ago=ago(since))


def _told(name: Name, **parts: str) -> Told:
    words = wording.STATES[name]
    return Told(name, words.sign, words.word.format(**parts))


def waiting(ask: "ShownAsk", now: float) -> str:
    """``waiting 2 min, 8 left``"""
    return wording.STATES["open"].word.format(time=time_of(ask, now))


def time_of(ask: "ShownAsk", now: float) -> str:
    """``2 min, 8 left``"""
    return waited(now - ask.opened_at, ask.expires_at - now if ask.expires_at else None)


def said(answer: "Said") -> str:
    """``Allowed on iPhone, 09:41:07``"""
    did = wording.said(answer.choice) if answer.choice in wording.CHOICES else plain_line(answer.choice, _LONGEST)
    parts = (did, _place(answer))
    together = f", {wording.together(answer.together)}" if answer.together else ""
    return f"{' '.join(filter(None, parts))}, {clock(answer.at)}{together}"


def answerer(answer: "Said") -> str:
    """A person is known by the name of their device, as in ``person:Chrome-on-Linux``; on other machines by theirs."""
    name = answer.by.removeprefix("person:")
    return plain_line((name if answer.surface == _TEAM else name.replace("-", " ")) or answer.surface, _LONGEST)


def approval(ask: "ShownAsk") -> str:
    """Whose yes it needs, who said it, why, and why they cannot be asked; "" where no approval is needed."""
    if ask.approval is None:
        return ""
    reason = plain_line(ask.approval.reason, _LONGEST)
    return " ".join(f"{text.rstrip('.')}." for text in (ask.needs, ask.agreed, reason, ask.unreachable) if text)


def flags(ask: "ShownAsk") -> list[str]:
    """What is unusual about it, in words."""
    words = [wording.FLAGS[flag] for flag in ask.flags if flag in wording.FLAGS]
    return [place, *words] if (place := machine(ask)) else words


def machine(ask: "ShownAsk") -> str:
    """``on build-box``, ``on build-box (ada@example.org)``; "" where the agent runs on this one."""
    if "other_machine" not in ask.flags or not ask.subject.machine:
        return ""
    return f"on {plain_line(ask.subject.machine, _LONGEST)}"


def _place(answer: "Said") -> str:
    where = answerer(answer)
    if answer.surface == _TEAM:
        there = plain_line(answer.device, _LONGEST)
        return f"by {where} ({there})" if there else f"by {where}"
    if where == "terminal":
        return "in the terminal"
    return "at the desk" if where == "desk" else f"on {where}" if where else ""


def _evidence(ask: "ShownAsk", now: float) -> str:
    if ask.result is None:
        return ""
    if ask.result.why:
        return f" ({plain_line(ask.result.why, _LONGEST)})"
    return f" (no prompt seen for {round((now - ask.result.at) / 1000)} s)" if ask.result.at else ""


def _at_the_terminal(why: str, at: str) -> str:
    """``Allowed in the terminal, 09:41:07``; what is only concluded says from what."""
    did = why.removesuffix(" at the terminal")
    if did in ("allowed", "denied"):
        return f"{did.capitalize()} in the terminal, {at}"
    return f"Answered in the terminal, {at}{f' ({why})' if why else ''}"


def _ended(ask: "ShownAsk") -> Told:
    answer, result = ask.answer, ask.result
    ending = result.ending if result else "unknown"
    why = plain_line(result.why, _LONGEST) if result else ""
    at = (result.at if result else None) or ask.opened_at
    if answer is not None and ending != "failed" and answer.choice in _NO:
        return _told("no", said=said(answer))
    took = f", {duration(at - answer.at)}" if answer is not None and at > answer.at else ""
    match ending:
        case "ran":
            return _told("done", took=took)
        case "failed":
            return _told("failed", why=f": {why}" if why else "", took=took)
        case "denied":
            return _told("no", said=said(answer) if answer else f"{wording.said('deny')}{f': {why}' if why else ''}")
        case "terminal":
            return _told("elsewhere", said=_at_the_terminal(why, clock(at)))
        case "expired":
            when = hour_minute((result.at if result else None) or ask.expires_at or ask.opened_at)
            return _told("expired", at=when)
        case "handed_back":
            return _told("handed_back")
        case _:
            words = wording.STATES["withdrawn" if ending == "withdrawn" else "unknown"]
            return Told("withdrawn", words.sign, why or words.word)
