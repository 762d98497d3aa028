"""``config.toml``: every setting, its default, and what a project may override."""

import ipaddress
import re
from datetime import time, timedelta
from pathlib import Path
from typing import Any, Literal, NewType
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from assent import units
from assent.protocol import surfaces
from assent.toml import shape
from assent.toml.document import ConfigError, Document, KeyPath, read
from assent.toml.watched import Watched

__all__ = ["Config", "ConfigError", "Watched", "for_project", "load", "watch"]

StanceName = Literal["watch", "balanced", "strict"]
Bytes = NewType("Bytes", int)
Address = NewType("Address", str)
HostName = NewType("HostName", str)
JournalUrl = NewType("JournalUrl", str)
CollectorUrl = NewType("CollectorUrl", str)
SecretFile = NewType("SecretFile", str)
Expression = NewType("Expression", str)
Snippet = NewType("Snippet", str)

MOST_SNIPPETS = 9
LONGEST_SNIPPET = 200
LONGEST_MACHINE = 100


class Hub(Struct, frozen=True):
    port: int = 8717
    bind: Address = Address("127.0.0.1")
    # What a shim says where no hub answers.
    unreachable: Literal["no_opinion", "prompt_in_bypass", "deny_in_bypass", "deny"] = "deny_in_bypass"
    # Whether an install also listens to PostToolBatch, where a client has it.
    tool_batches: bool = False


class Remote(Struct, frozen=True):
    """Other machines. Off by default: with ``bind`` a second listener is opened for them, with ``name`` alone a tunnel
    may bring them to the first one."""

    bind: Address | None = None
    # 8718 for a listener of our own, 443 at the far end of a tunnel.
    port: int | None = None
    # What others call this machine: a DNS name or an address.
    name: HostName | None = None
    tls: bool = True
    # Files of a certificate that others trust; without them the hub makes its own.
    certificate: str | None = None
    key: str | None = None
    # What a newly paired phone may do unless the one who pairs it says otherwise.
    scope: Literal["watch", "deny", "answer", "instruct"] = "answer"
    # Without TLS anyone on the network can answer for you.
    allow_without_tls: bool = False


class Asks(Struct, frozen=True):
    wait: timedelta = timedelta(minutes=10)
    on_expiry: Literal["hand_back", "deny"] = "hand_back"
    # A background sub-agent's dialog waits for us, so with a person at the desk we hold it only this long.
    subagent_hold: timedelta = timedelta(seconds=20)
    hold_stops: Literal["never", "away", "always"] = "away"
    # An unattended run waits for a person only where one can be reached, unless told otherwise.
    unattended: Literal["never", "reachable", "always"] = "reachable"
    # Replies of one's own, to pick from wherever an agent is told something.
    snippets: tuple[Snippet, ...] = ()


class Journal(Struct, frozen=True):
    url: JournalUrl = JournalUrl("sqlite")
    keep: timedelta = timedelta(days=180)
    max_size: Bytes = Bytes(2 * 1024**3)


class Export(Struct, frozen=True):
    """Where decisions and answers are sent to, beside the journal."""

    # A collector of OpenTelemetry logs; nothing is sent without one.
    otlp: CollectorUrl | None = None
    # Headers by name, each with the file its value is in: it may be a secret.
    headers: dict[str, SecretFile] = {}
    # Whose certificates count instead of the usual ones.
    ca_file: str | None = None
    # Without TLS anyone on the network can read what is sent.
    allow_without_tls: bool = False


class Redact(Struct, frozen=True):
    extra: tuple[Expression, ...] = ()


class Team(Struct, frozen=True):
    """The team that ``assent join`` brought this hub into, if it did."""

    # Whether asks of this hub are shown on the person's other machines.
    share: bool = True
    # The file of a certificate authority that this machine does not know, for relay and identity provider.
    ca_file: str | None = None
    # What the team calls this machine, unless ``assent join`` is told.
    machine: str | None = None


