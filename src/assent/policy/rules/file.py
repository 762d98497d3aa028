"""``rules.toml``: read, checked, and explained where it is wrong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from assent.policy import world
from assent.policy.call import Scene
from assent.policy.effects import Kind
from assent.policy.judges.rules import Rules
from assent.policy.rules import approvals, pattern
from assent.policy.rules.approvals import ApprovalRule, ApprovalTest, WrittenApproval
from assent.policy.rules.index import RuleIndex
from assent.policy.rules.pattern import Pattern
from assent.policy.rules.rule import ALWAYS, Folder, HarnessName, Hours, Level, RiskTest, Rule, RuleTest, Says, When
from assent.protocol.decision import Allow, Decision, Deny, Prompt
from assent.protocol.events import PreToolUse
from assent.protocol.modes import Earlier, Mode, canonical
from assent.protocol.rule_words import SHELL
from assent.toml import shape
from assent.toml.document import Document, KeyPath, read

RuleMode = Literal[Mode, Earlier]
_WORDS: dict[type[Decision], str] = {Allow: "allow", Prompt: "ask", Deny: "deny"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """``said`` is allow, ask, deny or none, of an approval needed or not_needed; ``by`` the rule that said so, as in a
    trace."""

    rule: Rule | ApprovalRule
    test: RuleTest | ApprovalTest
    said: str
    by: str | None

    @property
    def is_good(self) -> bool:
        return self.said == self.test.expect


def run_tests(rules: Iterable[Rule], project: Path) -> Iterator[Outcome]:
    """Every test of these rules, tried with all of them together and with no other rules.

    Conditions on the moment (branch, mode, time, agent, harness, working folder) count as met, so that a test means the
    same on every machine; those on the call itself (risk, effect, path) are tried."""
    given = tuple(rules)
    voice = Rules(replace(rule, when=_of_the_call(rule.when)) for rule in given)
    for rule in given:
        for test in rule.tests:
            event = PreToolUse(session_id="", cwd=str(project), tool_name=test.tool, tool_input=test.input)
            opinion = voice.speak(event, Scene(project))
            decision = "none" if opinion is None else _WORDS[type(opinion.decision)]
            yield Outcome(rule, test, decision, None if opinion is None else opinion.by)


def run_approval_tests(rules: Iterable[ApprovalRule], project: Path) -> Iterator[Outcome]:
    """Every test of these approvals, each tried with its own rule alone."""
    for rule in rules:
        for test in rule.tests:
            said = approvals.says(rule, test, project)
            yield Outcome(rule, test, said, rule.by if said == "needed" else None)


def _of_the_call(when: When) -> When:
    return When(risk=when.risk, effect=when.effect, path=when.path)


class _When(Struct, frozen=True):
    branch: str | tuple[str, ...] | None = None
    risk: RiskTest | None = None
    mode: RuleMode | tuple[RuleMode, ...] | None = None
    effect: Kind | tuple[Kind, ...] | None = None
    path: Folder | tuple[Folder, ...] | None = None
    cwd: Folder | tuple[Folder, ...] | None = None
    agent: str | tuple[str, ...] | None = None
    harness: HarnessName | tuple[HarnessName, ...] | None = None
    time: Hours | tuple[Hours, ...] | None = None


class _Test(Struct, frozen=True):
    expect: Literal["allow", "ask", "deny", "none"]
    command: str | None = None
    tool: str | None = None
    input: dict[str, Any] | None = None


class _Rule(Struct, frozen=True):
    match: Pattern | tuple[Pattern, ...]
    decision: Says
    reason: str | None = None
    # The same as in ``when``, for the condition that most rules with one have.
    harness: HarnessName | tuple[HarnessName, ...] | None = None
    when: _When = _When()
    test: tuple[_Test, ...] = ()


class _File(Struct, frozen=True):
    version: Literal[1] = 1
    rule: tuple[_Rule, ...] = ()
    approval: tuple[WrittenApproval, ...] = ()


UNTRUSTED = "A project's rules may only tighten (ask, deny) until you trust them."
CHANGED = "The file changed since you trusted it, so it may only tighten (ask, deny) until you trust it again."

_READERS: shape.Readers = {
    Pattern: pattern.parse,
    RiskTest: RiskTest.parse,
    HarnessName: HarnessName.parse,
    Folder: Folder.parse,
    Hours: Hours.parse,
    **approvals.READERS,
}


@dataclass(frozen=True, slots=True)
class Ignored:
    """A rule that is not obeyed, and why."""

    rule: Rule
    why: str


@dataclass(frozen=True, slots=True)
class RuleFile:
    path: Path | None = None
    rules: tuple[Rule, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    # They only tighten, so those of a project are obeyed whether or not it is trusted.
    approvals: tuple[ApprovalRule, ...] = ()
    # Where it really lies and what its bytes are: for those who trust it.
    real: str = ""
    digest: str = ""
    # The file was broken when it was read first: this is the last good copy of it, or, where there is none, nothing.
    is_copy: bool = False
    is_lost: bool = False
    # The rules, to be found by what they name: made where the file is read.
    index: RuleIndex = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", RuleIndex(self.rules))

    def trusted(self, pinned: str | None) -> "RuleFile":
        """The same where a person trusts these bytes; ``pinned`` is the digest they trusted."""
        if not self.ignored or pinned is None:
            return self
        if pinned != self.digest:
            return replace(self, ignored=tuple(Ignored(each.rule, CHANGED) for each in self.ignored))
        rules = (*self.rules, *(each.rule for each in self.ignored))
        return replace(self, rules=tuple(sorted(rules, key=lambda rule: rule.number)), ignored=())


def load_user(path: Path) -> RuleFile:
    """The user's own rules; none where there is no file. Raises ConfigError."""
    document = read(path)
    return RuleFile(path) if document is None else of_user(document)


