"""Everything that was allowed for longer than once, in one list, wherever it stands, and the one way to take it back.

Assent's permissions, the allow and deny rules of its own file, rules and folders in the settings of agents, and what a
session's client was told to allow until the session ends."""

import contextlib
import hashlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from assent import files
from assent.asks.card import offers
from assent.asks.open_ask import Case, Person
from assent.errors import AssentError
from assent.harnesses import registry
from assent.hub.access.caller import Caller
from assent.hub.asking.permissions import NotPermittedError, PermissionStore
from assent.hub.bus import now_ms
from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.hub.recorder import Live, Recording
from assent.install.edit import Edit, forget_in_settings
from assent.learn import trusting
from assent.paths import Paths
from assent.policy.call import Call, Scene
from assent.policy.judges.harness_rules import SettingsScope
from assent.policy.judges.permissions import patterns_of
from assent.policy.rules import kept as kept_rules
from assent.policy.rules import pattern
from assent.policy.rules.coverage import Cover
from assent.policy.rules.rule import Rule, Says
from assent.protocol import bodies
from assent.protocol.bodies import AnswerBody, RulesBody
from assent.protocol.card import GRANTS, AnswerRequest
from assent.protocol.events import PreToolUse
from assent.protocol.lasting import Given, GivenKind, Keeper
from assent.protocol.permission import PermissionRule
from assent.protocol.record import Draft, Record
from assent.toml.document import ConfigError

log = logging.getLogger("assent.hub")

MOST_PROJECTS = 50
MOST_CALLS = 2_000
_OWN_FILE = "It stands in the project's own file. `assent trust --revoke` there takes it back."
_FIXED: dict[SettingsScope, str] = {
    "managed": "Your organisation set it.",
    "project": "It came with the repository, and the agent's client obeys it.",
}
_NEVER = "Your user said no to this for good."
_DESTINATIONS = {"localSettings": "project", "userSettings": "user"}


