"""The hub's life: take the lock, open everything, wait, close everything. The only place that builds it all."""

import asyncio
import functools
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assent import config, keys
from assent._version import __version__
from assent.asks.desk import Desk
from assent.asks.patience import Attention
from assent.harness import claude_code
from assent.harness.base import Harness
from assent.hub import claim, folders, logs, loop, server
from assent.hub.access import crowd
from assent.hub.access.access import Access
from assent.hub.access.agents import Agents
from assent.hub.access.caller import who
from assent.hub.api import Api
from assent.hub.asking import Asking
from assent.hub.asking import offset as asking_names
from assent.hub.asks_api import AsksApi
from assent.hub.changes import Changes
from assent.hub.chores import Chores
from assent.hub.client_settings import ClientSettings
from assent.hub.config_gate import ConfigGate
from assent.hub.doorway import Doorway
from assent.hub.line_api import LineApi
from assent.hub.live import Live
from assent.hub.notes import Notes
from assent.hub.pipeline import Pipeline, now_ms
from assent.hub.pretending import Pretender
from assent.hub.putting_back import PuttingBack
from assent.hub.queue_api import QueueApi
from assent.hub.queues import Queues
from assent.hub.reach import Reach
from assent.hub.rules_api import RulesApi
from assent.hub.settings_api import SettingsApi
from assent.hub.setup_api import SetupApi
from assent.hub.shown import Showing
from assent.hub.standing import Standing
from assent.hub.stop_api import StopApi
from assent.hub.stream_api import StreamApi
from assent.hub.summary import Summary
from assent.hub.telemetry import Telemetry
from assent.hub.undelivered import Undelivered
from assent.hub.ungated import Ungated
from assent.hub.upkeep import Upkeep
from assent.journal.absent import AbsentJournal
from assent.journal.base import Journal, JournalError, News
from assent.journal.choose import open_journal
from assent.lock import Holder, Lock
from assent.paths import Paths
from assent.policy import own
from assent.policy.voice import Voice
from assent.protocol.record import Draft
from assent.protocol.scope import Scope
from assent.redact import Fingerprint, Redactor
from assent.shim import place, stopped
from assent.surfaces.kind import KINDS, Addresses
from assent.views import asks as ask_view
from assent.views import feed as feed_view
from assent.views import sessions as session_view

log = logging.getLogger("assent.hub")

# Enough to know every session somebody might still look at, little enough to start at once.
REMEMBERED_RECORDS = 5_000
SWITCH_INTERVAL = 0.0005
# How long a hub that stops for good waits for its last answers to go out.
LAST_WORDS = 2.0


@dataclass(frozen=True, slots=True)
class Ready:
    """What a foreground start tells its user."""

    pid: int
    port: int | None
    troubles: tuple[str, ...]


def run(
    paths: Paths,
    *,
    extra_voices: Sequence[Voice] = (),
    announce: Callable[[Ready], None] | None = None,
    addresses: Addresses | None = None,
    from_shim: bool = False,
) -> None:
    """Be the hub until told to stop. ``addresses`` is for tests, whose chat services run on loopback.

    One that no person asked for (``from_shim``) does not start where `assent down` was the person's last word."""
    os.umask(0o077)
    # The thread that writes the journal waits this long for its turn while the loop is busy, and an allow waits for it.
    sys.setswitchinterval(SWITCH_INTERVAL)
    folders.prepare(paths)
    lock, secret = claim.claim(paths, from_shim=from_shim)
    try:
        mended = folders.mend_keys(paths)
        fingerprint = functools.partial(keys.fingerprint, keys.digest_key(paths))
        logs.start(paths.log, Redactor(fingerprint).text)
        for sentence in mended:
            log.warning("%s", sentence)
        loop.run(_Hub(paths, lock, extra_voices, fingerprint, addresses or Addresses(), secret).live_through(announce))
    finally:
        lock.release()


