"""One rule: what it names, when it holds, and what it then says."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote, handled on every event
import fnmatch
import operator
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime, time
from typing import Any, Literal

from assent.config import QuietHours
from assent.harnesses import registry
from assent.policy import world
from assent.policy.call import Call, Scene
from assent.policy.effects import Kind
from assent.policy.risk_of import risk_of
from assent.policy.rules.coverage import Cover
from assent.policy.rules.globs import PathGlob
from assent.policy.rules.pattern import CommandPattern, Pattern, anchored, below, covers_call, covers_line, root_of
from assent.protocol.decision import Risk
from assent.protocol.operations import CHANGES_FILES, READS_FILES, Fetch, Operation, Subagent

_COMPARISON = re.compile(r"(>=|<=|>|<|=|)\s*([a-z]+)")
_OPERATORS: dict[str, Callable[[Risk, Risk], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "": operator.eq,
}
# What operations that run no commands do. Of others it is not known.
_DOES: dict[type[Operation], Kind] = {
    **dict.fromkeys(READS_FILES, "read"),
    **dict.fromkeys(CHANGES_FILES, "write"),
    Subagent: "agent",
    Fetch: "fetch",
}
# As in the file, where it is another word.
_NAMES = {"hours": "time"}
_ON_FILES = frozenset({"read", "write", "delete", "mode", "secret", "persist", "tamper", "device", "project", "run"})


@dataclass(frozen=True, slots=True)
class RiskTest:
    """``>=care``."""

    text: str
    compare: Callable[[Risk, Risk], bool]
    bound: Risk

    @classmethod
    def parse(cls, text: str) -> "RiskTest":
        """Raises ValueError with what is expected."""
        match = _COMPARISON.fullmatch(text.strip())
        words = [risk.word for risk in Risk]
        if match is None or match[2] not in words:
            raise ValueError('a risk is written like ">=care", with one of ' + ", ".join(words))
        return cls(text, _OPERATORS[match[1]], Risk.parse(match[2]))

    def holds(self, risk: Risk) -> bool:
        return self.compare(risk, self.bound)


@dataclass(frozen=True)
class Folder:
    """``src/**``, ``~/notes``, ``//etc``: a place, written as in a pattern."""

    text: str
    anchor: str
    glob: PathGlob

    @classmethod
    def parse(cls, text: str) -> "Folder":
        """Raises ValueError with what is wrong."""
        if not text.strip():
            raise ValueError('a path is written like "src/**", "~/notes/**" or "//etc/**"')
        return cls(text, *anchored(text.strip()))

    def holds(self, path: str, base: str) -> bool:
        relative = below(path, root_of(self.anchor, base))
        return relative is not None and self.glob.fits(relative)


@dataclass(frozen=True)
class Hours:
    """``22:00-07:00``, by the clock of this machine."""

    text: str
    hours: QuietHours

    @classmethod
    def parse(cls, text: str) -> "Hours":
        """Raises ValueError with what is expected."""
        try:
            return cls(text, QuietHours.parse(text))
        except ValueError:
            raise ValueError('a time is written like "22:00-07:00"') from None


@dataclass(frozen=True, slots=True)
class HarnessName:
    """``copilot``, or a wildcard that fits one Assent knows."""

    text: str

    @classmethod
    def parse(cls, text: str) -> "HarnessName":
        """Raises ValueError with what is expected."""
        if not any(_fits(name, (text,)) for name in registry.HARNESSES):
            raise ValueError("a harness is one of " + ", ".join(sorted(registry.HARNESSES)))
        return cls(text)


@dataclass(frozen=True, slots=True)
class When:
    """Conditions that must all hold. What cannot be told holds for rules that restrict, not for rules that allow.

    Of what a line does and touches, any part is enough to restrict, and every part must fit to allow."""

    branch: tuple[str, ...] | None = None
    risk: RiskTest | None = None
    mode: tuple[str, ...] | None = None
    effect: tuple[Kind, ...] | None = None
    path: tuple[Folder, ...] | None = None
    cwd: tuple[Folder, ...] | None = None
    agent: tuple[str, ...] | None = None
    harness: tuple[str, ...] | None = None
    hours: tuple[Hours, ...] | None = None

    def holds(self, call: Call, scene: Scene, base: str, *, if_unknown: bool) -> bool:
        """``if_unknown`` is True for a rule that restricts; ``base`` is where relative paths begin."""
        if not all(
            names is None or (if_unknown if value is None else _fits(value, names))
            for names, value in ((self.mode, call.mode), (self.agent, call.agent), (self.harness, scene.harness))
        ):
            return False
        if self.hours is not None and not any(each.hours.covers(_now()) for each in self.hours):
            return False
        if self.cwd is not None and not any(folder.holds(call.cwd, base) for folder in self.cwd):
            return False
        if self.risk is not None and not self.risk.holds(risk_of(call, scene).risk):
            return False
        if self.effect is not None and not _all_or_any(_effects(call, scene), self._does, if_unknown):
            return False
        if self.path is not None and not _all_or_any(
            _paths(call, scene), lambda path: any(folder.holds(path, base) for folder in self.path or ()), if_unknown
        ):
            return False
        if self.branch is None:
            return True
        branch = world.branch(str(scene.project))
        return if_unknown if branch is None else _fits(branch, self.branch)

    def _does(self, kind: str) -> bool:
        return kind in (self.effect or ())

    def in_words(self) -> str:
        conditions = ((_NAMES.get(field.name, field.name), getattr(self, field.name)) for field in fields(self))
        return " and ".join(f"{name} {_words(value)}" for name, value in conditions if value is not None)


def _words(value: object) -> str:
    return " or ".join(str(getattr(one, "text", one)) for one in (value if isinstance(value, tuple) else (value,)))


def _fits(value: str, names: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(value, name) for name in names)


def _all_or_any(values: Iterator[str | None], test: Callable[[str], bool], is_restricting: bool) -> bool:
    """None stands for what is not known."""
    listed = list(values)
    if is_restricting:
        return any(one is None or test(one) for one in listed)
    return bool(listed) and all(one is not None and test(one) for one in listed)


def _effects(call: Call, scene: Scene) -> Iterator[str | None]:
    if call.command is None:
        yield _DOES.get(type(call.operation))
        return
    for act in call.look(scene).every:
        yield from (effect.kind for effect in act.effects if effect.kind != "nothing")


def _paths(call: Call, scene: Scene) -> Iterator[str | None]:
    """Files and folders that are touched, by whole paths."""
    if call.command is None:
        yield from (*call.paths, *call.real_paths)
        return
    for act in call.look(scene).every:
        cwd = act.runs[-1].cwd if act.runs else call.cwd
        for effect in act.effects:
            if effect.kind == "dynamic":
                yield None
            elif effect.kind in _ON_FILES and effect.target:
                is_known = "…" not in effect.target and (cwd or effect.target.startswith("/"))
                yield os.path.normpath(os.path.join(cwd or "/", effect.target)) if is_known else None


def _now() -> time:
    return datetime.now().astimezone().time()


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
        text = f"{self.says} {', '.join(pattern.text for pattern in self.patterns)}"
        return text + (f" when {held}" if held else "") + (f": {self.reason}" if self.reason else "")

    def restricts(self, call: Call, scene: Scene) -> Pattern | None:
        """The pattern that some part of the call is, or may be."""
        pattern = self.may_restrict(call, scene)
        return pattern if pattern is not None and self.holds(call, scene) else None

    def covers(self, call: Call, scene: Scene) -> Cover:
        """How well this rule, by itself, accounts for all of the call."""
        cover = self.may_cover(call, scene)
        return cover if cover is not Cover.NO and self.holds(call, scene) else Cover.NO

    def may_restrict(self, call: Call, scene: Scene) -> Pattern | None:
        """The same whether or not its conditions hold."""
        base = self.base or str(scene.project)
        call.acts(scene)
        return next((pattern for pattern in self.patterns if pattern.restricts(call, base)), None)

    def may_cover(self, call: Call, scene: Scene) -> Cover:
        if call.command is None:
            return covers_call(call, self.base or str(scene.project), self.patterns)
        call.acts(scene)
        return covers_line(call, [p for p in self.patterns if isinstance(p, CommandPattern)])

    def holds(self, call: Call, scene: Scene) -> bool:
        """Whether its conditions do."""
        if self.when is ALWAYS:
            return True
        return self.when.holds(call, scene, self.base or str(scene.project), if_unknown=self.says != "allow")
