"""Approval rules: calls that run only once certain people have said yes.

``match`` is written as a filter of the record is, about the call and what the judge found in it. An approval only
tightens: it is satisfied beside everything else, and lifts nothing. So what cannot be told counts as met."""

import fnmatch
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from assent import filter as filters
from assent import units
from assent.errors import UsageError
from assent.filter import Term, Word
from assent.harnesses import registry
from assent.harnesses.base import subscription
from assent.policy import production, world
from assent.policy.call import Call, Scene
from assent.policy.effects import Kind
from assent.policy.risk_of import effects_of, risk_of
from assent.policy.rules import pattern
from assent.policy.rules.coverage import Cover
from assent.policy.rules.pattern import CommandPattern, Pattern, covers_call, covers_line
from assent.protocol.approval import OWNER_TOO, ApprovalView, Otherwise, Rung
from assent.protocol.decision import Risk
from assent.protocol.events import PreToolUse
from assent.protocol.modes import Mode
from assent.protocol.operations import FOR_PEOPLE
from assent.protocol.rule_words import SHELL
from assent.team import whom as whoms
from assent.toml import shape
from assent.toml.document import Document, KeyPath

# Beside the kinds of effects.
PRODUCTION = "production"
EFFECTS: tuple[str, ...] = (PRODUCTION, *get_args(Kind))
MOST_PEOPLE = 10
# A hook is let go before its client loses patience.
MARGIN_S = 30
_MODES: tuple[str, ...] = get_args(Mode)


class Ladder(Struct, frozen=True):
    """``group:sre-leads@4m``"""

    rung: Rung

    @classmethod
    def parse(cls, text: str) -> "Ladder":
        """Raises ValueError with what is expected."""
        name, at, after = text.rpartition("@")
        # An address has the same sign in it, and no time behind it.
        if not at or not after[:1].isdigit():
            raise ValueError('a step is written like "group:sre-leads@4m": who, and after how long')
        if problem := whoms.problem(name):
            raise ValueError(problem)
        return cls(Rung(name, int(units.duration(after).total_seconds())))


class Named(Struct, frozen=True):
    """``owner``, ``person:ada@example.org``, ``group:sre-oncall``"""

    whom: str

    @classmethod
    def parse(cls, text: str) -> "Named":
        """Raises ValueError with what is expected."""
        if problem := whoms.problem(text):
            raise ValueError(problem)
        return cls(text)


class Wait(Struct, frozen=True):
    seconds: int

    @classmethod
    def parse(cls, text: str) -> "Wait":
        """Raises ValueError with what is expected."""
        wait = units.duration(text)
        if wait.total_seconds() < 1:
            raise ValueError("an approval waits for a second at least")
        return cls(int(wait.total_seconds()))


@dataclass(frozen=True, slots=True)
class Match:
    """Conditions that must all hold. Each may be certain, certainly not so, or not known, which counts as met."""

    text: str
    terms: tuple[Term, ...] = ()
    patterns: dict[str, Pattern] = field(default_factory=dict, hash=False)

    @classmethod
    def parse(cls, text: str) -> "Match":
        """Raises ValueError with what is wrong."""
        patterns: dict[str, Pattern] = {}

        def checked(word: Word, name: str, values: tuple[str, ...]) -> tuple[str, ...]:
            if name == "tool":
                patterns.update((value, _pattern(word, value)) for value in values)
            return _CHECKED[name](word, values) if name in _CHECKED else values

        try:
            terms = filters.terms(text, KEYS, checked)
        except UsageError as error:
            # The file's own line is shown with the message.
            raise ValueError(
                " ".join(filter(None, (error.message.partition("\n")[0], error.hint))).rstrip(".")
            ) from None
        if not terms:
            raise ValueError('name what needs an approval, such as "effect:production risk:>=danger"')
        for term in terms:
            if term.key == filters.TEXT and term.negated:
                raise ValueError(f'words cannot be excluded ("-{term.values[0]}"): an agent could add them to any line')
        return cls(text, terms, patterns)

    def holds(self, call: Call, scene: Scene, risk: Risk | None, base: str) -> bool:
        facts = _Facts(call, scene, risk, base, self.patterns)
        return all(_holds(term, facts) for term in self.terms)


