"""Split a shell command line into its simple commands, by its characters alone.

Conservative on purpose. Whatever this does not follow to the end is named in ``unsure``, which keeps every allow rule
from covering the line, and where the quoting itself is in doubt the pieces of a reading that ignores quotes are added
to ``hidden``, so that a deny rule still finds what it looks for.
"""

import re
from dataclasses import dataclass, field

LONGEST = 64 * 1024
MOST_SEGMENTS = 400
MOST_STEPS = 20_000
DEEPEST = 40

_KEYWORD = re.compile(
    r"if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|\{|\}|!|\[\[|coproc|repeat|foreach|end"
)
_PLAIN = re.compile(r"[^\s'\"\\$`<>|&;()#]+|[^\S \t\n]+")
_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_DOLLAR = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\}|[0-9?$#!@*-])")
_ANSI_C = re.compile(r"\$'((?:[^\\']|\\.)*)'", re.DOTALL)
_ANSI_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_ANSI_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
_REDIRECT = re.compile(r"&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||[<>]")
_OPERATOR = re.compile(r"\|\||&&|\|&|;+&?|[|&\n()]")
# Tab and newline are everyday text; the others hide things from the person who reads the line.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_BLIND = re.compile(r"[;&|\n`(){}<>]|:[-+=?]")
_BLIND_BLANK = re.compile(r"(?:\s|\$\{?IFS\}?)+")
_QUOTING = re.compile(r"[\"'\\]")


@dataclass(frozen=True, slots=True)
class Word:
    """One word as written, and as the shell would pass it on where that can be told."""

    raw: str
    value: str


@dataclass(frozen=True, slots=True)
class Redirect:
    fd: str
    operator: str
    target: Word

    @property
    def is_harmless(self) -> bool:
        """Joins two outputs, or discards: changes nothing anybody keeps."""
        if self.operator in (">&", "<&"):
            return self.target.raw in ("0", "1", "2") and self.fd in ("", "0", "1", "2")
        return self.operator in (">", ">>", "&>", "&>>", "<") and self.target.raw == "/dev/null"


@dataclass(frozen=True, slots=True)
class Segment:
    """One simple command."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    piped: bool = False
    # The words as written, joined by single blanks: what a rule that allows looks at.
    text: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A command line. ``hidden`` are commands inside substitutions, or that may be commands."""

    text: str
    segments: tuple[Segment, ...]
    hidden: tuple[Segment, ...] = ()
    # Text given to a command as its input: here-documents and here-strings.
    bodies: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    # More than anybody can judge; what is here is only its beginning.
    over: bool = False


def split(text: str) -> Line:
    """Never raises."""
    return _Splitter(text[:LONGEST], over=len(text) > LONGEST).run()


@dataclass(slots=True)
class _Frame:
    """The top of the line, or the inside of one substitution."""

    closing: str
    start: int = 0
    segments: list[Segment] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    value: list[str] = field(default_factory=list)
    in_word: bool = False
    in_double: bool = False
    piped: bool = False
    groups: int = 0
    # A redirection that waits for its target: file descriptor and operator.
    pending: tuple[str, str] | None = None


class _Splitter:
    def __init__(self, text: str, *, over: bool) -> None:
        self._text = text
        self._at = 0
        self._frames = [_Frame(closing="")]
        self._hidden: list[Segment] = []
        self._bodies: list[str] = []
        self._heredocs: list[tuple[str, bool, bool]] = []
        self._unsure: dict[str, None] = {}
        self._doubtful = False
        self._count = 0
        self._over = over

    def run(self) -> Line:
        if _CONTROL.search(self._text):
            self._unsure["control characters"] = None
        if "IFS" in self._text:
            self._doubt("a changed word separator")
        for _ in range(MOST_STEPS):
            if self._at >= len(self._text) or self._count > MOST_SEGMENTS or len(self._frames) > DEEPEST:
                break
            frame = self._frames[-1]
            if frame.in_double:
                self._double(frame)
            else:
                self._bare(frame)
        self._finish()
        return Line(
            text=self._text,
            segments=tuple(self._frames[0].segments),
            hidden=tuple(self._hidden),
            bodies=tuple(self._bodies),
            unsure=tuple(self._unsure),
            over=self._over,
        )

    def _finish(self) -> None:
        if self._at < len(self._text):
            self._over = True
        if self._over:
            self._unsure["more than can be judged"] = None
        for frame in reversed(self._frames[1:]):
            self._doubt("a substitution that does not end")
            self._flush(frame)
            self._hidden.extend(frame.segments)
        if self._frames[0].in_double:
            self._doubt("unbalanced quotes")
        self._flush(self._frames[0])
        if self._doubtful:
            self._hidden.extend(_blind(self._text))

    def _doubt(self, why: str) -> None:
        """The shell may quote differently from this reading."""
        self._unsure[why] = None
        self._doubtful = True

    # One step outside double quotes.

    def _bare(self, frame: _Frame) -> None:
        text, at = self._text, self._at
        if found := _PLAIN.match(text, at):
            self._add(frame, found.group(), found.group())
            self._at = found.end()
            return
        char = text[at]
        if char in " \t":
            self._end_word(frame)
            self._at = at + 1
        elif char == "'":
            self._single(frame)
        elif char == '"':
            self._add(frame, char, "")
            frame.in_double = True
            self._at = at + 1
        elif char == "\\":
            self._escape(frame)
        elif char == "$":
            self._dollar(frame)
        elif char == "`":
            self._tick(frame)
        elif char == "#":
            self._hash(frame)
        elif char in "<>" or text.startswith("&>", at):
            self._redirect(frame)
        else:
            self._operator(frame)

    def _single(self, frame: _Frame) -> None:
        end = self._text.find("'", self._at + 1)
        if frame.closing == "`":
            self._doubt("quotes inside backquotes")
        if end < 0:
            self._doubt("unbalanced quotes")
            end = len(self._text)
        self._add(frame, self._text[self._at : end + 1], self._text[self._at + 1 : end])
        self._at = end + 1

    def _escape(self, frame: _Frame) -> None:
        escaped = self._text[self._at + 1 : self._at + 2]
        if frame.closing == "`":
            self._doubt("quotes inside backquotes")
        if escaped != "\n":  # a continued line: the shell removes both characters
            self._add(frame, "\\" + escaped, escaped)
        self._at += 2

    def _dollar(self, frame: _Frame) -> None:
        text, at = self._text, self._at
        if text.startswith("$(", at):
            self._open(frame, ")", 2)
        elif found := _DOLLAR.match(text, at):
            self._add(frame, found.group(), found.group())
            self._at = found.end()
        elif text.startswith("$'", at) and not frame.in_double:
            self._ansi_c(frame)
        elif text.startswith('$"', at) and not frame.in_double:
            self._unsure["translated text"] = None
            self._at = at + 1
        else:
            if text.startswith(("${", "$["), at):
                self._doubt("an expansion")
            self._add(frame, "$", "$")
            self._at = at + 1

    def _ansi_c(self, frame: _Frame) -> None:
        self._unsure["escaped text"] = None
        if found := _ANSI_C.match(self._text, self._at):
            self._add(frame, found.group(), _ANSI_ESCAPE.sub(_unescaped, found[1]))
            self._at = found.end()
        else:
            self._doubt("unbalanced quotes")
            self._add(frame, "$'", "")
            self._at += 2

    def _tick(self, frame: _Frame) -> None:
        if frame.closing == "`":
            self._at += 1
            self._close(frame)
        else:
            self._open(frame, "`", 1)

    def _hash(self, frame: _Frame) -> None:
        if frame.in_word:
            self._add(frame, "#", "#")
            self._at += 1
            return
        self._unsure["a comment"] = None
        # In $( ) a comment runs to the end of its line; a backquote ends it at once.
        stops = ["\n", "`"] if frame.closing == "`" else ["\n"]
        found = [self._text.find(stop, self._at) for stop in stops]
        self._at = min((place for place in found if place >= 0), default=len(self._text))

    def _redirect(self, frame: _Frame) -> None:
        if self._text.startswith(("<(", ">("), self._at):
            self._open(frame, ")", 2)
            return
        found = _REDIRECT.match(self._text, self._at)
        assert found is not None, "called on a redirection only"
        fd = "".join(frame.raw)
        if frame.in_word and fd.isdigit() and not found.group().startswith("&"):
            frame.raw, frame.value, frame.in_word = [], [], False
        else:
            self._end_word(frame)
            fd = ""
        frame.pending = (fd, found.group())
        self._at = found.end()

    def _operator(self, frame: _Frame) -> None:
        found = _OPERATOR.match(self._text, self._at)
        assert found is not None, "every other character was taken before"
        operator = found.group()
        self._at = found.end()
        ended = self._flush(frame)
        if operator == "(":
            frame.groups += 1
            self._unsure["a group"] = None
        elif operator == ")":
            if frame.groups:
                frame.groups -= 1
            elif frame.closing == ")":
                self._close(frame)
                return
            else:
                self._doubt("unbalanced parentheses")
        elif operator in ("&", ";&"):
            self._unsure["a background command"] = None
        if operator in ("|", "|&"):
            frame.piped = True
        elif operator not in "()" and (ended or operator != "\n"):
            frame.piped = False
        if operator == "\n":
            self._read_heredocs()

    # One step inside double quotes.

    def _double(self, frame: _Frame) -> None:
        text, at = self._text, self._at
        if found := _IN_DOUBLE.match(text, at):
            self._add(frame, found.group(), found.group())
            self._at = found.end()
            return
        char = text[at]
        if frame.closing == "`":
            self._doubt("quotes inside backquotes")
        if char == '"':
            self._add(frame, char, "")
            frame.in_double = False
            self._at = at + 1
        elif char == "\\":
            escaped = text[at + 1 : at + 2]
            kept = escaped if escaped in ("$", "`", '"', "\\") else "" if escaped == "\n" else "\\" + escaped
            self._add(frame, "\\" + escaped, kept)
            self._at = at + 2
        elif char == "$":
            self._dollar(frame)
        else:
            self._tick(frame)

    # Words, segments, substitutions.

    def _add(self, frame: _Frame, raw: str, value: str) -> None:
        frame.in_word = True
        frame.raw.append(raw)
        frame.value.append(value)

    def _end_word(self, frame: _Frame) -> None:
        if not frame.in_word:
            return
        word = Word("".join(frame.raw), "".join(frame.value))
        frame.raw, frame.value, frame.in_word = [], [], False
        if frame.pending is None:
            frame.words.append(word)
            return
        fd, operator = frame.pending
        frame.pending = None
        redirect = Redirect(fd, operator, word)
        frame.redirects.append(redirect)
        if not redirect.is_harmless:
            self._unsure["a redirection"] = None
        if operator in ("<<", "<<-"):
            if frame.groups:
                self._doubt("a shift or a here-document")  # $(( 1 << 2 )) looks like one
            self._heredocs.append((word.value, word.raw != word.value, operator == "<<-"))
        elif operator == "<<<":
            self._bodies.append(word.value)

    def _flush(self, frame: _Frame) -> bool:
        """End the simple command; False where there was none."""
        self._end_word(frame)
        if frame.pending is not None:
            frame.pending = None
            self._doubt("a redirection to nowhere")
        if not frame.words and not frame.redirects:
            return False
        if frame.words and _KEYWORD.fullmatch(frame.words[0].raw):
            self._unsure["a compound command"] = None
            if frame.words[0].raw == "case":
                self._doubt("a case")  # its patterns end in a parenthesis that opened nowhere
        text = " ".join([word.raw for word in frame.words])
        frame.segments.append(Segment(tuple(frame.words), tuple(frame.redirects), frame.piped, text))
        frame.words, frame.redirects, frame.piped = [], [], False
        self._count += 1
        return True

    def _open(self, frame: _Frame, closing: str, width: int) -> None:
        self._unsure["a substitution"] = None
        # The outer word goes on after the substitution, with its text as written.
        frame.in_word = True
        self._frames.append(_Frame(closing=closing, start=self._at))
        self._at += width

    def _close(self, frame: _Frame) -> None:
        """The text stands just behind the closing character."""
        self._flush(frame)
        self._frames.pop()
        self._hidden.extend(frame.segments)
        written = self._text[frame.start : self._at]
        self._add(self._frames[-1], written, written)

    def _read_heredocs(self) -> None:
        for delimiter, is_quoted, strips_tabs in self._heredocs:
            body: list[str] = []
            while self._at < len(self._text):
                end = self._text.find("\n", self._at)
                end = len(self._text) if end < 0 else end
                line = self._text[self._at : end]
                self._at = end + 1
                if (line.lstrip("\t") if strips_tabs else line) == delimiter:
                    break
                body.append(line)
            text = "\n".join(body)
            self._bodies.append(text)
            runs = [] if is_quoted else [place for place in (text.find("$("), text.find("`")) if place >= 0]
            if runs:
                self._hidden.extend(_blind(text[min(runs) :]))
        self._heredocs.clear()


def _unescaped(found: re.Match[str]) -> str:
    hexadecimal, unicode, octal, letter = found.groups()
    if letter is not None:
        return _ANSI_LETTERS.get(letter, str(letter))
    return chr(int(hexadecimal or unicode, 16) if octal is None else int(octal, 8))


def _blind(text: str) -> list[Segment]:
    """Every piece between operators, as if nothing were quoted."""
    pieces = []
    for piece in _BLIND.split(text, maxsplit=MOST_SEGMENTS):
        words = [Word(word, _QUOTING.sub("", word)) for word in _BLIND_BLANK.split(piece) if word]
        if words:
            pieces.append(Segment(tuple(words), text=" ".join([word.raw for word in words])))
    return pieces
