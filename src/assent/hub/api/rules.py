"""Rules over HTTP: those that hold in a folder, one more, one less. The agent's own can be taken back, never added."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.errors import AssentError
from assent.hub import incoming
from assent.hub.log_api import Endpoint
from assent.hub.problem import ProblemError, json_response
from assent.install import files
from assent.install.edit import Edit, forget_in_settings
from assent.learn import in_force, rules_text
from assent.learn.in_force import Listed
from assent.learn.trial import Trials
from assent.paths import Paths
from assent.policy import pattern
from assent.protocol.scope import Scope
from assent.toml.document import ConfigError


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

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
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
            rules, troubles = await asyncio.to_thread(self._listed, cwd)
        except ConfigError as error:
            rules, troubles = [], (str(error),)
        return json_response({"rules": rules, "troubles": troubles, "file": str(self.paths.rules)})

    def _listed(self, cwd: str) -> tuple[list[Listed], tuple[str, ...]]:
        trials = Trials(self.paths)
        found = in_force.listed(trials, cwd)
        return found, tuple(map(str, trials.court.troubles))

    async def add(self, request: Request) -> Response:
        wanted = await incoming.decoded(request, NewRule)
        try:
            pattern.parse(wanted.match)
        except ValueError as error:
            raise ProblemError(422, "bad-rule", f"This is no rule: {error}") from None
        before = files.read(self.paths.rules)
        reason = wanted.reason.strip()
        try:
            after = rules_text.with_plain_rule(self.paths.rules, before, wanted.match, wanted.decision, reason)
        except AssentError as error:
            raise ProblemError(409, "not-written", error.message, hint=error.hint) from None
        return self._carried_out(Edit(self.paths.rules, before, after), "rules.toml", 201)

    async def remove(self, request: Request) -> Response:
        wanted = await incoming.decoded(request, OldRule)
        cwd = request.query_params.get("cwd") or str(Path.home())
        rules, _ = await asyncio.to_thread(self._listed, cwd)
        rule = next((rule for rule in rules if _is(rule, wanted)), None)
        if rule is None:
            raise ProblemError(409, "changed", "That rule does not stand there any more.", hint="look again.")
        path = Path(rule.file)
        try:
            if rule.level == "user":
                before = files.read(path) or b""
                edit = Edit(path, before, rules_text.without_rule(path, before, rule.number))
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
    known = (rule.file, rule.number, rule.match, rule.decision)
    return known == (wanted.file, wanted.number, wanted.match, wanted.decision)
