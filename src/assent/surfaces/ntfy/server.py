"""An ntfy server: publishing, listening, and whether it keeps strangers out.

The topic is a secret, so messages are published by their content and not by an address that a server would log."""

import base64
import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from assent.surfaces.base import FailedError, GoneError, RateLimitedError
from assent.surfaces.service import Answer, Service

TITLE = "The ntfy server"
# It says every 45 seconds that it is still there.
SILENCE = 110.0
# Requests are refilled one by one every few seconds; the messages of a day are not.
CALM, DAY_IS_FULL = 15.0, 3_600.0
_NO_MORE_TODAY = 42908
_TOKEN = re.compile(r"tk_[A-Za-z0-9]{4,64}")


class Event(Struct, frozen=True):
    """One line of a subscription. Anything may be missing from it."""

    event: str = ""
    # In seconds, by the server's clock.
    time: int = 0
    message: str = ""


def authorization(login: str) -> str:
    """What a token, or ``name:password``, is in a header; "" for none. Raises ValueError for anything else."""
    if login == "none":
        return ""
    if is_token(login):
        return f"Bearer {login}"
    name, colon, password = login.partition(":")
    if not (name and colon and password) or not login.isprintable():
        raise ValueError
    return f"Basic {base64.b64encode(login.encode()).decode()}"


def is_token(login: str) -> bool:
    return _TOKEN.fullmatch(login) is not None


@dataclass(slots=True)
class Server:
    # The one address of it that phones and this hub share.
    base: str = field(repr=False)
    authorization: str = field(repr=False)
    _service: Service = field(init=False, repr=False)
    _stranger: Service = field(init=False, repr=False)

    def __post_init__(self) -> None:
        headers = {"Authorization": self.authorization} if self.authorization else {}
        self._service = Service(self.base, TITLE, headers)
        self._stranger = Service(self.base, TITLE)

    async def publish(self, message: dict[str, Any]) -> dict[str, Any]:
        """What the server made of it."""
        answer = await self._service.call("POST", "/", json=message)
        if answer.status != 200:
            refused(answer)
        published = answer.json()
        return published if isinstance(published, dict) else {}

    async def remove(self, topic: str, sequence: str) -> None:
        """From where it is shown; a server too old for that leaves it."""
        answer = await self._service.call("DELETE", f"/{topic}/{sequence}")
        if answer.status not in (200, 404):
            refused(answer)

    async def can_read(self, topic: str) -> bool:
        answer = await self._service.call("GET", f"/{topic}/auth")
        return _is_let_in(answer)

    async def lets_strangers_write(self, message: dict[str, Any]) -> bool:
        return _is_let_in(await self._stranger.call("POST", "/", json=message))

    async def lets_strangers_read(self, topic: str) -> bool:
        return _is_let_in(await self._stranger.call("GET", f"/{topic}/auth"))

    async def news(self, topic: str, since: str) -> AsyncIterator[Event]:
        """What is said there from now on, and since then. Ends when the server hangs up."""
        path = f"/{topic}/json?since={since}"
        async with aclosing(self._service.lines(path, _taken, silence=SILENCE)) as lines:  # type: ignore[type-var]
            async for line in lines:
                try:
                    yield msgspec.json.decode(line, type=Event)
                except msgspec.MsgspecError:
                    # Nothing that this version of Assent understands.
                    continue

    async def close(self) -> None:
        await self._service.close()
        await self._stranger.close()


def refused(answer: Answer) -> NoReturn:
    """Raises what its status means, in words without anything the server said."""
    status = answer.status
    if status == 401:
        raise GoneError("The ntfy server does not know this login.")
    if status == 403:
        raise GoneError("The ntfy server does not let this login use the topic.")
    if status == 429:
        raise RateLimitedError("The ntfy server wants fewer messages.", _wish(answer))
    if status in (400, 413) or 300 <= status < 400:
        raise GoneError(f"The ntfy server refused the message ({status}).")
    raise FailedError(f"The ntfy server failed ({status}).")


def _taken(answer: Answer) -> None:
    if answer.status in (401, 403, 429):
        refused(answer)
    if answer.status != 200:
        # Perhaps only what stands in front of the server, while that is made anew.
        raise FailedError(f"The ntfy server failed ({answer.status}).")


def _is_let_in(answer: Answer) -> bool:
    if answer.status == 200:
        return True
    if answer.status in (401, 403):
        return False
    refused(answer)


def _wish(answer: Answer) -> float:
    if answer.retry_after is not None:
        return answer.retry_after
    try:
        error = msgspec.json.decode(answer.body)
    except msgspec.DecodeError:
        return CALM
    return DAY_IS_FULL if isinstance(error, dict) and error.get("code") == _NO_MORE_TODAY else CALM