def load_project(path: Path) -> RuleFile:
    """A repository's rules, which come with other people's files; none where there is no file. Raises ConfigError."""
    document = read(path, follow=False)
    return RuleFile(path) if document is None else of_project(document)


def of_user(document: Document) -> RuleFile:
    """Raises ConfigError."""
    rules, needed = _read(document, "user")
    return RuleFile(document.path, rules, approvals=needed)


def of_project(document: Document) -> RuleFile:
    """They may only tighten. Raises ConfigError."""
    path = document.path
    # <folder>/.assent/rules.toml speaks about <folder>.
    rules, needed = _read(document, "project", base=str(path.parent.parent))
    return RuleFile(
        path,
        tuple(rule for rule in rules if rule.says != "allow"),
        tuple(Ignored(rule, UNTRUSTED) for rule in rules if rule.says == "allow"),
        approvals=needed,
        real=world.real(str(path)),
        digest=document.digest,
    )


def parse(document: Document, level: Level, *, base: str | None = None) -> tuple[Rule, ...]:
    """The rules of the file without its approvals, which are checked, too. Raises ConfigError."""
    return _read(document, level, base=base)[0]


def parse_approvals(document: Document, level: Level, *, base: str | None = None) -> tuple[ApprovalRule, ...]:
    """Raises ConfigError."""
    return _read(document, level, base=base)[1]


def _read(
    document: Document, level: Level, *, base: str | None = None
) -> tuple[tuple[Rule, ...], tuple[ApprovalRule, ...]]:
    file = shape.fill(document, _File, document.data, (), _READERS)
    rules = tuple(_rule(document, level, place, written, base) for place, written in enumerate(file.rule))
    needed = (approvals.read(document, level, place, written, base) for place, written in enumerate(file.approval))
    return rules, tuple(needed)


def _rule(document: Document, level: Level, place: int, written: _Rule, base: str | None) -> Rule:
    at: KeyPath = ("rule", place)
    patterns = _many(written.match)
    if not patterns:
        raise document.wrong_value((*at, "match"), 'This rule names nothing in "match".', "Name a tool.")
    if written.decision != "allow" and not (written.reason or "").strip():
        message = f'This rule says "{written.decision}" and not why.'
        raise document.wrong_value((*at, "decision"), message, 'Add a line: reason = "…". People and agents read it.')
    if written.decision == "allow":
        for index, named in enumerate(patterns):
            if named.is_boundless:
                where = (*at, "match", index) if isinstance(written.match, tuple) else (*at, "match")
                hint = "Name the tool or the server you trust."
                raise document.wrong_value(where, f'"{named.text}" allows tools that are not named.', hint)
    if written.harness is not None and written.when.harness is not None:
        raise document.wrong_key((*at, "harness"), "This rule names its harness twice.", 'Take it out of "when".')
    return Rule(
        level=level,
        number=place + 1,
        patterns=patterns,
        says=written.decision,
        reason=written.reason,
        when=_when(written.when, written.harness or written.when.harness),
        tests=tuple(_test(document, (*at, "test", index), test) for index, test in enumerate(written.test)),
        base=base,
    )


def _when(written: _When, harness: HarnessName | tuple[HarnessName, ...] | None) -> When:
    if harness is None and written == _When():
        return ALWAYS
    return When(
        branch=_optional(written.branch),
        risk=written.risk,
        mode=_modes(written.mode),
        effect=_optional(written.effect),
        path=_optional(written.path),
        cwd=_optional(written.cwd),
        agent=_optional(written.agent),
        harness=None if harness is None else tuple(each.text for each in _many(harness)),
        hours=_optional(written.time),
    )


def _modes(written: Any) -> tuple[str, ...] | None:
    return None if written is None else tuple(map(canonical, _many(written)))


def _test(document: Document, at: KeyPath, test: _Test) -> RuleTest:
    if test.command is not None and test.tool is None and test.input is None:
        return RuleTest(SHELL, {"command": test.command}, test.expect)
    if test.command is None and test.tool is not None:
        return RuleTest(test.tool, test.input or {}, test.expect)
    raise document.wrong_key(at, "This test names no call.", 'Write either a "command", or a "tool" with its "input".')


def _many(one_or_many: Any) -> tuple[Any, ...]:
    return one_or_many if isinstance(one_or_many, tuple) else (one_or_many,)


def _optional(one_or_many: Any) -> tuple[Any, ...] | None:
    return None if one_or_many is None else _many(one_or_many)
