"""Follows something up the ladder of surfaces until it is over, and takes it back: what asks and turn notices share."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assent.asks.escalation import Plan
from assent.asks.presence import Presence
from assent.config import Presence as Settings
from assent.config import for_project
from assent.hub.bus import Clock, now_ms
from assent.hub.notify.delivery import Delivery
from assent.hub.notify.message import Message
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Recording
from assent.hub.state_file import DebouncedFile
from assent.protocol.bodies import PushBody
from assent.protocol.record import Draft
from assent.surfaces.base import Surface

# A surface in trouble is looked at again after so many milliseconds.
TROUBLE_LASTS = 30_000
SHORTEST_REST = 0.05


@dataclass(slots=True, eq=False, kw_only=True)
class Followed:
    """Something on its way up the ladder."""

    # The steps it has taken.
    taken: set[str] = field(default_factory=set)
    # Why a surface was not told, so that it goes on record once.
    withheld: dict[str, str] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def draft(self, push: PushBody, at: int) -> Draft:
        """What goes on record about it."""
        raise NotImplementedError


@dataclass(slots=True)
class Follower:
    surfaces: Mapping[str, Surface]
    presence: Presence
    policy: SettingsInForce
    recorder: Recording
    delivery: Delivery
    # What the next life has to know.
    saved: DebouncedFile
    clock: Clock = now_ms
    _is_closed: bool = field(default=False, init=False)

    def _look(self, followed: Followed) -> None:
        """Its time has come, or something changed."""
        raise NotImplementedError

    def _is_usable(self, followed: Followed, surface: str) -> bool:
        """Whether it can be shown there now."""
        raise NotImplementedError

    def _show(self, followed: Followed, surface: str) -> None:
        raise NotImplementedError

    def _save(self) -> None:
        raise NotImplementedError

    def _settings(self, project: str) -> Settings:
        return for_project(self.policy.config, Path(project or "/")).presence

    def _climb(self, followed: Followed, plan: Plan, *, is_patient: bool) -> int | None:
        """Take the steps that are due, and look again when the next may be; None if there is none.

        Where it is patient, a step to a surface that cannot be used now is taken once it can."""
        now = self.clock()
        looks = [] if plan.look_at is None else [plan.look_at]
        for rung in plan.due:
            is_usable = self._is_usable(followed, rung.surface)
            if is_usable or not is_patient:
                followed.taken.update(passed.key for passed in plan.passed if passed.surface == rung.surface)
            if is_usable:
                self._show(followed, rung.surface)
            elif is_patient and rung.surface in self.surfaces:
                # Trouble passes without a word, such as a second program that read a bot's messages.
                looks.append(now + TROUBLE_LASTS)
        if not looks:
            return None
        self._look_in(followed, (min(looks) - now) / 1_000)
        return min(looks)

    def _look_in(self, followed: Followed, seconds: float) -> None:
        followed.stop()
        loop = asyncio.get_running_loop()
        followed.timer = loop.call_later(max(SHORTEST_REST, seconds), self._look, followed)

    def _withhold(self, followed: Followed, surface: str, kind: str, why: str) -> None:
        """A surface is not told: that goes on record once."""
        if followed.withheld.get(surface) != kind:
            followed.withheld[surface] = kind
            self.recorder.record([followed.draft(PushBody(surface, sent=False, why=why), self.clock())])

    def _end(self, messages: Iterable[Message], why: str) -> None:
        """Take them back wherever they are seen."""
        for message in messages:
            message.over, message.over_at = why, message.over_at or self.clock()
            self.delivery.see_to(message)
        self._save()
