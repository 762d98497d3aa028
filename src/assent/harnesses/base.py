"""Interface of a harness module."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from assent.harnesses.otlp import Decided, Reading
from assent.harnesses.site import Check, Scope, SettingsScope, Site, Transport
from assent.paths import Paths
from assent.protocol.context import Context
from assent.protocol.decision import Decision
from assent.protocol.envelope import Output
from assent.protocol.events import Event, ToolEvent
from assent.protocol.modes import Mode, Run
from assent.protocol.operations import Operation
from assent.protocol.permission import PermissionUpdate
from assent.protocol.summary import Summary


class UnreadableError(Exception):
    """A payload could not be read as the event it was sent for."""


class NotHonouredError(Exception):
    """The harness would ignore or void this decision on this event."""


# The values of [hub] unreachable.
Unreachable = Literal["no_opinion", "prompt_in_bypass", "deny_in_bypass", "deny"]
# What a shim may find itself in. Each may have a variant for the mode that runs tools unasked.
ShimSituation = Literal[
    "unreachable", "unreachable_bypass", "held", "held_bypass", "run", "run_bypass", "stopped", "stopped_bypass"
]
# By event and situation; what is not named is silence.
Replies = dict[str, dict[ShimSituation, bytes]]


Version = tuple[int, int, int]
# Plain words without quotes: they also stand in shell lines.
UNJUDGED = "Assent could not be reached, so nothing has judged this call. Run assent doctor to find out why."
NOT_STARTED = "The agent was not started."


@dataclass(frozen=True, slots=True)
class RunPlan:
    """One run with our hooks, for which no settings file is touched."""

    argv: list[str]
    env: dict[str, str]
    # For the file that holds for this run alone.
    content: bytes
    # Settings files whose hooks of ours run beside those of this run.
    twice: tuple[Path, ...] = ()
    # For a folder that holds for this run alone, by name; empty where the client takes none.
    files: Mapping[str, bytes] = field(default_factory=dict)

    @staticmethod
    def folder(file: Path) -> Path:
        """The folder of the run whose file this is."""
        return file.with_suffix(".d")


# Whether a variable decides what programs load, or which servers they trust.
Loads = Callable[[str, str], bool]


class SaidBefore(NamedTuple):
    """An agent's last words before a call, and the task it was given where it is a sub-agent."""

    words: str = ""
    task: str = ""


# So many bytes of a regular file, of its end or of its beginning; None where there is no such file.
ReadEnds = Callable[[str, int, bool], bytes | None]


@dataclass(frozen=True, slots=True)
class Transcripts:
    """A folder in which a client keeps the transcripts of its sessions."""

    folder: Path
    # How many folders deeper they lie: one where there is one for each project or session.
    depth: int = 0


class SettingsError(Exception):
    """A settings file is not what it should be: the place in it, and what was expected there."""