class QuietHours(Struct, frozen=True):
    start: time
    end: time

    @classmethod
    def parse(cls, text: str) -> "QuietHours":
        """Raises ValueError with what is expected."""
        start, dash, end = text.partition("-")
        if not dash:
            raise ValueError('quiet hours are written like "22:00-07:00"')
        return cls(units.clock(start.strip()), units.clock(end.strip()))

    def covers(self, now: time) -> bool:
        if self.start <= self.end:
            return self.start <= now < self.end
        return now >= self.start or now < self.end


class Step(Struct, frozen=True):
    """One rung of the ladder: this surface is tried when the ask is that old."""

    surface: str
    after: timedelta


Ladder = tuple[Step, ...]


class LadderFor(Struct, frozen=True):
    """Ladders of their own for asks of one risk."""

    look: Ladder | None = None
    change: Ladder | None = None
    care: Ladder | None = None
    danger: Ladder | None = None


class Presence(Struct, frozen=True):
    quiet: QuietHours | None = None
    # What still reaches people in quiet hours.
    wake_for: Literal["nothing", "danger"] = "nothing"
    # Whether turns that ended are told of: when you are away, also when you only seem to be, or never.
    finished: Literal["away", "always", "never"] = "away"
    ladder: Ladder = (
        Step("page", timedelta(0)),
        Step("push", timedelta(seconds=20)),
        Step("telegram", timedelta(seconds=20)),
        Step("ntfy", timedelta(minutes=5)),
        Step("telegram", timedelta(minutes=30)),
    )
    ladder_for: LadderFor = LadderFor()

    def ladder_of(self, risk: str) -> Ladder:
        """Who is told when of an ask as risky as this."""
        own: Ladder | None = getattr(self.ladder_for, risk, None) if risk else None
        return self.ladder if own is None else own


class Project(Struct, frozen=True):
    """What holds in one folder and below, complete: the general settings with the folder's own laid over them."""

    stance: StanceName = "balanced"
    asks: Asks = Asks()
    presence: Presence = Presence()


class Config(Struct, frozen=True):
    version: Literal[1] = 1
    stance: StanceName = "balanced"
    hub: Hub = Hub()
    remote: Remote = Remote()
    asks: Asks = Asks()
    journal: Journal = Journal()
    export: Export = Export()
    redact: Redact = Redact()
    presence: Presence = Presence()
    team: Team = Team()
    # Each surface checks its own table.
    surface: dict[str, dict[str, Any]] = {}
    project: dict[str, Project] = {}

    @property
    def longest_wait(self) -> timedelta:
        """The longest time that some agent waits for a person."""
        return max(self.asks.wait, *(project.asks.wait for project in self.project.values()), timedelta(0))


def load(path: Path) -> Config:
    """The settings in this file, or the defaults where there is none. Raises ConfigError."""
    document = read(path)
    return Config() if document is None else parse(document)


def watch(path: Path) -> Watched[Config]:
    return Watched(path, load, Config())


def for_project(config: Config, folder: Path) -> Config:
    """The settings that hold in this folder: those of the deepest project around it."""
    if not config.project:
        return config
    here = {folder, folder.resolve()}
    around = [
        (len(root.parts), project)
        for name, project in config.project.items()
        for root in {Path(name), Path(name).resolve()}
        if any(place.is_relative_to(root) for place in here)
    ]
    if not around:
        return config
    _, closest = max(around, key=lambda match: match[0])
    return msgspec.structs.replace(config, stance=closest.stance, asks=closest.asks, presence=closest.presence)


def parse(document: Document) -> Config:
    """Raises ConfigError."""
    data = dict(document.data)
    config = shape.fill(document, Config, {**data, "project": {}}, (), _READERS)
    if not 0 <= config.hub.port <= 65535:
        raise document.wrong_value(("hub", "port"), '"port" must be between 0 and 65535.')
    if not ipaddress.ip_address(config.hub.bind).is_loopback:
        hint = "Other machines come in by a door of their own: write bind into [remote]."
        raise document.wrong_value(
            ("hub", "bind"), f'"{config.hub.bind}" is not an address of this machine alone.', hint
        )
    _check_remote(document, config.remote)
    _check_export(document, config.export)
    _check_snippets(document, (), config.asks)
    _check_team(document, config.team)
    if not isinstance(data.get("project", {}), dict):
        raise document.wrong_value(("project",), '"project" must be a table.', 'Write [project."~/src/name"].')
    return msgspec.structs.replace(config, project=_projects(document, data))


