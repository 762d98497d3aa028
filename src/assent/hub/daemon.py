"""The hub's lifetime: take the lock, open everything, wait, close everything."""

import asyncio
import functools
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from assent import keys
from assent._version import __version__
from assent.hub import lifetime, logs
from assent.hub.build import Hub, build
from assent.hub.bus import now_ms
from assent.hub.lifetime import claim
from assent.hub.notify.connections import unlock
from assent.lock import Holder, Lock
from assent.paths import Paths
from assent.policy.call import Voice
from assent.protocol.record import Draft
from assent.redact import Redactor
from assent.surfaces.registry import Addresses


def _run(main: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


log = logging.getLogger("assent.hub")

SWITCH_INTERVAL = 0.0005
# How long a hub that stops for good waits for its last answers to go out.
LAST_WORDS = 2.0


@dataclass(frozen=True, slots=True)
class Ready:
    """What a foreground start tells its user."""

    pid: int
    port: int | None
    troubles: tuple[str, ...]


Announce = Callable[[Ready], None]


def run(
    paths: Paths,
    *,
    extra_voices: Sequence[Voice] = (),
    announce: Announce | None = None,
    addresses: Addresses | None = None,
    may_be_local: bool = False,
    from_shim: bool = False,
) -> None:
    """Be the hub until told to stop. ``addresses`` and ``may_be_local`` are for tests, whose services run on loopback.

    One that no person asked for (``from_shim``) does not start where `assent down` was the person's last word."""
    os.umask(0o077)
    # The thread that writes the journal waits this long for its turn while the loop is busy, and an allow waits for it.
    sys.setswitchinterval(SWITCH_INTERVAL)
    lifetime.prepare(paths)
    lock, secret = claim(paths, from_shim=from_shim)
    try:
        mended = lifetime.mend_keys(paths)
        fingerprint = functools.partial(keys.fingerprint, keys.digest_key(paths))
        logs.start(paths.log, Redactor(fingerprint))
        for sentence in mended:
            log.warning("%s", sentence)

        async def live() -> None:
            hub = await build(
                paths,
                fingerprint,
                secret,
                extra_voices=extra_voices,
                addresses=addresses,
                may_be_local=may_be_local,
            )
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, hub.lifetime.stopping.set)
            await _open(hub, paths, lock)
            tasks = _running(hub)
            if announce:
                announce(Ready(pid=os.getpid(), port=hub.lifetime.port, troubles=hub.status.troubles()))
            await hub.lifetime.stopping.wait()
            log.info("stopping")
            await _close(hub, tasks)
            log.info("stopped")

        _run(live())
    finally:
        lock.release()


async def _open(hub: Hub, paths: Paths, lock: Lock) -> None:
    await unlock(hub.connections.vault, hub.connections)
    await hub.server.open(hub.tcp, hub.access.door)
    lifetime = hub.lifetime
    lock.write(Holder(pid=os.getpid(), version=__version__, started=lifetime.started, port=lifetime.port))
    (paths.run / "starts").unlink(missing_ok=True)
    log.info("hub %s up, pid %d, port %s", __version__, os.getpid(), lifetime.port)
    hub.recorder.record([started(hub.machine)])
    hub.asking.abandon_later()
    hub.connections.refresh()
    hub.escalation.start(hub.shown_asks.waiting())
    hub.turn_notices.start()
    # What was made so far lives as long as the hub: the collector need not look at it with every generation. The few
    # things of it that are garbage are less than what looking for them would cost whoever waits for this start.
    gc.freeze()
    gc.enable()


def started(machine: str) -> Draft:
    """With the machine's name: where several hubs share a journal, people know machines and not hubs."""
    return Draft(at=now_ms(), kind="hub", by="hub", body={"what": f"started version {__version__}", "machine": machine})


def _running(hub: Hub) -> list[asyncio.Task[None]]:
    """What is looked after all the time, in the order in which it ends."""
    upkeep = (hub.background, hub.ungated, hub.retention, hub.statistics)
    parts = (*upkeep, hub.telemetry, hub.results, hub.contexts, hub.team_link, hub.exporter)
    return [asyncio.create_task(part.run_forever()) for part in parts]


async def _close(hub: Hub, tasks: list[asyncio.Task[None]]) -> None:
    background, ungated, retention, statistics, telemetry, results, contexts, team_link, exporter = tasks
    results.cancel()
    contexts.cancel()
    if hub.lifetime.is_going_down:
        # Otherwise the next hub goes on with what waits: shims come back to it with the same request.
        hub.asking.close()
        await hub.pipeline.answered(LAST_WORDS)
        # What has ended is told to other machines once it is on record.
        await hub.recorder.settled(LAST_WORDS)
    await hub.team_asks.close()
    team_link.cancel()
    hub.asking.stop()
    background.cancel()
    ungated.cancel()
    hub.put_back.stop()
    hub.recall.stop()
    retention.cancel()
    hub.retention.stop()
    hub.recorder.live.stop_listeners()
    await hub.server.close()
    statistics.cancel()
    await hub.statistics.close()
    exporter.cancel()
    await hub.exporter.close()
    await hub.connections.close()
    await hub.escalation.close()
    await hub.turn_notices.close()
    for file in hub.files:
        await file.flush()
    await hub.permissions.close()
    telemetry.cancel()
    await hub.telemetry.close()
    hub.recorder.note("stopped")
    await hub.recorder.journal.close()
