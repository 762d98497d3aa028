"""Who works where: the names of projects, sessions and agents, and two letters that stand for a project."""

import re
from pathlib import PurePosixPath

from assent.protocol.card import Subject
from assent.views.line import inert
from assent.views.sessions import Session

_HARNESSES = {"claude-code": "Claude", "claude_code": "Claude", "codex": "Codex", "gemini": "Gemini"}
_HUES = 8
_WORD_END = re.compile(r"([a-z])([A-Z])")
_NOT_IN_WORDS = re.compile(r"[\W_]+")
_SECOND = re.compile(r".[^aeiouy]*[aeiouy]+([^aeiouy])", re.IGNORECASE)
LONGEST = 60
# Kana, Chinese characters and Korean syllables.
_WIDE = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
# Latin, Greek, Cyrillic and Armenian letters stand before these, and take one cell each.
_OTHER_SCRIPTS = "\u0590"


def agent_name(harness: str) -> str:
    return _HARNESSES.get(harness, inert(harness, LONGEST) or "the agent")


def project(subject: Subject) -> str:
    return _named(subject.project, subject.folder, subject.session)


def project_of(session: Session) -> str:
    return _named(session.project, session.cwd, session.id)


def which_agent(subject: Subject) -> str:
    if subject.agent or subject.agent_type:
        return f"⑂ {inert(subject.agent_type or subject.agent[:8], LONGEST)}"
    return "main agent"


def identity(subject: Subject) -> str:
    """``[WB] webshop · Fix flaky login · main agent``"""
    name = project(subject)
    parts = [name, inert(subject.title, LONGEST), which_agent(subject)]
    return f"[{letters(name)}] {' · '.join(filter(None, parts))}"


def letters(name: str) -> str:
    """Initials of its words, or its first letter and the consonant after the first vowel: webshop is WB."""
    words = [word for word in _NOT_IN_WORDS.split(_WORD_END.sub(r"\1 \2", name)) if word]
    if len(words) > 1:
        found = words[0][0] + words[1][0]
    else:
        word = words[0] if words else "??"
        second = _SECOND.match(word)
        found = word[0] + (second[1] if second else word[1:2])
    found = found.upper()
    # Two cells, whatever the script: a wide letter is as wide as two.
    if _WIDE.match(found):
        return found[0]
    return "".join(c if c < _OTHER_SCRIPTS else "?" for c in found).ljust(2)[:2]


def hue(name: str) -> int:
    """One of eight, the same as on the page."""
    total = 2166136261
    for character in name:
        total = ((total ^ ord(character)) * 16777619) & 0xFFFFFFFF
    return (total ^ (total >> 13)) % _HUES


def _named(*candidates: str) -> str:
    *folders, session = candidates
    for folder in folders:
        if name := PurePosixPath(folder).name:
            return inert(name, LONGEST)
    return inert(session[:8], LONGEST)
