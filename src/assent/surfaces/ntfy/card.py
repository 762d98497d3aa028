"""An ask as a notification: plain text that fits, with what an agent wrote behind a bar of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk, Way
from assent.surfaces import ask_text, button_payload
from assent.surfaces.ask_text import ask_summary
from assent.surfaces.base import Audience
from assent.text import who, wording
from assent.text.ask_state import approval, changed, context, flags, is_waiting, said, state
from assent.text.safe import notification_line

# A server takes 4 096 bytes of text, and twice as much with everything around it.
ROOM = 3_000
TITLE = 120
_BAR = "│ "
_CUT = "⋯"
_LINE = 240


@dataclass(frozen=True, slots=True)
class Card:
    title: str
    text: str
    # Everything of the ask stands in it.
    is_whole: bool = False


def card(ask: ShownAsk, audience: Audience, now: float) -> Card:
    if audience.gist or audience.privacy == "masked":
        title, text = ask_summary(ask, audience)
        return Card(title, text if audience.gist else f"{text}\nid {ask.id}")
    top, bottom = _top(ask, audience), _bottom(ask, now)
    body = "\n".join(f"{_BAR}{line}" for line in ask_text.text(ask).splitlines())
    room = ROOM - _size(top) - _size(bottom)
    is_whole = ask_text.is_whole(ask) and _size(body) <= room and len(ask.view.questions) <= 1
    if not is_whole:
        bottom = f"This is not all of it: open it to read the rest.\n{bottom}"
        body = _both_ends(body, room - 100)
    return Card(_head(ask), "\n".join(filter(None, (top, body, bottom))), is_whole)


def over(ask: ShownAsk | None, name: str, why: str, now: float) -> Card:
    """What is left when nothing can be answered any more. ``ask`` is None where only its end may be told."""
    last = f"id {notification_line(name, 20)}" if name else "Nothing waits for you here."
    if ask is None or is_waiting(ask):
        return Card(f"◌ {notification_line(why, TITLE)}", last)
    now_is = state(ask, now)
    answered = said(ask.answer) if ask.answer is not None else ""
    words = " · ".join(dict.fromkeys(filter(None, (answered, now_is.text))))
    return Card(
        notification_line(f"{now_is.sign} {words}", TITLE),
        f"{_head(ask)}\n{notification_line(who.identity(ask.subject), 160)}\n{last}",
    )


def _head(ask: ShownAsk) -> str:
    """``■ Danger · Delete untracked files``"""
    return notification_line(f"{wording.sign(ask)} {wording.label(ask)} · {ask_text.heading(ask)}", TITLE)


def _top(ask: ShownAsk, audience: Audience) -> str:
    risk, unusual = ask.risk, ", ".join(flags(ask))
    lines = [
        "Still waiting for you." if audience.is_reminder else "",
        notification_line(who.identity(ask.subject), 160),
        notification_line(unusual, _LINE),
        notification_line(approval(ask), _LINE),
        f"Why: {notification_line(risk.reason, _LINE)}" if risk.reason else "",
        f"Safer: {notification_line(' '.join(filter(None, ask_text.safer(ask))), _LINE)}"
        if any(ask_text.safer(ask))
        else "",
        changed(ask),
        f"Would do: {ask_text.tally(ask)}" if ask_text.tally(ask) else "",
        *(notification_line(" ".join(filter(None, step)), 160) for step in ask_text.steps(ask)),
        ask_text.more_steps(ask),
    ]
    return "\n".join(filter(None, lines))


def _bottom(ask: ShownAsk, now: float) -> str:
    lines = [
        *(f"{label}: “{notification_line(text, _LINE)}”".lstrip(": ") for label, text in context(ask)),
        notification_line("".join(run.text for run in ask_text.where(ask)), 200),
        " · ".join(filter(None, (f"id {ask.id}", ask_text.until(ask, now)))),
    ]
    return "\n".join(filter(None, lines))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _both_ends(text: str, room: int) -> str:
    """Beginning and end, and how much is missing between them."""
    if _size(text) <= room:
        return text
    half = (room - 60) // 2
    head, tail = _first(text, half), _first(text[::-1], half)[::-1]
    missing = len(text) - len(head) - len(tail)
    return f"{head}\n{_CUT} {missing} characters {_CUT}\n{_BAR}{tail}"


def _first(text: str, room: int) -> str:
    return text[:room].encode("utf-8", "replace")[:room].decode("utf-8", "ignore")


MOST = 3
LABEL = 40
_NO: tuple[Choice, ...] = ("deny", "decline", "let_stop")

Action = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Actions:
    key: bytes = field(repr=False)
    # Where presses go.
    address: str = field(repr=False)
    link: Callable[[str], str]
    # What a phone needs to publish there; "" where no login is needed.
    authorization: str = field(default="", repr=False)

    def of(self, ask: ShownAsk, ways: Sequence[Way], now: int) -> list[Action]:
        # A yes that takes two steps is given where there is room for them.
        at_once = {way.choice for way in ways if way.needs == "press"}
        no = [self._press(ask, choice, wording.offer(choice), now) for choice in _NO if choice in at_once]
        yes = [self._press(ask, "allow", wording.offer("allow"), now)] if "allow" in at_once else []
        if "answer" in at_once:
            yes = self._answers(ask, now)
        return [*no[:1], *yes, *self._opening(ask)][:MOST]

    def of_many(self, ask: ShownAsk, ways: Sequence[Way], now: int) -> list[Action]:
        can_stop = any(way.choice == "deny_and_stop" for way in ways)
        return [
            *([self._press(ask, "deny_and_stop", wording.offer("deny_and_stop"), now)] if can_stop else []),
            *self._opening(ask),
        ]

    def _answers(self, ask: ShownAsk, now: int) -> list[Action]:
        """Two answers to one question; more do not fit."""
        one = ask.view.questions[0]
        if len(ask.view.questions) != 1 or one.multi or len(one.options) > MOST - 1:
            return []
        return [
            self._press(ask, "answer", notification_line(option.label, LABEL) or str(at + 1), now, str(at))
            for at, option in enumerate(one.options)
        ]

    def _opening(self, ask: ShownAsk) -> list[Action]:
        url = self.link(ask.id)
        return [{"action": "view", "label": "Open", "url": url}] if url.startswith(("https://", "http://")) else []

    def _press(self, ask: ShownAsk, choice: Choice, words: str, now: int, argument: str = "") -> Action:
        return {
            "action": "http",
            "label": words,
            "method": "POST",
            "url": self.address,
            # No phone listens there, so no push service need be told.
            "headers": {"Firebase": "no"} | ({"Authorization": self.authorization} if self.authorization else {}),
            "body": button_payload.signed(self.key, ask, choice, now, argument),
            "clear": True,
        }
