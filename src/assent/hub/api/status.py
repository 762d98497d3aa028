"""How the hub stands: what `assent status`, the page and doctor show."""

import asyncio
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from assent._version import __version__
from assent.config import Config, Snippet
from assent.harnesses import registry
from assent.hub.access.access import Access
from assent.hub.access.devices import Devices
from assent.hub.asking.permissions import PermissionStore
from assent.hub.asking.queues import Queues
from assent.hub.export.exporter import Exporter
from assent.hub.ingress.telemetry import Telemetry
from assent.hub.lifetime import Lifetime
from assent.hub.notify.connecting import Connecting
from assent.hub.notify.escalation import Escalation
from assent.hub.notify.presence_tracker import PresenceTracker
from assent.hub.notify.test_ask import TestAgent, new_session
from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.hub.recorder import Live, Recorder
from assent.hub.team.link import TeamLink
from assent.hub.team.new_machines import NewMachines
from assent.hub.upkeep.client_settings import ClientSettings
from assent.hub.upkeep.ungated import Ungated
from assent.journal.base import News
from assent.protocol.queue import StatusLine
from assent.protocol.surfaces import Scope
from assent.text import wording
from assent.views import sessions
from assent.views.asks import Ask
from assent.webapi.endpoint import ProblemError, Route, json_response


@dataclass(frozen=True, slots=True)
class Status:
    lifetime: Lifetime
    recorder: Recorder
    policy: PolicyInForce
    permissions: PermissionStore
    access: Access
    ungated: Ungated
    telemetry: Telemetry
    presence: PresenceTracker
    connecting: Connecting
    team_link: TeamLink
    new_machines: NewMachines
    exporter: Exporter
    # Hubs that record into the same database, and how far they are.
    others: dict[str, int] = field(default_factory=dict)

    def routes(self) -> list[Route]:
        return [("GET", "/api/status", Scope.WATCH, self.get)]

    async def get(self, _: Request) -> Response:
        return json_response(self.told())

    def heard(self, news: News) -> None:
        """Another hub recorded something."""
        self.others[news.hub] = news.seq

    def troubles(self) -> tuple[str, ...]:
        """What a foreground start tells its user."""
        policy = self.policy
        candidates = (
            self.recorder.journal.trouble,
            policy.config_trouble,
            policy.config_note,
            policy.rules_trouble,
            self.lifetime.port_trouble,
        )
        return tuple(trouble for trouble in candidates if trouble)

    def told(self) -> dict[str, Any]:
        live, journal, policy = self.recorder.live, self.recorder.journal, self.policy
        auto = structs.asdict(sessions.auto_mode(live.sessions))
        return {
            "version": __version__,
            "pid": os.getpid(),
            "port": self.lifetime.port,
            "started_at": self.lifetime.started,
            "last_event_at": live.last_event_at,
            "events": live.events,
            "sessions": sum(session.is_live for session in live.sessions.values()),
            # For screens to call folders what their owner calls them.
            "home": str(Path.home()),
            "stance": policy.config.stance,
            # Replies to pick from, by the folder they hold in and below; "" is everywhere else.
            "snippets": _snippets(policy.config),
            "paused_for": live.paused_for,
            "bad_input": live.bad_input,
            "gaps": live.gaps,
            "unasked": live.unasked,
            "auto_mode": auto | {"words": wording.auto_mode(**auto)},
            "journal": {
                "hub": journal.hub,
                "trouble": journal.trouble,
                "lost": journal.lost,
                "seq": live.seq,
                "hash": live.hash,
                # Hubs that record into the same database, and how far they are.
                "others": self.others,
            },
            # What is sent to a collector of logs; null where nothing is.
            "export": self.exporter.told(),
            "config_trouble": policy.config_trouble,
            "config_note": policy.config_note,
            "rules_trouble": policy.rules_trouble,
            "rules_note": policy.rules_note,
            "permissions": len(self.permissions.listed()),
            "permissions_trouble": self.permissions.trouble or None,
            "port_trouble": self.lifetime.port_trouble,
            **self.access.status(),
            # Sentences about agents that work past the gate.
            "ungated": self.ungated.alarms,
            "telemetry": self.telemetry.status(),
            "presence": self.presence.told(),
            # Those that are wanted, and how they stand.
            "surfaces": self.connecting.states.wanted(),
            # The team this hub is in, and its link there; null where it is in none.
            "team": self.team_link.told(),
            "team_trouble": self.team_link.warning(),
            # Machines that joined in the name of this hub's owner a moment ago.
            "new_machines": self.new_machines.told(),
        }


