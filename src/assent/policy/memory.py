"""What a session did before that matters for what it wants now: secrets it saw, text it took in, files it wrote."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from msgspec import structs

from assent.policy.effects import Effect, care
from assent.protocol.risk import Risk

# Forgotten oldest first.
MOST_WRITTEN = 500
MOST_SHOWN = 5

_LEAVING = frozenset({"send", "publish"})
_RUNNING = frozenset({"project", "run"})
_WRITING = frozenset({"write", "persist", "tamper"})
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

    def note(self, did: "Iterable[tuple[Effect, str]]") -> None:
        """``did`` are effects of a call that nobody refused, each with the whole path of its target or ""."""
        for effect, path in did:
            if effect.kind == "secret":
                self.secret = self.secret or effect.target or effect.why
            elif effect.kind == "fetch":
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
            yield Effect(effect.kind, effect.risk, why, effect.target) if effect.risk else care(effect.kind, why)
