"""The words of a shell line: quotes, expansions, substitutions, here-documents."""

import re
from typing import NoReturn

from assent.policy.shell.limits import DEEPEST, LONGEST, Budget, TooMuchError, UnreadableError
from assent.policy.shell.tree import Arith, Lit, Param, Part, Proc, Redirect, ScriptTree, Subst, Word

# What ends a word where nothing is quoted.
_META = frozenset(" \t\n;&|()<>")
_RUN = re.compile(r"(?:[^\s;&|()<>\\'\"`$*?+@!#\x00]+|[*?+@!](?!\()|#)+")
_QUOTED_RUN = re.compile(r"[^\\\"`$\x00]+")
_BACKTICK_RUN = re.compile(r"[^\\`]+")
_OPERAND_RUN = re.compile(r"[^\\\"'`$}<>]+")
_ARITH_RUN = re.compile(r"[\s+*/%=!~^&|?:;,<>-]+")
_HEREDOC_RUN = re.compile(r"[^\\`$\x00]+")
_BLANKS = frozenset(" \t\\")
_BLANK = re.compile(r"(?:[ \t]|\\\n)+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SPECIAL = frozenset("@*#?-$!0123456789")
_PARAM_OP = re.compile(r":?[-=?+]|##?|%%?|//?|\^\^?|,,?|@[A-Za-z]?|\*|:")
_ANSI = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.))",
    re.DOTALL,
)
_ANSI_CHARS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ARITH_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d\w*")


