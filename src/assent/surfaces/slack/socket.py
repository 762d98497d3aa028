"""Socket Mode of Slack: WebSockets that the hub opens, confirmed at once, and replaced before they are closed."""

import asyncio
import functools
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from assent.surfaces.base import FailedError, GoneError, RateLimitedError, SurfaceError
from assent.surfaces.slack.api import TokenError, Web

if TYPE_CHECKING:
    import ssl

    from websockets.asyncio.client import ClientConnection, connect

log = logging.getLogger("assent.surfaces")

# Seconds until a connection is opened again after a failure, and the most of it.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# A connection that lasted so long was a good one.
LASTING = 10.0
# For so long one that Slack wants to close is still read.
DRAINING = 15.0
# Where others listen as well, it is looked after so long whether they still do.
LOOK_AGAIN = 60.0
PATIENCE = 15.0
PING = 20.0
LARGEST = 1 << 20
REMEMBERED = 1_000
_REPLACED = frozenset({"warning", "refresh_requested"})
_DISABLED = "Socket Mode was turned off for this app. Turn it on at api.slack.com/apps, then `assent connect slack`."
CROWDED = (
    "another program listens with this Slack app's tokens, so answers get lost: stop it, or make an app for Assent "
    "alone and run `assent connect slack`"
)


class DisabledError(GoneError):
    """The app has no socket mode any more."""


@dataclass(slots=True)
class Socket:
    web: Web
    # Takes one envelope, begins to handle it, and says what goes back with its confirmation.
    take: Callable[[dict[str, Any]], dict[str, Any] | None]
    first_pause: float = FIRST_PAUSE
    lasting: float = LASTING
    look_again: float = LOOK_AGAIN
    clock: Callable[[], float] = time.monotonic
    is_open: bool = False
    # How often in a row another listener was found.
    crowded: int = 0
    # Slack repeats what was not confirmed; nothing may be done twice.
    _seen: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def trouble(self) -> str:
        return CROWDED if self.crowded > 1 else ""

    async def run(self) -> None:
        """Until cancelled. Raises GoneError where trying on is no use."""
        pause = self.first_pause
        try:
            while True:
                began, wait = self.clock(), 0.0
                try:
                    await self._next()
                except RateLimitedError as error:
                    wait = max(error.retry_after, pause)
                except (TokenError, DisabledError):
                    raise
                except SurfaceError as error:
                    wait = pause
                    log.info("slack: %s Trying again in %.0f s.", error.message, wait)
                if self.clock() - began >= self.lasting:
                    pause = self.first_pause
                    wait = min(wait, pause)
                else:
                    wait, pause = max(wait, pause), min(2 * pause, LONGEST_PAUSE)
                await asyncio.sleep(wait)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _next(self) -> None:
        """Returns when this connection is to be replaced; until it is closed it is read on beside the next one."""
        replaced = asyncio.Event()
        task = asyncio.create_task(self._serve(replaced))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        waiting = asyncio.create_task(replaced.wait())
        try:
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if task.done():
            await task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # A replaced one is not awaited.
            task.exception()

    async def _serve(self, replaced: asyncio.Event) -> None:
        url = await self.web.socket()
        # The library and the certificates are slow to load, and agents wait for this loop.
        connect, errors, trusted = await asyncio.to_thread(_loaded)
        try:
            async with connect(
                url,
                ssl=trusted if url.startswith("wss:") else None,
                # Its words hold the address, which is a secret.
                logger=_silent(),
                # No proxy, whatever the environment says.
                proxy=None,
                open_timeout=PATIENCE,
                ping_interval=PING,
                ping_timeout=PING,
                # Slack leaves the last word out.
                close_timeout=1,
                max_size=LARGEST,
                compression=None,
                user_agent_header="assent",
            ) as connection:
                await self._read(connection, replaced)
        except (errors, OSError, TimeoutError) as error:
            if not replaced.is_set():
                raise FailedError(f"The connection to Slack broke ({type(error).__name__}).") from None
        finally:
            self.is_open = self.is_open and len(self._tasks) > 1

    async def _read(self, connection: "ClientConnection", replaced: asyncio.Event) -> None:
        async with asyncio.timeout(None) as limit:
            while True:
                message = _decoded(await connection.recv())
                match message.get("type"):
                    case "hello":
                        self._greeted(message, limit, replaced)
                    case "disconnect":
                        self._leave(message, limit, replaced)
                    case _:
                        await self._confirm(connection, message)

    def _greeted(self, message: dict[str, Any], limit: asyncio.Timeout, replaced: asyncio.Event) -> None:
        self.is_open = True
        connections = message.get("num_connections")
        if not isinstance(connections, int) or connections <= len(self._tasks):
            self.crowded = 0
            return
        self.crowded += 1
        if self.crowded == 2:
            # A hub that was restarted finds its predecessor's connection at first.
            log.warning("slack: %s.", CROWDED)
        asyncio.get_running_loop().call_later(self.look_again, self._replace, limit, replaced)

    def _leave(self, message: dict[str, Any], limit: asyncio.Timeout, replaced: asyncio.Event) -> None:
        reason = message.get("reason")
        if reason == "link_disabled":
            raise DisabledError(_DISABLED)
        if reason not in _REPLACED:
            raise FailedError("Slack closed the connection: there are too many of this app.")
        self._replace(limit, replaced)

    @staticmethod
    def _replace(limit: asyncio.Timeout, replaced: asyncio.Event) -> None:
        if not replaced.is_set() and not limit.expired():
            replaced.set()
            try:
                limit.reschedule(asyncio.get_running_loop().time() + DRAINING)
            except RuntimeError:
                # It is closed already.
                return

    async def _confirm(self, connection: "ClientConnection", message: dict[str, Any]) -> None:
        """Within three seconds, whatever the hub does: what it begins goes on beside this."""
        name = message.get("envelope_id")
        if not isinstance(name, str):
            log.warning("slack: something without a name was left alone")
            return
        confirmed: dict[str, Any] = {"envelope_id": name}
        if name not in self._seen:
            self._seen.append(name)
            try:
                payload = self.take(message)
            except Exception:
                log.exception("slack: an event could not be handled")
                payload = None
            if payload is not None:
                confirmed["payload"] = payload
        await connection.send(msgspec.json.encode(confirmed).decode())


@functools.cache
def _loaded() -> "tuple[type[connect], type[Exception], ssl.SSLContext]":
    """What opens a connection, what it raises, and whom it trusts: those whom other requests trust."""
    import httpx
    from websockets.asyncio.client import connect
    from websockets.exceptions import WebSocketException

    return connect, WebSocketException, httpx.create_ssl_context(trust_env=False)


def _decoded(raw: str | bytes) -> dict[str, Any]:
    try:
        message = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        message = None
    return message if isinstance(message, dict) else {}


def _silent() -> logging.Logger:
    quiet = logging.getLogger("assent.surfaces.slack.connection")
    quiet.disabled = True
    return quiet
