"""Programs in other languages than Python: looked through for the functions that do something, and for their texts."""

import re
from collections.abc import Generator, Iterator
from functools import lru_cache

from assent.policy import sensitive, variables
from assent.policy.commands.spec import Finding, Run
from assent.policy.effects import Effect, Kind, care, danger, nothing
from assent.policy.guarded import guarded
from assent.policy.inline.languages import LANGUAGES, Language
from assent.policy.inline.simple import is_simple, read_as_data
from assent.policy.places import on_path
from assent.policy.spelling import Setting
from assent.policy.words import HOLE, Arg
from assent.protocol.risk import Risk

MOST = 30
LONGEST_NAME = 200

_LITERAL = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\$]|\\.)*)`)\s*""")
_NEXT = re.compile(r"\s*,[\s\[]*")
_JOINS = re.compile(r"[\s+.\[\]]+")
_OTHER = re.compile(r"[^\s+.,;)\"'`\n]+")
_BACKTICKS = re.compile(r"`([^`]*)`|(?:%x|\bqx)\s*[\[{(<|!/]([^\]})>|!/]*)")
_OPENS = re.compile(r"\bopen\b\s*\(?([^;]*)")


def findings(language: str, text: str, setting: Setting, cwd: str | None) -> list[Finding]:
    known = LANGUAGES.get(language, LANGUAGES["other"])
    found = list(_findings(known, text, setting, cwd))
    if language == "perl":
        found += _perl_opens(text, setting, cwd)
    elif language == "javascript":
        found += [on_path("read", Arg(path), setting, cwd) for path in read_as_data(text)]
    if is_simple(language, text, known):
        return found or [nothing("It only calculates and prints.")]
    if not any(isinstance(each, Effect) and each.risk >= Risk.CARE for each in found):
        found.append(care("run", f"It runs a {_shown(language)} program given in the line."))
    return found


def _shown(language: str) -> str:
    return "" if language == "other" else language.capitalize()


def _findings(known: Language, text: str, setting: Setting, cwd: str | None) -> Iterator[Finding]:
    if known.runs and (not known.needs or re.search(known.needs, text)):
        for line in _texts(_calls(known.runs), text):
            yield care("run", "It starts a command from inside a program.")
            yield Run(line=Arg(HOLE if line is None else line))
    if known.backticks:
        for each in list(_BACKTICKS.finditer(text))[:MOST]:
            line = each[1] if each[1] is not None else each[2]
            yield care("run", "It starts a command from inside a program.")
            yield Run(line=Arg(re.sub(r"#\{.*?\}|\$\w+|\$\{.*?\}", HOLE, line)))
    kinds: tuple[tuple[Kind, str], ...] = (("read", known.reads), ("write", known.writes), ("delete", known.deletes))
    reads = False
    for kind, functions in kinds:
        for path in _texts(_calls(functions), text) if functions else ():
            reads |= kind == "read"
            yield on_path(kind, Arg(HOLE if path is None else path), setting, cwd, recursive=kind == "delete")
            if path is None or not path.partition(" ")[0].strip(HOLE):
                # Which file is not known here, but its name may stand elsewhere in the program.
                for name in _telling(text):
                    yield on_path(kind, Arg(name), setting, cwd)
    yield from _taken_along(text, setting, cwd)
    if known.evaluates and re.search(known.evaluates, text):
        yield danger("dynamic", "It runs text as a program, or loads one, and what that is cannot be told.")
    if known.dangerous and re.search(known.dangerous, text):
        yield danger("run", "It does more to the system than can be told from here.")
    reads |= yield from _environment(known, text)
    if known.connects and re.search(known.connects, text):
        if reads or (known.sends and re.search(known.sends, text)):
            yield danger("send", "It carries something out to the network.")
        else:
            yield care("fetch", "It opens connections to the network.")


# They move a file, change its mode or make another way to it: whatever they name goes along.
_TAKING = re.compile(
    r"\b(?:rename|move|mv|chmod|chown|lchown|symlink|link|ln_s|ln_sf|cp_r|Move-Item|Rename-Item|file\.rename)(?:Sync)?\b"
    r"([^;\n]{0,400})"
)


def _taken_along(text: str, setting: Setting, cwd: str | None) -> Iterator[Finding]:
    """The guard's own files, or a folder around them."""
    for call in list(_TAKING.finditer(text))[:MOST] if not setting.things.is_empty else ():
        for literal in _LITERAL.finditer(call[1]):
            path = _unescaped(next(group for group in literal.groups() if group is not None))
            for spelled in (path, f"{setting.home}/{path.lstrip('/')}"):
                if path.strip("/") and (found := guarded("delete", Arg(spelled), setting, cwd)) is not None:
                    yield found


def _telling(text: str) -> Iterator[str]:
    """Texts in the program that are names which matter: of secrets, of settings that others obey."""
    for found in list(_LITERAL.finditer(text))[:MOST]:
        name = next(group for group in found.groups() if group is not None)
        if 1 < len(name) < LONGEST_NAME and (sensitive.is_secret(name) or sensitive.is_obeyed(name)):
            yield name


def _environment(known: Language, text: str) -> Generator[Finding, None, bool]:
    reads = False
    for each in re.finditer(known.variable, text) if known.variable else ():
        name = next((group for group in each.groups() if group), "")
        if variables.is_secret(name):
            reads = True
            yield danger("secret", f"It reads the secret in {name}.", name)
    if known.all_variables and re.search(known.all_variables, text):
        reads = True
        yield care("secret", "It takes all variables, and secrets may be among them.")
    return reads


@lru_cache(maxsize=128)
def _calls(functions: str) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in functions.split())
    # Not part of another word, and followed by something it is given.
    return re.compile(rf"(?<![\w$%@-])(?:{names})(?![\w?=:-])\s*(?=[\s(\"'`\[{{$@<]|q\W)\(?")


def _texts(calls: re.Pattern[str], text: str) -> Iterator[str | None]:
    """The texts that each call begins with, as one line; holes in it, or None, where something else stands."""
    for call in list(calls.finditer(text))[:MOST]:
        place, words, word = call.end(), [], ""
        while place < len(text):
            if found := _LITERAL.match(text, place):
                word += _unescaped(next(group for group in found.groups() if group is not None))
            elif found := _NEXT.match(text, place):
                words.append(word)
                word = ""
                if not _LITERAL.match(text, found.end()):
                    break
            elif found := _JOINS.match(text, place):
                pass
            elif found := _OTHER.match(text, place):
                word += HOLE
            else:
                break
            place = found.end()
        line = " ".join([*words, word] if word else words)
        yield None if line.strip(f"{HOLE} ") == "" else line


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def _perl_opens(text: str, setting: Setting, cwd: str | None) -> Iterator[Finding]:
    for each in list(_OPENS.finditer(text))[:MOST]:
        literals = [
            next(group for group in found.groups() if group is not None) for found in _LITERAL.finditer(each[1])
        ]
        mode = literals[0] if literals else HOLE
        path = literals[1] if len(literals) > 1 else mode.lstrip("<>+ ") or HOLE
        kind: Kind = "write" if ">" in mode or HOLE in mode else "read"
        yield on_path(kind, Arg(path), setting, cwd)
