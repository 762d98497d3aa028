"""What a sed script does besides editing what flows through: commands it runs, files it reads and writes."""

import re
from collections.abc import Iterable, Iterator

from msgspec import structs

from assent.expressions import later
from assent.policy.commands.spec import Finding, Invocation, Run
from assent.policy.effects import Effect, care, danger
from assent.policy.emptying import emptied, is_many
from assent.policy.guarded import guarded
from assent.policy.paths import locate
from assent.policy.shell.obfuscation import veil
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

LONGEST = 4_096
# Commands that edit what flows through and nothing else.
_EDITS = frozenset("{}=dDgGhHnNpPxFzlLqQbtT:vaic")
_LABELLED = frozenset("btT:v")
_NUMBERED = frozenset("lqQL")


# Behind the opening bracket of a class of characters: ``]`` may stand first, and ``[:alpha:]`` inside.
_BRACKET = later(r"\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]\n])*\]")


class _UnreadableError(Exception):
    pass


def findings(it: Invocation, script: str) -> Iterator[Finding]:
    if len(script) > LONGEST:
        yield care("unknown", "The sed script is too long to look through.")
        return
    if HOLE in script:
        yield care("dynamic", "Part of the sed script is known only when it runs.")
        return
    try:
        yield from _Scan(it, script).commands()
    except (_UnreadableError, IndexError):
        yield care("unknown", "Assent cannot read this sed script.")


class _Scan:
    def __init__(self, it: Invocation, text: str) -> None:
        self.it = it
        self.text = text
        self.at = 0

    def commands(self) -> Iterator[Finding]:
        while True:
            self._skip(" \t\n;}")
            if self.at >= len(self.text):
                return
            if self._peek() == "#":
                self._line()
                continue
            self._addresses()
            if self.at >= len(self.text):
                raise _UnreadableError
            yield from self._command(self._next())

    def _command(self, name: str) -> Iterator[Finding]:
        if name == "s":
            yield from self._substitution()
        elif name == "y":
            delimiter = self._next()
            self._until(delimiter)
            self._until(delimiter)
        elif name in "rR":
            yield self.it.path("read", Arg(self._line().strip()))
        elif name in "wW":
            yield self.it.path("write", Arg(self._line().strip()))
        elif name == "e":
            line = self._line().strip()
            yield Run(line=Arg(line)) if line else danger("run", "sed runs each line that it reads.")
        elif name in _EDITS:
            if name in "aic":
                self._inserted()
            elif name in _LABELLED:
                self._label()
            elif name in _NUMBERED:
                self._skip(" \t")
                self._skip("0123456789")
        else:
            raise _UnreadableError

    def _substitution(self) -> Iterator[Finding]:
        delimiter = self._next()
        if delimiter in "\n\\":
            raise _UnreadableError
        self._until(delimiter, pattern=True)
        self._until(delimiter)
        while self.at < len(self.text):
            flag = self._peek()
            if flag == "w":
                self.at += 1
                yield self.it.path("write", Arg(self._line().strip()))
                return
            if flag == "e":
                yield danger("run", "sed runs the text that it has made.")
            elif flag not in "gpiImM0123456789":
                return
            self.at += 1

    def _addresses(self) -> None:
        while self.at < len(self.text):
            character = self._peek()
            if character == "/":
                self.at += 1
                self._until("/", pattern=True)
                self._flags()
            elif character == "\\":
                self.at += 1
                self._until(self._next(), pattern=True)
                self._flags()
            elif character.isdigit() or character in "$,~+! \t":
                self.at += 1
            else:
                return

    def _flags(self) -> None:
        while self.at < len(self.text) and self._peek() in "IM":
            self.at += 1

    def _inserted(self) -> None:
        """The text of ``a``, ``i``, ``c`` goes on over lines that end in a backslash."""
        self._skip(" \t")
        if self.text[self.at : self.at + 2] == "\\\n":
            self.at += 2
        while self._line().endswith("\\") and self.at < len(self.text):
            pass

    def _label(self) -> None:
        self._skip(" \t")
        start = self.at
        while self.at < len(self.text) and self._peek() not in ";\n} \t":
            self.at += 1
        label, rest = self.text[start : self.at], self.text[self.at : self.at + 64].lstrip(" \t")
        # Versions differ in where a label ends: what could be read in two ways is not read at all.
        if not re.fullmatch(r"[\w.-]*", label) or (rest[:1] == "}" and rest.lstrip("} \t")[:1] not in ("", ";", "\n")):
            raise _UnreadableError

    # --- characters

    def _peek(self) -> str:
        return self.text[self.at]

    def _next(self) -> str:
        self.at += 1
        return self.text[self.at - 1]

    def _skip(self, characters: str) -> None:
        while self.at < len(self.text) and self._peek() in characters:
            self.at += 1

    def _line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line = self.text[self.at : end]
        self.at = min(end + 1, len(self.text))
        return line

    def _until(self, delimiter: str, *, pattern: bool = False) -> None:
        """Behind the next delimiter that is neither escaped nor, in a pattern, inside brackets."""
        while True:
            character = self._next()
            if character == "\\":
                self.at += 1
            elif character == delimiter:
                return
            elif character == "[" and pattern:
                self._bracket(delimiter)

    def _bracket(self, delimiter: str) -> None:
        match = _BRACKET.match(self.text, self.at)
        if match is None:
            raise _UnreadableError
        if "\\" in match[0] and delimiter in match[0]:
            # Versions differ here, too.
            raise _UnreadableError
        self.at = match.end()