@dataclass(slots=True)
class _Facts:
    call: Call
    scene: Scene
    risk: Risk | None
    base: str
    patterns: dict[str, Pattern]
    _effects: list[str | None] | None = None

    @property
    def effects(self) -> list[str | None]:
        """What the call would do, by its kinds; None for what is decided only when it runs, or could not be read."""
        if self._effects is None:
            self._effects = list(self._found())
        return self._effects

    def _found(self) -> Iterable[str | None]:
        try:
            did = effects_of(self.call, self.scene)
            is_unread = any(act.unread for act in self.call.look(self.scene).every)
        except Exception:
            # The judge was heard as a prompt on this call.
            yield None
            return
        if is_unread:
            yield None
        for done in did:
            if done.effect.kind != "nothing":
                yield None if done.effect.kind == "dynamic" else done.effect.kind
            if done.effect.why == production.CHANGES:
                yield PRODUCTION


def _holds(term: Term, facts: _Facts) -> bool:
    met = _MEETS[term.key](facts, term.values, term.negated)
    return True if met is None else met


def _of_effect(facts: _Facts, values: tuple[str, ...], negated: bool) -> bool | None:
    """Negated: whether it does anything else, for an agent could add what is excluded to any line."""
    kinds = facts.effects
    if any((kind not in values) if negated else (kind in values) for kind in kinds if kind is not None):
        return True
    return None if None in kinds else False


def _of_risk(facts: _Facts, values: tuple[str, ...], negated: bool) -> bool | None:
    return None if facts.risk is None else (facts.risk in filters.risks(values)) != negated


def _of_tool(facts: _Facts, values: tuple[str, ...], negated: bool) -> bool:
    """By the patterns of rules. Negated, all of the call has to be what is excluded."""
    call, base = facts.call, facts.base
    call.acts(facts.scene)
    patterns = [facts.patterns[value] for value in values]
    if not negated:
        return any(each.restricts(call, base) for each in patterns)
    if call.command is not None:
        whole = [each for each in patterns if isinstance(each, CommandPattern)]
        return covers_line(call, whole) is Cover.NO
    return covers_call(call, base, patterns) is Cover.NO


def _of_text(facts: _Facts, values: tuple[str, ...], negated: bool) -> bool:  # noqa: ARG001 - as every key
    call, wanted = facts.call, values[0].casefold()
    forms = call.forms if call.command is not None else (msgspec.json.encode(call.input, order="sorted").decode(),)
    return any(wanted in form.casefold() for form in (call.command or "", *forms))


def _in_project(facts: _Facts, values: tuple[str, ...], negated: bool) -> bool:
    folder = str(facts.scene.project).rstrip("/")
    wanted = [value.rstrip("/") for value in values]
    name = folder.rpartition("/")[2]
    return any(name == one or folder == one or folder.startswith(f"{one}/") for one in wanted) != negated


def _named(of: Callable[[_Facts], str | None]) -> "_Meets":
    def meets(facts: _Facts, values: tuple[str, ...], negated: bool) -> bool | None:
        name = of(facts)
        return None if name is None else any(fnmatch.fnmatchcase(name, value) for value in values) != negated

    return meets


_Meets = Callable[[_Facts, tuple[str, ...], bool], bool | None]
_MEETS: dict[str, _Meets] = {
    "effect": _of_effect,
    "risk": _of_risk,
    "tool": _of_tool,
    "project": _in_project,
    "harness": _named(lambda facts: facts.scene.harness),
    "agent": _named(lambda facts: facts.call.agent),
    "mode": _named(lambda facts: facts.call.mode),
    "branch": _named(lambda facts: world.branch(str(facts.scene.project))),
    filters.TEXT: _of_text,
}
KEYS = tuple(key for key in _MEETS if key != filters.TEXT)


def _pattern(word: Word, value: str) -> Pattern:
    try:
        return pattern.parse(value)
    except ValueError as error:
        word.refuse(f"tool: is written as in a rule: {error}.")


