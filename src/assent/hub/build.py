"""What a hub is made of, in order. Each part is given what it works with; what happens it hears over the bus."""

import functools
import logging
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assent import keys
from assent.asks.flood import Bursts
from assent.config import Hub as HubSettings
from assent.harnesses import registry
from assent.hub import journals, server
from assent.hub.access import crowd
from assent.hub.access.access import Access
from assent.hub.access.agents import Agents
from assent.hub.api.asks import AsksApi
from assent.hub.api.connect import ConnectApi
from assent.hub.api.hooks import HookApi, ShortWay
from assent.hub.api.jump import JumpApi
from assent.hub.api.log import DecisionsApi, LogApi
from assent.hub.api.presence import PresenceApi, PushApi
from assent.hub.api.queue import QueueApi
from assent.hub.api.retention import RetentionApi
from assent.hub.api.review import ReviewApi, StatsApi
from assent.hub.api.routes import FeedApi, app
from assent.hub.api.rules import GrantsApi, RulesApi
from assent.hub.api.settings import SettingsApi
from assent.hub.api.status import SetupApi, Status, StatusLineApi, StopApi
from assent.hub.api.stream import StreamApi
from assent.hub.api.team import TeamApi
from assent.hub.api.trials import TrialApi
from assent.hub.asking.appeals import Appeals
from assent.hub.asking.asking import Asking
from assent.hub.asking.grants import Grants
from assent.hub.asking.past_asks import PastAsks
from assent.hub.asking.permissions import PermissionStore
from assent.hub.asking.plan_rounds import PlanRounds
from assent.hub.asking.put_back import PutBack
from assent.hub.asking.queues import Queues
from assent.hub.asking.shown_asks import ShownAsks
from assent.hub.bus import Bus
from assent.hub.export.exporter import Exporter
from assent.hub.ingress.context import TranscriptReader
from assent.hub.ingress.results import Results
from assent.hub.ingress.telemetry import Telemetry
from assent.hub.journals import Recall
from assent.hub.lifetime import Lifetime
from assent.hub.notify.connecting import Connecting
from assent.hub.notify.connections import Connections
from assent.hub.notify.delivery import Delivery
from assent.hub.notify.escalation import Escalation
from assent.hub.notify.inbox import Inboxes
from assent.hub.notify.presence_tracker import PresenceTracker
from assent.hub.notify.push_subscriptions import PushSubscriptions
from assent.hub.notify.test_ask import AskNotifier, TestAgent, TestAsks
from assent.hub.notify.turn_notices import TurnNotices
from assent.hub.other_sessions import OtherSessions
from assent.hub.pipeline.calls import Notes
from assent.hub.pipeline.drafts import Drafts
from assent.hub.pipeline.hooks import Hooks
from assent.hub.pipeline.pipeline import Pipeline
from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.hub.recorder import Live, Recorder
from assent.hub.state_file import DebouncedFile
from assent.hub.team.approvers import Approvers
from assent.hub.team.asks import TeamAsks, team_asks
from assent.hub.team.link import TeamLink
from assent.hub.team.new_machines import NewMachines
from assent.hub.upkeep.background import Background, ShimPlacer
from assent.hub.upkeep.changes import Changes
from assent.hub.upkeep.client_settings import ClientSettings, ConfigGate
from assent.hub.upkeep.retention import Retention
from assent.hub.upkeep.statistics import Statistics
from assent.hub.upkeep.ungated import Ungated
from assent.paths import Paths
from assent.policy import own
from assent.policy.call import Voice
from assent.protocol.team import TeamInfo
from assent.redact import Fingerprint, Redactor
from assent.secrets_store import Vault
from assent.surfaces.base import Surface
from assent.surfaces.registry import Addresses
from assent.surfaces.safe_http import SafeHttp
from assent.surfaces.webpush import WebPush
from assent.team.trust import Trust

log = logging.getLogger("assent.hub")


@dataclass(slots=True)
class Hub:
    """As much of it as its lifetime needs: what is opened, what runs, what is closed."""

    machine: str
    lifetime: Lifetime
    recorder: Recorder
    recall: Recall
    asking: Asking
    pipeline: Pipeline
    access: Access
    connections: Connections
    escalation: Escalation
    turn_notices: TurnNotices
    shown_asks: ShownAsks
    permissions: PermissionStore
    put_back: PutBack
    background: Background
    ungated: Ungated
    statistics: Statistics
    retention: Retention
    exporter: Exporter
    telemetry: Telemetry
    results: Results
    contexts: TranscriptReader
    team_link: TeamLink
    team_asks: TeamAsks
    status: Status
    server: server.Server
    tcp: socket.socket | None
    # Files that are written in the background.
    files: Sequence[DebouncedFile]


