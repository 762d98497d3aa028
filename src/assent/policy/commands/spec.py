"""How knowledge about a command is written down, and what an invocation of it comes to.

A command's options are a table in a small language, so that a family of commands can be read at a glance:

    -abc            three options without a value
    -o:write        an option whose value is a file that is written; ``-o:`` one whose value does not matter
    --output=write  the same, long; ``--color?`` takes a value only after an equals sign
    -D~text         the value is always attached, and the name may be the beginning of any word: ``-Dx=y``, ``+cmd``
    --arg::text     two words follow
    -x;none         the value is a command, up to a word ``;`` or the end
    -               names may have one dash or two, and letters are never bundled: ``-out x``, ``--out=x``
    letters         the first word may be letters without a dash, whose values follow in order: ``tar xzf a.tgz``
    nocase          names may be written in capitals
    *               every other option is harmless as well: no option of this command writes, runs or sends anything

and its operands are ``read*``, ``text read*``, ``read* write``, …: the starred one stands for any number.
Whatever the table does not name is unknown, and unknown is Care.

A program that is started gets unknown operands and input from the one that starts it: that is ``run``.
``line`` is for what is run exactly as it stands there, as by ``sh -c``.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from assent.policy.commands._spec_types import A_CONTAINER as A_CONTAINER
from assent.policy.commands._spec_types import IDLE, MOST_LETTERS
from assent.policy.commands._spec_types import Code as Code
from assent.policy.commands._spec_types import Decides as Decides
from assent.policy.commands._spec_types import Fills as Fills
from assent.policy.commands._spec_types import Finding as Finding
from assent.policy.commands._spec_types import Flows as Flows
from assent.policy.commands._spec_types import OptionTable as OptionTable
from assent.policy.commands._spec_types import Run as Run
from assent.policy.commands._spec_types import RunsFile as RunsFile
from assent.policy.commands._spec_types import RunsInput as RunsInput
from assent.policy.commands._spec_types import SendsInput as SendsInput
from assent.policy.commands._spec_types import Takes as Takes
from assent.policy.commands._spec_types import option_table as option_table
from assent.policy.commands._spec_types import starts as starts
from assent.policy.effects import Effect, Kind, care, danger, nothing
from assent.policy.lazy import lazy
from assent.policy.paths import Place, locate, on_names, on_path
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# Programs that pack what flows through them.
COMPRESSORS = frozenset(
    {"gzip", "bzip2", "xz", "zstd", "lz4", "pigz", "lzop", "lzma", "pbzip2", "pixz", "lzip", "brotli"}
)
_LETTERS = re.compile(r"[A-Za-z]+")
_PATHS = frozenset({"read", "write", "delete", "mode"})


# By the name of a command, what is looked for on the disk before it runs, whatever its table says.
LOOKS: "dict[str, Callable[[Invocation], Iterator[Finding]]]" = {}


class Spec(Struct, frozen=True):
    """What is known about a command. ``why`` is the safety argument: why this is all it can do."""

    why: str
    options: str = ""
    operands: str = "text*"
    # What it does whatever its arguments are; nothing beyond printing if empty.
    does: tuple[Effect, ...] = ()
    # Sub-commands by name ("" when none is given), each a command of its own.
    verbs: "Mapping[str, Spec] | None" = None
    # Where a table is not enough. Gets the invocation; what it yields comes on top.
    also: "Callable[[Invocation], Iterator[Finding]] | None" = None
    # What follows its first operand is not its own: the command it starts, with options of that.
    wraps: bool = False
    # A sub-command with ``--help`` and nothing else only shows its help.
    helps: bool = False
    # Options after whose value nothing is an option any more: ``python -c …``.
    last: str = ""


class Invocation:
    """One command with its arguments, taken apart by its spec's table."""

    def __init__(self, name: str, args: tuple[Arg, ...], spec: Spec, setting: Setting, cwd: str | None) -> None:
        self.name = name
        self._args = args
        self.spec = spec
        self.setting = setting
        self.cwd = cwd
        self.values: list[tuple[str, Arg]] = []
        self.operands: list[Arg] = []
        self.unknown: list[str] = []
        # Commands that options are given, up to a semicolon.
        self.commands: list[tuple[Arg, ...]] = []
        # Words among which its own options stand: those before a double dash, before the command it starts.
        self.own = args
        # What stands behind a double dash; None without one.
        self.behind: list[Arg] | None = None
        # Files that were read to tell what it runs.
        self.read_files: list[str] = []
        self._parse()

    # --- for those who write knowledge

    def has(self, *options: str) -> bool:
        return not self._given.isdisjoint(options)

    @lazy
    def _given(self) -> frozenset[str]:
        return frozenset([option for option, _ in self.values])

    def value(self, *options: str) -> Arg | None:
        """The last value given for any of these spellings."""
        return next((value for option, value in reversed(self.values) if option in options), None)

    def all_values(self, *options: str) -> list[Arg]:
        return [value for option, value in self.values if option in options]

    def operand(self, place: int) -> Arg | None:
        return self.operands[place] if place < len(self.operands) else None

    def path(self, kind: Kind, arg: Arg, *, recursive: bool = False) -> Effect:
        return on_path(kind, arg, self.setting, self.cwd, recursive=recursive)

    def place(self, arg: Arg) -> Place:
        return locate(arg, self.setting, self.cwd).place

    def is_project(self, arg: Arg) -> bool:
        return locate(arg, self.setting, self.cwd).path == self.setting.project

    def takes(self, option: str) -> str | None:
        """What the table says about an option: ``flag``, or how its value is used; None if it does not know it."""
        return option_table(self.spec.options).takes.get(option)

    @lazy
    def may_hide_options(self) -> bool:
        """Whether a word that is known only when it runs stands where an option could."""
        unknown = [arg for arg in self.own if HOLE in arg.text]
        if not unknown:
            return False
        taken = {id(value) for _, value in self.values}
        return any(
            arg.splits or (HOLE in arg.text[:2] and arg.text[:1] in (HOLE, "-") and id(arg) not in taken)
            for arg in unknown
        )

    @lazy
    def is_dynamic(self) -> bool:
        return any(arg.splits for arg in self._args)

    @property
    def is_bare(self) -> bool:
        """Whether it stands alone."""
        return not self._args

    @property
    def handed_on(self) -> tuple[Arg, ...]:
        """All words as they stand there, for a command that gets them all, and for languages that are no options."""
        return self._args

    # --- reading the arguments

    def _parse(self) -> None:
        table = option_table(self.spec.options)
        args = iter(self._args)
        is_prefix = self.spec.wraps or self.spec.verbs is not None
        if table.bundles and self._args and _LETTERS.fullmatch(self._args[0].text):
            for letter in next(args).text:
                self._option(Arg(f"-{letter}"), args, table)
        for arg in args:
            text = arg.text
            if text == "--":
                before = len(self.operands)
                self._rest(args)
                self.behind = self.operands[before:]
                return
            if len(text) > 1 and text[0] in table.signs and HOLE not in text[:2]:
                self._option(arg, args, table)
                if self.spec.last and self.values and self.values[-1][0] in self.spec.last.split():
                    self._rest(args)
                    return
            else:
                self.operands.append(arg)
                if is_prefix:
                    self._rest(args)
                    return

    def _rest(self, args: Iterator[Arg]) -> None:
        """Nothing of what is left is an option of this command."""
        rest = list(args)
        self.operands += rest
        self.own = self._args[: len(self._args) - len(rest)]

    def _option(self, arg: Arg, args: Iterator[Arg], table: "OptionTable") -> None:
        text = arg.text
        typed, equals, _ = text.partition("=")
        if table.takes.get(typed) == "flag":
            self.values.append((typed, arg))
            return
        name = table.named(typed)
        if name is not None:
            self._valued(name, arg, len(typed) + 1 if equals else None, args, table)
        elif (prefix := table.prefix(text)) is not None:
            self.values.append((prefix, _cut(arg, len(prefix))))
        elif text.startswith(("--", "+")) or table.is_long:
            self._other(typed, arg, len(typed) + 1 if equals else None, table)
        else:
            self._cluster(arg, args, table)

    def _valued(self, name: str, arg: Arg, start: int | None, args: Iterator[Arg], table: "OptionTable") -> None:
        """An option that the table names; its value is attached from ``start`` on."""
        takes = table.takes[name]
        if takes == "flag":
            self.values.append((name, arg))
        elif takes.startswith(";"):
            words: tuple[Arg, ...] = () if start is None else (_cut(arg, start),)
            words += tuple(itertools.takewhile(lambda word: word.text != ";", args))
            self.commands.append(words)
            self.values.append((name, words[0] if words else Arg("")))
        elif takes.startswith("2"):
            if start is None:
                self._separate(name, args, table)
            else:
                self.values.append((name, _cut(arg, start)))
            self._separate(name, args, table)
        elif start is not None:
            self.values.append((name, _cut(arg, start)))
        elif takes.startswith("?"):
            self.values.append((name, Arg("")))
        else:
            self._separate(name, args, table)

    def _separate(self, name: str, args: Iterator[Arg], table: "OptionTable") -> None:
        """The value is the next word. Where that is an option which does more than look, it counts as both.

        A table may be wrong about what takes a value, and then would hide the next option."""
        value = next(args, Arg(""))
        self.values.append((name, value))
        if value.text[:1] == "-" and len(value.text) > 1 and table.acts(value.text):
            self._option(value, args, table)

    def _cluster(self, arg: Arg, args: Iterator[Arg], table: "OptionTable") -> None:
        """``-xzf file``: letters up to one that takes a value, which may be attached."""
        text = arg.text
        if len(text) > MOST_LETTERS:
            self.unknown.append(f"{text[:20]}…")
        for place in range(1, min(len(text), MOST_LETTERS)):
            letter = next((each for each in table.several if text.startswith(each[1:], place)), f"-{text[place]}")
            takes = table.takes.get(letter)
            if takes is None:
                if "-#" in table.takes and text[1:].isdigit():
                    return
                if text[place] == "=":
                    # No option goes by this sign: what follows is a value.
                    return
                self._other(letter, arg, None, table)
                if not table.any:
                    return
            elif takes == "flag":
                self.values.append((letter, arg))
            else:
                behind = place + len(letter) - 1
                if text[behind : behind + 1] == "=" and len(text) > 2:
                    behind += 1
                start = behind if len(text) > behind else None
                self._valued(letter, arg, start, args, table)
                return

    def _other(self, name: str, arg: Arg, start: int | None, table: "OptionTable") -> None:
        """An option that the table does not name."""
        name = name[1:] if table.is_long and name.startswith("--") else name
        if (table.any and HOLE not in arg.text) or name in ("--help", "--version"):
            self.values.append((name, arg if start is None else _cut(arg, start)))
        else:
            self.unknown.append(name.replace(HOLE, "…"))


