"""What can be pressed on a notification: three things at most, and no first.

A phone answers by publishing a signed text into the topic on which the hub listens. Opening is a link."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk, Way
from assent.surfaces import press
from assent.surfaces.glance import drawn

MOST = 3
LABEL = 40
_NO: dict[Choice, str] = {"deny": "Deny", "decline": "Decline", "let_stop": "Let it stop"}
_STOP = "Stop the turn"

Action = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Actions:
    key: bytes = field(repr=False)
    # Where presses go.
    address: str = field(repr=False)
    link: Callable[[str], str]
    # What a phone needs to publish there; "" where everybody may.
    authorization: str = field(default="", repr=False)

    def of(self, ask: ShownAsk, ways: Sequence[Way], now: int) -> list[Action]:
        # A yes that takes two steps is given where there is room for them.
        at_once = {way.choice for way in ways if way.needs == "press"}
        no = [self._press(ask, choice, words, now) for choice, words in _NO.items() if choice in at_once]
        yes = [self._press(ask, "allow", "Allow once", now)] if "allow" in at_once else []
        if "answer" in at_once:
            yes = self._answers(ask, now)
        return [*no[:1], *yes, *self._opening(ask)][:MOST]

    def of_many(self, ask: ShownAsk, ways: Sequence[Way], now: int) -> list[Action]:
        can_stop = any(way.choice == "deny_and_stop" for way in ways)
        return [*([self._press(ask, "deny_and_stop", _STOP, now)] if can_stop else []), *self._opening(ask)]

    def _answers(self, ask: ShownAsk, now: int) -> list[Action]:
        """Two answers to one question; more do not fit."""
        one = ask.view.questions[0]
        if len(ask.view.questions) != 1 or one.multi or len(one.options) > MOST - 1:
            return []
        return [
            self._press(ask, "answer", drawn(option.label, LABEL) or str(at + 1), now, str(at))
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
            "body": press.signed(self.key, ask, choice, now, argument),
            "clear": True,
        }
