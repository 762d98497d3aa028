"""What a command line would run: the simple commands, freed of what stands before them.

``FOO=1 sudo -u root timeout 5 rm x`` runs ``rm x``; ``bash -c 'rm x'``, ``eval rm x`` and ``find -exec rm`` do, too.
Serves the floor and the rules that restrict; an allow rule looks at the line as written.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from assent.policy.lines import LONGEST, Line, Redirect, Segment, Word, split

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "yash", "tcsh", "csh"})
_DEEPEST = 4
_MOST_STAGES = 12
_MOST_COMMANDS = 1000
_LONGEST_NAME = 1000
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_EXECUTES = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})
_NEEDS_NO_QUOTES = re.compile(r"[\w./:=@%+,{}*~-]+")
_EXPANSION = re.compile(r"\$\([^)]*\)|`[^`]*`|\$\{[^}]*\}|\$(?:[A-Za-z_][A-Za-z0-9_]*|.)|[$`]")
_C_OPTION = re.compile(r"-[A-Za-z]*c")


@dataclass(frozen=True, slots=True)
class _Wrapper:
    """A command that runs the command after it."""

    # Its options that take the next word as their value.
    valued: str = ""
    long_valued: frozenset[str] = frozenset()
    # Words of its own before the command, such as the duration of timeout.
    operands: int = 0
    # A word that must follow, as in ``uv run``.
    verb: str | None = None
    privileged: bool = False


def _all(wrapper: _Wrapper, names: str) -> dict[str, _Wrapper]:
    return dict.fromkeys(names.split(), wrapper)


def _long(names: str) -> frozenset[str]:
    return frozenset(f"--{name}" for name in names.split())


_PLAIN = _Wrapper()
_RUN = _Wrapper(verb="run", long_valued=_long("python with extra group project directory spec env-file"), valued="p")
_WRAPPERS = (
    {
        "sudo": _Wrapper(
            "ughpCTrtUDR", _long("user group host prompt chdir chroot role type other-user"), privileged=True
        ),
        "doas": _Wrapper("uC", privileged=True),
        "pkexec": _Wrapper("", _long("user"), privileged=True),
        "run0": _Wrapper("ugD", _long("user group chdir unit property"), privileged=True),
        "env": _Wrapper("uC", _long("unset chdir")),
        "exec": _Wrapper("a"),
        "time": _Wrapper("fo", _long("format output")),
        "nice": _Wrapper("n", _long("adjustment")),
        "ionice": _Wrapper("cnpPu", _long("class classdata")),
        "timeout": _Wrapper("sk", _long("signal kill-after"), operands=1),
        "stdbuf": _Wrapper("ioe", _long("input output error")),
        "chrt": _Wrapper("TPD", operands=1),
        "taskset": _Wrapper("", operands=1),
        "flock": _Wrapper("wEo", _long("timeout conflict-exit-code"), operands=1),
        "xargs": _Wrapper("adEILnPs", _long("arg-file delimiter max-args max-procs max-chars replace max-lines")),
        "caffeinate": _Wrapper("tw"),
        "uvx": _Wrapper("p", _long("python with from")),
    }
    | _all(_RUN, "uv pipx poetry pdm hatch rye")
    | _all(_PLAIN, "command builtin nohup setsid busybox toybox npx bunx coproc noglob nocorrect")
    | _all(_PLAIN, "then else do if elif while until ! {")
)


@dataclass(frozen=True, slots=True)
class Command:
    """One command that would run: its words without quotes, and every way it may be written in a rule."""

    words: tuple[str, ...]
    texts: tuple[str, ...]
    redirects: tuple[Redirect, ...] = ()
    # Equal for commands whose output runs into each other.
    pipeline: int = 0
    privileged: bool = False
    # A word of it is made by a substitution.
    is_dynamic: bool = False

    @property
    def name(self) -> str:
        return self.words[0].rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.words[1:]


@dataclass(frozen=True, slots=True)
class Reading:
    """A command line, split and unwrapped."""

    line: Line
    commands: tuple[Command, ...]
    over: bool


# The floor, the rules and the risk all read the same line, and a PermissionRequest follows its PreToolUse.
@lru_cache(maxsize=32)
def read(text: str) -> Reading:
    """Never raises."""
    line = split(text)
    inner = _Nested()
    commands = tuple(inner.of_line(line, privileged=False, depth=0))
    return Reading(line, commands, line.over or inner.over)


class _Nested:
    def __init__(self) -> None:
        self.over = False
        self._pipelines = 0
        # Text inside text inside text multiplies; both budgets are for the whole line together.
        self._commands_left = _MOST_COMMANDS
        self._text_left = LONGEST

    def of_line(self, line: Line, *, privileged: bool, depth: int) -> Iterator[Command]:
        reads_input = False
        pipeline = 0
        for segment in (*line.segments, *line.hidden):
            if not segment.piped:
                self._pipelines += 1
                pipeline = self._pipelines
            if not self._commands_left:
                self.over = True
                return
            self._commands_left -= 1
            if (emptied := _without_expansions(segment)) is not None:
                yield self._command(emptied, pipeline, privileged=privileged)
            command = self._command(segment, pipeline, privileged=privileged)
            yield command
            reads_input |= command.name in SHELLS
            for text, is_privileged in _inner(command):
                yield from self._of_text(text, privileged=is_privileged, depth=depth)
        if reads_input:
            for body in line.bodies:
                yield from self._of_text(body, privileged=privileged, depth=depth)

    def _of_text(self, text: str, *, privileged: bool, depth: int) -> Iterator[Command]:
        self._text_left -= len(text)
        if self._text_left < 0 or depth >= _DEEPEST:
            self.over = True
            return
        line = split(text)
        self.over |= line.over
        yield from self.of_line(line, privileged=privileged, depth=depth + 1)

    def _command(self, segment: Segment, pipeline: int, *, privileged: bool) -> Command:
        words = segment.words
        texts: dict[str, None] = {}
        for _ in range(_MOST_STAGES):
            texts[" ".join([word.raw for word in words])] = None
            texts[" ".join([word.value for word in words])] = None
            skipped, escalates = _wrapping(words)
            privileged |= escalates
            if not skipped:
                break
            words = words[skipped:]
        else:
            self.over = True
        return Command(
            words=tuple(word.value for word in words),
            texts=tuple(texts),
            redirects=segment.redirects,
            pipeline=pipeline,
            privileged=privileged,
            is_dynamic=any("$(" in w.raw or "`" in w.raw or "<(" in w.raw for w in words),
        )


def _without_expansions(segment: Segment) -> Segment | None:
    """The command as it runs where a variable before or in its name is empty: ``$x rm``, ``rm$x``."""
    place = next((place for place, word in enumerate(segment.words) if not _ASSIGNMENT.match(word.raw)), None)
    if place is None or not ("$" in segment.words[place].raw or "`" in segment.words[place].raw):
        return None
    for after, word in enumerate(segment.words[place:], start=place + 1):
        if name := _EXPANSION.sub("", word.value[:_LONGEST_NAME]):
            return Segment((Word(name, name), *segment.words[after:]), segment.redirects, segment.piped)
    return None


def _wrapping(words: tuple[Word, ...]) -> tuple[int, bool]:
    """How many words stand before the command that really runs, and whether it runs with more rights."""
    if not words:
        return 0, False
    if _ASSIGNMENT.match(words[0].raw):
        return 1, False
    wrapper = _WRAPPERS.get(words[0].value.rpartition("/")[2])
    if wrapper is None:
        return 0, False
    at = 1
    if wrapper.verb is not None:
        if len(words) < 2 or words[1].value != wrapper.verb:
            return 0, False
        at = 2
    operands = wrapper.operands
    while at < len(words):
        word = words[at].value
        if word == "--":
            at += 1 + operands
            break
        if word.startswith("-") and len(word) > 1:
            at += 2 if _takes_next(word, wrapper) else 1
        elif operands:
            operands -= 1
            at += 1
        else:
            break
    return at, wrapper.privileged


def _takes_next(option: str, wrapper: _Wrapper) -> bool:
    if option.startswith("--"):
        return option in wrapper.long_valued
    # In a cluster such as -nu the first valued letter takes the rest of the word, or the next one.
    for place, letter in enumerate(option[1:], start=2):
        if letter in wrapper.valued:
            return place == len(option)
    return False


def _inner(command: Command) -> Iterator[tuple[str, bool]]:
    """Texts this command would run as commands, and whether with more rights."""
    name, arguments = command.name, command.arguments
    if name == "eval":
        yield " ".join(arguments), command.privileged
    elif name in SHELLS or name == "su":
        for place, word in enumerate(arguments[:-1]):
            if _C_OPTION.fullmatch(word) or word in ("--command", "--session-command"):
                yield arguments[place + 1], command.privileged or name == "su"
    elif name in ("find", "fd", "fdfind"):
        yield from ((text, command.privileged) for text in _executed(arguments))


def _executed(arguments: tuple[str, ...]) -> Iterator[str]:
    """What find runs: the words from each -exec to its end."""
    words: list[str] | None = None
    for argument in arguments:
        if words is None:
            words = [] if argument in _EXECUTES else None
        elif argument in (";", "+"):
            yield " ".join(words)
            words = None
        else:
            # Quoted again, because this text is split once more.
            words.append(argument if _NEEDS_NO_QUOTES.fullmatch(argument) else shlex.quote(argument))
    if words:
        yield " ".join(words)
