"""Reasons for people and models: the sentence of an effect, completed with its target.

Names come from the line that is judged, so they are foreign text: without secrets, cut in the middle, on one line, with
unseen characters spelled out, and in quotes where they could be taken for words of ours.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from assent.policy.effects import Effect, Kind
from assent.policy.shell.words import OWN
from assent.protocol import decision as protocol
from assent.redact import scan

LONGEST_NAME = 60
LONGEST_STEP = 80
MOST_NAMED = 2
LONGEST_READ = 2_000

# Behind the first clause there is room for a name.
_CLAUSE = re.compile(r"[;:]\s|, (?:and|which|with|unless)\b|\.\s")
# A name that needs no quotes: it ends where a blank or the end of the sentence is.
_PLAIN = re.compile(r"(?=.*\w)[^\s“”()]*[\w/*~\]}$-]|[/~]+")
# A sentence with names of its own.
_WROTE = "this session wrote: "
_GOES_ON = re.compile(r"[\w-]")
# Nothing that a person could look for: known only when it runs, or given by the shell.
_NAMELESS = re.compile(r"[/\s*]*…[…/\s*]*|/dev/fd/\d+|")


def telling(effect: Effect) -> tuple[int, int]:
    """The greater, the sooner it is told: how bad it is, then how much its kind says."""
    return effect.risk, protocol.telling(effect.kind)


def is_told_with(other: Effect, effect: Effect) -> bool:
    """Whether the target of the other one belongs into the sentence of this one, or is where it got what it runs."""
    if other.kind == effect.kind and other.why == effect.why:
        return True
    return other.kind == "fetch" and not effect.target and "what it downloads" in effect.why


def connects_for(other: Effect, carrier: str | None, step: str | None) -> bool:
    """Whether the other effect is the way to the machine that the step runs on: its command carries the step."""
    is_way = other.why.startswith("It connects to another machine") and bool(other.target)
    return is_way and bool(carrier) and bool(step) and carrier != step and (step or "") in (carrier or "")


# The same line is judged before it runs, when it is asked about and when it is answered, and agents repeat themselves.
@lru_cache(maxsize=256)
def completed(
    effect: Effect,
    targets: tuple[str, ...],
    step: str | None,
    *,
    home: str,
    project: str,
    machines: tuple[str, ...] = (),
) -> str:
    """The effect's sentence with its target, and how many more there are; without one, with the step that has it."""
    there = list(dict.fromkeys(machines))
    where = f" on {_listed(there)}" if there else ""
    named = [name for name in dict.fromkeys(map(_on_one_line, targets)) if not _NAMELESS.fullmatch(name)]
    step = _telling_step(effect, step or "")
    is_set = len(named) == 1 and named[0].isidentifier() and f"{named[0]}=" in step
    shorter = [_short(name, home, project) for name in named]
    if _WROTE in effect.why or (any(_names(effect.why, name) for name in (*named, *shorter)) and not is_set):
        return effect.why
    if named and not (step and (is_set or _says_little(effect.kind, named))):
        return with_name(effect.why, _listed(shorter) + where)
    return with_name(effect.why, _in_quotes(step, LONGEST_STEP) + where) if step else effect.why


def _telling_step(effect: Effect, step: str) -> str:
    """The step as it is named; "" where it says nothing, or the sentence has its program already."""
    step = _on_one_line(step).removesuffix(" 2>&1")
    if _NAMELESS.fullmatch(step):
        return ""
    program = step.split(maxsplit=1)[0].rpartition("/")[2]
    return "" if effect.kind == "unknown" and program in effect.why else step


def _says_little(kind: Kind, named: list[str]) -> bool:
    """Whether it is only where something happens, as a context or a port is: the whole step says what."""
    is_word = len(named) == 1 and " " not in named[0]
    return is_word and (kind in ("remote", "privilege") or named[0].isdigit())


def with_name(sentence: str, name: str) -> str:
    """The name at the end of the sentence, or in brackets behind its first clause."""
    if (end := _clause(sentence)) is not None:
        return f"{sentence[:end]} ({name}){sentence[end:]}"
    return f"{sentence.removesuffix('.')}: {name}."


@lru_cache(maxsize=512)
def _clause(sentence: str) -> int | None:
    match = _CLAUSE.search(sentence)
    return None if match is None else match.start()


def quoted(text: str, longest: int = LONGEST_NAME) -> str:
    """Foreign text on one line, cut in the middle, in quotes unless it is one plain word."""
    return _in_quotes(_on_one_line(text), longest)


def _in_quotes(shown: str, longest: int = LONGEST_NAME) -> str:
    """The same for a text on one line."""
    if len(shown) > longest:
        # Half a secret is not recognized any more by those who take secrets out of texts.
        shown = _cut(_without_secrets(shown), longest)
    if not shown.isprintable():
        shown = _cut("".join(c if c.isprintable() else f"⟨U+{ord(c):04X}⟩" for c in shown), longest)
    return shown if " " not in shown and _PLAIN.fullmatch(shown) else f"“{shown.translate(_QUOTES)}”"


_QUOTES = str.maketrans("“”", "''")


def _on_one_line(text: str) -> str:
    return " ".join(text[:LONGEST_READ].replace(OWN, "").split())


def _without_secrets(text: str) -> str:
    for start, end, _ in reversed(scan.secrets(text)):
        text = f"{text[:start]}…{text[end:]}"
    return text


def _cut(text: str, longest: int) -> str:
    half = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def _names(sentence: str, name: str) -> bool:
    """Whether the sentence has the name already; plain words such as "build" stand there for themselves."""
    if name not in sentence or len(name) < 2:
        return False
    if name.isalpha() and name.islower():
        return f"Python's {name} " in sentence
    at = sentence.find(name)
    while at >= 0:
        # As a word of its own.
        end = at + len(name)
        if not _GOES_ON.match(sentence, end) and not (at and _GOES_ON.match(sentence, at - 1)):
            return True
        at = sentence.find(name, at + 1)
    return False


def _short(name: str, home: str, project: str) -> str:
    """As people know the path: from the project, or from their home."""
    if name.rstrip("/") == home:
        return "~"
    for folder, sign in ((project, ""), (home, "~/")):
        if len(folder) > 1 and name.startswith(f"{folder}/"):
            return sign + name[len(folder) + 1 :] or name
    return name.removeprefix("./") or name


def _listed(names: Sequence[str]) -> str:
    named = ", ".join(quoted(name) for name in names[:MOST_NAMED])
    return f"{named} and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else named
