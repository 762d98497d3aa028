"""What an awk program does besides printing: commands it runs, files and connections it opens."""

import re
from collections.abc import Iterator

from msgspec import Struct

from assent.expressions import later
from assent.policy.commands.spec import Finding, Invocation, Run
from assent.policy.effects import Effect, care, danger
from assent.policy.shell import variables
from assent.policy.shell.words import HOLE, Arg


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "/": "/", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_TOKEN = later(
    r"""(?P<space>[ \t\r]+|\\\r?\n|\#[^\n]*)
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<word>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)?)
    | (?P<number>0[xX][0-9A-Fa-f]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)
    | (?P<mark>@[A-Za-z]*|\|&|\|\||&&|>>|[<>=!]=|[-+*/%^]=|\+\+|--|\*\*=?|!~|[{}()\[\];,\n+\-*/%^!<>|?:~$=&])""",
    re.VERBOSE | re.DOTALL,
)
# Behind these a slash divides; elsewhere it begins a pattern.
_VALUES = frozenset({"string", "number", "word", "regex"})
_NOT_VALUES = _words("print printf return in getline case")
_ENDS = frozenset({";", "\n", "}", "{", "", ")"})
_OPERATORS = _words(", && || == != <= >= ~ !~ ? : = += -= *= /= %= ^= < > + * / % in")


LONGEST = 4_096
# How far an expression is followed.
_FAR = 64


class _Token(Struct, frozen=True):
    kind: str
    text: str


class _UnreadableError(Exception):
    pass


def findings(it: Invocation, program: str, given: dict[str, str]) -> Iterator[Finding]:
    if len(program) > LONGEST:
        yield care("unknown", "The awk program is too long to look through.")
        return
    if HOLE in program:
        yield care("dynamic", "Part of the awk program is known only when it runs.")
        return
    try:
        tokens = _tokens(program)
    except _UnreadableError:
        yield care("unknown", "Assent cannot read this awk program.")
        return
    yield from _look(it, tokens)
    # What a variable is set to may be what is opened or run: that is looked at, too.
    if named := _with_texts(tokens, given):
        yield from _look(it, named)


def _with_texts(tokens: list[_Token], given: dict[str, str]) -> list[_Token] | None:
    """The program with variables that are set to a plain text replaced by it; None where there are none."""
    texts = {name: _Token("string", f'"{value}"') for name, value in given.items()}
    for at in range(len(tokens) - 2):
        if tokens[at].kind == "word" and tokens[at + 1].text == "=" and tokens[at + 2].kind == "string":
            texts.setdefault(tokens[at].text, tokens[at + 2])
    if not texts:
        return None
    following = [token.text for token in tokens[1:]] + [""]
    return [
        texts.get(token.text, token) if token.kind == "word" and after != "=" else token
        for token, after in zip(tokens, following, strict=True)
    ]


