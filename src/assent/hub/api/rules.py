"""Rules over HTTP: those that hold in a folder, one more, one less. The agent's own can be taken back, never added."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent import files
from assent.errors import AssentError
from assent.hub.access.caller import Caller, who
from assent.hub.api.log import unread
from assent.hub.asking.grants import Grants
from assent.hub.asking.past_asks import PastAsk, PastAsks
from assent.hub.asking.permissions import NotPermittedError, PermissionStore
from assent.install.edit import Edit, forget_in_settings
from assent.journal.base import JournalError
from assent.learn import in_force, trusting
from assent.learn.in_force import Listed, ListedApproval
from assent.learn.replayer import Trials
from assent.paths import Paths
from assent.policy.judges.permissions import FOR_PROJECTS
from assent.policy.rules import pattern
from assent.protocol.surfaces import Scope
from assent.toml.document import ConfigError
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, json_response


class NewRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    match: str
    decision: Literal["allow", "ask", "deny"]
    reason: str = ""


class OldRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """As it was listed: it is removed only if that is still what stands there."""

    file: str
    number: int
    match: tuple[str, ...]
    decision: Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class RulesApi:
    paths: Paths
    grants: Grants

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/rules", Scope.WATCH, self.in_force),
            ("POST", "/api/rules", Scope.ADMIN, self.add),
            ("DELETE", "/api/rules", Scope.ADMIN, self.remove),
        ]

    async def in_force(self, request: Request) -> Response:
        """Those that hold in ``cwd``; without one, the user's own and the agent's."""
        cwd = request.query_params.get("cwd") or str(Path.home())
        if not cwd.startswith("/") or "\0" in cwd:
            raise ProblemError(400, "bad-folder", "The folder is given with its whole path.", hint='set "cwd".')
        try:
            rules, approvals, troubles = await asyncio.to_thread(self._listed, cwd)
        except ConfigError as error:
            rules, approvals, troubles = [], [], (str(error),)
        told = {"rules": rules, "approvals": approvals, "troubles": troubles, "file": str(self.paths.rules)}
        return json_response(told)

    def _listed(self, cwd: str) -> tuple[list[Listed], list[ListedApproval], tuple[str, ...]]:
        trials = Trials(self.paths)
        rules, approvals = in_force.listed(trials, cwd), in_force.approvals(trials, cwd)
        return rules, approvals, tuple(map(str, trials.court.troubles))

    async def add(self, request: Request) -> Response:
        wanted = await endpoint.decoded(request, NewRule)
        try:
            pattern.parse(wanted.match)
        except ValueError as error:
            raise ProblemError(422, "bad-rule", f"This is no rule: {error}") from None
        before = files.read(self.paths.rules)
        reason = wanted.reason.strip()
        try:
            after = trusting.with_plain_rule(self.paths.rules, before, wanted.match, wanted.decision, reason)
        except AssentError as error:
            raise ProblemError(409, "not-written", error.message, hint=error.hint) from None
        written = self._carried_out(Edit(self.paths.rules, before, after), "rules.toml", 201)
        self.grants.begun(wanted.match, wanted.decision, reason, who(request))
        return written

    async def remove(self, request: Request) -> Response:
        wanted = await endpoint.decoded(request, OldRule)
        cwd = request.query_params.get("cwd") or str(Path.home())
        rules, _, _ = await asyncio.to_thread(self._listed, cwd)
        rule = next((rule for rule in rules if _is(rule, wanted)), None)
        if rule is None:
            raise ProblemError(409, "changed", "That rule does not stand there any more.", hint="look again.")
        path = Path(rule.file)
        try:
            if rule.level == "user":
                before = files.read(path) or b""
                edit = Edit(path, before, trusting.without_rule(path, before, rule.number))
            elif rule.level in ("agent.user", "agent.local") and rule.decision == "allow":
                edit = forget_in_settings(path, rule.match[0])
            else:
                raise ProblemError(
                    403, "not-ours", "This rule is not ours to remove.", hint=f"it stands in {rule.file}."
                )
        except AssentError as error:
            raise ProblemError(409, "not-written", error.message, hint=error.hint) from None
        return self._carried_out(edit, f"{rule.level}-{path.name}", 200)

    def _carried_out(self, edit: Edit, name: str, status: int) -> Response:
        try:
            backup = edit.carry_out(self.paths, name)
        except (AssentError, ConfigError) as error:
            raise ProblemError(409, "not-written", str(error)) from None
        return json_response({"file": str(edit.path), "backup": str(backup) if backup else None}, status=status)


def _is(rule: Listed, wanted: OldRule) -> bool:
    identity = (rule.file, rule.number, rule.match, rule.decision)
    return identity == (wanted.file, wanted.number, wanted.match, wanted.decision)


# Of the number of a record.
LONGEST_NUMBER = 18


class NewPermission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["run", "change", "shape"]
    # Of a shape the project is that of the ask.
    project: str = ""
    # Of a shape: the record of an ask that offered it, and its words as they were shown.
    record: int = 0
    words: str = ""
    hours: Annotated[int, msgspec.Meta(ge=1, le=720)] | None = None


@dataclass(frozen=True, slots=True)
class GrantsApi:
    store: PermissionStore
    grants: Grants
    past: PastAsks

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/grants", Scope.WATCH, self.listed),
            ("GET", "/api/grants/offers/{record}", Scope.WATCH, self.offered),
            ("POST", "/api/grants", Scope.GRANT, self.give),
            ("DELETE", "/api/grants/{id}", Scope.GRANT, self.take_back),
        ]

    async def listed(self, _: Request) -> Response:
        """Everything allowed for longer than once, the newest first, and what a project can be permitted."""
        return json_response({"grants": self.grants.listed(), "trouble": self.store.trouble, "offers": FOR_PROJECTS})

    async def offered(self, request: Request) -> Response:
        """What an ask on record would offer today: the permission to stop asking for what it was about."""
        past = await self._past(request.path_params["record"])
        return json_response({"stays": [past.stay], "project": past.project, "harness": past.harness})

    async def _past(self, record: str) -> PastAsk:
        try:
            past = await self.past.offer(int(record)) if record.isdecimal() and len(record) < LONGEST_NUMBER else None
        except JournalError as error:
            raise unread(error) from None
        if past is None:
            raise ProblemError(
                409,
                "not-offered",
                "That cannot be allowed from now on.",
                hint="wait for the next ask: it says what can be answered for good.",
            )
        return past

    async def give(self, request: Request) -> Response:
        """Let agents run tests in a project, change files there that git can bring back, or do what was asked about."""
        wanted = await endpoint.decoded(request, NewPermission)
        caller = who(request)
        if wanted.kind == "shape":
            return await self._give_shape(wanted, caller)
        if not wanted.project.startswith("/") or "\0" in wanted.project:
            raise ProblemError(400, "bad-folder", "The project is given with its whole path.", hint='set "project".')
        try:
            given = self.store.give(
                wanted.kind,
                wanted.project,
                caller.by,
                surface=caller.surface,
                minutes=wanted.hours and wanted.hours * 60,
            )
        except NotPermittedError as error:
            raise ProblemError(409, "not-permitted", error.message, hint=error.hint) from None
        return json_response(next(each for each in self.store.listed() if each.id == given.id), status=201)

    async def _give_shape(self, wanted: NewPermission, caller: Caller) -> Response:
        past = await self._past(str(wanted.record))
        if past.stay.words != wanted.words:
            raise ProblemError(409, "changed", "It covers something else by now.", hint="look again.")
        try:
            given = [
                self.store.give(
                    "shape",
                    past.project,
                    caller.by,
                    surface=caller.surface,
                    harness=past.harness,
                    shape=shape,
                    minutes=wanted.hours and wanted.hours * 60,
                )
                for shape in past.shapes
            ]
        except NotPermittedError as error:
            raise ProblemError(409, "not-permitted", error.message, hint=error.hint) from None
        return json_response(next(each for each in self.store.listed() if each.id == given[-1].id), status=201)

    async def take_back(self, request: Request) -> Response:
        """From now on what it covered asks again."""
        try:
            permission = self.grants.take_back(request.path_params["id"], who(request).by)
        except AssentError as error:
            raise ProblemError(409, "not-taken-back", error.message, hint=error.hint) from None
        if permission is None:
            raise ProblemError(404, "no-such-grant", "There is no permission of that id.", hint="look again.")
        return json_response({"id": permission.id})
