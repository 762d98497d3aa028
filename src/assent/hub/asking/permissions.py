"""Lasting permissions as the hub keeps them: on disk and on record before they hold, counted when they are used."""

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import Struct

from assent.asks.open_ask import Case, Person
from assent.errors import AssentError
from assent.hub import state_file
from assent.hub.asking.case import HubCase
from assent.hub.bus import Seconds, now_ms
from assent.hub.recorder import Recording
from assent.hub.state_file import DebouncedFile
from assent.install.edit import forget_in_settings
from assent.paths import Paths
from assent.policy import world
from assent.policy.judges.permissions import EXACTLY, ByRule, exact_of, in_words, shapes_of
from assent.policy.permissions import file as permission_file
from assent.protocol import bodies
from assent.protocol.bodies import RulesBody
from assent.protocol.card import AnswerRequest
from assent.protocol.lasting import Given, Permission, PermissionKind, Shape
from assent.protocol.record import Draft, Record

log = logging.getLogger("assent.hub")

MOST = 1_000
MOST_NOTED = 4_000
# How long counted uses may wait to be written, in seconds. A hub that is killed forgets them.
RESTING = 5.0
# So long what holds in a project is not looked up again.
FRESH = 1.0
MINUTE = 60_000
HOUR = 60 * MINUTE
# What a session's client was told to allow is forgotten with the session; this is longer than any lasts.
LONGEST_SESSION = 30 * 24 * HOUR
BY = "permission:"
_WORDS = {"run": "tests, builds and linters", "change": "changes that git can bring back"}


class NotPermittedError(AssentError):
    """The permission cannot be given."""


class Use(Struct, omit_defaults=True):
    """How often a grant let something pass, and who gave it where, if that is not said elsewhere."""

    saved: int = 0
    last: int = 0
    at: int = 0
    by: str = ""
    surface: str = ""


