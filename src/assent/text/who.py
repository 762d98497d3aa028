"""Display names of projects, sessions and agents, and two letters that stand for a project."""

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from assent.expressions import later
from assent.harnesses import names
from assent.text.safe import plain_line

if TYPE_CHECKING:
    from assent.protocol.card import Subject

_HUES = 6
_WORD_END = later(r"([a-z])([A-Z])")
_NOT_IN_WORDS = later(r"[\W_]+")
_SECOND = later(r".[^aeiouy]*[aeiouy]+([^aeiouy])", re.IGNORECASE)
LONGEST = 60
# Kana, Chinese characters and Korean syllables.
_WIDE = later("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
# Latin, Greek, Cyrillic and Armenian letters stand before these, and take one cell each.
_OTHER_SCRIPTS = "\u0590"


class _Session(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def project(self) -> str: ...
    @property
    def cwd(self) -> str: ...


def agent_name(harness: str) -> str:
    return plain_line(names.short(harness) or harness, LONGEST) or "the agent"


def project(subject: "Subject") -> str:
    return _named(subject.project, subject.folder, subject.session)


def project_of(session: _Session) -> str:
    return _named(session.project, session.cwd, session.id)


def other_client(harness: str) -> str:
    """The client's name where it is not the usual one."""
    return agent_name(harness) if harness and names.short(harness) != names.AGENT else ""


def which_agent(subject: "Subject") -> str:
    """``main agent``, ``↳ Explore``, and of other clients ``Copilot``, ``↳ Explore of Copilot``."""
    client = other_client(subject.harness)
    if subject.agent or subject.agent_type:
        kind = plain_line(subject.agent_type or subject.agent[:8], LONGEST)
        return f"↳ {kind} of {client}" if client else f"↳ {kind}"
    return client or "main agent"


def identity(subject: "Subject") -> str:
    """``[WB] webshop · Fix flaky login · main agent``"""
    name = project(subject)
    parts = [name, plain_line(subject.title, LONGEST), which_agent(subject)]
    return f"[{letters(name)}] {' · '.join(filter(None, parts))}"


def letters(name: str) -> str:
    """Initials of its words, or its first letter and the consonant after the first vowel: webshop is WB."""
    words = [word for word in _NOT_IN_WORDS.split(_WORD_END.sub(r"\1 \2", name)) if word]
    if len(words) > 1:
        initials = words[0][0] + words[1][0]
    else:
        word = words[0] if words else "??"
        second = _SECOND.match(word)
        initials = word[0] + (second[1] if second else word[1:2])
    initials = initials.upper()
    # Two cells, whatever the script: a wide letter is as wide as two.
    if _WIDE.match(initials):
        return initials[0]
    return "".join(c if c < _OTHER_SCRIPTS else "?" for c in initials).ljust(2)[:2]


def hue(name: str) -> int:
    """One of six, the same as on the page. Red and amber belong to risks."""
    total = 2166136261
    for character in name:
        total = ((total ^ ord(character)) * 16777619) & 0xFFFFFFFF
    return 1 + (total ^ (total >> 13)) % _HUES


def _named(*candidates: str) -> str:
    *folders, session = candidates
    for folder in folders:
        if name := PurePosixPath(folder).name:
            return plain_line(name, LONGEST)
    return plain_line(session[:8], LONGEST)


def at_home(path: str) -> str:
    """As its owner calls it: ``~/src/webshop``."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path == home or path.startswith(f"{home}/") else path


_WHOSE = {"user": "your", "project": "the project's"}
_VOICES = {
    "judge": "nobody",
    "timeout": "the time limit",
    "terminal": "the terminal",
    "permission": "an answer of yours that stays",
    "hub": "the hub",
    "run": "this run's own choice",
}


def decider(by: str) -> str:
    """Who spoke, as a record names them, in words: ``rule:user#3`` is your rule 3."""
    kind, _, name = by.partition(":")
    if kind == "rule":
        level, _, number = name.partition("#")
        whose, _, scope = level.partition(".")
        if whose == "agent":
            return plain_line(f"the agent's own {scope} settings" if scope else "the agent's own settings", LONGEST)
        return plain_line(f"{_WHOSE.get(whose, whose)} rule {number}", LONGEST)
    if kind == "approval":
        level, _, number = name.partition("#")
        return plain_line(f"{_WHOSE.get(level, level)} approval {number}", LONGEST)
    if by == "person:desk":
        return "you"
    words = {
        "floor": f"the floor ({name})",
        "stance": f"the stance {name}",
        "person": name if "@" in name else name.replace("-", " "),
    }
    return plain_line(words[kind] if name and kind in words else _VOICES.get(kind, by), LONGEST) or "somebody"
