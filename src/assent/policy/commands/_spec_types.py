"""What an invocation of a command comes to: effects, and what it starts, runs, sends or obeys."""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from assent.policy.effects import Effect
from assent.policy.shell.words import HOLE, Arg

# No command has more options of one letter than there are letters.
MOST_LETTERS = 64


class OptionTable(Struct, frozen=True):
    takes: dict[str, str]
    # How values are used, of those options whose values say something.
    uses: dict[str, str]
    any: bool
    # No option can do more than look.
    is_tame: bool
    # Names are whole words, with one dash or two.
    is_long: bool
    # Names whose value is always attached, the longest first.
    prefixes: tuple[str, ...]
    # Names of several letters behind one dash that do more than look: they may stand among bundled letters.
    several: tuple[str, ...]
    # With what an option begins.
    signs: str
    bundles: bool
    any_case: bool

    def prefix(self, text: str) -> str | None:
        text = text.lower() if self.any_case else text
        return next((each for each in self.prefixes if text.startswith(each)), None)

    def named(self, typed: str) -> str | None:
        """The option that is meant by a word, which may be the beginning of a long one's name."""
        typed = typed.lower() if self.any_case else typed
        if typed in self.takes and typed not in self.prefixes:
            return typed
        if typed.startswith("--"):
            return typed[1:] if len(typed) > 3 and typed[1:] in self.takes else self._abbreviated(typed)
        return f"-{typed}" if self.is_long and f"-{typed}" in self.takes else None

    def acts(self, text: str) -> bool:
        """Whether a word would be an option that does more than look."""
        name = self.named(text.partition("=")[0])
        if name is not None:
            return _weight(self.takes[name]) > 1
        takes = [self.takes.get(f"-{letter}", "flag") for letter in text[1:MOST_LETTERS]]
        return not self.is_long and text[1] != "-" and any(_weight(each) > 1 for each in takes)

    def _abbreviated(self, typed: str) -> str | None:
        """GNU programs take the beginning of a long option for the whole. What fits several is the worst of them."""
        fitting = [option for option in self.takes if option.startswith(typed) and option.startswith("--")]
        return max(fitting, key=lambda option: _weight(self.takes[option]), default=None)


_tables: dict[str, OptionTable] = {}
_ENTRY = re.compile(r"(--?[^:=?~;\s]+|\+)(?:(::|[:=?~;])(\S*))?")
_WORDS = frozenset({"*", "-", "letters", "nocase"})
_MARKS = {"?": "?", ";": ";", "::": "2"}
# Uses, and operands all of which are used so, that say nothing.
IDLE = frozenset({"flag", "text", "none", "", "text*", "none*"})
_TAME = frozenset({"flag", "text", "read", "none", "readall", "names"})


def _weight(takes: str) -> int:
    """How much an option may do; what is left to a function may be anything."""
    use = takes.lstrip("?;2")
    return 2 if use not in _TAME else 1 if use == "none" else 0


def option_table(options: str) -> OptionTable:
    if (cached := _tables.get(options)) is not None:
        return cached
    takes: dict[str, str] = {}
    prefixes: list[str] = []
    entries = options.split()
    is_long = "-" in entries
    for entry in entries:
        if entry in _WORDS:
            continue
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise ValueError(f"no such entry in a table of options: {entry}")
        name, mark, use = match.groups()
        if mark is None and not name.startswith("--") and len(name) > 2 and not is_long:
            # What an entry of its own says about a letter counts more.
            for letter in name[1:]:
                takes.setdefault(f"-{letter}", "flag")
        elif mark is None:
            takes[name] = "flag"
        else:
            takes[name] = _MARKS.get(mark, "") + (use or "text")
            if mark == "~":
                prefixes.append(name)
    uses = {name: use for name, taken in takes.items() if (use := taken.lstrip("?;2")) not in IDLE}
    made = OptionTable(
        takes=takes,
        uses=uses,
        any="*" in entries,
        is_tame="*" in entries and all(use in _TAME for use in uses.values()),
        is_long=is_long,
        prefixes=tuple(sorted(prefixes, key=len, reverse=True)),
        several=tuple(n for n, use in takes.items() if len(n) > 2 and n[1] != "-" and _weight(use)),
        signs="-+" if "+" in prefixes else "-",
        bundles="letters" in entries,
        any_case="nocase" in entries,
    )
    return _tables.setdefault(options, made)


# A command that runs elsewhere, but still on this machine.
A_CONTAINER = "a container"


class Run(Struct, frozen=True):
    """A command that this command starts: given as words, or as a line for a shell."""

    args: tuple[Arg, ...] = ()
    line: Arg | None = None
    # The words are completed by what comes in (xargs) or by names that are found (find).
    open_ended: bool = False
    # Where in the words what comes in is put ("" at their end), and whether something else than blanks parts it.
    placeholder: str = ""
    separated: bool = False
    # What a line gets as $0, $1, $2 …
    arguments: tuple[Arg, ...] = ()
    # As another user, on another machine, in a container: its files are not these files.
    privileged: bool = False
    elsewhere: str = ""
    cwd: Arg | None = None
    # What flows into it is made by the command that starts it, not by the pipe before it.
    fed: bool = False


# Programs that only show what they are given, with options that change nothing about that.
_SHOWS = re.compile(r"(?:less|more|most)(?: -[FRXSKiNMmeEqsr]+)*|(?:cat|head|bat|batcat)(?: -p)?")


def starts(program: Arg) -> Iterator[Run]:
    """A program started with unknown operands or input, perhaps through a shell.

    Without them ``rm`` would delete nothing and ``sh`` would run nothing."""
    if _SHOWS.fullmatch(program.text):
        yield Run(line=Arg(f"{program.text} **"), fed=True)
    else:
        yield Run(line=Arg(f"{program.text} {HOLE}"), fed=True)
        yield Run(line=program, fed=True)


class Code(Struct, frozen=True):
    """A program text that is run: by which interpreter, and the text where it is known."""

    language: str
    text: Arg


class RunsFile(Struct, frozen=True):
    """A file that is run as a program or script."""

    path: Arg
    language: str = ""


class RunsInput(Struct, frozen=True):
    """What comes in is run."""

    language: str = "sh"


class SendsInput(Struct, frozen=True):
    """What comes in goes out to the network."""

    to: str
    # To a server on this machine.
    trusted: bool = False
    # What it does when it gets this text: a program that takes commands.
    obeys: "Callable[[str], Iterator[Finding]] | None" = None


class Takes(Struct, frozen=True):
    """What comes in are orders, in a language of its own: statements for a database, a manifest for a cluster."""

    obeys: "Callable[[str], Iterator[Finding]]"
    # What it means that a file comes in.
    file: "Callable[[Arg], Iterator[Finding]] | None" = None
    # Nothing is said about what is known only when it runs.
    only_known: bool = False


class Fills(Struct, frozen=True):
    """What comes in becomes all that these files hold."""

    files: tuple[Arg, ...]


class Flows(Struct, frozen=True):
    """What flows out of it is of this origin, and what that costs depends on where it goes."""

    origin: str


class Decides(Struct, frozen=True):
    """A file was read that decides what runs: an answer holds for it as it is."""

    path: str


Finding = Effect | Run | Code | RunsFile | RunsInput | SendsInput | Takes | Fills | Flows | Decides
