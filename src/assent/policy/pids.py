"""Whose a process is that a line names by its number: the session's own, the hub's, or another's.

The kernel says: what descends from the client's process is the session's, and so is what the client started before and
lost sight of, which still has the environment it was given. A hub that knows no process of its own judges none."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from assent.harnesses import registry
from assent.policy import own, world
from assent.policy.effects import Effect, danger
from assent.policy.shell.spelling import Setting

DEEPEST = 64
_NUMBER = re.compile(r"-?(\d{1,10})")
_NAMES_CLIENT = frozenset(each.PID_VARIABLE for each in registry.HARNESSES.values() if each.PID_VARIABLE)

Whose = Literal["session", "hub", "others", "unknown"]


class _Names(NamedTuple):
    """Where a command takes the numbers of processes."""

    # Options whose value is one, and whether others may follow it.
    options: str = ""
    # Which operands are: all of them, the last, or those behind the first.
    operands: Literal["", "all", "last", "rest"] = ""
    # Operands are numbers only where one of these is given.
    only_with: str = ""


COMMANDS: dict[str, _Names] = {
    "renice": _Names("-p --pid -g --pgrp", "rest"),
    "prlimit": _Names("-p --pid"),
    "ionice": _Names("-p --pid -P --pgid", "all", only_with="-p --pid -P --pgid"),
    "taskset": _Names("", "last", only_with="-p --pid -ap -cp -pc -acp"),
    "chrt": _Names("", "last", only_with="-p --pid -ap"),
    "uclampset": _Names("-p --pid"),
    "coresched": _Names("-p --source -d --dest"),
    "choom": _Names("-p --pid"),
    "cpulimit": _Names("-p --pid"),
    "gdb": _Names("-p --pid -pid", "rest"),
    "lldb": _Names("-p --attach-pid"),
    "strace": _Names("-p --attach"),
    "ltrace": _Names("-p"),
    "perf": _Names("-p --pid"),
    "py-spy": _Names("-p --pid"),
    "nsenter": _Names("-t --target"),
    "reptyr": _Names("", "all"),
    "gcore": _Names("", "all"),
    "injcode": _Names("", "all"),
    "criu": _Names("-t --tree"),
    "snice": _Names("-p", "rest"),
    "skill": _Names("-p", "all"),
}


def whose(number: str, setting: Setting) -> Whose | None:
    """Of a number as ``kill`` takes it, a group's with a minus; None where nothing is known to compare it with."""
    hub, match = setting.things.own.hub, _NUMBER.fullmatch(number)
    if hub is None or match is None:
        return None
    pid = int(match[1])
    if pid == hub or (number.startswith("-") and pid == world.group(hub)):
        return "hub"
    if not world.TELLS_OF_PROCESSES or setting.client is None:
        return "unknown"
    return "session" if _is_of(pid, setting.client, hub) else "others"


def _is_of(pid: int, client: int, hub: int) -> bool:
    if client in _above(hub):
        # The client claims to be what also started the hub: everything would be its own.
        return False
    if client in _above(pid):
        return True
    born, since = world.birth(pid), world.birth(client)
    is_later = born is not None and since is not None and born >= since
    return is_later and any(world.started_with(pid, name) == str(client) for name in _NAMES_CLIENT)


def _above(pid: int) -> Iterator[int]:
    """The processes it descends from, the nearest first."""
    for _ in range(DEEPEST):
        parent = world.parent(pid)
        if parent is None or parent < 1:
            return
        yield parent
        pid = parent


def effect(number: str, setting: Setting) -> Effect | None:
    """What acting on this process means; None where it is the session's own."""
    match whose(number, setting):
        case "hub":
            return danger("tamper", own.SIGNALS_HUB, number)
        case "others":
            return danger("process", own.SIGNALS_OTHERS, number)
        case "unknown":
            return danger("process", own.SIGNALS_UNKNOWN, number)
        case _:
            return None


def named(name: str, texts: list[str], setting: Setting) -> Iterator[Effect]:
    """What a command does to the processes it is given."""
    names = COMMANDS.get(name)
    if names is None or setting.things.own.hub is None:
        return
    for number in dict.fromkeys(_numbers(names, texts)):
        if (kill := effect(number, setting)) is not None:
            yield kill


def _numbers(names: _Names, texts: list[str]) -> Iterable[str]:
    options = names.options.split()
    operands: list[str] = []
    waits = False
    for text in texts:
        if waits or text[:1] != "-":
            if waits:
                yield from re.split(r"[,\s:]", text)
            else:
                operands.append(text)
            waits = False
            continue
        head, sign, value = text.partition("=")
        if head in options and sign:
            yield from value.split(",")
        elif head in options:
            waits = True
        elif not text.startswith("--") and text[:2] in options:
            yield from text[2:].split(",")
    numbers = [text for text in operands if _NUMBER.fullmatch(text)]
    if names.only_with and not any(text.partition("=")[0] in names.only_with.split() for text in texts):
        return
    if names.operands == "all":
        yield from numbers
    elif names.operands == "last":
        yield from numbers[-1:]
    elif names.operands == "rest":
        # ``renice 5 123``, ``gdb program 123``; with -n the first number is no priority.
        yield from [text for text in operands[1:] if _NUMBER.fullmatch(text)]
