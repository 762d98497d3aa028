"""Connection to the hub for each event, as a shim has it: a hub is started where none runs, and where none answers the
harness's own reply for that counts. It uses the shim's parts; only the waiting is asyncio's."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.harnesses import acp
from assent.harnesses.base import Unreachable
from assent.paths import Paths
from assent.protocol.envelope import Reply
from assent.shim import forward
from assent.shim.forward import GiveUpError, StoppedError

Said = dict[str, Any]
# So long the hub may say nothing at all; while a person is asked it says more often that it waits.
SILENCE = 5.0
UNREADABLE = "the hub's reply cannot be read"


def _nothing() -> None:
    """For events about which no person is asked."""


@dataclass(slots=True)
class HubLink:
    paths: Paths
    unreachable: Unreachable
    # Told of what went wrong, in words for people.
    complain: Callable[[str], None]
    # The harness by which records name the agent.
    harness: str = acp.NAME
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _complained: str = ""

    async def ask(self, event: str, payload: Said, on_hold: Callable[[], None] = _nothing) -> Said | None:
        """What the hub says of it; None for no opinion. ``on_hold`` is called before a person is asked. A caller that
        is cancelled takes its ask back."""
        request = self._request(event, payload)
        try:
            return await self._asked(request, on_hold)
        except StoppedError:
            # Stopped by the person: out of the way, except where a person was being asked.
            reply = forward.last_word(request) if request.held else b""
        except (GiveUpError, OSError, msgspec.DecodeError) as error:
            reply = forward.last_word(request)
            self._note(str(error) or type(error).__name__)
        forward.spool_gap(request)
        said: Said | None = msgspec.json.decode(reply) if reply else None
        return said

    def _request(self, event: str, payload: Said) -> forward.Request:
        waits = acp.SUBSCRIPTIONS[event].timeout
        start = [str(self.paths.shim / "hook.py"), str(self.paths.hook_socket), self.harness, event]
        request = forward.Request([*start, str(waits), str(SILENCE)])
        request.bypass = acp.BYPASS
        request.replies = {name: dict(each.items()) for name, each in acp.replies(self.unreachable).items()}
        request.payload = msgspec.json.encode(payload)
        request.session_id = str(payload.get("session_id", "")).encode("utf-8", "replace")
        request.session = forward.quoted(request.session_id)
        return request

    def _note(self, why: str) -> None:
        if why != self._complained:
            self._complained = why
            self.complain(f"{why}; what the agent asks is left to the editor. Run: assent doctor")

    async def _asked(self, request: forward.Request, on_hold: Callable[[], None]) -> Said | None:
        line = request.line()
        hung_up = 0
        # Again after a hang-up, as the shim does: a hub that restarted knows the same request by its id.
        while hung_up < forward.HANG_UPS:
            if hung_up:
                await asyncio.sleep(forward.GRACE_S)
            since, held = time.monotonic(), request.held
            reply = await self._exchange(request, line, on_hold)
            if reply is not None:
                self._complained = ""
                return _said(reply, request)
            hung_up = 1 if request.held > held or time.monotonic() - since > forward.HELD_S else hung_up + 1
        raise GiveUpError("the hub hung up three times")

    async def _exchange(self, request: forward.Request, line: bytes, on_hold: Callable[[], None]) -> bytes | None:
        """The first line that is not blank, or None where the hub hung up before it."""
        reader, writer = await self._reach(request)
        try:
            writer.write(line)
            while True:
                async with asyncio.timeout(request.patience()):
                    reply = await reader.readline()
                if not reply.endswith(b"\n"):
                    return None
                if reply.strip():
                    return reply
                request.held += 1
                if request.held == 1:
                    on_hold()
        except TimeoutError:
            raise GiveUpError("the hub went silent") from None
        except ValueError:
            raise GiveUpError("the hub's reply is too long") from None
        except ConnectionError:
            return None
        finally:
            # At once, and without waiting: by it the hub knows that an ask needs no answer any more.
            writer.transport.abort()

    async def _connect(self, request: forward.Request) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_unix_connection(request.socket, limit=forward.LARGEST_REPLY)
        try:
            forward.check_owner(writer.get_extra_info("socket"), request)
        except BaseException:
            writer.transport.abort()
            raise
        return reader, writer

    async def _reach(self, request: forward.Request) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection. Where there is no hub, one is started, or waited for while another process starts it."""
        try:
            return await self._connect(request)
        except (FileNotFoundError, ConnectionRefusedError):
            forward.check_stopped(request.state)
        async with self._starting:
            return await self._started(request)

    async def _started(self, request: forward.Request) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        until = time.monotonic() + forward.REVIVAL_S
        self.paths.run.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(self.paths.starting, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        may_start = has_started = False
        child = 0
        try:
            while True:
                may_start = may_start or forward.is_locked(lock)
                try:
                    return await self._connect(request)
                except (FileNotFoundError, ConnectionRefusedError):
                    forward.check_stopped(request.state)
                    if time.monotonic() > until:
                        raise GiveUpError("the hub is not running and did not start") from None
                if may_start and not has_started:
                    child, has_started = _start(request.state), True
                elif child and _is_over(child):
                    # It ended: nothing to wait for, unless another hub was faster.
                    child, until = 0, min(until, time.monotonic() + forward.GRACE_S)
                await asyncio.sleep(forward.POLL_S)
        finally:
            os.close(lock)


def _start(state: str) -> int:
    """The hub's process. Starting one changes the folder we are in, and that is the person's."""
    before = os.open(".", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return forward.start_hub(state)
    finally:
        os.fchdir(before)
        os.close(before)


def _is_over(child: int) -> bool:
    return bool(os.waitpid(child, os.WNOHANG)[0])


def _said(line: bytes, request: forward.Request) -> Said | None:
    """What stands in a reply; only exactly what the hub writes counts as understood."""
    reply = msgspec.json.decode(line, type=Reply)
    if reply.request_id.encode() != request.id:
        raise GiveUpError(UNREADABLE)
    if reply.payload.action == "passthrough":
        return None
    if reply.payload.action != "json_output" or reply.payload.stdout_json is None:
        raise GiveUpError(UNREADABLE)
    return reply.payload.stdout_json
