"""Expansion of shell words as far as the line itself tells, with holes where it does not."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from assent.policy.shell.tree import Arith, Lit, Param, Part, Proc, Subst, Word

# Stands for text that is unknown before the line runs. No shell word can contain it.
HOLE = "\0"
# Stands for the search path as the session has it: not known, and yet not just anything.
OWN = "\x02"
OWN_PATH = f"{HOLE}{OWN}"
MOST_ALTERNATIVES = 16
MOST_BRACES = 64
# Values grow when they are put together; longer ones are not known any more.
LONGEST_VALUE = 64 * 1024

_GLOB = re.compile(r"[*?]|[@+!?*]\(")
_MARKED = re.compile(r"[*?\[{~]")
_RANGE = re.compile(r"(-?\d{1,4}|[A-Za-z])\.\.(-?\d{1,4}|[A-Za-z])(?:\.\.-?\d{1,3})?")
# Marks inside a word while it is worked out: quoted characters that would otherwise mean something.
_QUOTED = {character: chr(0xE000 + place) for place, character in enumerate("*?[]{},~!+@() \t\n-")}
_UNQUOTED = {mark: character for character, mark in _QUOTED.items()}
_QUOTE = str.maketrans(_QUOTED)
_UNQUOTE = str.maketrans(_UNQUOTED)
# Parts the words that a value becomes.
_NEXT = "\x01"


class Arg(Struct, frozen=True, gc=False):
    """One argument as the program would get it."""

    text: str
    # It is a pattern: the program gets the names it fits.
    glob: bool = False
    # An unquoted hole may become any number of arguments, options among them.
    splits: bool = False

    @property
    def known(self) -> bool:
        return HOLE not in self.text

    @property
    def may_be_option(self) -> bool:
        """Whether what it becomes could begin with a dash."""
        return self.text[:1] in (HOLE, "-") or self.splits or (self.glob and self.text[:1] in "*?[")


# Parts that leave a word an argument.
_STAYING = (Lit, Arith, Proc)
# What a variable may hold: each alternative a text, perhaps with holes.
Values = tuple[str, ...]
# What a substitution prints, if that can be told.
Printed = Callable[[Subst], "str | None"]


class Held(Protocol):
    """What variables hold in a place."""

    def lookup(self, name: str) -> Values: ...

    def items(self, name: str) -> tuple[str, ...] | None:
        """Of an array, "@" for the arguments; None where they are not known."""


class Expander:
    """Works words out in a place: what variables hold there, what the home folder is."""

    __slots__ = ("_held", "_home", "_printed")

    def __init__(self, held: Held, printed: Printed, home: str) -> None:
        self._held = held
        self._printed = printed
        self._home = home

    def fields(self, word: Word) -> list[tuple[Arg, ...]]:
        """Every way the word may come out, each as the arguments it becomes."""
        part = word.parts[0]
        if type(part) is Lit and len(word.parts) == 1 and (part.quoted or _MARKED.search(part.text) is None):
            return [(Arg(part.text),)]
        may_vanish = not any(isinstance(part, _STAYING) or _keeps_empty(part) for part in word.parts)
        fields: dict[tuple[Arg, ...], None] = {}
        for marked, splits in self._alternatives(word.parts):
            fields[() if not marked and may_vanish else tuple(self._args(marked, splits))] = None
        return list(fields)

    def plain(self, words: Iterable[Word]) -> tuple[Arg, ...]:
        """The arguments that words of one literal each become."""
        args: list[Arg] = []
        for word in words:
            part = word.parts[0]
            if isinstance(part, Lit) and (part.quoted or _MARKED.search(part.text) is None):
                args.append(Arg(part.text))
            else:
                args += self.fields(word)[0]
        return tuple(args)

    def texts(self, parts: Sequence[Part]) -> list[str]:
        """The same without splitting, patterns and braces: the value of an assignment, the body of a here-document."""
        texts: dict[str, None] = {}
        for marked, _ in self._alternatives(parts, whole=True):
            text = marked.replace(_NEXT, " ")
            texts[self._tilde(text).translate(_UNQUOTE)] = None
        return list(texts)

    def _alternatives(self, parts: Sequence[Part], *, whole: bool = False) -> Iterator[tuple[str, bool]]:
        """Texts with quoted characters marked, words of a split value parted; whether a hole may split."""
        choices = [self._part(part, whole=whole) for part in parts]
        if math.prod(map(len, choices)) > MOST_ALTERNATIVES:
            yield HOLE, True
            return
        for chosen in itertools.product(*choices):
            if sum(len(text) for text, _ in chosen) > LONGEST_VALUE:
                yield HOLE, True
            else:
                yield "".join(text for text, _ in chosen), any(splits for _, splits in chosen)

    def _part(self, part: Part, *, whole: bool) -> list[tuple[str, bool]]:
        if isinstance(part, Lit):
            return [(part.text.translate(_QUOTE) if part.quoted else part.text, False)]
        if isinstance(part, Subst):
            printed = self._printed(part)
            return [self._value(HOLE if printed is None else printed.rstrip("\n"), quoted=part.quoted or whole)]
        if isinstance(part, Param):
            if _is_list(part):
                return [self._list(part, quoted=part.quoted or whole)]
            return [self._value(text, quoted=part.quoted or whole) for text in self._param(part)]
        if isinstance(part, Arith):
            return [(HOLE, False)]
        assert isinstance(part, Proc)
        return [("/dev/fd/63", False)]

    def _list(self, part: Param, *, quoted: bool) -> tuple[str, bool]:
        """``"$@"``, ``${a[@]}``: as many words as there are items."""
        items = self._held.items(part.name)
        if items is None or part.op not in ("", "[", ":"):
            return HOLE, True
        if part.word is not None:
            first = part.word.plain
            if first is None or not first.strip().isdigit():
                return HOLE, True
            # The arguments count from one; their zeroth is the shell's own name.
            items = items[max(0, int(first) - (part.name in "@*")) :]
        if part.name == "*" or part.subscript == "*":
            return self._value(" ".join(items), quoted=quoted)
        values = [self._value(item, quoted=quoted) for item in items]
        return _NEXT.join(text for text, _ in values), any(splits for _, splits in values)

    def _value(self, text: str, *, quoted: bool) -> tuple[str, bool]:
        if quoted:
            return text.translate(_QUOTE), False
        blanks = "".join(self._held.lookup("IFS"))
        # Braces and tildes in a value are text; blanks part it; patterns in it are patterns.
        marked = "".join(_NEXT if c in blanks and c != HOLE else _QUOTED[c] if c in "{},~" else c for c in text)
        return marked, HOLE in text or HOLE in blanks

    def _param(self, part: Param) -> list[str]:
        if part.subscript:
            return self._item(part)
        values = list(self._held.lookup(part.name))
        operand = self.texts(part.word.parts) if part.word else [""]
        match part.op:
            case "":
                return values
            case "-" | ":-" | "=" | ":=":
                # What is unknown may be unset, and then the other word stands here.
                return values if all(HOLE not in value and value for value in values) else [*values, *operand]
            case "+" | ":+":
                return ["", *operand]
            case "?" | ":?":
                return values
            case "#" | "##" | "%" | "%%" if all(_is_plain(o) for o in operand) and all(HOLE not in v for v in values):
                cut = str.removeprefix if part.op[0] == "#" else str.removesuffix
                return [cut(value, o) for value in values for o in operand]
            case "^^" | ",,":
                return [value.upper() if part.op == "^^" else value.lower() for value in values]
            case "/" | "//" if all(HOLE not in text for text in (*values, *operand)):
                return [_replaced(value, o, everywhere=part.op == "//") for value in values for o in operand]
            case ":" if all(HOLE not in text for text in (*values, *operand)):
                return [_sliced(value, o) for value in values for o in operand]
            case _:
                return [HOLE]

    def _item(self, part: Param) -> list[str]:
        """``${a[1]}``"""
        items = self._held.items(part.name)
        if items is None or part.op != "[" or part.word is not None or not part.subscript.isdigit():
            return [HOLE]
        return [items[int(part.subscript)] if int(part.subscript) < len(items) else ""]

    # --- from marked text to arguments

    def _args(self, marked: str, splits: bool) -> Iterator[Arg]:
        for piece in filter(None, marked.split(_NEXT)) if _NEXT in marked else (marked,):
            for braced in _braces(piece):
                text = self._tilde(braced)
                glob = _is_pattern(text)
                yield Arg(text.translate(_UNQUOTE), glob, splits)

    def _tilde(self, text: str) -> str:
        if not text.startswith("~"):
            # bash takes ``if=~/x`` for an assignment even where it is none.
            name, sign, value = text.partition("=~")
            return f"{name}={self._tilde(f'~{value}')}" if sign and name.isidentifier() else text
        if text == "~" or text.startswith("~/"):
            return self._home + text[1:]
        # Another user's home, the last folder: somewhere else.
        return HOLE + text[1:] if text[1:2] in "+-" else f"/home/{text[1:]}"


def _is_list(part: Param) -> bool:
    return part.op not in ("!", "length") and (part.name in ("@", "*") or part.subscript in ("@", "*"))


def _keeps_empty(part: Part) -> bool:
    """Whether a word stays an argument though this part of it comes to nothing: in quotes it does."""
    return bool(getattr(part, "quoted", False)) and not (
        isinstance(part, Param) and _is_list(part) and "*" not in (part.name, part.subscript)
    )


def _braces(text: str) -> list[str]:
    """``a{b,c}`` as its words. Too many of them stay one word with a hole."""
    if "{" not in text:
        return [text]
    if text.count("{") > MOST_BRACES:
        return [HOLE]
    waiting, done = [text], []
    while waiting:
        item = waiting.pop()
        opened = _brace(item)
        if opened is None:
            done.append(item)
        else:
            start, end, choices = opened
            waiting += [item[:start] + choice + item[end:] for choice in reversed(choices)]
        if len(waiting) + len(done) > MOST_BRACES:
            return [HOLE]
    return done


def _brace(text: str) -> tuple[int, int, list[str]] | None:
    """The first brace that means something: where it begins and ends, and what it stands for."""
    # In one pass: each open brace with the commas that are its own.
    waiting: list[list[int]] = []
    innermost: tuple[int, int, list[str]] | None = None
    for place, character in enumerate(text):
        if character == "{":
            waiting.append([place])
        elif character == "," and waiting:
            waiting[-1].append(place)
        elif character == "}" and waiting:
            marks = waiting.pop()
            start = marks[0]
            if (innermost is not None and innermost[0] < start) or text[start - 1 : start] == "$":
                continue
            if len(marks) > 1:
                innermost = start, place + 1, [text[a + 1 : b] for a, b in itertools.pairwise([*marks, place])]
            elif ranged := _RANGE.fullmatch(text, start + 1, place):
                innermost = start, place + 1, _ranged(*ranged.groups())
    return innermost


def _ranged(first: str, last: str) -> list[str]:
    if first.lstrip("-").isdigit() and last.lstrip("-").isdigit():
        low, high = int(first), int(last)
        step = 1 if low <= high else -1
        numbers = range(low, high + step, step)
        return [str(n) for n in numbers] if len(numbers) <= MOST_BRACES else [HOLE]
    if len(first) == len(last) == 1:
        low, high = sorted((ord(first), ord(last)))
        return [chr(code) for code in range(low, high + 1)]
    return [HOLE]


def _is_pattern(text: str) -> bool:
    return _GLOB.search(text) is not None or ("[" in text and "]" in text[text.index("[") + 2 :])


def _is_plain(text: str) -> bool:
    return HOLE not in text and not _is_pattern(text)


def _replaced(value: str, operand: str, *, everywhere: bool) -> str:
    sought, _, new = operand.partition("/")
    if not sought or not _is_plain(sought):
        return HOLE if sought else value
    if value.count(sought) * len(new) > LONGEST_VALUE:
        return HOLE
    return value.replace(sought, new) if everywhere else value.replace(sought, new, 1)


def _sliced(value: str, operand: str) -> str:
    match = re.fullmatch(r"\s*(-?\d{1,5})\s*(?::\s*(-?\d{1,5})\s*)?", operand)
    if match is None:
        return HOLE
    start = int(match[1])
    rest = value[start:] if start >= 0 else value[max(0, len(value) + start) :]
    if match[2] is None:
        return rest
    length = int(match[2])
    return rest[:length]


def joined(args: Iterable[Arg]) -> str:
    """As a person would read it; ``…`` for what is not known."""
    return " ".join(arg.text.replace(OWN_PATH, "…").replace(HOLE, "…") for arg in args)
