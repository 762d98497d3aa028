"""Lines made from the tables of options: every spelling of every option that can do more than look."""

from collections.abc import Iterator
from typing import NamedTuple

from assent.policy import commands
from assent.policy.commands import git
from assent.policy.commands.spec import Spec, option_table

# How a table says that an option starts a program.
STARTING = frozenset({"run", "line", "packer", "command"})
# Started by a function, because the table must stay tame: a search for "$PATTERN" is everyday work.
BY_HAND = {"rg": ("--pre", "--hostname-bin")}


class Option(NamedTuple):
    name: str
    # How its value is used, and whether that is only taken when it is attached.
    use: str
    attached: bool


class Known(NamedTuple):
    """A command, its verbs included, as it is typed, and what its table says."""

    line: str
    spec: Spec
    family: str


def every() -> Iterator[Known]:
    """Each command and verb once for each table, under the first of its names."""
    seen: set[tuple[str, str]] = set()
    waiting = [(name, spec, name[:1]) for name, spec in commands.known().items()]
    waiting += [(f"git {verb}", spec, "g") for verb, spec in git.VERBS.items()]
    while waiting:
        line, spec, family = waiting.pop()
        key = (line.split()[0] if spec.verbs is not None else line, spec.options)
        if key in seen:
            continue
        seen.add(key)
        yield Known(line, spec, family)
        waiting += [(f"{line} {verb}", inner, family) for verb, inner in (spec.verbs or {}).items() if verb != "*"]


def options(known: Known, uses: frozenset[str]) -> Iterator[Option]:
    by_hand = BY_HAND.get(known.line, ()) if uses & STARTING else ()
    for name, takes in option_table(known.spec.options).takes.items():
        use = "command" if takes.startswith(";") else takes.lstrip("?")
        if use in uses or name in by_hand:
            yield Option(name, use, takes.startswith("?"))


def spellings(known: Known, option: Option, value: str) -> Iterator[str]:
    """Attached, separate, with an equals sign, abbreviated, and bundled behind every flag of the table."""
    name, table = option.name, option_table(known.spec.options)
    if name in table.prefixes:
        yield f"{name}{value}"
        return
    yield f"{name}={value}"
    if not option.attached:
        yield f"{name} {value}"
    if name.startswith("--"):
        for length in range(5, len(name)):
            if name[:length] not in table.takes and table.takes.get(name[1:length]) is None:
                yield f"{name[:length]}={value}"
    elif len(name) == 2:
        flags = [flag[1] for flag, takes in table.takes.items() if takes == "flag" and len(flag) == 2]
        unknown = [letter for letter in "ZqQ3" if table.any and f"-{letter}" not in table.takes][:1]
        yield f"{name}{value}"
        for flag in (*flags, *unknown) if not table.is_long else ():
            yield f"-{flag}{name[1]}{value}"
            if not option.attached:
                yield f"-{flag}{name[1]} {value}"
    else:
        yield f"-{name}={value}"
