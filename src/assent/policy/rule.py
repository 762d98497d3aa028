"""One rule: what it names, when it holds, and what it then says."""

from dataclasses import dataclass
from typing import Any, Literal

from assent.policy.call import Call
from assent.policy.cover import Cover
from assent.policy.pattern import CommandPattern, Pattern, covers_line
from assent.policy.voice import Scene
from assent.policy.when import When

ALWAYS = When()
Level = Literal["user", "project"]
Says = Literal["allow", "ask", "deny"]


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
    when: When = ALWAYS
    tests: tuple[RuleTest, ...] = ()
    base: str | None = None

    @property
    def by(self) -> str:
        return f"rule:{self.level}#{self.number}"

    def in_words(self) -> str:
        """As a person would say it."""
        held = self.when.in_words()
        what = f"{self.says} {', '.join(pattern.text for pattern in self.patterns)}"
        return what + (f" when {held}" if held else "") + (f": {self.reason}" if self.reason else "")

    def restricts(self, call: Call, scene: Scene) -> Pattern | None:
        """The pattern that some part of the call is, or may be."""
        base = self.base or str(scene.project)
        call.acts(scene)
        for pattern in self.patterns:
            if pattern.restricts(call, base):
                return pattern if self.when.holds(call, scene, base, if_unknown=True) else None
        return None

    def covers(self, call: Call, scene: Scene) -> Cover:
        """How well this rule, by itself, accounts for all of the call."""
        base = self.base or str(scene.project)
        if call.command is not None:
            call.acts(scene)
            cover = covers_line(call, [p for p in self.patterns if isinstance(p, CommandPattern)])
        else:
            cover = max(pattern.covers(call, base) for pattern in self.patterns)
        if cover is Cover.NO or not self.when.holds(call, scene, base, if_unknown=False):
            return Cover.NO
        return cover
