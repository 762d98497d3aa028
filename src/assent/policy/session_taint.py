"""What a session did before that matters for what it wants now: secrets it saw, text it took in, files it wrote."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import structs

from assent.policy import world
from assent.policy.commands._web import address
from assent.policy.effects import FOREIGN_REPOSITORY, Effect, care, danger
from assent.protocol.risk import Risk

if TYPE_CHECKING:
    from assent.policy.risk_of import Done

# Forgotten oldest first.
MOST_WRITTEN = 500
MOST_SHOWN = 5
MOST_ADDED = 50

_LEAVING = frozenset({"send", "publish"})
_RUNNING = frozenset({"project", "run"})
_WRITING = frozenset({"write", "persist", "tamper"})
# What they bring in is shown. Others put it away, as git does, or show only whether somebody is there.
_PAGES = re.compile(r"\W*(?:curl|wget|https?|xh|curlie|lynx|w3m|links|elinks)\b")
# Read by people, run by nobody.
_PROSE = (".md", ".txt", ".rst", ".adoc", ".csv", ".png", ".jpg", ".svg", ".gif", ".pdf", ".log", ".lock")


@dataclass(slots=True)
class Memory:
    """Of one session and its sub-agents."""

    # The first secret it may have seen, and the first text of strangers it took in: how people know them.
    secret: str | None = None
    untrusted: str | None = None
    # Whole paths, the newest last.
    written: dict[str, None] = field(default_factory=dict)
    # Folders beside the project that a person added during the session, links followed as well.
    added: tuple[str, ...] = ()

    def add(self, folders: Iterable[str]) -> None:
        named = world.with_real(os.path.normpath(folder) for folder in folders if folder.startswith("/"))
        self.added = tuple(dict.fromkeys((*self.added, *named)))[-MOST_ADDED:]

    def note(self, did: "Iterable[Done]") -> None:
        """What a call did that nobody refused."""
        for effect, part, path in did:
            if effect.kind == "secret":
                self.secret = self.secret or effect.target or effect.why
            elif effect.kind == "fetch" and _is_read(effect, part):
                self.untrusted = self.untrusted or effect.target or effect.why
            elif effect.kind in _WRITING and effect.risk and path:
                self.written.pop(path, None)
                self.written[path] = None
                if len(self.written) > MOST_WRITTEN:
                    del self.written[next(iter(self.written))]

    def raised(self, effect: Effect) -> Effect:
        """What would leave this machine, one level higher where something could leave with it."""
        if effect.kind not in _LEAVING or effect.risk >= Risk.DANGER:
            return effect
        if self.secret is not None:
            why = f"This session has seen secrets before ({self.secret[:80]})."
        elif self.untrusted is not None:
            why = f"This session has taken in what strangers wrote ({self.untrusted[:80]}), and may act on it."
        else:
            return effect
        return structs.replace(effect, risk=Risk(effect.risk + 1), why=f"{effect.why} {why}")

    def loaded(self, effect: Effect, path: str, project: str) -> Iterator[Effect]:
        """Where something is run that this session wrote, the files by name."""
        if not self.written or effect.kind not in _RUNNING:
            return
        if path in self.written:
            found = [path]
        elif "." in effect.target or "/" in effect.target:
            # Another file; a word without either is the name of a script or of a target to build.
            return
        else:
            inside = (each for each in reversed(self.written) if each.startswith(f"{project}/"))
            found = [each for each in inside if not each.lower().endswith(_PROSE)]
        if found:
            names = ", ".join(each.removeprefix(f"{project}/") for each in found[:MOST_SHOWN])
            more = f" and {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else ""
            why = f"It runs what this session wrote: {names}{more}."
            if effect.why == FOREIGN_REPOSITORY:
                yield danger("run", f"{why} Git runs programs that a repository's settings name.", effect.target)
            else:
                yield Effect(effect.kind, effect.risk, why, effect.target) if effect.risk else care(effect.kind, why)


def _is_read(effect: Effect, part: str | None) -> bool:
    """Whether the session takes in what strangers wrote: pages and answers of servers elsewhere, not commits."""
    if part is not None and "://" not in effect.target and not _PAGES.match(part):
        return False
    return not address(effect.target).is_local
