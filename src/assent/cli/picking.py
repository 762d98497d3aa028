"""Which session somebody means."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from assent.cli import output
from assent.errors import UsageError
from assent.views.sessions import Session


def pick(sessions: list[Session], name: str) -> Session:
    """By its id, which wins over ids that only begin with it, or by its title or project if only one is called so."""
    for how, found in _candidates(sessions, name):
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(output.said_by_agent(session.id) for session in found[:5])
            raise UsageError(f"{len(found)} sessions {how} {name!r}: {names}.", hint="give more letters of an id.")
    raise UsageError(f"No session is called {name!r} or begins with it.", hint="`assent sessions` lists them.")


def _candidates(sessions: list[Session], name: str) -> Iterator[tuple[str, list[Session]]]:
    if not name:
        return
    yield "are", [session for session in sessions if session.id == name]
    yield "begin with", [session for session in sessions if session.id.startswith(name)]
    called = [s for s in sessions if name in (s.title, PurePosixPath(s.project or s.cwd).name)]
    # One that is over is seldom meant.
    yield "are called", [session for session in called if session.is_live] or called