@dataclass(slots=True)
class _Hub:
    paths: Paths
    lock: Lock
    extra_voices: Sequence[Voice]
    fingerprint: Fingerprint
    addresses: Addresses
    # Revealed when the person stops the hub: the mark that shims obey.
    stop_secret: str
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    is_going_down: bool = False
    started: int = field(default_factory=now_ms)
    port: int | None = None
    port_trouble: str | None = None
    standing: Standing = field(init=False)
    pipeline: Pipeline = field(init=False)
    changes: Changes = field(init=False)
    ungated: Ungated = field(init=False)
    journal: Journal = field(init=False)
    access: Access = field(init=False)
    queues: Queues = field(init=False)
    telemetry: Telemetry = field(init=False)
    reach: Reach = field(init=False)
    others: dict[str, int] = field(default_factory=dict)
    remembering: asyncio.Task[None] | None = None

    async def live_through(self, announce: Callable[[Ready], None] | None) -> None:
        client_settings = ClientSettings(self.paths)
        redactor = Redactor(self.fingerprint, lambda: self.standing.config.redact.extra)
        self.queues = Queues(self.paths.queues, redactor.text, self._record)
        notes = Notes()
        voices: tuple[Voice, ...] = (ConfigGate(client_settings), self.queues, notes, *self.extra_voices)
        self.standing = Standing(self.paths, voices)
        self.journal = self._open_journal()
        await self._build_pipeline(redactor)
        asking = self._build_desk(redactor, notes)
        self.ungated = Ungated(
            client_settings, lambda: self.pipeline.live, self.pipeline.record, redact=self.pipeline.redactor.text
        )
        putting_back = PuttingBack(asking.desk, client_settings, asking.earlier)
        self.ungated.offer = putting_back.offer
        self.pipeline.unmatched, self.pipeline.ran_differently = self.ungated.unmatched, self.ungated.ran_differently
        self.telemetry = Telemetry(self.pipeline, asking.reported)
        self.journal.hear(self._heard)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, self.stopping.set)

        agents = Agents(self.paths.run / "agents")
        self.access = Access(self.paths, lambda: self.standing.config.remote, agents, self.pipeline.record)
        undelivered = Undelivered(self.pipeline, self.queues.missed)
        summary = Summary(self.journal, self.pipeline.live, self.paths.statistics)
        upkeep = Upkeep(
            self.journal, lambda: self.standing.config.journal, self.pipeline.live.publish, self.paths.backup
        )
        showing = Showing(asking.desk, lambda: self.pipeline.live)
        said = functools.partial(asking.desk.told, delivered=True)
        pretender = Pretender(self.pipeline, said, asking.desk.lost)
        self._build_reach(asking, showing, pretender)
        snapshot = {"hub": self.status, "queues": self.queues.waiting, "presence": self.reach.told}
        api = Api(
            pipeline=self.pipeline,
            access=self.access,
            status=self.status,
            undelivered=undelivered,
            summary=summary,
            upkeep=upkeep,
            queues=QueueApi(self.queues, asking.desk, lambda name: name in self.pipeline.live.sessions, who),
            telemetry=self.telemetry,
            stream=StreamApi(lambda: self.journal, lambda: self.pipeline.live, showing, who, snapshot),
            line=LineApi(lambda: self.pipeline.live, self.queues.waiting, self.reach),
            asks=AsksApi(asking.desk, showing, lambda: self.pipeline.live, who),
            reach=self.reach,
            rules=RulesApi(self.paths),
            settings=SettingsApi(self.paths, lambda: self.standing.config, lambda: self.standing.settings),
            setup=SetupApi(pretender, client_settings.installed),
            stop=StopApi(self._go_down),
        )
        tcp = self._bind()
        self.access.opened(self.port)
        # Before a shim can reach us: what it will run next time is this version's.
        self._place_shim()
        hooks = server.Hooks(self.pipeline.answer, undelivered.note, said, asking.desk.lost, agents)
        listening = server.Server(
            self.paths, api.app(), hooks, self.access.gatekeeper.origins.is_person, crowd.raised_limit()
        )
        await self.reach.unlock()
        await listening.open(tcp, self.access.door)
        self._say_we_are_up()
        asking.abandon_later()
        self.reach.start(showing.waiting())
        # What was made so far lives as long as the hub: the collector need not look at it with every generation.
        gc.collect()
        gc.freeze()
        gc.enable()
        chores = asyncio.create_task(Chores(self.paths, self.pipeline, self._refresh).run_forever())
        watching = asyncio.create_task(self.ungated.run_forever())
        counting = asyncio.create_task(summary.run_forever())
        pruning = asyncio.create_task(upkeep.run_forever())
        tallying = asyncio.create_task(self.telemetry.run_forever())
        if announce:
            announce(Ready(pid=os.getpid(), port=self.port, troubles=self._troubles()))

        await self.stopping.wait()
        log.info("stopping")
        if self.is_going_down:
            # Otherwise the next hub goes on with what waits: shims come back to it with the same request.
            asking.close()
            await self.pipeline.answered(LAST_WORDS)
        asking.stop()
        chores.cancel()
        watching.cancel()
        putting_back.stop()
        if self.remembering:
            self.remembering.cancel()
        pruning.cancel()
        upkeep.stop()
        self.pipeline.live.stop_listeners()
        await listening.close()
        counting.cancel()
        await summary.close()
        await self.reach.close()
        tallying.cancel()
        await self.telemetry.close()
        self._note("stopped")
        await self.journal.close()
        log.info("stopped")

    def _go_down(self) -> None:
        """The person's order. The mark comes first: a shim that finds no hub from here on starts none."""
        stopped.leave(self.paths, self.stop_secret)
        self.is_going_down = True
        self.pipeline.record([Draft(at=now_ms(), kind="hub", by="person:desk", body={"what": "told to stop"})])
        self.stopping.set()

    def status(self) -> dict[str, Any]:
        live = self.pipeline.live
        return {
            "version": __version__,
            "pid": os.getpid(),
            "port": self.port,
            "started_at": self.started,
            "last_event_at": live.last_event_at,
            "events": live.events,
            "sessions": sum(session.is_live for session in live.sessions.values()),
            # For screens to call folders what their owner calls them.
            "home": str(Path.home()),
            "stance": self.standing.config.stance,
            "paused_for": live.paused_for,
            "bad_input": live.bad_input,
            "gaps": live.gaps,
            "unasked": live.unasked,
            "journal": {
                "hub": self.journal.hub,
                "trouble": self.journal.trouble,
                "lost": self.journal.lost,
                "seq": live.seq,
                "hash": live.hash,
                # Hubs that record into the same database, and how far they are.
                "others": self.others,
            },
            "config_trouble": self.standing.config_trouble,
            "config_note": self.standing.config_note,
            "rules_trouble": self.standing.rules_trouble,
            "rules_note": self.standing.rules_note,
            "port_trouble": self.port_trouble,
            **self.access.status(),
            # Sentences about agents that work past the gate.
            "ungated": self.ungated.alarms,
            "telemetry": self.telemetry.status(),
            "presence": self.reach.told(),
            # Those that are wanted, and how they stand.
            "surfaces": self.reach.connecting.states.wanted(),
        }

    def _open_journal(self) -> Journal:
        url = self.standing.config.journal.url
        try:
            journal = open_journal(url, file=self.paths.journal, hub_file=self.paths.hub_id)
        except JournalError as error:
            return self._no_journal(str(error))
        if journal.trouble:
            log.error("nothing will be allowed until the journal can be used: %s", journal.trouble)
        return journal

    @staticmethod
    def _no_journal(why: str) -> AbsentJournal:
        log.error("no journal, so nothing will be allowed: %s", why)
        return AbsentJournal(f"{why}\nWhen that is done: assent restart")

    async def _build_pipeline(self, redactor: Redactor) -> None:
        harnesses: dict[str, Harness] = {claude_code.NAME: claude_code}
        self.pipeline = Pipeline(
            journal=self.journal,
            live=Live(),
            harnesses=harnesses,
            voices=self.standing.voices,
            redactor=redactor,
            own=replace(own.of(self.paths), hub=os.getpid()),
            directories=self.standing.directories,
            deliveries=self.queues,
        )
        self.changes = Changes(
            self.standing, self.pipeline.redactor, self.journal.hub, self.paths.config, self.paths.in_force
        )
        try:
            await self._remember()
        except Exception as error:
            if self.journal.comes_back and isinstance(error, JournalError):
                self.remembering = asyncio.create_task(self._remember_later())
                return
            # Not a JournalError alone: in a damaged file anything may stand, and a hub that dies of it guards nobody.
            log.exception("the journal cannot be read")
            why = error if isinstance(error, JournalError) else "The journal is damaged: a record cannot be read."
            await self.journal.close()
            self.journal = self.pipeline.journal = self._no_journal(str(why))
            self.pipeline.live = Live()

    def _build_desk(self, redactor: Redactor, notes: Notes) -> Asking:
        desk = Desk(
            record=lambda drafts: self.pipeline.record(asking.storable(drafts)),
            now_ms=now_ms,
            newest=lambda: self.pipeline.live.seq,
            allowed=notes.allowed,
            offset=asking_names(self.journal.hub),
        )
        asking = Asking(
            desk=desk,
            live=lambda: self.pipeline.live,
            redactor=redactor,
            settings=self._asks,
            attention=Attention,
            continuations=self.queues.continuations,
            is_heard=self.queues.counted.is_heard,
        )
        desk.on_expiry = asking.on_expiry
        self.pipeline.asking = asking
        return asking

    def _build_reach(self, asking: Asking, showing: Showing, pretender: Pretender) -> None:
        def ask_changed(ask: ask_view.Ask) -> None:
            asking.desk.noticed(ask.id, ask.life)
            # As much as any of them may offer; each leaves out what it has no room or no right for.
            shown = showing.shown(ask, Scope.INSTRUCT, "chat")
            if not self.reach.rehearsals.takes(shown):
                self.reach.outreach.changed(shown)

        def inbox(name: str) -> Doorway:
            return Doorway(
                surface=name,
                title=KINDS[name].title,
                scope=lambda: self.reach.connections.scope(name),
                desk=asking.desk,
                showing=showing,
                live=lambda: self.pipeline.live,
                queues=self.queues,
                whereabouts=lambda: self.reach.whereabouts,
                record=self._record,
            )

        self.reach = Reach(
            paths=self.paths,
            config=lambda: self.standing.config,
            record=self._record,
            clock=now_ms,
            is_let_in=self._is_let_in,
            is_watched=lambda: self.pipeline.live.watched,
            still_open=asking.desk.still_open,
            reread=self._reread,
            inbox=inbox,
            link=self._link,
            written=lambda: self.standing.settings,
            session=self._session,
            pretender=pretender,
            addresses=self.addresses,
        )
        asking.attention, asking.is_burst = self.reach.attention, self.reach.outreach.is_burst
        self.pipeline.live.ask_changed = ask_changed
        self.pipeline.live.signalled = self.reach.heard

    def _session(self, name: str) -> session_view.Session | None:
        return self.pipeline.live.sessions.get(name)

    def _is_let_in(self, device: str) -> bool:
        found = self.access.gatekeeper.devices.by_id.get(device)
        return found is not None and found.revoked is None

    def _asks(self, project: Path) -> config.Asks:
        return config.for_project(self.standing.config, project).asks

    async def _remember(self) -> None:
        """Know again what the last life knew."""
        live = self.pipeline.live
        records = await self.journal.tail(REMEMBERED_RECORDS)
        while records and records[-1].seq < live.seq:
            # Something was recorded meanwhile. Never at the start.
            records = await self.journal.tail(REMEMBERED_RECORDS)
        live.sessions = session_view.rebuilt(records)
        live.feed = feed_view.rebuilt(records)
        live.asks = ask_view.rebuilt(records)
        for record in records:
            self.pipeline.calls.recall(record)
        self.pipeline.memories.recall(records)
        self.queues.recall(records)
        self.pipeline.earlier = {r.request for r in records if r.request and r.kind in ("event", "decision")}
        head = await self.journal.head()
        live.seq, live.hash = head.seq, head.hash

    async def _remember_later(self) -> None:
        """The journal's server is away: once it is back, know again what is in it."""
        while True:
            await asyncio.sleep(1)
            try:
                return await self._remember()
            except JournalError:
                pass  # Its trouble is told wherever people look.

    def _heard(self, news: News) -> None:
        self.others[news.hub] = news.seq

    def _bind(self) -> socket.socket | None:
        """The page and the HTTP hooks can be off; the gates on the socket must not."""
        hub = self.standing.config.hub
        try:
            tcp = server.bind_loopback(hub.bind, hub.port)
        except OSError as error:
            self.port_trouble = (
                f"Port {hub.port} on {hub.bind} cannot be used ({error.strerror}): page and HTTP hooks are off. "
                f"Set another [hub] port in {self.paths.config}, then `assent restart` and `assent install`."
            )
            log.error("%s", self.port_trouble)
            return None
        self.port = tcp.getsockname()[1]
        return tcp

    def _say_we_are_up(self) -> None:
        self.lock.write(Holder(pid=os.getpid(), version=__version__, started=self.started, port=self.port))
        (self.paths.run / "starts").unlink(missing_ok=True)
        log.info("hub %s up, pid %d, port %s", __version__, os.getpid(), self.port)
        self._note(f"started version {__version__}")

    def _record(self, drafts: Sequence[Draft]) -> Awaitable[object]:
        return self.pipeline.record(drafts)

    def _note(self, what: str) -> None:
        self.pipeline.record([Draft(at=now_ms(), kind="hub", by="hub", body={"what": what})])

    def _link(self, ask: str) -> str:
        """Where a phone can open it: not on loopback, which is another machine there."""
        url = self.access.elsewhere()
        return f"{url}/a/{ask}" if url else ""

    def _reread(self) -> None:
        if self.standing.refresh():
            self._place_shim()
            self.reach.connections.refresh()

    async def _refresh(self) -> None:
        self._reread()
        if self.journal.trouble is None:
            await self.changes.record(self.pipeline.record)

    def _place_shim(self) -> None:
        try:
            place.place(self.paths, unreachable=self.standing.config.hub.unreachable)
        except OSError as error:
            log.error("the shim could not be refreshed: %s", error)

    def _troubles(self) -> tuple[str, ...]:
        standing = self.standing
        found = (
            self.journal.trouble,
            standing.config_trouble,
            standing.config_note,
            standing.rules_trouble,
            self.port_trouble,
        )
        return tuple(trouble for trouble in found if trouble)
