"""Answers of this hub's people to asks of other hubs: signed here, judged there."""

import asyncio
import logging
import secrets
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.asks.open_ask import Person, RefusedError
from assent.hub.team import verdicts
from assent.hub.team.base import AwayError, RefusedByRelayError
from assent.hub.team.people import People
from assent.protocol.card import AnswerRequest
from assent.protocol.surfaces import screen_of
from assent.protocol.team import (
    LARGEST_ANSWER,
    AnswerResult,
    AnswerVerdict,
    KeyId,
    SharedAnswer,
    SharedAsk,
    TeamAnswer,
)
from assent.text.safe import plain_line

log = logging.getLogger("assent.hub")

# How long a person waits for the word of the other hub.
PATIENCE = 10.0
LONGEST_WHY = 400
# Room for signature, proof and names beside the text.
BESIDE = 32 << 10


@dataclass(slots=True)
class Answers:
    people: People
    patience: float = PATIENCE
    # By nonce, with the hub whose word is waited for.
    _waiting: dict[str, tuple[KeyId, "asyncio.Future[AnswerVerdict]"]] = field(default_factory=dict)
    _sending: set[asyncio.Task[bytes]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.people.link.on("result", self._told)

    async def give(self, shared: SharedAsk, shown: str, answer: AnswerRequest, who: Person) -> AnswerVerdict:
        """What the hub that holds it says to a yes or a no that it took. Raises RefusedError where it did not take it,
        and where that is not known."""
        message = self._signed(shared, shown, answer, who)
        heard: asyncio.Future[AnswerVerdict] = asyncio.get_running_loop().create_future()
        self._waiting[message.nonce] = shared.hub, heard
        try:
            async with asyncio.timeout(self.patience):
                result = await self._sent(message, heard)
        except RefusedByRelayError as error:
            raise RefusedError(
                error.code, f"The team's relay says that it does not carry it: {error.message}"
            ) from None
        except AwayError:
            raise RefusedError("not-known", _not_known(shared, "The team's relay could not be reached")) from None
        except TimeoutError:
            why = f"There is no word from {_machine(shared)} within {self.patience:g} s"
            raise RefusedError("not-known", _not_known(shared, why)) from None
        finally:
            del self._waiting[message.nonce]
        if not result.is_taken:
            raise RefusedError(result.code or "refused", plain_line(result.message, LONGEST_WHY) or "It was refused.")
        return result

    async def _sent(self, message: TeamAnswer, heard: "asyncio.Future[AnswerVerdict]") -> AnswerVerdict:
        """The relay answers once its database has it; the result may be here long before."""
        sending = asyncio.create_task(self.people.link.send("/team/answers", message))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)
        either: set[asyncio.Future[Any]] = {sending, heard}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if heard.done():
            # What the relay says of it does not matter any more.
            sending.add_done_callback(lambda done: done.cancelled() or done.exception())
        else:
            await sending
        return await heard

    def _signed(self, shared: SharedAsk, shown: str, answer: AnswerRequest, who: Person) -> TeamAnswer:
        """Nothing is sent of which it is known that it would not count."""
        people, membership, key = self.people, self.people.membership, self.people.link.key
        if membership is None or key is None or not people.link.is_connected:
            why = f"{_machine(shared)} cannot be reached now: the team's relay is away. Nothing was sent."
            raise RefusedError("unreachable", why)
        if membership.proof is None or membership.identity is None:
            raise RefusedError("no-person", "This hub belongs to no person, so it answers nothing of other machines.")
        until = membership.runs_out_at
        if until is not None and until <= people.now_ms():
            why = "You signed in to the team too long ago to answer here. `assent team sign-in` does it again."
            raise RefusedError("proof-too-old", why)
        given = SharedAnswer(
            hub=shared.hub,
            ask=shared.ask,
            rev=shared.rev,
            shown=shown,
            choice=answer.choice,
            at=people.now_ms(),
            nonce=secrets.token_urlsafe(24),
            screen=screen_of(who.surface),
            surface=who.surface,
            device=who.device,
            machine=membership.machine,
            message=answer.message,
            match=answer.match,
            edited=answer.edited,
            answers=answer.answers,
            content=answer.content,
            mode=answer.mode,
        )
        text = msgspec.json.encode(given).decode()
        if len(text) > LARGEST_ANSWER - BESIDE:
            raise RefusedError("too-large", f"This is too long to be sent to {_machine(shared)}.")
        return TeamAnswer(
            hub=shared.hub,
            ask=shared.ask,
            sender=membership.hub,
            nonce=given.nonce,
            text=text,
            signature=key.sign("answer", text),
            proof=membership.proof,
        )

    def _told(self, result: AnswerResult) -> None:
        membership, waiting = self.people.membership, self._waiting.get(result.nonce)
        if membership is None or result.sender != membership.hub or waiting is None or waiting[1].done():
            return
        hub, heard = waiting
        verdict = verdicts.read_result(result, hub)
        if verdict is None:
            log.warning("a result that the hub of the ask did not sign is passed over")
        else:
            heard.set_result(verdict)


def _machine(shared: SharedAsk) -> str:
    return plain_line(shared.machine, 100) or "the other machine"


def _not_known(shared: SharedAsk, why: str) -> str:
    return f"{why}: it is not known whether your answer was taken. It stays open here until {_machine(shared)} says so."
