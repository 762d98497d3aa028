"""What a sed script does besides editing what flows through: commands it runs, files it reads and writes."""

import re
from collections.abc import Iterator

from assent.policy.commands.spec import Finding, Invocation, Run
from assent.policy.effects import care, danger
from assent.policy.words import HOLE, Arg

LONGEST = 4_096
# Commands that edit what flows through and nothing else.
_EDITS = frozenset("{}=dDgGhHnNpPxFzlLqQbtT:vaic")
_LABELLED = frozenset("btT:v")
_NUMBERED = frozenset("lqQL")


# Behind the opening bracket of a class of characters: ``]`` may stand first, and ``[:alpha:]`` inside.
_BRACKET = re.compile(r"\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]\n])*\]")


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
        found = _BRACKET.match(self.text, self.at)
        if found is None:
            raise _UnreadableError
        if "\\" in found[0] and delimiter in found[0]:
            # Versions differ here, too.
            raise _UnreadableError
        self.at = found.end()