def _cut(arg: Arg, start: int) -> Arg:
    return Arg(arg.text[start:], arg.glob, arg.splits)


def findings(name: str, args: tuple[Arg, ...], spec: Spec, setting: Setting, cwd: str | None) -> list[Finding]:
    """What this invocation comes to. Always at least one finding."""
    if len(args) == 1 and args[0].text in ("--version", "--help") and _tells_itself(args[0].text, spec):
        return [nothing("It only tells about itself.")]
    it = Invocation(name, args, spec, setting, cwd)
    if spec.verbs is not None:
        return list(_of_verb(it, spec.verbs))
    result: list[Finding] = [*spec.does, *_of_table(it)]
    if spec.also is not None:
        result += spec.also(it)
    if (look := LOOKS.get(name)) is not None:
        result += look(it)
    if not result:
        result.append(nothing(spec.why))
    if it.read_files:
        result += map(Decides, it.read_files)
    return result


def _tells_itself(option: str, spec: Spec) -> bool:
    """Programs tell their version and how they are used, and do nothing else then.

    A table says so where that is not true: ``--help?project``."""
    return option_table(spec.options).takes.get(option, "flag") == "flag"


def _of_verb(it: Invocation, verbs: Mapping[str, Spec]) -> Iterator[Finding]:
    yield from _of_table(it, operands=False)
    if it.spec.also is not None:
        yield from it.spec.also(it)
    first = it.operand(0)
    verb = "" if first is None else first.text
    # ``yarn -v`` is not ``yarn``: an option alone can be the verb.
    verb = verb or next((option for option, _ in it.values if option in verbs), "")
    spec = verbs.get(verb)
    if spec is None and verb and "*" in verbs and HOLE not in verb:
        spec = verbs["*"]
    if spec is None:
        if HOLE in verb:
            yield care("dynamic", f"Which {it.name} command runs is known only when it runs.")
        else:
            yield care("unknown", f"Assent does not know “{it.name} {verb}”.".replace("  ", " "))
        return
    if it.spec.helps and len(it.operands) == 2 and it.operands[1].text in ("--help", "-help"):
        yield nothing("It shows its help.")
        return
    yield from findings(f"{it.name} {verb}".strip(), tuple(it.operands[1:]), spec, it.setting, it.cwd)


