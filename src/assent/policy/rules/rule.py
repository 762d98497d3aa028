"""When a rule holds: conditions on the call and on what it would do."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote, handled on every event

import fnmatch
import operator
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime, time

from assent.config import QuietHours
from assent.policy import world
from assent.policy.call import EDITS, READS, SUB_AGENTS, Call
from assent.policy.effects import Kind
from assent.policy.globs import PathGlob
from assent.policy.pattern import anchored, below
from assent.policy.risk_of import risk_of
from assent.policy.voice import Scene
from assent.protocol.risk import Risk

_COMPARISON = re.compile(r"(>=|<=|>|<|=|)\s*([a-z]+)")
_OPERATORS: dict[str, Callable[[Risk, Risk], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "": operator.eq,
}
# What tools that run no commands do. Of others nobody knows.
_DOES: dict[str, Kind] = {
    **dict.fromkeys(READS, "read"),
    **dict.fromkeys(EDITS, "write"),
    **dict.fromkeys(SUB_AGENTS, "agent"),
    "WebFetch": "fetch",
    "WebSearch": "fetch",
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
        found = _COMPARISON.fullmatch(text.strip())
        words = [risk.word for risk in Risk]
        if found is None or found[2] not in words:
            raise ValueError('a risk is written like ">=care", with one of ' + ", ".join(words))
        return cls(text, _OPERATORS[found[1]], Risk.parse(found[2]))

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
        relative = below(path, {"/": "/", "~": world.home()}.get(self.anchor, base))
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
        told = ((_NAMES.get(field.name, field.name), getattr(self, field.name)) for field in fields(self))
        return " and ".join(f"{name} {_words(value)}" for name, value in told if value is not None)


def _words(value: object) -> str:
    return " or ".join(str(getattr(one, "text", one)) for one in (value if isinstance(value, tuple) else (value,)))


def _fits(value: str, names: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(value, name) for name in names)


def _all_or_any(found: Iterator[str | None], test: Callable[[str], bool], is_restricting: bool) -> bool:
    """None stands for what is not known."""
    told = list(found)
    if is_restricting:
        return any(one is None or test(one) for one in told)
    return bool(told) and all(one is not None and test(one) for one in told)


def _effects(call: Call, scene: Scene) -> Iterator[str | None]:
    if call.command is None:
        yield _DOES.get(call.tool)
        return
    for act in call.acts(scene):
        for each in act.all():
            yield from (effect.kind for effect in each.effects if effect.kind != "nothing")


def _paths(call: Call, scene: Scene) -> Iterator[str | None]:
    """Files and folders that are touched, by whole paths."""
    if call.command is None:
        yield from (path for path in (call.path, call.real_path) if path is not None)
        return
    for act in call.acts(scene):
        for each in act.all():
            cwd = each.runs[-1].cwd if each.runs else call.cwd
            for effect in each.effects:
                if effect.kind == "dynamic":
                    yield None
                elif effect.kind in _ON_FILES and effect.target:
                    is_known = "…" not in effect.target and (cwd or effect.target.startswith("/"))
                    yield os.path.normpath(os.path.join(cwd or "/", effect.target)) if is_known else None


def _now() -> time:
    return datetime.now().astimezone().time()