class Ledger:
    """The uses of grants by id, kept in a file that is written in the background."""

    def __init__(self, path: Path) -> None:
        self._file = DebouncedFile(path)
        self._later: asyncio.TimerHandle | None = None
        try:
            self._uses = msgspec.json.decode(self._file.read() or b"{}", type=dict[str, Use])
        except msgspec.DecodeError:
            self._uses = {}

    def of(self, name: str) -> Use:
        return self._uses.get(name) or Use()

    def count(self, name: str, at: int) -> None:
        use = self._uses.setdefault(name, Use())
        use.saved, use.last = use.saved + 1, at
        if self._later is None:
            # Not for every call that is let pass: a file would be synced each time while the agent goes on.
            self._later = asyncio.get_running_loop().call_later(RESTING, self._keep)

    def begin(self, name: str, at: int, by: str = "", surface: str = "") -> None:
        """It was given now. What is known of it already is better than what a file tells later."""
        if not self.of(name).at:
            use = self._uses.setdefault(name, Use())
            use.at, use.by, use.surface = at, by, surface
            self._keep()

    def end(self, name: str) -> None:
        if self._uses.pop(name, None) is not None:
            self._keep()

    async def close(self) -> None:
        if self._later is not None:
            self._keep()
        await self._file.flush()

    def _keep(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None
        while len(self._uses) > MOST_NOTED:
            del self._uses[next(iter(self._uses))]
        self._file.put(msgspec.json.encode(self._uses))


@dataclass(slots=True)
class PermissionStore:
    paths: Paths
    recorder: Recording
    # The allow rule that lets one command of a line pass.
    by_rule: ByRule
    clock: Seconds = time.monotonic
    # The time of day, in Unix milliseconds.
    wall: Callable[[], int] = now_ms
    trouble: str = ""
    ledger: Ledger = field(init=False)
    _all: dict[str, Permission] = field(default_factory=dict)
    _found: dict[tuple[Path, str], tuple[float, tuple[Permission, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.paths.permissions_used)
        try:
            self._all = {each.id: each for each in permission_file.read(self.paths.permissions)}
        except ValueError as error:
            # An unreadable file permits nothing.
            self.trouble = str(error)
            log.error("no lasting permission holds: %s", error)

    def of(self, project: Path, harness: str, session: str = "") -> tuple[Permission, ...]:
        """What holds in a project for this kind of agent, and for this session."""
        if not self._all:
            return ()
        now, key = self.clock(), (project, harness)
        looked, permissions = self._found.get(key, (None, ()))
        if looked is None or now - looked >= FRESH:
            permissions = permission_file.holding(self._all.values(), str(project), harness, self.wall())
            if len(self._found) >= MOST:
                self._found.clear()
            self._found[key] = (now, permissions)
        return tuple(each for each in permissions if not self._is_over(each) and each.session in ("", session))

    def listed(self) -> list[Given]:
        """All of them, the newest first; not those whose time is over."""
        lasting = [each for each in self._all.values() if each.kind != "ask" and not self._is_over(each)]
        return [self._given(each) for each in sorted(lasting, key=lambda each: -each.at)]

    def is_asked_again(self, session: str, grant: str) -> bool:
        """Whether what its client was told to allow in a session is asked about again."""
        return any(each.kind == "ask" and (each.session, each.rule) == (session, grant) for each in self._all.values())

    def on_record(self, record: Record) -> None:
        """Count the call that was let pass; forget what was allowed until a session ended."""
        if record.kind == "event" and record.body.get("event") == "SessionEnd":
            self._forget(record.session or "")
        if record.kind != "decision" or not (record.by or "").startswith(BY):
            return
        name = (record.by or "").removeprefix(BY)
        if name in self._all and record.decision == "allow":
            self.ledger.count(name, record.at)

    async def close(self) -> None:
        await self.ledger.close()

    # --- given and taken back

    def on_yes(self, case: Case, answer: AnswerRequest, person: Person) -> None:
        """A person's answer that stays."""
        if not isinstance(case, HubCase):
            return
        if answer.choice == "allow_session" and not case.keeps(answer):
            self._remember(case.event.session_id, answer.grant)
        elif answer.choice == "allow_session":
            self._keep(case, answer, person)
        if answer.choice not in ("allow_here", "allow_for"):
            return
        call = case.judgement.call
        kind = next((kind for kind in get_args(PermissionKind) if kind == answer.grant), None)
        if call is None or kind is None:
            return
        shapes: Sequence[Shape | None] = (None,)
        if kind in ("shape", "reads"):
            shapes = shapes_of(call, case.judgement.scene, self.by_rule)
        rule, file = case.client_rule(answer)
        try:
            for shape in shapes:
                self.give(
                    kind,
                    case.project,
                    person.by,
                    surface=person.surface,
                    harness=case.harness,
                    shape=shape,
                    minutes=answer.minutes or (answer.hours and answer.hours * 60),
                    call=exact_of(call) if kind == "exact" else "",
                    rule=rule,
                    file=file,
                )
        except NotPermittedError as error:
            # The call itself is allowed and on record; the next one asks again.
            self.trouble = error.message
            log.error("an answer could not be kept: %s", error.message)

    def _keep(self, case: HubCase, answer: AnswerRequest, person: Person) -> None:
        """For a session whose client cannot be told to remember."""
        words = next(offer.words for offer in case.kept if offer.grant == answer.grant)
        now = self.wall()
        real = world.real(case.project)
        given = Permission(
            id=secrets.token_hex(4),
            kind="rule",
            project=real,
            repository=world.repository_id(real),
            harness=case.harness,
            words=words,
            by=person.by,
            surface=person.surface,
            at=now,
            until=now + LONGEST_SESSION,
            rule=answer.grant,
            session=case.event.session_id,
        )
        try:
            self._write([*(each for each in self._all.values() if not _is_same(each, given)), given])
        except NotPermittedError as error:
            # The call itself is allowed and on record; the next one asks again.
            self.trouble = error.message
            log.error("an answer could not be kept: %s", error.message)
        else:
            self._note(given, person.by, added=True)

    def give(
        self,
        kind: PermissionKind,
        project: str,
        by: str,
        *,
        surface: str = "",
        harness: str = "",
        shape: Shape | None = None,
        minutes: int | None = None,
        call: str = "",
        rule: str = "",
        file: str = "",
    ) -> Permission:
        """Raises NotPermittedError where it cannot be given or written down."""
        real = world.real(project)
        repository = world.repository_id(real)
        if kind == "change" and not repository:
            raise NotPermittedError(
                f"Nothing was permitted: {real} is no git repository, so nothing there can be brought back.",
                hint="run `git init` there and commit, or allow each change.",
            )
        if kind in ("run", "change") and (real in ("/", world.home()) or not os.path.isdir(real)):  # noqa: PTH112
            raise NotPermittedError(f"Nothing was permitted: {real} is no project.", hint="name a project's folder.")
        if len(self._all) >= MOST:
            raise NotPermittedError(f"Nothing was permitted: there are {MOST} already.", hint="take some back.")
        words = _WORDS.get(kind) or (shape.words if shape is not None else EXACTLY)
        if kind == "reads" and shape is not None:
            words, real, repository, harness = f"`{shape.head}`", "", "", ""
        now = self.wall()
        given = Permission(
            id=secrets.token_hex(4),
            kind=kind,
            project=real,
            repository=repository,
            harness=harness if kind in ("shape", "exact") else "",
            shape=shape,
            words=words,
            by=by,
            surface=surface,
            at=now,
            until=None if minutes is None else now + minutes * MINUTE,
            rule=rule,
            file=file,
            call=call,
        )
        self._write([*(each for each in self._all.values() if not _is_same(each, given)), given])
        self._note(given, by, added=True)
        return given

    def ask_again(self, given: Given, grant: str, by: str) -> None:
        """Ask about what its client was told to allow in a session: the client itself cannot be told to forget it."""
        now = self.wall()
        permission = Permission(
            id=secrets.token_hex(4),
            kind="ask",
            project=world.real(given.project),
            repository=world.repository_id(world.real(given.project)),
            words=given.words,
            by=by,
            at=now,
            until=now + LONGEST_SESSION,
            rule=grant,
            session=given.session,
        )
        self._write([*self._all.values(), permission])
        self._note(permission, by, added=False)

    def _remember(self, session: str, grant: str) -> None:
        """It was allowed anew."""
        if self.is_asked_again(session, grant):
            kept_ = [e for e in self._all.values() if e.kind != "ask" or (e.session, e.rule) != (session, grant)]
            self._write(kept_)

    def _forget(self, session: str) -> None:
        if any(each.kind == "rule" and each.session == session for each in self._all.values()):
            self._write([each for each in self._all.values() if each.kind != "rule" or each.session != session])

    def take_back(self, name: str, by: str) -> Permission | None:
        """The one that no longer holds; None where there is none by that id. Raises NotPermittedError."""
        permission = self._all.get(name)
        if permission is None:
            return None
        if permission.rule and permission.file:
            try:
                forget_in_settings(Path(permission.file), permission.rule).carry_out(self.paths, "permission")
            except AssentError as error:
                log.warning("the agent's own rule %s stays: %s", permission.rule, error.message)
        self._write([each for each in self._all.values() if each.id != name])
        self._note(permission, by, added=False)
        self.ledger.end(name)
        return permission

    def _write(self, permissions: Sequence[Permission]) -> None:
        permissions = [each for each in permissions if not self._is_over(each)]
        try:
            state_file.write(self.paths.permissions, permission_file.written(permissions))
        except OSError as error:
            raise NotPermittedError(
                f"Nothing changed: {self.paths.permissions} cannot be written ({error.strerror}).",
                hint="see whether the disk is full.",
            ) from None
        self._all = {each.id: each for each in permissions}
        self._found.clear()
        self.trouble = ""

    def _note(self, permission: Permission, by: str, *, added: bool) -> None:
        words = f"{in_words(permission)} ({permission.id})"
        body = RulesBody(str(self.paths.permissions), (words,) if added else (), () if added else (words,))
        self.recorder.record([Draft(at=self.wall(), kind="rules", by=by, body=bodies.body(body))])

    def _given(self, each: Permission) -> Given:
        use = self.ledger.of(each.id)
        assert each.kind != "ask"
        return Given(
            id=each.id,
            kind=each.kind,
            words=each.words,
            project=each.project,
            harness=each.harness,
            by=each.by,
            surface=each.surface,
            at=each.at,
            until=None if each.session else each.until,
            saved=use.saved,
            last=use.last or None,
            void=self._void(each),
            rule=each.rule.removeprefix("rule:"),
            file=each.file,
            keeper="session" if each.session else "assent",
            session=each.session,
        )

    def _is_over(self, each: Permission) -> bool:
        return each.until is not None and each.until <= self.wall()

    def _void(self, each: Permission) -> str:
        if each.project and world.repository_id(each.project) != each.repository:
            return "another repository lies there now"
        return ""


def _is_same(one: Permission, other: Permission) -> bool:
    """Whether the other takes its place: given again, or for another time."""
    names = ("kind", "project", "harness", "shape", "call", "session")
    if one.kind == "rule" and one.rule != other.rule:
        return False
    return all(getattr(one, name) == getattr(other, name) for name in names)
