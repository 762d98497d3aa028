"""``assent session``: everything about one session."""

import time

import click

from assent import paths as locations
from assent.cli import output
from assent.cli.sessions import age, complete, state
from assent.client import Client
from assent.errors import UsageError
from assent.views.sessions import Session


@click.command("session")
@click.argument("id_or_prefix", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(id_or_prefix: str, as_json: bool) -> None:
    """Show one session. The first letters of its id are enough.

    \b
    Example:
      assent session 4f1c
    """
    session = pick(Client(locations.find()).sessions(), id_or_prefix)
    if as_json:
        output.say_json(complete(session))
        return
    now = time.time()
    for name, value in _rows(session, now):
        output.say(f"{name:<9} {value}")
    for agent in session.agents:
        kind = output.said_by_agent(agent.type or "sub-agent")
        name = f"{kind} {output.said_by_agent(agent.id)}"
        output.say(f"└ {name}, {state(agent.state)}, {agent.calls} calls, last {age(agent.last, now)} ago")


def pick(sessions: list[Session], prefix: str) -> Session:
    """An exact id wins over ids that only begin with it."""
    exact = [session for session in sessions if session.id == prefix]
    found = exact or [session for session in sessions if prefix and session.id.startswith(prefix)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"No session begins with {prefix!r}.", hint="`assent sessions` lists them.")
    names = ", ".join(output.said_by_agent(session.id) for session in found[:5])
    raise UsageError(f"{len(found)} sessions begin with {prefix!r}: {names}.", hint="give more letters.")


def _rows(session: Session, now: float) -> list[tuple[str, str]]:
    attended = {True: "yes", False: "no", None: ""}[session.attended]
    ended = f" ({output.said_by_agent(session.ended_because)})" if session.ended_because else ""
    rows = [
        ("session", output.said_by_agent(session.id)),
        ("state", state(session.state) + ended),
        ("title", output.said_by_agent(session.title, 160)),
        ("project", output.said_by_agent(session.project, 160)),
        ("folder", output.said_by_agent(session.cwd, 160)),
        ("agent", output.said_by_agent(session.harness)),
        ("mode", output.said_by_agent(session.mode)),
        ("model", output.said_by_agent(session.model)),
        ("attended", attended),
        ("pid", str(session.pid or "")),
        ("started", f"{output.local_time(session.started, now)} ({age(session.started, now)} ago)"),
        ("last", f"{output.local_time(session.last, now)} ({age(session.last, now)} ago)"),
        ("calls", f"{session.calls}, {session.denied} denied, {session.failed} failed"),
    ]
    return [(name, value) for name, value in rows if value]