@dataclass(frozen=True, slots=True)
class RuleTexts:
    """The permission rules of one settings file, in the language of rules."""

    deny: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    # Folders beside the project that belong to it: relative to the project, or with a tilde.
    directories: tuple[str, ...] = ()
    # Counts in managed settings: allow rules of every other file are ignored by the client.
    managed_only: bool = False
    # Commands run in the client's sandbox; None where nothing is said about it.
    sandbox: bool | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A settings file that can arm or disarm hooks."""

    # One of SCOPES, or "managed" for what an administrator set.
    scope: str
    path: Path


@dataclass(frozen=True, slots=True)
class Change:
    """A settings file with our entries, or without them."""

    after: bytes
    # Events whose entry is written or taken out.
    events: tuple[str, ...] = ()
    # What a person should know before they say yes.
    notes: tuple[str, ...] = ()
    # What sending the client's telemetry to the hub means, where that is new and a question of its own.
    telemetry: str = ""
    uses_token: bool = False
    # Nothing stands in the file any more.
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class Subscription:
    """How we listen to one event."""

    event: str
    transport: Literal["shim", "http"]
    # What we write as the hook's timeout, in seconds.
    timeout: int
    # Whether the hub may keep the agent waiting for a person.
    may_hold: bool = False
    # The name of Assent's event that it becomes, where the client has another one for it.
    becomes: str = ""


# The protocol that a client speaks with its model.
Dialect = Literal["chat", "gemini", "messages", "responses"]


def _no_files(*_: object) -> dict[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Trial:
    """How a client is started against a scripted model on loopback, with a home of its own."""

    dialect: Dialect
    # The call by which it runs a shell command: the name of its tool, and the input.
    runs: Callable[[str], tuple[str, dict[str, Any]]]
    # What stands behind its name for one run of a prompt without a terminal.
    words: Callable[[str], list[str]]
    # The variables that lead it to the model, by the model's address.
    environ: Callable[[str], dict[str, str]]
    # Files in its home, by the model's address and the project's folder.
    files: Callable[[str, str], dict[str, str]] = _no_files
    # Files in its home that follow from what our install wrote: its home, and the project's folder.
    after_install: Callable[[Path, Path], dict[str, str]] = _no_files


class Program(NamedTuple):
    """A program of a module's own that is placed beside the shim and kept up to date with it."""

    name: str
    # Its text for these places and this value of [hub] unreachable.
    content: Callable[[Paths, Unreachable], bytes]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a client can be told beside the decisions it honours, and what it tells."""

    # The events at which a person may change a call's input: "PreToolUse", "PermissionRequest".
    changes_input: frozenset[str] = frozenset()
    # Silence before a call may run it, and is all that an allow there can be. So where nothing can be said for certain
    # the call is denied.
    runs_on_silence: bool = False
    # An allow lets the call run. Otherwise it only lets it go on to the client's own check, which may ask by itself.
    approves: bool = True
    # The modes in which an allow lets a call run; None for every mode. In others the client goes on to ask by itself.
    allows_in: frozenset[Mode] | None = None
    # A hook may grant something for longer than one call.
    takes_grants: bool = False
    # It suggests lasting permissions where its own caution asks, and none where a rule or another hook does.
    suggests: bool = False
    # A plan is approved by an allow.
    approves_plans: bool = False
    # A deny can end the turn.
    stops_with_deny: bool = False
    # PermissionRequest comes before the PreToolUse of the same call.
    permission_first: bool = False
    # How often in a row a turn can be kept going; what is said after that is not heard.
    most_continuations: int = 8
    # Its own dialog stands open while a hook on PermissionRequest waits. Otherwise it opens once that lets go, and a
    # prompt is held before it reaches the client, which may have nobody at its terminal without saying so.
    dialog_beside: bool = True
    # It says whether a person sits in front of it. Otherwise a finished turn is not held unless that is always wanted:
    # it may be the end of a run in a script.
    tells_attended: bool = True
    # It ends a hook that waits once the person interrupts the turn. Otherwise what comes next in the session tells that
    # no call waits any more: a prompt, the end of the turn or of the session.
    ends_hooks: bool = True
    # It makes one call after the other, so that the next one tells the same.
    one_call_at_a_time: bool = False
    # It tells when a person answered its own dialog: while it does not, that dialog is open.
    tells_answers: bool = False
    # What its hooks need beside the shim.
    programs: tuple[Program, ...] = ()
    # Programs that do not report when a person refuses in them, by their entry point.
    silent_hosts: frozenset[str] = frozenset()
    # Files and folders, by name, of which it refuses changes by itself, whatever a hook allows.
    guarded_files: frozenset[str] = frozenset()
    guarded_folders: frozenset[str] = frozenset()
    # Modes in which its dialog about a removal refuses by itself before a person elsewhere can have answered.
    hasty_modes: frozenset[Mode] = frozenset()


@dataclass(frozen=True, slots=True)
class Encoded:
    """The output for the shim, and what had to be left out because the harness would not honour it."""

    output: Output
    dropped: tuple[str, ...] = ()
    # The client reports this event and hears nothing about it: what would be decided is not what happens.
    unheard: bool = False


class Harness(Protocol):
    """Satisfied by a module."""

    NAME: str
    # For words and cards.
    TITLE: str
    # The client's command.
    PROGRAM: str
    FACTS: Facts
    HONOURED: Mapping[type[Event], frozenset[type[Decision]]]
    SUBSCRIPTIONS: Mapping[str, Subscription]

    def decode(self, payload: bytes, *, event_name: str, env: Mapping[str, str] = ...) -> Event:
        """The event with its operation and its client. Raise UnreadableError where the bytes are not that event."""

    def operation(self, tool: str, given: dict[str, Any]) -> Operation:
        """What a call of the client's tool is. Never raises."""

    def main_field(self, tool: str) -> str | None:
        """The field of a tool's input that holds the one text such a call is about; None where there is none."""

    def may_drop_prompts(self, payload: bytes) -> bool:
        """Whether a payload that could not be read may be of a session in which the client drops prompts."""

    def encode(self, event: Event, decision: Decision) -> Output:
        """Raise NotHonouredError for a decision this event does not honour."""

    def encode_safely(self, event: Event, decision: Decision) -> Encoded:
        """Never raise, and never become more permissive: leave out what is not honoured and say so."""

    def with_notice(self, event: Event, output: Output, words: str) -> Output:
        """The same with a sentence for the person at the terminal, where the client shows one."""

    def unreadable(
        self,
        event_name: str,
        why: str,
        *,
        cause: Literal["bad_input", "too_large"] = "bad_input",
        may_drop_prompts: bool = False,
    ) -> tuple[Decision, Output]:
        """What is answered when this event could not be read; never a prompt where one may be dropped."""

    # For the shim, which has it written into its placed copy.

    # The variable with the session's id; "" where there is none.
    SESSION_VARIABLE: str
    # What a hub wants to know of the environment a hook runs in. The rest holds keys and tokens.
    VARIABLES: tuple[str, ...]
    # The one of them that names the client's process; "" where there is none.
    PID_VARIABLE: str
    # How the payload says that tools run unasked: this key with this value, both as they stand in it.
    BYPASS: tuple[bytes, bytes]

    # The one that its hooks alone have, also those it runs of another client's settings; "" where there is none.
    MARKER: str

    def is_own(self, payload: bytes) -> bool:
        """Whether this client sent a payload that came through hook entries of another one, so that it is decoded and
        answered here. Never raises."""

    def environment(self, project: str) -> dict[str, str]:
        """The variables by which a session that a person attends in this project is known."""

    def replies(self, unreachable: Unreachable) -> Replies:
        """What the client is told where no hub answers."""

    # Installing: every function gets and gives bytes, and touches no file but those it reads to look around.

    def places(self, site: Site) -> list[Place]:
        """Every settings file the client reads."""

    def plan(
        self, site: Site, scope: Scope, before: bytes | None, *, transport: Transport, token: str, with_telemetry: bool
    ) -> Change:
        """The file with our entries up to date. Raise SettingsError where it cannot be changed safely."""

    def remove(self, before: bytes, original: bytes | None) -> Change:
        """The file without our entries, whatever version wrote them, and without what they alone stood in, unless the
        original had it; the same bytes where nothing is ours. Raise SettingsError."""

    def rule_files(self, site: Site) -> list[tuple[SettingsScope, Path]]:
        """The files whose permission rules the client obeys, the strongest first."""

    def rules(self, content: bytes) -> RuleTexts:
        """The rules in one of these files. Raise SettingsError where it cannot be read."""

    def fault(self, grant: PermissionUpdate) -> str | None:
        """Why this grant must not be sent to the client, or None when it may."""

    def grant_files(self, site: Site) -> Mapping[str, Path]:
        """Where the client keeps what is granted for a "project" and for a "user"; empty where it keeps none."""

    def with_rule(self, before: bytes | None, rule: str) -> bytes:
        """The file with one more rule that allows. Raise SettingsError."""

    def without_rule(self, before: bytes | None, rule: str) -> bytes | None:
        """The file with one rule less; None where it does not stand there. Raise SettingsError."""

    def without_directory(self, before: bytes | None, directory: str) -> bytes | None:
        """The file with one folder less that is added to the project; None where it does not stand there."""

    # One run.

    def check_run(self, words: Sequence[str], environ: Mapping[str, str], site: Site) -> None:
        """Raise UsageError or RefusedError where a run of these words could not be gated."""

    def prints_only(self, words: Sequence[str]) -> bool:
        """Whether a run of these words paints no screen of its own."""

    def run_plan(
        self,
        words: Sequence[str],
        program: str,
        file: Path,
        *,
        environ: Mapping[str, str],
        site: Site,
        run: Run,
        token: str,
    ) -> RunPlan:
        """How ``program`` is started with our hooks by way of ``file``. Without a token all events use the shim."""

    # Looking after it.

    # The version its facts were measured on.
    TESTED: Version
    # How `assent doctor --live` starts it; None where that is not known.
    TRIAL: Trial | None

    def version(self, program: str, path: str) -> Version | None:
        """Of the client, asked with this PATH and without touching the user's files."""

    # Doctor's checks by their subject: "hooks", "record". Without "hooks" only the entries are counted.
    CHECKS: Mapping[str, tuple[Check, ...]]

    def managed_hooks(self, site: Site) -> Path | None:
        """The file by which an administrator holds our hooks in place."""

    def sandbox(self, site: Site) -> Path | None:
        """The file that turns the client's own sandbox on."""

    # The administrator's file that is watched.
    MANAGED: Path | None

    def watched(self, folder: str) -> list[str]:
        """The settings files that count in a project's folder, or in the user's home."""

    def reads(self, file: str) -> bool:
        """Whether a file of this name may be one of the client's settings."""

    def disarmed(self, text: str | None, *, installed: bool, managed: bool) -> str | None:
        """How this file keeps our hooks from running, in words that fit behind its name. ``installed``: they should
        stand in it; ``managed``: it is the administrator's."""

    def powers(self, text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:
        """What the file lets others decide, by fingerprint, in words that fit behind "adds"; None if it is no
        settings."""

    def transcripts(self, file: str, scope: str) -> Transcripts | None:
        """Where sessions that the hooks in this settings file should hear of keep their transcripts."""

    def session_of(self, file: str) -> str | None:
        """The session whose transcript this file is."""

    def results_file(self, transcript: str, agent: str | None) -> str:
        """The file in which the results of an agent's calls are written down; "" where there is none. ``transcript``
        is the one its events name, ``agent`` the id of a sub-agent."""

    def read_results(self, data: bytes) -> list[Decided]:
        """What whole lines of such a file say became of calls, and by whom. Never raises."""

    def said_before(self, event: ToolEvent, use: str | None, read: ReadEnds) -> SaidBefore | None:
        """What the agent said before this call, as far as it is written down; None where the call is not there yet.
        ``use`` is the client's name of the call. May block."""

    def context(self, transcript: str, model: str, read: ReadEnds) -> Context | None:
        """How full the context of the main agent is, by its transcript; None where that does not say. ``model`` is the
        one that events named last. May block."""

    def summary(self, transcript: str, read: ReadEnds) -> Summary | None:
        """What a session did in all, by its transcript; None where that does not say. May block."""

    def read_logs(self, data: bytes) -> Reading:
        """What the client's telemetry says. Raise OtlpError."""

    def read_metrics(self, data: bytes) -> Reading:
        """What the client's telemetry counts. Raise OtlpError."""


def subscription(harness: Harness, event: str) -> Subscription | None:
    """How we listen to what becomes this event of Assent's."""
    direct = harness.SUBSCRIPTIONS.get(event)
    if direct is not None and direct.becomes in ("", event):
        return direct
    return next((each for each in harness.SUBSCRIPTIONS.values() if each.becomes == event), None)