def _tokens(program: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(program):
        if program[at] == "/" and not _ends_value(tokens):
            end = _pattern_end(program, at)
            tokens.append(_Token("regex", program[at:end]))
            at = end
            continue
        match = _TOKEN.match(program, at)
        if match is None:
            raise _UnreadableError
        if match.lastgroup != "space":
            tokens.append(_Token(match.lastgroup or "", match[0]))
        at = match.end()
    return tokens


def _ends_value(tokens: list[_Token]) -> bool:
    if not tokens:
        return False
    last = tokens[-1]
    if last.kind == "word":
        return last.text not in _NOT_VALUES
    return last.kind in _VALUES or last.text in (")", "]", "$", "++", "--")


def _pattern_end(program: str, start: int) -> int:
    at = start + 1
    inside = False
    while at < len(program):
        character = program[at]
        if character == "\\":
            at += 1
        elif character == "\n":
            break
        elif character == "[":
            inside = True
            # A bracket may stand first in a class.
            at += 1 if program[at + 1 : at + 2] == "]" else 2 if program[at + 1 : at + 3] == "^]" else 0
        elif character == "]":
            inside = False
        elif character == "/":
            if inside:
                # Versions differ in whether the class hides it.
                raise _UnreadableError
            return at + 1
        at += 1
    raise _UnreadableError


def _look(it: Invocation, tokens: list[_Token]) -> Iterator[Finding]:
    texts = [token.text if token.kind != "string" else "" for token in tokens] + [""]
    printing, depth = False, 0
    for place, token in enumerate(tokens):
        if token.kind == "string":
            if "/inet" in token.text:
                yield danger("send", "It opens a connection from inside awk.", token.text.strip('"'))
            continue
        match token.text:
            case "print" | "printf":
                printing, depth = True, 0
            case ";" | "\n" | "}" | "{":
                printing = False
            case "(" | "[":
                depth += 1
            case ")" | "]":
                depth -= 1
            case "system" if texts[place + 1] == "(":
                yield _run(_value(tokens, place + 2))
            case ">" | ">>" if printing and depth <= 0:
                yield it.path("write", Arg(_value(tokens, place + 1)))
            case "|" | "|&" if texts[place + 1] == "getline":
                yield _run(_value_before(tokens, place))
            case "|" | "|&":
                yield _run(_value(tokens, place + 1))
            case "getline":
                yield from _reads(it, tokens, place)
            case "ENVIRON":
                yield from _environment(tokens, place)
            case "ARGV" if _is_assigned(texts, place):
                yield care("dynamic", "The program itself decides which files awk reads.")
            case "SYMTAB" | "FUNCTAB" | "PROCINFO" if texts[place] != "PROCINFO" or _is_assigned(texts, place):
                yield care("dynamic", "The program reaches its own variables by name.")
            case text if text.startswith("@"):
                yield care("run", "The awk program loads or calls code that is not in sight.", text)
    if depth > 0 and printing:
        yield care("unknown", "Assent cannot read this awk program.")


def _reads(it: Invocation, tokens: list[_Token], place: int) -> Iterator[Finding]:
    """``getline < file``, ``getline line < file``."""
    for ahead in range(place + 1, min(place + 8, len(tokens))):
        token = tokens[ahead]
        if token.kind == "mark" and token.text == "<":
            yield it.path("read", Arg(_value(tokens, ahead + 1)))
            return
        if token.kind == "mark" and token.text in _ENDS:
            return


def _environment(tokens: list[_Token], place: int) -> Iterator[Effect]:
    name = tokens[place + 2] if place + 2 < len(tokens) and tokens[place + 1].text == "[" else None
    if name is None or name.kind != "string":
        yield danger("secret", "It goes through every variable, and secrets may be among them.")
    elif variables.is_secret(name.text.strip('"')):
        yield danger("secret", "It prints a secret from a variable.", name.text.strip('"'))


def _is_assigned(texts: list[str], place: int) -> bool:
    if texts[place + 1] != "[":
        return False
    depth = 0
    for at in range(place + 1, min(place + _FAR, len(texts))):
        depth += {"[": 1, "]": -1}.get(texts[at], 0)
        if depth == 0:
            return texts[at + 1 : at + 2] == ["="]
    return True


def _run(line: str) -> Finding:
    if line.strip(HOLE + " ") == "":
        return danger("run", "awk runs text that is known only when it runs.")
    return Run(line=Arg(line), fed=True)


def _value(tokens: list[_Token], start: int) -> str:
    """What stands here, put together: known texts as they are, everything else a hole."""
    made: list[str] = []
    depth = 0
    at = start
    while at < len(tokens):
        if at > start + _FAR:
            return HOLE
        token = tokens[at]
        if token.kind == "mark":
            if token.text in ("(", "["):
                depth += 1
            elif token.text in (")", "]"):
                depth -= 1
                if depth < 0:
                    break
            elif depth <= 0 and token.text in ("|", "|&", ";", "\n", "}", ">", ">>", ","):
                break
            elif token.text in _OPERATORS:
                made.append(HOLE)
        elif token.kind == "string" and not (at and tokens[at - 1].text == "[" and depth):
            made.append(_text(token.text))
        elif token.kind == "word" and token.text == "getline":
            break
        else:
            made.append(HOLE)
        at += 1
    return re.sub(f"{HOLE}+", HOLE, "".join(made))


def _value_before(tokens: list[_Token], end: int) -> str:
    """The expression that ends here: ``"date" | getline``."""
    start = end
    depth = 0
    while start > 0:
        if start < end - _FAR:
            return HOLE
        token = tokens[start - 1]
        if token.kind == "mark":
            depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(token.text, 0)
            if depth < 0 or (depth == 0 and token.text in (";", "\n", "{", "}", "=", "&&", "||", "!", ",")):
                break
        elif token.kind == "word" and token.text in ("while", "if", "print", "do", "else") and depth == 0:
            break
        start -= 1
    return _value(tokens[:end], start)


def _text(literal: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] == "x" and len(code) > 1:
            return chr(int(code[1:], 16))
        if code[0] in "01234567":
            return chr(int(code, 8) & 0xFF)
        return _ESCAPES.get(code, code)

    return re.sub(r"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)", character, literal[1:-1], flags=re.DOTALL)
