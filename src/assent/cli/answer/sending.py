"""Sending of an answer, bound to what was shown, with a receipt."""

import time
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from assent.client import ApiError, Client
from assent.errors import AnswerLostError, AssentError, HubUnreachableError
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, ShownAsk
from assent.protocol.surfaces import Scope
from assent.text import approval_words, wording
from assent.text import ask_state as state
from assent.text.who import agent_name

RECEIPT = 2.0
POLL = 0.05


class ChangedError(AssentError):
    """What waits now is not what was shown."""


class Receipt(Struct, frozen=True):
    ask: str
    choice: Choice
    state: str
    # Whether the agent has it, as far as was known within a moment.
    told: bool
    words: str


@dataclass(frozen=True, slots=True)
class Sending:
    client: Client

    def send(self, ask: ShownAsk, choice: Choice, **fields: Any) -> Receipt:
        """Raises ChangedError, AnswerLostError, or ApiError with what is wrong with it."""
        answer = AnswerRequest(rev=ask.rev, hash=ask.hash, choice=choice, **fields)
        try:
            missing = self.client.answer(ask.id, answer)
        except ApiError as error:
            raise self._understood(ask, error) from None
        except HubUnreachableError:
            raise HubUnreachableError(
                "The hub cannot be reached, so whether your answer arrived is not known.",
                hint=f"`assent up` starts it; `assent asks` tells whether {ask.id} still waits.",
            ) from None
        if missing:
            return Receipt(ask.id, choice, "open", told=False, words=approval_words.counted(missing))
        return self._receipt(ask, choice)

    def _understood(self, ask: ShownAsk, error: ApiError) -> AssentError:
        if error.code == "changed":
            return ChangedError("It changed while you looked, so your answer was not used. Read it again.")
        if error.code == "too-late":
            return AnswerLostError(f"Your answer was not used. {over(self.client.ask(ask.id))}")
        if error.status == 403 and error.code == "scope":
            return inside_a_session()
        return error

    def _receipt(self, ask: ShownAsk, choice: Choice) -> Receipt:
        end = time.monotonic() + RECEIPT
        now = self.client.ask(ask.id)
        while now.state in ("open", "doubtful", "answered") and not now.undelivered and time.monotonic() < end:
            time.sleep(POLL)
            now = self.client.ask(ask.id)
        if now.undelivered:
            raise AnswerLostError(state.state(now, time.time() * 1000).text)
        is_told = now.state in ("told", "closed")
        name = agent_name(ask.subject.harness)
        outcome = f"{name} was told." if is_told else f"It is on its way to {name}."
        return Receipt(ask.id, choice, now.state, is_told, f"{wording.said(choice)}. {outcome}")


def over(ask: ShownAsk) -> str:
    """Why there is nothing to answer any more."""
    now = state.state(ask, time.time() * 1000)
    if now.is_open:
        return "Another answer came first."
    return f"It does not wait any more: {now.text}" + ("" if now.text.endswith(".") else ".")


def unanswerable(client: Client) -> AssentError:
    """Why nothing may be said to an ask that waits."""
    me = client.me()
    if me.get("refusal") == "unconfirmed":
        return AssentError(f"Nothing was answered. {me['limit']}", hint=me["hint"])
    if me["scope"] == Scope.WATCH.word:
        return inside_a_session()
    return AnswerLostError(
        "Nothing was sent: the hub has started again, and the agent has not come back for its answer.",
        hint="it comes back within seconds if it still waits; then try again.",
    )


def inside_a_session() -> AssentError:
    return AssentError(
        "Nothing was answered: a coding agent started this, and answers are for people.",
        hint="run it in a terminal of your own, outside the agent's session.",
    )
