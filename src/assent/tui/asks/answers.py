"""Answers given here: held for a moment where they can be taken back, posted, and what became of them."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from assent.client import ApiError
from assent.errors import AssentError
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, AnswersRequest, Member, ShownAsk, Taken
from assent.text.ask_state import Phase

# As long as a yes to something of Care can be taken back.
UNDO = 2.0
_REFUSALS = {
    "changed": "It changed while you looked, so your answer was not used. Read it again.",
    "too-late": "Your answer came too late and was not used.",
}
# Several of them, in one line.
_SHORT = {"changed": "it changed meanwhile", "too-late": "too late"}
_UNKNOWN = "Whether your answer arrived is not known."
Together = Literal["allow", "deny"]


class Poster(Protocol):
    def answer(self, ask: str, answer: AnswerRequest) -> int | None: ...

    def answer_all(self, answers: AnswersRequest) -> Sequence[Taken]: ...


@dataclass(slots=True)
class Given:
    choice: Choice
    phase: Phase
    # Revision and hash of what was answered.
    bound: tuple[int, str]
    timer: asyncio.TimerHandle | None = None


@dataclass(slots=True)
class Answers:
    client: Poster
    # The ask as it is now, if it still waits and the hub is there.
    current: Callable[[str], ShownAsk | None]
    # Told when something about an ask's answer changed, and loudly when it was not used.
    changed: Callable[[str], None]
    refused_loudly: Callable[[str], None]
    given: dict[str, Given] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    _posting: set["asyncio.Task[None]"] = field(default_factory=set)

    def phase(self, ask: str) -> Phase | None:
        given = self.given.get(ask)
        return given.phase if given else None

    def has_answered(self, ask: str, rev: int, digest: str) -> bool:
        """An ask that came back as another revision waits for another answer."""
        given = self.given.get(ask)
        return given is not None and (given.phase != "sent" or given.bound == (rev, digest))

    def give(self, ask: str, request: AnswerRequest, *, undo: bool) -> None:
        """One answer an ask: a second one is not even looked at."""
        if self.has_answered(ask, request.rev, request.hash):
            return
        self.refused.pop(ask, None)
        phase: Phase = "held" if undo else "posting"
        given = self.given[ask] = Given(request.choice, phase, (request.rev, request.hash))
        if undo:
            given.timer = asyncio.get_running_loop().call_later(UNDO, self._post_soon, ask, request)
        else:
            self._post_soon(ask, request)
        self.changed(ask)

    def give_all(self, asks: Sequence[ShownAsk], choice: Together) -> None:
        """The same answer to several that were shown at once, each bound to what was shown of it."""
        if any(self.has_answered(ask.id, ask.rev, ask.hash) for ask in asks):
            self.refused_loudly("One of them was answered meanwhile. Nothing was sent.")
            return
        for ask in asks:
            self.refused.pop(ask.id, None)
            self.given[ask.id] = Given(choice, "posting", (ask.rev, ask.hash))
        self._begin(self._post_all([Member(ask.id, ask.rev, ask.hash) for ask in asks], choice))
        for ask in asks:
            self.changed(ask.id)

    def undo(self, ask: str) -> bool:
        """True if there was something to take back."""
        given = self.given.get(ask)
        if given is None or given.phase != "held" or given.timer is None:
            return False
        given.timer.cancel()
        del self.given[ask]
        self.changed(ask)
        return True

    @property
    def is_one_held(self) -> bool:
        """Whether there is one to take back: nothing else is undone before it."""
        return any(given.phase == "held" for given in self.given.values())

    def undo_latest(self) -> bool:
        return any(self.undo(ask) for ask in reversed([*self.given]))

    def drop_held(self) -> int:
        """At the end: answers whose time to undo has not passed are not sent."""
        return sum(self.undo(ask) for ask in [*self.given])

    async def settled(self) -> None:
        """When everything that is on its way has arrived or failed."""
        while self._posting:
            await asyncio.gather(*self._posting, return_exceptions=True)

    def _post_soon(self, ask: str, request: AnswerRequest) -> None:
        self._begin(self._post(ask, request))

    def _begin(self, posting: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(posting)
        self._posting.add(task)
        task.add_done_callback(self._posting.discard)

    async def _post(self, ask: str, request: AnswerRequest) -> None:
        now = self.current(ask)
        if now is None:
            return self._refuse(ask, "The hub cannot be reached, or it is answered. Nothing was sent.")
        if (now.rev, now.hash) != (request.rev, request.hash):
            return self._refuse(ask, "It changed before your answer was sent, so nothing was sent. Look again.")
        self.given[ask].phase = "posting"
        self.changed(ask)
        try:
            missing = await asyncio.to_thread(self.client.answer, ask, request)
        except ApiError as error:
            self._refuse(ask, _refusal(error))
        except AssentError as error:
            self._refuse(ask, f"{error.message} {_UNKNOWN}")
        else:
            if missing:
                # It counts and waits for others: a no can still be said.
                del self.given[ask]
            else:
                self.given[ask].phase = "sent"
            self.changed(ask)
        return None

    async def _post_all(self, members: Sequence[Member], choice: Together) -> None:
        try:
            request = AnswersRequest(choice=choice, asks=tuple(members))
            results = await asyncio.to_thread(self.client.answer_all, request)
        except AssentError as error:
            why = _refusal(error) if isinstance(error, ApiError) else f"{error.message} {_UNKNOWN}"
            for member in members:
                self._drop(member.id, why)
            return self.refused_loudly(why)
        for taken in results:
            if taken.code:
                self._drop(taken.id, _REFUSALS.get(taken.code, taken.message))
            else:
                self.given[taken.id].phase = "sent"
                self.changed(taken.id)
        if late := [taken for taken in results if taken.code]:
            named = "; ".join(f"{taken.id}: {_SHORT.get(taken.code, taken.message)}" for taken in late)
            self.refused_loudly(f"{len(late)} of {len(results)} not answered. {named}")
        return None

    def _refuse(self, ask: str, why: str) -> None:
        self._drop(ask, why)
        self.refused_loudly(why)

    def _drop(self, ask: str, why: str) -> None:
        self.given.pop(ask, None)
        self.refused[ask] = why
        self.changed(ask)


def _refusal(error: ApiError) -> str:
    if error.code in _REFUSALS:
        return _REFUSALS[error.code]
    hint = f" {error.hint[:1].upper()}{error.hint[1:]}" if error.hint else ""
    return f"{error.message}{hint}"
