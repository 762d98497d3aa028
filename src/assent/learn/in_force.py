"""The rules that hold in a folder: whose they are, what they say, and what they make of one command."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from assent import paths as locations
from assent.harnesses import registry
from assent.harnesses.site import Site
from assent.learn.candidates import may_be_granted
from assent.learn.replayer import Trials
from assent.policy.call import Call, Scene
from assent.policy.judges import harness_rules
from assent.policy.judges.harness_rules import ClientPermissions, SettingsScope, covered
from assent.policy.rules import coverage
from assent.policy.rules.approvals import demand
from assent.policy.rules.coverage import Cover
from assent.policy.rules.pattern import CommandPattern, Pattern
from assent.policy.rules.rule import Rule, Says
from assent.policy.shell.acts import Act
from assent.policy.trial import event_of
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Trial, TrialQuestion
from assent.toml.document import ConfigError

# speaks: it has its say. partly: it allows some parts and is silent because of the others.
# not_now: it would, but its conditions do not hold. no: it is about something else.
Outcome = Literal["speaks", "partly", "not_now", "no"]

MOST_PARTS = 5


class RuleMatch(Struct, frozen=True, omit_defaults=True):
    outcome: Outcome
    # What it names, and for a rule that allows, what it does not.
    fits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()


def match(rule: Rule, call: Call, scene: Scene) -> RuleMatch:
    if rule.says == "allow":
        return _allowing(rule, call, scene)
    if not any(pattern.restricts(call, _base(rule, scene)) for pattern in rule.patterns):
        return RuleMatch("no")
    fits = tuple(_named(rule, call))
    return RuleMatch("speaks" if rule.restricts(call, scene) else "not_now", fits)


def _allowing(rule: Rule, call: Call, scene: Scene) -> RuleMatch:
    acts = call.acts(scene)
    if rule.covers(call, scene) is not Cover.NO:
        return RuleMatch("speaks", _texts(acts))
    if call.command is None:
        is_named = any(pattern.covers(call, _base(rule, scene)) is not Cover.NO for pattern in rule.patterns)
        return RuleMatch("not_now" if is_named else "no")
    covers = [_cover(rule, call, act) for act in acts]
    fits = _texts([act for act, how in zip(acts, covers, strict=True) if how is not Cover.NO])
    misses = _texts([act for act, how in zip(acts, covers, strict=True) if how is Cover.NO])
    if not fits:
        return RuleMatch("no")
    return RuleMatch("partly" if misses else "not_now", fits, misses)


def _cover(rule: Rule, call: Call, act: Act) -> Cover:
    patterns = [p for p in rule.patterns if isinstance(p, CommandPattern) and p.word in call.words]
    if not patterns:
        return Cover.NO
    return coverage.of_line(act.text, [act], lambda form: max(pattern.covers_command(form) for pattern in patterns))


def _named(rule: Rule, call: Call) -> Iterator[str]:
    """The parts of a line that a restricting rule names, in the form it names them."""
    globs = [p.glob for p in rule.patterns if isinstance(p, CommandPattern) and p.word in call.words]
    forms = [form for form in call.forms if any(glob.fits(form) for glob in globs)]
    # The whole line fits where its first command does: that tells nothing about the parts.
    whole = (call.command or "").strip()
    parts = [form for form in forms if form != whole] or forms
    yield from parts[:MOST_PARTS]


def _texts(acts: Sequence[Act]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(act.text for act in acts))[:MOST_PARTS]


def _base(rule: Rule, scene: Scene) -> str:
    return rule.base or str(scene.project)


_NOT_YOURS = "The agent's client obeys it; Assent does not, because it came with the repository."
_MANAGED_ONLY = "Managed settings let no other allow rules count (allowManagedPermissionRulesOnly)."


class Listed(Struct, frozen=True, omit_defaults=True):
    # user, project, or where the agent's settings have it.
    level: str
    file: str
    number: int
    decision: str
    match: tuple[str, ...]
    when: str = ""
    reason: str = ""
    # Why it is not heard.
    unheard: str = ""


class Explained(Struct, frozen=True):
    """What each rule makes of a call, and what is decided."""

    trial: Trial
    rules: tuple[tuple[Listed, RuleMatch], ...]


def listed(trials: Trials, cwd: str) -> list[Listed]:
    """In the order in which they stand in their files; those that are not heard are among them."""
    return [rule for rule, _ in _rules(trials, cwd)]


class ListedApproval(Struct, frozen=True, omit_defaults=True):
    level: str
    file: str
    number: int
    match: str
    # In words.
    needs: str
    reason: str = ""
    approval: ApprovalView | None = None


def approvals(trials: Trials, cwd: str) -> list[ListedApproval]:
    """Whose yes is needed here, and for what: of the user's file and of the project's."""
    _, scene = trials.placed(TrialQuestion(cwd=cwd))
    return [
        ListedApproval(
            rule.level, str(file.path), rule.number, rule.match.text, demand(rule.needs), rule.needs.reason, rule.needs
        )
        for file in trials.court.files(scene.project)
        for rule in file.approvals
    ]


def explained(trials: Trials, question: TrialQuestion) -> Explained:
    placed, scene = trials.placed(question)
    call = Call.of(event_of(placed))
    assert call is not None
    matches = tuple((shown, match(rule, call, scene)) for shown, rule in _rules(trials, placed.cwd))
    return Explained(trials.hold(question), matches)


def _rules(trials: Trials, cwd: str) -> Iterator[tuple[Listed, Rule]]:
    _, scene = trials.placed(TrialQuestion(cwd=cwd))
    for file in trials.court.files(scene.project):
        unheard = {ignored.rule.number: ignored for ignored in file.ignored}
        rules = [*file.rules, *(ignored.rule for ignored in file.ignored)]
        for rule in sorted(rules, key=lambda rule: rule.number):
            why = unheard[rule.number].why if rule.number in unheard else ""
            yield _told(rule, str(file.path), why), rule
    yield from _of_agent(scene.project)


def _of_agent(project: Path) -> Iterator[tuple[Listed, Rule]]:
    """The client applies these itself; a file that cannot be read says nothing here."""
    files = []
    for scope, path in registry.rule_files(registry.default(), project):
        with contextlib.suppress(ConfigError):
            files.append((scope, path, harness_rules.load(path)))
    heard = harness_rules.allowing_scopes((scope, permissions) for scope, _, permissions in files)
    for scope, path, permissions in files:
        why = _MANAGED_ONLY if scope not in heard else _NOT_YOURS if scope in ("project", "local") else ""
        by_word: tuple[tuple[Says, tuple[Pattern, ...]], ...] = (
            ("deny", permissions.deny),
            ("ask", permissions.ask),
            ("allow", permissions.allow),
        )
        for says, patterns in by_word:
            for number, named in enumerate(patterns, start=1):
                rule = Rule(level="user", number=number, patterns=(named,), says=says)
                unheard = why if says == "allow" else ""
                yield structs.replace(_told(rule, str(path), unheard), level=f"agent.{scope}"), rule


def _told(rule: Rule, file: str, unheard: str) -> Listed:
    return Listed(
        level=rule.level,
        file=file,
        number=rule.number,
        decision=rule.says,
        match=tuple(pattern.text for pattern in rule.patterns),
        when=rule.when.in_words(),
        reason=rule.reason or "",
        unheard=unheard,
    )


# How the agent reads these inside a rule is not known well enough to write them.
_UNSURE = re.compile(r"[\\()]")


def as_agent_writes(text: str) -> str | None:
    """The rule as the agent's settings spell it; None if it must not, or cannot safely, stand there."""
    tool, _, content = text.removesuffix(")").partition("(")
    if not content:
        return text if may_be_granted(tool, None) else None
    if _UNSURE.search(content) or not may_be_granted(tool, content):
        return None
    # As the client itself writes it for *always*.
    return f"{tool}({content[:-2]}:*)" if content.endswith(" *") else text


class AgentRules:
    """Reads the settings of each project once. A file or a rule that cannot be read allows nothing."""

    def __init__(self, *, home: Path, environ: Mapping[str, str] | None = None, root: Path = Path("/")) -> None:
        self._site = Site(locations.find(environ or {}), home, Path("/"), environ=environ or {}, root=root)
        self._known: dict[str, list[Pattern]] = {}

    def allow(self, call: Call, project: str) -> bool:
        if project not in self._known:
            self._known[project] = list(self._patterns(Path(project)))
        return covered(call, self._known[project], project) is not Cover.NO

    def _patterns(self, project: Path) -> Iterator[Pattern]:
        permissions_of: list[tuple[SettingsScope, ClientPermissions]] = []
        for scope, file in registry.default().rule_files(replace(self._site, project=project)):
            with contextlib.suppress(ConfigError):
                permissions_of.append((scope, harness_rules.load(file)))
        heard = harness_rules.allowing_scopes(permissions_of)
        for scope, permissions in permissions_of:
            if scope in heard:
                yield from permissions.allow