class Lexis:
    """Reads words from ``at`` on. Commands inside them are read by ``script_until``, which the grammar adds."""

    def __init__(self, text: str, depth: int = 0, budget: Budget | None = None) -> None:
        if len(text) > LONGEST:
            raise TooMuchError("it is longer than 64 KiB", 0)
        if "\0" in text:
            raise UnreadableError("it contains a NUL character", text.index("\0"))
        self.text = text
        self.at = 0
        self.depth = depth
        self.budget = budget or Budget()
        # Here-documents whose bodies begin after the end of this line: delimiter, whether quoted, whether tabs go.
        self.awaited: list[tuple[Redirect, str, bool, bool]] = []
        self.deeper()

    # --- to be added by the grammar

    def script_until(self, end: str) -> ScriptTree:
        raise NotImplementedError

    def nested(self, text: str) -> ScriptTree:
        """A script of its own, such as what stands between backticks."""
        raise NotImplementedError

    # --- places

    def fail(self, why: str, at: int | None = None) -> NoReturn:
        raise UnreadableError(why, self.at if at is None else at)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooMuchError("it is nested too deeply", self.at)

    def back_to(self, start: int, error: UnreadableError) -> None:
        """Read it another way, unless that has been done too often."""
        self.budget.tried -= max(self.at, error.at) - start
        if isinstance(error, TooMuchError) or self.budget.tried < 0:
            raise TooMuchError("it can be read in too many ways", start) from error
        self.at = start

    def peek(self, count: int = 1) -> str:
        return self.text[self.at : self.at + count]

    def blanks(self) -> None:
        if self.text[self.at : self.at + 1] in _BLANKS and (match := _BLANK.match(self.text, self.at)):
            self.at = match.end()

    def at_word(self) -> bool:
        character = self.peek()
        if not character:
            return False
        return character not in _META or (character in "<>" and self.text[self.at + 1 : self.at + 2] == "(")

    # --- words

    def word(self, *, pattern: bool = False) -> Word:
        """A word without quotes around it; inside ``[[ =~ ]]`` and patterns, parentheses and bars belong to it."""
        start, text, size = self.at, self.text, len(self.text)
        parts: list[Part] = []
        self.spend_word()
        run = _RUN.match(text, start)
        if run is not None:
            end = run.end()
            if end == size or text[end] in " \t\n;":
                # Nearly every word: nothing in it that has to be worked out.
                self.at = end
                raw = text[start:end]
                return Word((Lit(raw),), raw)
        depth = 0
        while self.at < size:
            character = text[self.at]
            if run := _RUN.match(text, self.at):
                self.at = run.end()
                parts.append(Lit(run[0]))
            elif character in "<>" and self.peek(2)[1:] == "(":
                parts.append(self._process())
            elif character in "*?+@!" and self.peek(2)[1:] == "(":
                parts.extend(self._extended())
            elif pattern and character in "()|" and (depth or character != ")"):
                depth += (character == "(") - (character == ")")
                parts.append(Lit(character))
                self.at += 1
            elif character in _META:
                if pattern and depth and character in " \t<>&;":
                    parts.append(Lit(character))
                    self.at += 1
                    continue
                break
            else:
                self._part(character, parts)
        if not parts:
            # Made of line continuations alone, or something no word begins with.
            if self.at == start:
                self.fail(f"{text[start : start + 1]!r} is not expected here")
            parts.append(Lit(""))
        return Word(tuple(parts), text[start : self.at])

    def spend_word(self) -> None:
        self.budget.words -= 1
        if self.budget.words < 0:
            raise TooMuchError("it has too many words", self.at)

    def _count(self) -> None:
        self.budget.parts -= 1
        if self.budget.parts < 0:
            raise TooMuchError("it has too many quotes and expansions", self.at)

    def _part(self, character: str, parts: list[Part]) -> None:
        self._count()
        if character == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            self.at += 2
            if following != "\n":
                parts.append(Lit(following or "\\", quoted=True))
        elif character == "'":
            parts.append(Lit(self._single(), quoted=True))
        elif character == '"':
            self.at += 1
            parts.extend(self._double())
        elif character == "`":
            parts.append(Subst(self._backticks(quoted=False)))
        elif character == "$":
            parts.extend(self._dollar(quoted=False))
        else:
            # Control characters and other blanks are ordinary characters to a shell.
            parts.append(Lit(character))
            self.at += 1

    def _single(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            self.fail("a ' is never closed")
        inside = self.text[self.at + 1 : end]
        self.at = end + 1
        return inside

    def _double(self) -> list[Part]:
        """After the opening mark. An empty string is a word, too."""
        opened, text = self.at - 1, self.text
        parts: list[Part] = []
        while True:
            if run := _QUOTED_RUN.match(text, self.at):
                parts.append(Lit(run[0], quoted=True))
                self.at = run.end()
            character = self.peek()
            if character == '"':
                self.at += 1
                return parts or [Lit("", quoted=True)]
            if not character:
                self.fail('a " is never closed', opened)
            self._quoted_part(character, parts, escapes='$`"\\')

    def _quoted_part(self, character: str, parts: list[Part], escapes: str) -> None:
        self._count()
        if character == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            self.at += 2
            if following != "\n":
                parts.append(Lit(following if following and following in escapes else f"\\{following}", quoted=True))
        elif character == "`":
            parts.append(Subst(self._backticks(quoted='"' in escapes), quoted=True))
        else:
            parts.extend(self._dollar(quoted=True))

    def _extended(self) -> list[Part]:
        """``!(*.py)``: a pattern with alternatives."""
        parts: list[Part] = [Lit(self.peek(2))]
        self.at += 2
        while self.peek() != ")":
            if not self.peek():
                self.fail("a pattern's ( is never closed")
            if self.peek() == "|":
                parts.append(Lit("|"))
                self.at += 1
            else:
                parts.extend(self.word(pattern=True).parts)
                if self.peek() in _META - {"|", ")"}:
                    parts.append(Lit(self.peek()))
                    self.at += 1
        self.at += 1
        parts.append(Lit(")"))
        return parts

    def _process(self) -> Proc:
        reads = self.peek() == "<"
        self.at += 2
        return Proc(self.script_until(")"), reads)

    def _backticks(self, *, quoted: bool) -> ScriptTree:
        opened = self.at
        self.at += 1
        inside: list[str] = []
        while (character := self.peek()) != "`":
            if not character:
                self.fail("a ` is never closed", opened)
            if run := _BACKTICK_RUN.match(self.text, self.at):
                inside.append(run[0])
                self.at = run.end()
            elif character == "\\" and (following := self.text[self.at + 1 : self.at + 2]):
                escapes = '$`\\"' if quoted else "$`\\"
                inside.append(following if following in escapes else f"\\{following}")
                self.at += 2
            else:
                inside.append(character)
                self.at += 1
        self.at += 1
        return self.nested("".join(inside))

    # --- expansions

    def _dollar(self, *, quoted: bool) -> list[Part]:
        text, following = self.text, self.text[self.at + 1 : self.at + 2]
        if following == "(":
            return [self._parenthesis(quoted=quoted)]
        if following == "{":
            return [self._braces(quoted=quoted)]
        if following == "'" and not quoted:
            return [Lit(self._ansi(), quoted=True)]
        if following == '"' and not quoted:
            self.at += 2
            return self._double()
        if following == "[":
            self.at += 2
            return [self.arithmetic("]")]
        if name := _NAME.match(text, self.at + 1):
            self.at = name.end()
            return [Param(name[0], quoted=quoted)]
        if following and following in _SPECIAL:
            self.at += 2
            return [Param(following, quoted=quoted)]
        self.at += 1
        return [Lit("$", quoted=quoted)]

    def _parenthesis(self, *, quoted: bool) -> Part:
        start = self.at
        if self.peek(3) == "$((":
            # Arithmetic, unless its end says that it was a subshell in a substitution.
            self.at += 3
            depth = self.depth
            try:
                return self.arithmetic("))")
            except UnreadableError as error:
                self.back_to(start, error)
                self.depth = depth
        self.at += 2
        return Subst(self.script_until(")"), quoted=quoted)

    def arithmetic(self, end: str) -> Arith:
        """Until ``end``; what runs inside is kept, the numbers are not."""
        opened, text = self.at, self.text
        inner: list[ScriptTree] = []
        names: dict[str, None] = {}
        depth = 0
        self.deeper()
        while not (depth == 0 and text.startswith(end, self.at)):
            character = self.peek()
            if not character or (character == ")" and depth == 0 and end != "]"):
                self.fail("arithmetic is never closed", opened)
            if run := _ARITH_RUN.match(text, self.at):
                self.at = run.end()
            elif character in "$`":
                self._count()
                for part in self._dollar(quoted=True) if character == "$" else [Subst(self._backticks(quoted=False))]:
                    inner += scripts_in(part)
                    if isinstance(part, Param):
                        names[part.name] = None
            elif name := _ARITH_NAME.match(text, self.at):
                self.at = name.end()
                names[name[0]] = None
            elif character == '"':
                self.at += 1
                for part in self._double():
                    inner += scripts_in(part)
            elif character == "'":
                self._single()
            else:
                depth += (character in "([") - (character in ")]")
                if depth > DEEPEST:
                    raise TooMuchError("it is nested too deeply", self.at)
                self.at += 2 if character == "\\" else 1
        self.at += len(end)
        self.depth -= 1
        return Arith(tuple(names), tuple(inner))

    def _braces(self, *, quoted: bool) -> Part:
        opened, text = self.at, self.text
        self.at += 2
        if self.peek() in (" ", "\t", "\n", "|"):
            # A substitution that runs in this very shell.
            self.at += self.peek() == "|"
            return Subst(self.script_until("}"), quoted=quoted)
        op = ""
        if self.peek() == "!" and self.text[self.at + 1 : self.at + 2] not in ("}", ""):
            op = "!"
            self.at += 1
        elif self.peek() == "#" and text[self.at + 1 : self.at + 2] not in ("}", ""):
            op = "length"
            self.at += 1
        name = _NAME.match(text, self.at)
        if name:
            self.at = name.end()
        elif self.peek() and self.peek() in _SPECIAL:
            digits = re.compile(r"\d+|.").match(text, self.at)
            assert digits is not None
            name = digits
            self.at = digits.end()
        else:
            self.fail("this ${…} is not one a shell knows", opened)
        self.deeper()
        inner: list[ScriptTree] = []
        subscript = ""
        if self.peek() == "[":
            op = op or "["
            self.at += 1
            begun = self.at
            inner += self.arithmetic("]").inner
            subscript = text[begun : self.at - 1]
        word = None
        if match := _PARAM_OP.match(text, self.at):
            self.at = match.end()
            if match[0] == ":":
                word = self._operand(quoted=quoted)
                op = op or ":"
            else:
                op = op if op in ("!", "length") else match[0]
                word = self._operand(quoted=quoted)
        if self.peek() != "}":
            self.fail("this ${…} is not one a shell knows", opened)
        self.at += 1
        self.depth -= 1
        return Param(name[0], op, word, quoted, tuple(inner), subscript)

    def _operand(self, *, quoted: bool) -> Word:
        """The word inside ``${x:-…}``, up to its brace."""
        start = self.at
        parts: list[Part] = []
        while (character := self.peek()) != "}":
            if not character:
                self.fail("a ${ is never closed", start)
            if character == '"':
                self.at += 1
                parts.extend(self._double())
            elif character == "'" and not quoted:
                parts.append(Lit(self._single(), quoted=True))
            elif character in "\\`$":
                if quoted:
                    self._quoted_part(character, parts, escapes='$`"\\}')
                else:
                    self._part(character, parts)
            elif character in "<>" and self.peek(2)[1:] == "(" and not quoted:
                parts.append(self._process())
            elif run := _OPERAND_RUN.match(self.text, self.at):
                parts.append(Lit(run[0], quoted=quoted))
                self.at = run.end()
            else:
                self._count()
                parts.append(Lit(character, quoted=quoted))
                self.at += 1
        return Word(tuple(parts), self.text[start : self.at])

    def _ansi(self) -> str:
        """``$'…'``"""
        opened = self.at
        self.at += 2
        end = self.at
        while True:
            character = self.text[end : end + 1]
            if not character:
                self.fail("a $' is never closed", opened)
            if character == "'":
                break
            end += 2 if character == "\\" else 1
        inside = self.text[self.at : end]
        self.at = end + 1
        return _ANSI.sub(_ansi_character, inside).partition("\0")[0]

    # --- here-documents

    def announce(self, redirect: Redirect, *, strip: bool) -> None:
        self.budget.heredocs -= 1
        if self.budget.heredocs < 0:
            raise TooMuchError("it has too many here-documents", self.at)
        # An expansion in a delimiter is not one, and quotes nothing.
        quoted = any(mark in redirect.target.raw for mark in "'\"\\")
        self.awaited.append((redirect, _unquoted(redirect.target), quoted, strip))

    def newline(self) -> None:
        """Past the end of a line, and past the here-documents that were announced on it."""
        self.at += 1
        awaited, self.awaited = self.awaited, []
        for redirect, delimiter, quoted, strip in awaited:
            redirect.body = self._body(delimiter, quoted=quoted, strip=strip)

    def _body(self, delimiter: str, *, quoted: bool, strip: bool) -> Word:
        lines: list[str] = []
        text, size = self.text, len(self.text)
        while self.at < size:
            end = text.find("\n", self.at)
            end = size if end < 0 else end
            line = text[self.at : end]
            self.at = min(end + 1, size)
            if not quoted:
                # A line that ends in a backslash goes on, and its end cannot be the delimiter.
                while line.endswith("\\") and (len(line) - len(line.rstrip("\\"))) % 2 and self.at < size:
                    end = text.find("\n", self.at)
                    end = size if end < 0 else end
                    line = line[:-1] + text[self.at : end]
                    self.at = min(end + 1, size)
            line = line.lstrip("\t") if strip else line
            if line == delimiter:
                break
            lines.append(f"{line}\n")
        raw = "".join(lines)
        if quoted:
            return Word((Lit(raw, quoted=True),), raw)
        try:
            return type(self)(raw, self.depth, self.budget).here_text()
        except UnreadableError as error:
            error.at = self.at
            raise

    def here_text(self) -> Word:
        """The whole text as the body of a here-document: only expansions count."""
        parts: list[Part] = []
        while self.at < len(self.text):
            if run := _HEREDOC_RUN.match(self.text, self.at):
                parts.append(Lit(run[0], quoted=True))
                self.at = run.end()
            else:
                self._quoted_part(self.peek(), parts, escapes="$`\\")
        return Word(tuple(parts) or (Lit("", quoted=True),), self.text)


def scripts_in(part: Part) -> tuple[ScriptTree, ...]:
    """All that runs when this part is worked out."""
    match part:
        case Subst(script) | Proc(script):
            return (script,)
        case Arith(_, inner):
            return inner
        case Param(_, _, word, _, inner):
            return inner + (() if word is None else tuple(s for p in word.parts for s in scripts_in(p)))
        case _:
            return ()


def _unquoted(word: Word) -> str:
    """A delimiter is never expanded, only freed of its quotes."""
    if all(isinstance(part, Lit) for part in word.parts):
        return "".join(part.text for part in word.parts if isinstance(part, Lit))
    return re.sub(r"\\(.)|['\"]", r"\1", word.raw)


def _ansi_character(match: re.Match[str]) -> str:
    plain, octal, byte, short, long, control = match.groups()
    if plain is not None:
        return _ANSI_CHARS.get(plain, plain)
    if octal is not None:
        return chr(int(octal, 8) & 0xFF)
    if control is not None:
        return chr(ord(control.upper()) & 0x1F)
    code = int(byte or short or long, 16)
    return chr(code) if code < 0x110000 else "\ufffd"