def veiled_reads(it: Invocation) -> Iterator[Finding]:
    """Each operand is a file, of which perhaps only names or numbers are shown."""
    for arg in it.operands:
        if arg.text != "-":
            yield veil(it.path("read", arg), it.name, it.handed_on, it.setting.project)


def pours(it: Invocation, folder: Arg) -> Effect:
    """They land in this folder, over those that are there."""
    if (refusal := guarded("write", folder, it.setting, it.cwd, recursive=True)) is not None:
        return refusal
    target = locate(folder, it.setting, it.cwd)
    shown = folder.text.replace(HOLE, "…")
    if target.place == "whole" and target.path != it.setting.project:
        return danger("write", "It writes files over a whole folder of yours or of the system.", shown)
    if target.place in ("project", "whole"):
        return care("write", "It writes files into the project, over those that are there.", shown)
    effect = it.path("write", folder)
    return structs.replace(effect, risk=max(effect.risk, Risk.CHANGE))


# Lines that every file consists of: no address, from the first to the last, or a pattern that fits any line.
_EVERY_LINE = later(r"(?:[01],\$|[01]~1|/(?:\^|\$|\.|\.\*|\.\+|\^\.\*\$?|\^\.\*|\.\*\$)?/)?")
# All lines but a few.
_MOST_LINES = later(r"(?:\d+|\$|\d,\d)\s*!|\d,\$")
_PLACE = r"(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)"
_ONE_COMMAND = later(
    rf"\s*(?P<lines>{_PLACE}?(?:\s*[,~]\s*{_PLACE})?(?:\s*!)?)\s*(?P<name>[a-zA-Z{{}}=:])(?P<rest>[^;\n]*)[;\n]?"
)
_BLANKED = later(r"(.)(?:\^?\.[*+]\$?|\^?\.\\[+*]\$?|\^\.\*)\1\1[gmsI]*\s*")
_PRINTS_IN_SED = frozenset("pPwWlaicrR=")
_DROPS = frozenset("dD")
LONGEST_LEFT = 2_000


def losses(it: Invocation, files: Iterable[Arg], *, if_there: bool = False) -> Iterator[Finding]:
    """Nothing of what these files hold is left."""
    for file in files:
        if (effect := emptied(file, it.setting, it.cwd, if_there=if_there)) is not None:
            yield effect


def edited(it: Invocation, file: Arg, left: str) -> Iterator[Finding]:
    """A program was run over the file in its place, and dropped ``all`` or ``most`` of its lines."""
    if left == "all" or (left == "most" and is_many(file)):
        yield from losses(it, (file,))


def of_sed(script: str, *, is_quiet: bool) -> str:
    """``all`` where every line is lost, ``most`` where a few are left, else nothing."""
    if len(script) > LONGEST_LEFT:
        return ""
    commands = list(_ONE_COMMAND.finditer(script))
    if (
        is_quiet
        and (commands or not script.strip())
        and not any(each["name"] in _PRINTS_IN_SED or each["name"] == "s" for each in commands)
    ):
        return "all"
    left = ""
    for each in commands:
        lines = each["lines"].replace(" ", "")
        is_drop = each["name"] in _DROPS and not each["rest"].strip("} \t")
        is_blank = each["name"] == "s" and _BLANKED.fullmatch(each["rest"]) is not None
        is_replaced = each["name"] == "c" and each["rest"].strip()[:1] in ("", "\\")
        if _EVERY_LINE.fullmatch(lines) and (is_drop or is_blank or is_replaced):
            return "all"
        if (is_drop and _MOST_LINES.fullmatch(lines)) or (each["name"] in "qQ" and re.fullmatch(r"\d?", lines)):
            left = "most"
    return left


_AWK_NEVER = later(r"\s*(?:0|!1|\"\"|''|NR\s*(?:<=?\s*0|<\s*1|==?\s*-?0)|\{\s*(?:next|exit)?\s*;?\s*\}|END\s*\{.*)?\s*")


def of_awk(program: str) -> str:
    """Whether an awk program prints no line."""
    return "all" if "print" not in program and _AWK_NEVER.fullmatch(program) else ""


_PERL_PRINTS = later(r"\b(?:print|printf|say|write|puts|p|pp|syswrite|eval|do|require)\b|\$_\s*=~\s*s|STDOUT|\bs\W")
_PERL_BLANKS = later(
    r"\$_\s*=\s*(?:\"\"|''|q\W\W|undef)|\bundef\s*\(?\s*\$_|\bs(\W)\^?\.[*+]\$?\1\1[gsm]*|\bs\{\.\*\}\{\}|\$_\.(?:clear|replace\(['\"]{2}\))"
)


def of_perl(program: str, *, prints_by_itself: bool) -> str:
    """``perl -i`` and ``ruby -i``: with -p every line is printed as the program leaves it, with -n only by request."""
    if len(program) > LONGEST_LEFT:
        return ""
    if prints_by_itself:
        return "all" if _PERL_BLANKS.search(program) else ""
    return "" if _PERL_PRINTS.search(program) else "all"


_EX_EVERY = later(
    r"[\s:]*(?:sil(?:ent)?!?\s+)?(?:%|[01]?,\$?|g(?:lobal)?/(?:\^|\.\*|\.|\$)?/)\s*d(?:e(?:l(?:e(?:te?)?)?)?)?\b"
)


def of_ex(command: str) -> bool:
    """Whether a command of vi or ed deletes every line."""
    return any(_EX_EVERY.match(part) for part in command.split("|"))
