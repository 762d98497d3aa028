"""Taint of a session: secrets it saw, text it took in, files it wrote."""

import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from msgspec import structs

from assent.policy import world
from assent.policy.commands._web import address
from assent.policy.effects import FOREIGN_REPOSITORY, Done, Effect, care, danger
from assent.protocol.decision import Risk

# Forgotten oldest first.
MOST_WRITTEN = 500
MOST_SHOWN = 5
MOST_ADDED = 50

_LEAVING = frozenset({"send", "publish"})
_RUNNING = frozenset({"project", "run"})
_WRITING = frozenset({"write", "persist", "tamper"})
# What they bring in is shown. Others put it away, as git does, or show only whether a server is there.
_PAGES = re.compile(r"\W*(?:curl|wget|https?|xh|curlie|lynx|w3m|links|elinks)\b")
# They change files without naming them.
_MOVES = re.compile(
    r"\bgit\b.*\b(?:checkout|switch|pull|merge|rebase|apply|am|cherry-pick|revert|stash|restore|reset|clone|submodule)\b"
    r"|\b(?:patch|tar|unzip|rsync|degit)\b"
)
# Read by people, never run.
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
    # Of these, what was new or as git has it before the session first wrote it: nothing of a person's is lost with it.
    made: set[str] = field(default_factory=set)
    # Whether it wrote files after it took in text of strangers.
    wrote_since: bool = False
    # When it first ran what changes files unnamed, such as a checkout or an install; in Unix nanoseconds.
    moved_at: int | None = None
    # Written files that a person let run, as they were then.
    _accepted: dict[str, str] = field(default_factory=dict)

    def add(self, folders: Iterable[str]) -> None:
        named = world.with_real(os.path.normpath(folder) for folder in folders if folder.startswith("/"))
        self.added = tuple(dict.fromkeys((*self.added, *named)))[-MOST_ADDED:]

    def note(self, did: Iterable[Done], at_ns: int | None = None) -> None:
        """Effects of a call that was not refused."""
        for done in did:
            effect, part, path = done.effect, done.part, done.path
            if self.moved_at is None and (effect.kind == "install" or (part and _MOVES.search(part))):
                self.moved_at = time.time_ns() if at_ns is None else at_ns
            if effect.kind == "secret":
                self.secret = self.secret or effect.target or effect.why
            elif effect.kind == "fetch" and _is_read(effect, part):
                self.untrusted = self.untrusted or effect.target or effect.why
            elif effect.kind in _WRITING and path and not path.startswith("/dev/"):
                self.wrote_since |= self.untrusted is not None
                # A call is noted before it runs, so this is the file as it was.
                if path not in self.written and world.is_kept(path) is not False:
                    self.made.add(path)
                self.written.pop(path, None)
                self.written[path] = None
                if len(self.written) > MOST_WRITTEN:
                    oldest = next(iter(self.written))
                    del self.written[oldest]
                    self.made.discard(oldest)

    def accept(self) -> None:
        """A person let code of the project run: what was written so far is no news to them, as it is now."""
        for path in self.written:
            if (stamp := world.stamp(path)) is not None:
                self._accepted[path] = stamp
        if self.moved_at is not None:
            self.moved_at = time.time_ns()

    def is_news(self, path: str) -> bool:
        """Whether a person has not yet let this file run as it is."""
        return path not in self._accepted or self._accepted[path] != world.stamp(path)

    @property
    def is_clear(self) -> bool:
        """Whether nothing it did before matters."""
        return self.secret is None and self.untrusted is None and not self.written

    def raised(self, effect: Effect) -> Effect:
        """What would leave this machine, one level higher where something could leave with it."""
        if effect.kind not in _LEAVING or effect.risk >= Risk.DANGER:
            return effect
        if effect.kind == "send" and effect.target and address(effect.target).is_local:
            # It stays on this machine.
            return effect
        if self.secret is not None:
            why = f"This session may have seen secrets before ({_from_home(self.secret)[:80]})."
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
            loaded = [path]
        elif "." in effect.target or "/" in effect.target:
            # Another file; a word without either is the name of a script or of a target to build.
            return
        else:
            inside = (each for each in reversed(self.written) if each.startswith(f"{project}/"))
            loaded = [each for each in inside if not each.lower().endswith(_PROSE)]
        if loaded:
            names = ", ".join(each.removeprefix(f"{project}/") for each in loaded[:MOST_SHOWN])
            more = f" and {len(loaded) - MOST_SHOWN} more" if len(loaded) > MOST_SHOWN else ""
            why = f"It runs what this session wrote: {names}{more}."
            if effect.why == FOREIGN_REPOSITORY:
                yield danger("run", f"{why} Git runs programs that a repository's settings name.", effect.target)
            else:
                yield Effect(effect.kind, effect.risk, why, effect.target) if effect.risk else care(effect.kind, why)


def _from_home(name: str) -> str:
    home = world.home().rstrip("/")
    return f"~{name.removeprefix(home)}" if home and name.startswith(f"{home}/") else name


def _is_read(effect: Effect, part: str | None) -> bool:
    """Whether the session takes in what strangers wrote: pages and answers of servers elsewhere, not commits."""
    if part is not None and "://" not in effect.target and not _PAGES.match(part):
        return False
    return not address(effect.target).is_local