def _of_table(it: Invocation, *, operands: bool = True) -> list[Finding]:
    table = option_table(it.spec.options)
    found: list[Finding] = [
        care("unknown", f"Assent does not know the option {option} of {it.name}.") for option in it.unknown
    ]
    for option, value in it.values:
        if (use := table.uses.get(option)) is not None:
            found += used(it, use, value)
    if operands and it.operands and it.spec.operands not in IDLE:
        for use, arg in _assigned(it.spec.operands, it.operands):
            if use not in IDLE:
                found += used(it, use, arg)
    if not table.is_tame and it.may_hide_options:
        found.append(care("dynamic", f"Part of what {it.name} is told is known only when it runs."))
    return found


def used(it: Invocation, use: str, arg: Arg) -> Iterator[Finding]:
    """What it means that an option or operand is used like this."""
    if use in IDLE:
        return
    if use in _PATHS:
        if arg.text != "-":
            yield it.path(use, arg)  # type: ignore[arg-type]
    elif use == "run":
        yield from starts(arg) if arg.text else (care("run", "It starts a program that its settings name."),)
    elif use == "packer":
        if arg.text.split(" ")[0] not in COMPRESSORS:
            yield danger("run", f"{it.name} is made to run a program.", _shown(arg))
            yield from starts(arg)
    elif use == "line":
        yield Run(line=arg)
    elif use == "listed":
        yield it.path("read", arg)
        yield care("read", "Which files it reads stands in another file.", _shown(arg))
    elif use == "file":
        yield RunsFile(arg)
    elif use in _MEANS:
        yield _MEANS[use](it, arg)
    else:
        raise ValueError(f"{it.name}: no such use: {use}")