def _effect(word: Word, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filters.one_of(word, "effect", value, EFFECTS) for value in values)


def _risk(word: Word, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filters.risk_value(word, value) for value in values)


def _mode(word: Word, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filters.one_of(word, "mode", value, _MODES) for value in values)


def _harness(word: Word, values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        if not any(fnmatch.fnmatchcase(name, value) for name in registry.HARNESSES):
            filters.one_of(word, "harness", value, sorted(registry.HARNESSES))
    return values


_CHECKED: dict[str, Callable[[Word, tuple[str, ...]], tuple[str, ...]]] = {
    "effect": _effect,
    "risk": _risk,
    "mode": _mode,
    "harness": _harness,
}


Expected = Literal["needed", "not_needed"]


class ApprovalTest(Struct, frozen=True):
    """What the rule's author expects of one call."""

    tool: str
    input: dict[str, Any]
    expect: Expected


class WrittenTest(Struct, frozen=True):
    expect: Expected
    command: str | None = None
    tool: str | None = None
    input: dict[str, Any] | None = None


class WrittenApproval(Struct, frozen=True, rename={"from_": "from", "otherwise": "else"}):
    """``[[approval]]`` as it stands in the file."""

    match: Match
    from_: Named | tuple[Named, ...] = ()
    count: int = 1
    not_owner: bool = False
    wait: Wait | None = None
    otherwise: Otherwise = "deny"
    ladder: tuple[Ladder, ...] = ()
    reason: str | None = None
    test: tuple[WrittenTest, ...] = ()


READERS: shape.Readers = {Match: Match.parse, Named: Named.parse, Ladder: Ladder.parse, Wait: Wait.parse}


@dataclass(frozen=True, slots=True)
class ApprovalRule:
    level: Literal["user", "project"]
    number: int
    match: Match
    needs: ApprovalView
    # Where its relative paths begin; else the project's folder.
    base: str | None = None
    tests: tuple[ApprovalTest, ...] = ()

    @property
    def by(self) -> str:
        return self.needs.rule

    def in_words(self) -> str:
        """As a person would say it."""
        why = f": {self.needs.reason}" if self.needs.reason else ""
        return f"{self.match.text} needs {demand(self.needs)}{why}"

    def speaks(self, call: Call, scene: Scene, risk: Risk | None) -> bool:
        """Where that cannot be told, it does."""
        try:
            return self.match.holds(call, scene, risk, self.base or str(scene.project))
        except Exception:
            return True


def demand(needs: ApprovalView) -> str:
    """``2 of group:sre-oncall, not the owner``"""
    asked = [*needs.whom, *(f"{rung.whom} after {_short(rung.after_s)}" for rung in needs.ladder)]
    return f"{needs.count} of {', '.join(asked)}" + (", not the owner" if needs.not_owner else "")


def _short(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return "".join(filter(None, (f"{minutes}m" if minutes else "", f"{rest}s" if rest or not minutes else "")))


def too_long(rule: ApprovalRule) -> str:
    """What to say where it waits longer than the client lets a hook run; "" where it does not."""
    harness = registry.default()
    held = subscription(harness, "PreToolUse")
    longest = (held.timeout if held is not None else 0) - MARGIN_S
    wait = rule.needs.wait_s
    if wait is None or wait <= longest:
        return ""
    return (
        f"Approval {rule.number} waits for {_short(wait)}, longer than {harness.TITLE} lets a hook run: "
        f"its asks end after {_short(longest)}."
    )


def read(
    document: Document, level: Literal["user", "project"], place: int, written: WrittenApproval, base: str | None
) -> ApprovalRule:
    """Raises ConfigError where no one could ever satisfy it."""
    at: KeyPath = ("approval", place)
    given = written.from_ if isinstance(written.from_, tuple) else (written.from_,)
    rungs = tuple(step.rung for step in written.ladder)
    first = tuple(rung.whom for rung in rungs if rung.after_s == 0)
    whom = tuple(dict.fromkeys((*(one.whom for one in given), *first)))
    later = tuple(rung for rung in rungs if rung.after_s and rung.whom not in whom)
    if not whom:
        key = (*at, "ladder") if rungs else at
        message = "No one is asked at first." if rungs else "This approval does not say whose yes it needs."
        raise document.wrong_key(key, message, 'Add a line: from = ["group:sre-oncall"].')
    if not 1 <= written.count <= MOST_PEOPLE:
        raise document.wrong_value((*at, "count"), f'"count" must be 1 to {MOST_PEOPLE}, not {written.count}.')
    asked = {*whom, *(rung.whom for rung in later)}
    if written.not_owner and asked == {whoms.OWNER}:
        message = "This asks the owner alone, and does not count the owner."
        raise document.wrong_value((*at, "not_owner"), message, 'Name others in "from".')
    asked -= {whoms.OWNER} if written.not_owner else set()
    if not any(one.startswith(whoms.GROUP) for one in asked) and len(asked) < written.count:
        message = f"This needs {written.count} people and names {len(asked)}."
        raise document.wrong_value((*at, "count"), message, 'Name more in "from", or a group.')
    if written.wait is not None and any(rung.after_s >= written.wait.seconds for rung in later):
        message = "A step of the ladder comes after the time is up."
        raise document.wrong_value((*at, "ladder"), message, 'Let it come earlier, or set a longer "wait".')
    needs = ApprovalView(
        rule=f"approval:{level}#{place + 1}",
        reason=(written.reason or "").strip(),
        whom=whom,
        count=written.count,
        not_owner=written.not_owner,
        ladder=tuple(sorted(later, key=lambda rung: rung.after_s)),
        wait_s=None if written.wait is None else written.wait.seconds,
        otherwise=written.otherwise,
    )
    tests = tuple(_test(document, (*at, "test", index), test) for index, test in enumerate(written.test))
    return ApprovalRule(level, place + 1, written.match, needs, base, tests)


def _test(document: Document, at: KeyPath, test: WrittenTest) -> ApprovalTest:
    if test.command is not None and test.tool is None and test.input is None:
        return ApprovalTest(SHELL, {"command": test.command}, test.expect)
    if test.command is None and test.tool is not None:
        return ApprovalTest(test.tool, test.input or {}, test.expect)
    raise document.wrong_key(at, "This test names no call.", 'Write either a "command", or a "tool" with its "input".')


def says(rule: ApprovalRule, test: ApprovalTest, project: Path) -> Expected:
    """What the rule makes of a test, by the call's own risk: what voices add to it is not known here."""
    event = PreToolUse(session_id="", cwd=str(project), tool_name=test.tool, tool_input=test.input)
    call, scene = Call.of(event), Scene(project)
    assert call is not None
    return "needed" if needed([rule], call, scene, risk_of(call, scene).risk) is not None else "not_needed"


def needed(rules: Sequence[ApprovalRule], call: Call, scene: Scene, risk: Risk | None) -> ApprovalView | None:
    """What has to be satisfied before this call may run: every rule that speaks about it. What an agent asks people is
    no call that does anything."""
    if not rules or isinstance(call.operation, FOR_PEOPLE):
        return None
    speaking = [rule.needs for rule in rules if rule.speaks(call, scene, risk)]
    return together(speaking)


def with_owner(needs: ApprovalView) -> ApprovalView:
    """The same for a call that is not allowed without it. Your own rule may leave the decision to others; a project's
    cannot take it from you, so you have to agree as well."""
    is_yours = any(not one.rule.startswith("approval:project#") for one in needs.each)
    if is_yours or any(one.whom == (whoms.OWNER,) and not one.ladder for one in needs.each):
        return needs
    owner = ApprovalView(needs.rule, OWNER_TOO, (whoms.OWNER,))
    return msgspec.structs.replace(needs, also=(*needs.also, owner))


def together(every: Sequence[ApprovalView]) -> ApprovalView | None:
    """The one that needs most people first, for it is the one that people read."""
    if not every:
        return None
    first, *rest = sorted(every, key=lambda one: (-one.count, not one.not_owner))
    return msgspec.structs.replace(first, also=tuple(rest))