async def build(
    paths: Paths,
    fingerprint: Fingerprint,
    stop_secret: str,
    *,
    extra_voices: Sequence[Voice] = (),
    addresses: Addresses | None = None,
    may_be_local: bool = False,
) -> Hub:
    """``addresses`` and ``may_be_local`` are for tests, whose services run on loopback."""
    # What holds, and what is on record.
    bus = Bus()
    policy = PolicyInForce(paths, bus)
    redactor = Redactor(fingerprint, policy.secret_patterns)
    recorder = Recorder(journals.opened(policy.config.journal.url, paths), Live(bus=bus))
    live = recorder.live
    client_settings = ClientSettings(paths)
    queues = Queues(paths.queues, redactor, recorder)
    notes = Notes()
    permissions = PermissionStore(paths, recorder, policy.by_rule)
    grants = Grants(paths, permissions, policy, live, recorder)

    # Where people are, and how they are reached.
    tcp, port, port_trouble = _bound(policy.config.hub, paths)
    agents = Agents(paths.run / "agents")
    access = Access(paths, policy, agents, recorder, port)
    devices = access.gatekeeper.devices
    surfaces: dict[str, Surface] = {}
    presence_file, asks_file, turns_file = map(DebouncedFile, (paths.presence, paths.outreach, paths.notices))
    push_file = DebouncedFile(paths.keys / "push.json")
    subscriptions = PushSubscriptions(push_file, devices, bus)
    safe_http = SafeHttp(may_be_local=may_be_local)
    push_key = keys.load_or_create(paths.keys / "push.key")
    push = surfaces["push"] = WebPush(push_key, subscriptions, safe_http, policy.push_contact)
    team_link = TeamLink(paths, policy)
    presence = PresenceTracker(presence_file, policy, bus, live, surfaces, subscriptions, team=team_link)

    # The way of an event.
    bursts = Bursts()
    asking = Asking(recorder, redactor, bus, policy, presence, queues.counted, bursts, Approvers(team_link))
    appeals = Appeals(asking.desk, queues.counted)
    put_back = PutBack(asking, client_settings)
    ungated = Ungated(client_settings, live, recorder, redactor, put_back)
    pipeline = Pipeline(
        recorder=recorder,
        voices=(*policy.voices, ConfigGate(client_settings), notes, appeals, queues, *extra_voices),
        drafts=Drafts(redactor),
        harnesses=registry.HARNESSES,
        own=replace(own.of(paths), hub=os.getpid()),
        policy=policy,
        permissions=permissions,
        deliveries=queues,
        asking=asking,
        appeals=appeals,
        alarms=ungated,
    )
    hooks = Hooks(pipeline, asking.desk, queues, appeals)
    recall = Recall(recorder, pipeline, queues)
    await recall.begin()
    journal = recorder.journal

    # Bringing asks and ended turns to people.
    plan_rounds = PlanRounds(asking.desk, live)
    shown_asks = ShownAsks(asking.desk, live, plan_rounds)
    inboxes = Inboxes(policy, asking.desk, shown_asks, live, queues, presence, recorder)
    surface_key = keys.load_or_create(paths.keys / "surfaces.key").encode()
    connections = Connections(
        paths, policy, Vault(paths), surface_key, inboxes, access, bus, addresses or Addresses(), surfaces
    )
    connecting = Connecting(paths, policy, connections, recorder)
    delivery = Delivery(surfaces, recorder)
    turn_notices = TurnNotices(surfaces, presence.presence, policy, recorder, delivery, turns_file, live=live)
    escalation = Escalation(
        surfaces, presence.presence, policy, recorder, delivery, asks_file, bursts=bursts, turn_notices=turn_notices
    )
    test_agent = TestAgent(hooks)
    test_asks = TestAsks(test_agent, recorder)
    notifier = AskNotifier(shown_asks, test_asks, escalation)

    # Other machines of the same people.
    across = team_asks(
        team_link,
        asking.desk,
        policy,
        live,
        recorder,
        redactor,
        asking.earlier,
        functools.partial(_trust, paths, policy),
    )

    # Looking after it all.
    telemetry = Telemetry(recorder, redactor, asking)
    contexts = TranscriptReader(recorder, redactor)
    statistics = Statistics(journal, live, paths.statistics)
    retention = Retention(journal, policy, recorder, paths.backup)
    exporter = Exporter(journal, live, policy, paths.exported)
    changes = Changes(policy, redactor, journal.hub, paths.config, paths.in_force)
    background = Background(paths, recorder, policy, changes)
    shim_placer = ShimPlacer(paths, policy)
    machine = journals.machine_name(policy.config.team)
    lifetime = Lifetime(paths, recorder, stop_secret, port, port_trouble)
    known = (lifetime, recorder, policy, permissions, access, ungated, telemetry, presence, connecting)
    status = Status(*known, team_link, NewMachines(team_link, recorder.note), exporter)
    journal.hear(status.heard)
    other_sessions = OtherSessions(journal, status.others)

    # Each hears what it has a method for, in this order.
    bus.register(
        asking,
        plan_rounds,
        presence,
        escalation,
        turn_notices,
        notifier,
        notes,
        appeals,
        permissions,
        grants,
        shim_placer,
        connections,
        contexts,
        team_link,
        exporter,
        across,
    )

    hook_api = HookApi(hooks, live)
    parts = (
        hook_api,
        telemetry,
        status,
        other_sessions,
        StreamApi(journal, live, shown_asks, status, queues, presence),
        StatusLineApi(live, queues, escalation, presence),
        AsksApi(asking.desk, shown_asks, live, paths.rules),
        SetupApi(test_agent, client_settings, live, devices, connecting),
        RulesApi(paths, grants),
        GrantsApi(permissions, grants, PastAsks(journal, pipeline, policy.by_rule)),
        SettingsApi(paths, policy),
        PresenceApi(presence, recorder),
        PushApi(subscriptions, push, may_be_local=may_be_local),
        ConnectApi(connecting, test_asks),
        FeedApi(recorder),
        LogApi(journal, machine),
        DecisionsApi(journal),
        ReviewApi(),
        StatsApi(statistics),
        TrialApi(paths, pipeline),
        RetentionApi(retention),
        JumpApi(live),
        QueueApi(queues, asking.desk, live),
        TeamApi(team_link, recorder),
        StopApi(lifetime),
        access.api,
    )
    # Before a shim can reach us: what it will run next time is this version's.
    shim_placer.place()
    origins = access.gatekeeper.origins
    application = ShortWay(app(access.gatekeeper, parts), hook_api, access.gatekeeper)
    listening = server.Server(paths, application, hooks, agents, origins, crowd.raised_limit())
    return Hub(
        machine=machine,
        lifetime=lifetime,
        recorder=recorder,
        recall=recall,
        asking=asking,
        pipeline=pipeline,
        access=access,
        connections=connections,
        escalation=escalation,
        turn_notices=turn_notices,
        shown_asks=shown_asks,
        permissions=permissions,
        put_back=put_back,
        background=background,
        ungated=ungated,
        statistics=statistics,
        retention=retention,
        exporter=exporter,
        telemetry=telemetry,
        results=Results(asking.desk),
        contexts=contexts,
        team_link=team_link,
        team_asks=across,
        status=status,
        server=listening,
        tcp=tcp,
        files=(presence_file, asks_file, turns_file, push_file),
    )


def _trust(paths: Paths, policy: PolicyInForce, info: TeamInfo) -> Trust:
    """By the settings as they are when it is asked for."""
    return Trust.of(info, paths.provider_keys, policy.config.team.ca_file)


def _bound(hub: HubSettings, paths: Paths) -> tuple[socket.socket | None, int | None, str | None]:
    """The socket of page and HTTP hooks, its port, and why there is none: the gates on the hook socket work without."""
    try:
        tcp = server.bind_loopback(hub.bind, hub.port)
    except OSError as error:
        trouble = (
            f"Port {hub.port} on {hub.bind} cannot be used ({error.strerror}): page and HTTP hooks are off. "
            f"Set another [hub] port in {paths.config}, then `assent restart` and `assent install`."
        )
        log.error("%s", trouble)
        return None, None, trouble
    return tcp, tcp.getsockname()[1], None