@dataclass(slots=True)
class Grants:
    paths: Paths
    store: PermissionStore
    policy: PolicyInForce
    live: Live
    recorder: Recording
    # Calls about which nothing was decided and no person was asked, so that the client's own rules let them pass.
    _silent: dict[str, None] = field(default_factory=dict)
    # Ids of rules that decided, by file and number, as long as the file stays as it is.
    _ids: dict[Path, tuple[tuple[Rule, ...], dict[str, str]]] = field(default_factory=dict)

    def listed(self) -> list[Given]:
        """All of them, the newest first; those of which nothing is on record last."""
        own = self.store.listed()
        told_twice = {(each.rule, each.file) for each in own if each.rule}
        elsewhere = [*self._rules(), *self._of_clients(), *self._of_sessions()]
        return sorted([*own, *(e for e in elsewhere if (e.rule, e.file) not in told_twice)], key=lambda each: -each.at)

    def take_back(self, name: str, by: str) -> Given | None:
        """The one that no longer holds; None where there is none by that id. Raises AssentError."""
        given = next((each for each in self.listed() if each.id == name), None)
        if given is None:
            return None
        if given.fixed:
            raise NotPermittedError(f"This cannot be taken back here. {given.fixed}", hint=f"see {given.file}.")
        match given.keeper:
            case "assent":
                self.store.take_back(name, by)
            case "session" if self.store.take_back(name, by) is None:
                self.store.ask_again(given, _grant(given), by)
            case "rules":
                path = Path(given.file)
                before = files.read(path) or b""
                number = next(rule.number for rule in self._own_rules(path) if _id(given.file, rule.in_words()) == name)
                self._carry_out(Edit(path, before, trusting.without_rule(path, before, number)), given, by)
            case "client":
                harness = registry.of(given.harness)
                self._carry_out(forget_in_settings(Path(given.file), given.rule, harness, given.kind), given, by)
        self.store.ledger.end(name)
        return given

    def begun(self, match: str, says: Says, reason: str, person: Caller | Person) -> None:
        """A rule of Assent's was written by a person, and on their screen."""
        words = Rule("user", 0, (pattern.parse(match),), says, reason=reason or None).in_words()
        self.store.ledger.begin(_id(str(self.paths.rules), words), now_ms(), person.by, person.surface)

    def on_yes(self, case: Case, answer: AnswerRequest, person: Person) -> None:
        """A yes for a project or for good, which the agent's client cannot be told: one more rule of Assent's."""
        scope = GRANTS.get(answer.choice)
        if scope in (None, "session") or not case.keeps(answer):
            return
        matches = [rule.written for rule in PermissionRule.read_all(answer.grant.removeprefix("rule:"))]
        folder = kept_rules.folder_of(case.project) if scope == "project" else ""
        kept = kept_rules.rule([*map(pattern.parse, matches)], case.harness, folder)
        before = files.read(self.paths.rules)
        try:
            after = trusting.with_kept_rule(self.paths.rules, before, matches, case.harness, folder)
            Edit(self.paths.rules, before, after).carry_out(self.paths, "rules.toml")
        except (AssentError, ConfigError) as error:
            # This call is allowed and on record; the next one asks again.
            self.store.trouble = f"A rule that allows {', '.join(matches)} could not be written: {error}"
            log.error("a yes for good could not be kept: %s", type(error).__name__)
        else:
            self.policy.hurry()
            self.store.ledger.begin(_id(str(self.paths.rules), kept.in_words()), now_ms(), person.by, person.surface)

    def on_no(self, case: Case, answer: AnswerRequest, person: Person) -> None:  # noqa: ARG002 - as all who hear it
        """A no for good: one more rule of Assent's."""
        match, before = answer.grant.removeprefix("rule:"), files.read(self.paths.rules)
        reason = answer.message.strip() or _NEVER
        try:
            after = trusting.with_plain_rule(self.paths.rules, before, match, "deny", reason)
            Edit(self.paths.rules, before, after).carry_out(self.paths, "rules.toml")
            self.policy.hurry()
        except (AssentError, ConfigError) as error:
            # This call is denied and on record; the next one asks again.
            self.store.trouble = f"A rule that denies {match} could not be written: {error}"
            log.error("a no for good could not be kept: %s", type(error).__name__)
        else:
            self.begun(match, "deny", reason, person)

    def _carry_out(self, edit: Edit, given: Given, by: str) -> None:
        edit.carry_out(self.paths, "grant")
        self.policy.hurry()
        body = RulesBody(given.file, (), (f"{given.words} ({given.rule})",))
        self.recorder.record([Draft(at=now_ms(), kind="rules", by=by, body=bodies.body(body))])

    # --- where they stand

    def _own_rules(self, path: Path) -> tuple[Rule, ...]:
        return next((file.rules for file, _ in self.policy.rule_files() if file.path == path), ())

    def _rules(self) -> Iterator[Given]:
        for file, _ in self.policy.rule_files():
            is_own = file.path == self.paths.rules
            for rule in file.rules:
                if file.path is None or rule.says == "ask" or (rule.says == "deny" and not is_own):
                    continue
                project, harness, others = kept_rules.scope_of(rule.when)
                when = others.in_words()
                text = ", ".join(named.text for named in rule.patterns)
                yield self._made(
                    _id(str(file.path), rule.in_words()),
                    "deny" if rule.says == "deny" else "rule",
                    f"{_words(text)}{f' When {when}.' if when else ''}",
                    "rules",
                    project=project if is_own else str(file.path.parent.parent),
                    harness=harness,
                    file=str(file.path),
                    rule=text,
                    fixed="" if is_own else _OWN_FILE,
                )

    def _of_clients(self) -> Iterator[Given]:
        seen: set[Path] = set()
        for project in self._projects():
            for harness, scope, path, permissions in self.policy.client_permissions(Path(project)):
                if path in seen:
                    continue
                seen.add(path)
                where = project if scope in ("project", "local") else ""
                found = [("rule", each.text, _words(each.text)) for each in permissions.allow]
                found += [("directory", each, _folder(each)) for each in permissions.directories]
                for kind, text, words in found:
                    yield self._made(
                        _id(str(path), _named(text)),
                        "directory" if kind == "directory" else "rule",
                        words,
                        "client",
                        project=where,
                        harness=harness,
                        file=str(path),
                        rule=text,
                        fixed=_FIXED.get(scope, ""),
                    )

    def _of_sessions(self) -> Iterator[Given]:
        """What was granted until a session ends, by the sessions that are not over."""
        seen: set[str] = set()
        for ask in reversed(list(self.live.asks.by_id.values())):
            session = self.live.sessions.get(ask.session or "")
            if ask.answer is None or session is None or not session.is_live:
                continue
            for text in ask.answer.grants:
                granted, _, where = text.rpartition(" in ")
                grant = _as_grant(granted)
                name = _id(session.id, grant)
                if where != "session" or name in seen or self.store.is_asked_again(session.id, grant):
                    continue
                seen.add(name)
                kind, _, rest = grant.partition(":")
                words = {"mode": offers.MODES.get(rest, rest), "directory": _folder(rest)}.get(kind) or _words(rest)
                yield replace(
                    self._made(
                        name,
                        "directory" if kind == "directory" else "mode" if kind == "mode" else "rule",
                        words,
                        "session",
                        project=ask.project,
                        harness=ask.harness,
                        session=session.id,
                        rule=rest,
                    ),
                    at=ask.answer.at,
                    by=ask.answer.by,
                    surface=ask.answer.surface,
                )

    def _made(self, name: str, kind: GivenKind, words: str, keeper: Keeper, **more: str) -> Given:
        use = self.store.ledger.of(name)
        given = Given(
            id=name,
            kind=kind,
            words=words,
            keeper=keeper,
            by=use.by,
            surface=use.surface,
            at=use.at,
            saved=use.saved,
            last=use.last or None,
        )
        return replace(given, **more)

    def _projects(self) -> list[str]:
        """Those of sessions, the newest first, and one for what holds everywhere."""
        newest = sorted(self.live.sessions.values(), key=lambda session: -session.last)
        found = dict.fromkeys(session.project or session.cwd for session in newest)
        return [*[each for each in found if each][:MOST_PROJECTS], str(Path.home())]

    # --- what is on record

    def on_record(self, record: Record) -> None:
        match record.kind:
            case "answer":
                self._answered(record)
            case "rules":
                self._rules_changed(record)
            case "decision" if record.body.get("event") == "PreToolUse":
                self._decided(record)
            case "event" | "ask":
                self._happened(record)

    def _answered(self, record: Record) -> None:
        ask, body = self.live.asks.by_id.get(record.ask or ""), bodies.read(record, AnswerBody)
        if ask is None or body is None:
            return
        for text in body.grants:
            granted, _, where = text.rpartition(" in ")
            kept = registry.grant_files(ask.harness, Path(ask.project)) if where in _DESTINATIONS else {}
            file = kept.get(_DESTINATIONS.get(where, ""))
            if file is None:
                continue
            kind, _, rest = _as_grant(granted).partition(":")
            for each in _split(rest) if kind == "rule" else [rest]:
                self.store.ledger.begin(_id(str(file), each), record.at, record.by or "", body.surface)

    def _rules_changed(self, record: Record) -> None:
        body = bodies.read(record, RulesBody)
        if body is None or body.file == str(self.paths.permissions):
            return
        for rule in body.removed:
            self.store.ledger.end(_id(body.file, rule))
        for rule in body.added:
            self.store.ledger.begin(_id(body.file, rule), record.at)

    def _decided(self, record: Record) -> None:
        """Count the rule of Assent's that decided; remember a call that was left to the client."""
        if record.decision == "no_opinion" and record.call:
            self._silent[record.call] = None
            if len(self._silent) > MOST_CALLS:
                del self._silent[next(iter(self._silent))]
        level, _, number = (record.by or "").removeprefix("rule:").partition("#")
        if record.decision not in ("allow", "deny") or level not in ("user", "project"):
            return
        folder = self.paths.rules if level == "user" else Path(str(record.body.get("project"))) / ".assent/rules.toml"
        name = self._id_of(folder, number)
        if name:
            self.store.ledger.count(name, record.at)

    def _id_of(self, file: Path, number: str) -> str:
        """Of a rule of Assent's; "" where there is no such rule. Each call that a rule decides asks for it."""
        rules = self._own_rules(file)
        known = self._ids.get(file)
        if known is None or known[0] is not rules:
            if len(self._ids) >= MOST_PROJECTS:
                self._ids.clear()
            known = self._ids[file] = rules, {}
        if number not in known[1]:
            rule = next((rule for rule in rules if str(rule.number) == number), None)
            known[1][number] = "" if rule is None else _id(str(file), rule.in_words())
        return known[1][number]

    def _happened(self, record: Record) -> None:
        """Count what the client let pass by itself: it ran, and no person was asked."""
        event = record.body.get("event")
        if record.kind == "ask" or event == "PermissionRequest":
            self._silent.pop(record.call or "", None)
        if event != "PostToolUse" or record.call not in self._silent:
            return
        del self._silent[record.call]
        payload, project = record.body.get("payload"), str(record.body.get("project") or "/")
        standing = [e for e in (*self._of_clients(), *self._of_sessions()) if e.session in ("", record.session)]
        standing = [each for each in standing if each.project in ("", project)]
        if not standing or not isinstance(payload, dict) or not isinstance(payload.get("tool_input"), dict):
            return
        event_ = PreToolUse(
            session_id=record.session or "",
            tool_name=str(payload.get("tool_name")),
            tool_input=payload["tool_input"],
            cwd=str(payload.get("cwd") or project),
        )
        call, scene = Call.of(event_), Scene(Path(project))
        for given in standing:
            with contextlib.suppress(ValueError):
                concerned = [p for p in patterns_of(_grant(given)) if call is not None and p.concerns(call.words)]
                if call is None or not concerned:
                    continue
                call.acts(scene)
                if any(named.covers(call, project) is not Cover.NO for named in concerned):
                    self.store.ledger.count(given.id, record.at)


def _id(place: str, what: str) -> str:
    """The same as long as it stands there."""
    return hashlib.sha256(f"{place}\0{what}".encode()).hexdigest()[:8]


def _grant(given: Given) -> str:
    """As an answer names it."""
    kind = "directory" if given.kind == "directory" else "mode" if given.kind == "mode" else "rule"
    return f"{kind}:{given.rule}"


def _as_grant(text: str) -> str:
    """From the words on record, ``mode accept_edits``, ``/srv/data`` or ``Bash(npm test *)``."""
    if text.startswith("mode "):
        return f"mode:{text.removeprefix('mode ')}"
    return f"directory:{text}" if text.startswith("/") else f"rule:{text}"


def _split(rules: str) -> list[str]:
    try:
        return [str(rule) for rule in PermissionRule.read_all(rules)]
    except ValueError:
        return [rules]


def _named(rule: str) -> str:
    return ", ".join(_split(rule))


def _words(rules: str) -> str:
    try:
        return " ".join(offers.words(rule) for rule in PermissionRule.read_all(rules))
    except ValueError:
        return rules


def _folder(folder: str) -> str:
    return f"Reading files in {folder}, and editing them as in the project."
