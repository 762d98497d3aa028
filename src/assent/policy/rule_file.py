"""``rules.toml``: read, checked, and explained where it is wrong."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from assent.policy import pattern
from assent.policy.pattern import Pattern
from assent.policy.rule import Level, RiskTest, Rule, RuleTest, Says, When
from assent.toml import shape
from assent.toml.document import Document, KeyPath, read

Mode = Literal["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"]


class _When(Struct, frozen=True):
    branch: str | tuple[str, ...] | None = None
    risk: RiskTest | None = None
    mode: Mode | tuple[Mode, ...] | None = None


class _Test(Struct, frozen=True):
    expect: Literal["allow", "ask", "deny", "none"]
    command: str | None = None
    tool: str | None = None
    input: dict[str, Any] | None = None


class _Rule(Struct, frozen=True):
    match: Pattern | tuple[Pattern, ...]
    decision: Says
    reason: str | None = None
    when: _When = _When()
    test: tuple[_Test, ...] = ()


class _File(Struct, frozen=True):
    version: Literal[1] = 1
    rule: tuple[_Rule, ...] = ()


_READERS: shape.Readers = {Pattern: pattern.parse, RiskTest: RiskTest.parse}


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


def load_user(path: Path) -> RuleFile:
    """The user's own rules; none where there is no file. Raises ConfigError."""
    document = read(path)
    if document is None:
        return RuleFile(path)
    return RuleFile(path, parse(document, "user"))


def load_project(path: Path) -> RuleFile:
    """A repository's rules. They come with other people's files, so they may only tighten. Raises ConfigError."""
    document = read(path, follow=False)
    if document is None:
        return RuleFile(path)
    # <folder>/.assent/rules.toml speaks about <folder>.
    rules = parse(document, "project", base=str(path.parent.parent))
    why = "A project's rules may only tighten (ask, deny) until you trust them."
    return RuleFile(
        path,
        tuple(rule for rule in rules if rule.says != "allow"),
        tuple(Ignored(rule, why) for rule in rules if rule.says == "allow"),
    )


def parse(document: Document, level: Level, *, base: str | None = None) -> tuple[Rule, ...]:
    """Raises ConfigError."""
    file = shape.fill(document, _File, document.data, (), _READERS)
    return tuple(_rule(document, level, place, written, base) for place, written in enumerate(file.rule))


def _rule(document: Document, level: Level, place: int, written: _Rule, base: str | None) -> Rule:
    at: KeyPath = ("rule", place)
    patterns = _many(written.match)
    if not patterns:
        raise document.wrong_value((*at, "match"), 'This rule names nothing in "match".', "Name a tool.")
    if written.decision == "allow":
        for index, named in enumerate(patterns):
            if named.is_boundless:
                where = (*at, "match", index) if isinstance(written.match, tuple) else (*at, "match")
                hint = "Name the tool or the server you trust."
                raise document.wrong_value(where, f'"{named.text}" allows tools nobody has named.', hint)
    return Rule(
        level=level,
        number=place + 1,
        patterns=patterns,
        says=written.decision,
        reason=written.reason,
        when=When(branch=_optional(written.when.branch), risk=written.when.risk, mode=_optional(written.when.mode)),
        tests=tuple(_test(document, (*at, "test", index), test) for index, test in enumerate(written.test)),
        base=base,
    )


def _test(document: Document, at: KeyPath, test: _Test) -> RuleTest:
    if test.command is not None and test.tool is None and test.input is None:
        return RuleTest("Bash", {"command": test.command}, test.expect)
    if test.command is None and test.tool is not None:
        return RuleTest(test.tool, test.input or {}, test.expect)
    raise document.wrong_key(at, "This test names no call.", 'Write either a "command", or a "tool" with its "input".')


def _many(one_or_many: Any) -> tuple[Any, ...]:
    return one_or_many if isinstance(one_or_many, tuple) else (one_or_many,)


def _optional(one_or_many: Any) -> tuple[str, ...] | None:
    return None if one_or_many is None else _many(one_or_many)