def _check_remote(document: Document, remote: Remote) -> None:
    at: KeyPath = ("remote",)
    if remote.port is not None and not 0 <= remote.port <= 65535:
        raise document.wrong_value((*at, "port"), '"port" must be between 0 and 65535.')
    if bool(remote.certificate) != bool(remote.key):
        given = "certificate" if remote.certificate else "key"
        raise document.wrong_value((*at, given), "A certificate and its key are given together, or neither.")
    for given in ("certificate", "key"):
        _check_path(document, (*at, given), getattr(remote, given))
    if remote.bind and not remote.name and ipaddress.ip_address(remote.bind).is_unspecified:
        hint = 'Add name = "the name or address others use".'
        raise document.wrong_value(
            (*at, "bind"), f'"{remote.bind}" is every address, and none that others can use.', hint
        )


def _check_team(document: Document, team: Team) -> None:
    at: KeyPath = ("team",)
    _check_path(document, (*at, "ca_file"), team.ca_file)
    if team.machine is not None and not is_machine_name(team.machine):
        words = f'"machine" is one line of 1 to {LONGEST_MACHINE} characters.'
        raise document.wrong_value((*at, "machine"), words)


def is_machine_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_MACHINE and text.isprintable() and text == text.strip()


def _check_path(document: Document, at: KeyPath, path: str | None) -> None:
    if path and not path.startswith(("/", "~/")):
        hint = 'Begin with "/" or "~/": the hub works in no folder of its own.'
        raise document.wrong_value(at, f'"{path}" is not a whole path.', hint)


# What the hub writes itself.
_OWN_HEADERS = frozenset({"connection", "content-encoding", "content-length", "content-type", "host", "te", "upgrade"})
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")


def _check_export(document: Document, export: Export) -> None:
    at: KeyPath = ("export",)
    for name in export.headers:
        if not _HEADER.fullmatch(name) or name.lower() in _OWN_HEADERS | {"transfer-encoding"}:
            raise document.wrong_key((*at, "headers", name), f'"{name}" is not the name of a header that can be added.')
    _check_path(document, (*at, "ca_file"), export.ca_file)
    if export.otlp is None or export.allow_without_tls:
        return
    parts = urlsplit(export.otlp)
    if parts.scheme == "http" and not _is_this_machine(parts.hostname or ""):
        hint = "Write https, or allow_without_tls = true where the network is yours alone."
        raise document.wrong_value((*at, "otlp"), "Without TLS, records are sent to this machine alone.", hint)


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_snippets(document: Document, at: KeyPath, asks: Asks) -> None:
    if len(asks.snippets) > MOST_SNIPPETS:
        words = f'"snippets" has {len(asks.snippets)} replies, and {MOST_SNIPPETS} is the most: each has its digit.'
        raise document.wrong_value((*at, "asks", "snippets"), words)


def _projects(document: Document, data: dict[str, Any]) -> dict[str, Project]:
    """Outer folders first, so that an inner one is laid over them and not over the general settings alone."""
    projects: dict[str, Project] = {}
    tables: dict[Path, dict[str, Any]] = {}
    named = [(_folder(document, name), name, own) for name, own in data.get("project", {}).items()]
    for folder, name, own in sorted(named, key=lambda item: len(item[0].parts)):
        at: KeyPath = ("project", name)
        _check_snippets(document, at, shape.fill(document, Project, own, at, _READERS).asks)
        around = [table for outer, table in tables.items() if folder.is_relative_to(outer)]
        tables[folder] = own
        projects[str(folder)] = _layered(document, at, [data, *around, own])
    return projects