def names_only(it: Invocation, arg: Arg) -> Effect:
    return on_names(arg, it.setting, it.cwd)


_MEANS: dict[str, Callable[[Invocation, Arg], Effect]] = {
    "fetch": lambda _, arg: care("fetch", "It brings something in from the network.", _shown(arg)),
    "send": lambda _, arg: danger("send", "It carries something out to the network.", _shown(arg)),
    "host": lambda _, arg: care("fetch", "It connects to another machine.", _shown(arg)),
    "project": lambda _, arg: care("project", "It runs code of the project.", _shown(arg)),
    "config": lambda _, arg: care("run", "Its settings come from a file, and may name programs.", _shown(arg)),
    "care": lambda it, arg: care("unknown", f"This option of {it.name} can do more than look.", _shown(arg)),
    "danger": lambda it, arg: danger("unknown", f"This option of {it.name} can do great harm.", _shown(arg)),
    "readall": lambda it, arg: it.path("read", arg, recursive=True),
    "deleteall": lambda it, arg: it.path("delete", arg, recursive=True),
    "names": names_only,
}


def _shown(arg: Arg) -> str:
    return arg.text.replace(HOLE, "…")[:200]


@lru_cache(maxsize=512)
def _uses(operands: str) -> tuple[list[str], int | None]:
    uses = operands.split()
    return uses, next((place for place, use in enumerate(uses) if use.endswith("*")), None)


def _assigned(operands: str, given: list[Arg]) -> Iterator[tuple[str, Arg]]:
    """Which use each operand has: ``text read*``, ``read* write``."""
    uses, starred = _uses(operands)
    if starred is None:
        yield from zip(uses, given, strict=False)
        for arg in given[len(uses) :]:
            yield "none", arg
        return
    behind = len(uses) - starred - 1
    last = max(starred, len(given) - behind)
    for place, arg in enumerate(given):
        if place < starred:
            yield uses[place], arg
        elif place < last:
            yield uses[starred][:-1], arg
        else:
            yield uses[starred + 1 + place - last], arg


def each(names: str, spec: Spec) -> dict[str, Spec]:
    """The same about many commands."""
    return dict.fromkeys(names.split(), spec)


def known(why: str, options: str = "*", operands: str = "text*") -> Spec:
    """A command that looks and does nothing else."""
    return Spec(why, options, operands)


def reads(why: str, options: str = "*", operands: str = "read*") -> Spec:
    return Spec(why, options, operands)


def queries(why: str, options: str = "*", operands: str = "text*") -> Spec:
    """Reads from a service the user is logged in to."""
    return Spec(why, options, operands, does=(Effect("query", Risk.LOOK, why),))


def careful(kind: Kind, why: str, options: str = "*", operands: str = "text*") -> Spec:
    return Spec(why, options, operands, does=(care(kind, why),))


def changes(kind: Kind, why: str, options: str = "*", operands: str = "text*") -> Spec:
    """Changes something that git can undo."""
    return Spec(why, options, operands, does=(Effect(kind, Risk.CHANGE, why),))


def dangerous(kind: Kind, why: str, safer: str = "", options: str = "*", operands: str = "text*") -> Spec:
    return Spec(why, options, operands, does=(danger(kind, why, safer=safer),))
