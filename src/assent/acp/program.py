"""The agent as a process behind the proxy: its streams, its end, and signals to us."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from assent.acp import lines
from assent.acp.hub_link import HubLink
from assent.acp.observer import PATIENCE
from assent.acp.proxy import Proxy, plain_name
from assent.harnesses import acp

PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# An agent whose editor is gone, or that was told to end, may put its things in order; then it is told more firmly.
ENDS_WITHIN = 5.0
_TOO_LONG = f"a message is longer than {lines.LONGEST >> 20} MiB; the agent is ended"


@dataclass(slots=True)
class Program:
    argv: Sequence[str]
    link: HubLink
    complain: Callable[[str], None]
    _told: "signal.Signals | None" = None
    _is_ending: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> int:
        """Its exit code as a shell tells it; 128 and the signal's number where a signal to us ended it."""
        loop = asyncio.get_running_loop()
        for number in PASSED_ON:
            loop.add_signal_handler(number, self._pass_on, number)
        # Its errors go where ours would.
        process = await asyncio.create_subprocess_exec(
            *self.argv, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        editor = await _writer(sys.stdout.buffer)
        agent = plain_name(os.path.basename(self.argv[0]))  # noqa: PTH119 - text
        self._named(agent)
        proxy = Proxy(self.link, editor.write, process.stdin.write, self._named, agent)
        telling = asyncio.ensure_future(proxy.observer.run_forever())
        watching = asyncio.ensure_future(self._end(process))
        reading = asyncio.ensure_future(self._from_editor(proxy, process.stdin))
        try:
            await self._from_agent(proxy, process.stdout, editor)
            code = await process.wait()
            proxy.ended()
            await proxy.observer.caught_up(PATIENCE)
        finally:
            for task in (reading, watching, telling):
                task.cancel()
            await asyncio.gather(reading, watching, telling, return_exceptions=True)
            await proxy.gate.close()
            if process.returncode is None:
                process.kill()
                await process.wait()
        if proxy.observer.missed:
            self.complain(f"{proxy.observer.missed} events were not recorded: there were too many at once")
        if self._told is not None:
            return 128 + self._told
        return code if code >= 0 else 128 - code

    def _named(self, agent: str) -> None:
        self.link.harness = f"{acp.NAME}:{agent}" if agent else acp.NAME

    async def _from_agent(self, proxy: Proxy, stream: asyncio.StreamReader, editor: asyncio.StreamWriter) -> None:
        try:
            async for line in lines.read(stream):
                proxy.from_agent(line)
                await editor.drain()
            await editor.drain()
        except lines.TooLongError:
            self.complain(_TOO_LONG)
            self._is_ending.set()
        except ConnectionError:
            # The editor is gone.
            self._is_ending.set()

    async def _from_editor(self, proxy: Proxy, agent: asyncio.StreamWriter) -> None:
        try:
            async for line in lines.read(await _reader(sys.stdin.buffer)):
                proxy.from_editor(line)
                await agent.drain()
        except lines.TooLongError:
            self.complain(_TOO_LONG)
        except OSError:
            pass  # one of the two is gone, or there was no stream at all
        with contextlib.suppress(OSError):
            agent.close()
        self._is_ending.set()

    def _pass_on(self, number: signal.Signals) -> None:
        if self._told is None:
            self._told = number
        self._is_ending.set()

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """Once it should end: by the signal we got, or by the end of its input, and then more firmly."""
        await self._is_ending.wait()
        firmly = [signal.SIGTERM, signal.SIGKILL]
        for number in [self._told, *firmly] if self._told is not None else firmly:
            if self._told is None:
                await asyncio.sleep(ENDS_WITHIN)
            if process.returncode is None:
                process.send_signal(number)
            if self._told is not None:
                await asyncio.sleep(ENDS_WITHIN)


async def _reader(stream: BinaryIO) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=lines.CHUNK)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stream)
    return reader


async def _writer(stream: BinaryIO) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, stream)
    return asyncio.StreamWriter(transport, protocol, None, loop)