def _folder(document: Document, name: str) -> Path:
    try:
        folder = Path(name).expanduser()
    except RuntimeError:
        raise document.wrong_key(("project", name), f'"{name}" names a user who has no home here.') from None
    if not folder.is_absolute():
        hint = 'Begin with "/" or "~/": the hub works in no folder of its own.'
        raise document.wrong_key(("project", name), f'"{name}" is not a whole path.', hint)
    return folder


def _layered(document: Document, at: KeyPath, layers: list[dict[str, Any]]) -> Project:
    merged: dict[str, Any] = {}
    for layer in layers:
        merged |= {"stance": layer["stance"]} if "stance" in layer else {}
        for section in ("asks", "presence"):
            merged[section] = _laid_over(merged.get(section, {}), layer.get(section, {}))
    return shape.fill(document, Project, merged, at, _READERS)


def _laid_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Name by name, in inner tables, too."""
    inner = {
        name: _laid_over(below[name], value)
        for name, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(name), dict)
    }
    return below | above | inner


def _address(text: str) -> Address:
    try:
        return Address(str(ipaddress.ip_address(text)))
    except ValueError:
        raise ValueError('an address is written like "127.0.0.1" or "::1"') from None


def _host_name(text: str) -> HostName:
    name = text.lower()
    try:
        return HostName(str(ipaddress.ip_address(name)))
    except ValueError:
        if len(name) < 254 and re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", name):
            return HostName(name)
        raise ValueError('a name is written like "desk.example.net" or "192.0.2.7", without port') from None


def _journal_url(text: str) -> JournalUrl:
    if text != "sqlite" and not text.startswith(("postgresql://", "postgres://")):
        raise ValueError('a journal is "sqlite" or an address that begins with "postgresql://"')
    return JournalUrl(text)


def _collector_url(text: str) -> CollectorUrl:
    try:
        parts = urlsplit(text)
        has_place = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        parts, has_place = urlsplit(""), False
    if not has_place or parts.scheme not in ("http", "https") or not (text.isascii() and text.isprintable()):
        raise ValueError('a collector is written like "http://127.0.0.1:4318" or "https://otel.example.net"')
    if parts.username is not None or parts.query or parts.fragment or " " in text:
        raise ValueError("the address of a collector has no name, password or question in it; headers say who you are")
    return CollectorUrl(text)


def _secret_file(text: str) -> SecretFile:
    kind, _, path = text.partition(":")
    if kind != "file" or not path.startswith(("/", "~/")):
        # Not shown: it may be the secret itself.
        raise ValueError('a secret is named by its file, like "file:~/.config/assent/collector-token"')
    return SecretFile(text)


def _expression(text: str) -> Expression:
    try:
        re.compile(text)
    except re.error as e:
        raise ValueError(f"this is not a regular expression: {e}") from None
    if not text:
        raise ValueError("an empty expression would match everywhere")
    return Expression(text)


def _snippet(text: str) -> Snippet:
    words = text.strip()
    if not words:
        raise ValueError("a reply needs words")
    if len(words) > LONGEST_SNIPPET:
        raise ValueError(f"a reply has at most {LONGEST_SNIPPET} characters; this one has {len(words)}")
    if not words.isprintable():
        raise ValueError("a reply is one line without control characters")
    return Snippet(words)


def _step(text: str) -> Step:
    surface, at, after = text.partition("@")
    if not surface or not at:
        raise ValueError('a step is written like "telegram@20s"')
    if surface not in surfaces.steps():
        hint = shape.nearest(surface, surfaces.steps()).removesuffix(".")
        raise ValueError(f'there is nothing called "{surface}" that could be told. {hint}')
    return Step(surface, units.duration(after))


_READERS: shape.Readers = {
    timedelta: units.duration,
    Bytes: units.size,
    Address: _address,
    HostName: _host_name,
    JournalUrl: _journal_url,
    CollectorUrl: _collector_url,
    SecretFile: _secret_file,
    Expression: _expression,
    Snippet: _snippet,
    QuietHours: QuietHours.parse,
    Step: _step,
}
