"""Who decided a call, read from the transcript of a client that does not report it.

The file is named by the client and can be written by its agent. So what it says is *reported*, never certain: it closes
an ask in silence and decides nothing. A call's result comes after its end, so a long call is not known to run."""

import asyncio
import os
import stat
from dataclasses import dataclass, field

from assent.asks.desk import Desk
from assent.asks.open_ask import Held
from assent.harnesses import registry

INTERVAL = 1.0
# So much of the end of a file is read at most, the first time and at each look.
LARGEST = 256 << 10


@dataclass(slots=True)
class Results:
    desk: Desk
    # How far each file was read, as long as an ask waits whose result will stand in it.
    _offsets: dict[str, int] = field(default_factory=dict)

    async def run_forever(self) -> None:
        while True:
            await asyncio.sleep(INTERVAL)
            await self.look()

    async def look(self) -> None:
        """Close asks whose calls were answered at the terminal."""
        files = {file: held.case.harness for held in self.desk.waiting if (file := self._file(held))}
        self._offsets = {file: at for file, at in self._offsets.items() if file in files}
        for file, name in files.items():
            harness = registry.HARNESSES[name]
            data, self._offsets[file] = await asyncio.to_thread(grown, file, self._offsets.get(file))
            for decided in harness.read_results(data):
                if decided.at_terminal:
                    self.desk.reported(decided.session, decided.tool_use_id, decided.words)

    def _file(self, held: Held) -> str:
        event, harness = held.case.event, registry.of(held.case.harness)
        if harness is None or held.case.tool_use_id is None or event.session_id in self.desk.reporting:
            return ""
        return harness.results_file(event.transcript_path, event.agent_id)


def grown(file: str, offset: int | None) -> tuple[bytes, int]:
    """The whole lines that were written since, and how far that is. Without an offset, the end of the file."""
    try:
        # What is no regular file could keep us waiting.
        fd = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b"", offset or 0
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return b"", 0
        # A file that has become shorter is another one.
        known = offset if offset is not None and offset <= status.st_size else 0
        begin = max(known, status.st_size - LARGEST)
        data = os.pread(fd, LARGEST, begin)
    except OSError:
        return b"", offset or 0
    finally:
        os.close(fd)
    whole = data[: data.rfind(b"\n") + 1]
    return whole, begin + len(whole)