def _snippets(config: Config) -> dict[str, tuple[Snippet, ...]]:
    return {"": config.asks.snippets, **{folder: project.asks.snippets for folder, project in config.project.items()}}


@dataclass(frozen=True, slots=True)
class StopApi:
    lifetime: Lifetime

    def routes(self) -> list[Route]:
        return [("POST", "/api/stop", Scope.ADMIN, self.post)]

    async def post(self, _: Request) -> Response:
        """Stop the hub and keep it stopped until `assent up`. What waits for a person gets the answer it would get
        when its time is up."""
        try:
            self.lifetime.go_down()
        except OSError as error:
            why = f"The mark that keeps the hub stopped cannot be written: {error.strerror}. It was not stopped."
            raise ProblemError(507, "no-mark", why) from error
        return json_response({"state": "stopping"}, status=202)


@dataclass(frozen=True, slots=True)
class StatusLineApi:
    live: Live
    queues: Queues
    escalation: Escalation
    presence: PresenceTracker

    def routes(self) -> list[Route]:
        return [("GET", "/api/line", Scope.WATCH, self.line)]

    async def line(self, request: Request) -> Response:
        """What waits in the session of that id, or in all without one: how much, which screens were told, what is
        queued."""
        session, live = request.query_params.get("session", ""), self.live
        waiting = live.asks.waiting
        own = [ask for ask in waiting if session in ("", ask.session)]
        pushed_at = min((push.at for ask in own for push in ask.pushes if push.sent), default=None)
        queued = [len(items) for name, items in self.queues.waiting().items() if session in ("", name)]
        return json_response(
            StatusLine(
                now=time.time_ns() // 1_000_000,
                asks=dict(Counter(map(_kind, own))),
                elsewhere=len(waiting) - len(own),
                told=pushed_at,
                due=self.escalation.next_push(session) if pushed_at is None else None,
                queued=sum(queued),
                away=self.presence.attention().away,
                paused_s=live.paused_for,
            )
        )


def _kind(ask: Ask) -> str:
    return ask.risk or "care" if ask.what == "permission" else ask.what


MOST_TESTS = 3


@dataclass(frozen=True, slots=True)
class SetupApi:
    agent: TestAgent
    settings: ClientSettings
    live: Live
    devices: Devices
    connecting: Connecting
    _tests: set[asyncio.Task[None]] = field(default_factory=set)

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/setup", Scope.WATCH, self.get),
            ("POST", "/api/asks/test", Scope.ANSWER, self.test),
        ]

    async def get(self, _: Request) -> Response:
        """The three first steps, each as far as it is done, and the program to start."""
        has_phone = any(device.kind == "phone" and device.revoked is None for device in self.devices.by_id.values())
        steps = {
            "installed": sorted(self.settings.installed()),
            "event_seen": any(not session.practice for session in self.live.sessions.values()),
            "second_screen": has_phone or bool(self.connecting.states.wanted()),
            "program": registry.default().PROGRAM,
        }
        return json_response(steps)

    async def test(self, _: Request) -> Response:
        if len(self._tests) >= MOST_TESTS:
            raise ProblemError(429, "too-many-tests", "Three test asks wait already.", hint="answer one of them.")
        task = asyncio.create_task(self.agent.ask(new_session()))
        self._tests.add(task)
        task.add_done_callback(self._tests.discard)
        return json_response({"state": "asked"}, status=202)
