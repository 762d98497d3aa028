"""One rule: what it names, when it holds, and what it then says."""

import fnmatch
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from assent.policy import world
from assent.policy.call import Call
from assent.policy.cover import Cover
from assent.policy.pattern import CommandPattern, Pattern, covers_line
from assent.policy.risk_of import risk_of
from assent.policy.voice import Scene
from assent.protocol.risk import Risk

Level = Literal["user", "project"]
Says = Literal["allow", "ask", "deny"]

_COMPARISON = re.compile(r"(>=|<=|>|<|=|)\s*([a-z]+)")
_OPERATORS: dict[str, Callable[[Risk, Risk], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "": operator.eq,
}


@dataclass(frozen=True, slots=True)
class RiskTest:
    """``>=care``."""

    text: str
    compare: Callable[[Risk, Risk], bool]
    bound: Risk

    @classmethod
    def parse(cls, text: str) -> "RiskTest":
        """Raises ValueError with what is expected."""
        found = _COMPARISON.fullmatch(text.strip())
        words = [risk.word for risk in Risk]
        if found is None or found[2] not in words:
            raise ValueError('a risk is written like ">=care", with one of ' + ", ".join(words))
        return cls(text, _OPERATORS[found[1]], Risk.parse(found[2]))

    def holds(self, risk: Risk) -> bool:
        return self.compare(risk, self.bound)


@dataclass(frozen=True, slots=True)
class When:
    """Conditions that must all hold. What cannot be told holds for rules that restrict, not for rules that allow."""

    branch: tuple[str, ...] | None = None
    risk: RiskTest | None = None
    mode: tuple[str, ...] | None = None

    def holds(self, call: Call, scene: Scene, *, if_unknown: bool) -> bool:
        if self.mode is not None and not (if_unknown if call.mode is None else call.mode in self.mode):
            return False
        if self.risk is not None and not self.risk.holds(risk_of(call, scene).risk):
            return False
        if self.branch is None:
            return True
        branch = world.branch(str(scene.project))
        return if_unknown if branch is None else any(fnmatch.fnmatchcase(branch, name) for name in self.branch)


@dataclass(frozen=True, slots=True)
class RuleTest:
    """What the rule's author expects of one call."""

    tool: str
    input: dict[str, Any]
    expect: Literal["allow", "ask", "deny", "none"]


@dataclass(frozen=True, slots=True)
class Rule:
    """``number`` counts from 1 in its file; ``base`` is where its relative paths begin, else the project's folder."""

    level: Level
    number: int
    patterns: tuple[Pattern, ...]
    says: Says
    reason: str | None = None
    when: When = When()
    tests: tuple[RuleTest, ...] = ()
    base: str | None = None

    @property
    def by(self) -> str:
        return f"rule:{self.level}#{self.number}"

    def restricts(self, call: Call, scene: Scene) -> Pattern | None:
        """The pattern that some part of the call is, or may be."""
        base = self.base or str(scene.project)
        call.acts(str(scene.project), scene.own)
        for pattern in self.patterns:
            if pattern.restricts(call, base):
                return pattern if self.when.holds(call, scene, if_unknown=True) else None
        return None

    def covers(self, call: Call, scene: Scene) -> Cover:
        """How well this rule, by itself, accounts for all of the call."""
        base = self.base or str(scene.project)
        if call.command is not None:
            call.acts(str(scene.project), scene.own)
            cover = covers_line(call, [p for p in self.patterns if isinstance(p, CommandPattern)])
        else:
            cover = max(pattern.covers(call, base) for pattern in self.patterns)
        if cover is Cover.NO or not self.when.holds(call, scene, if_unknown=False):
            return Cover.NO
        return cover
