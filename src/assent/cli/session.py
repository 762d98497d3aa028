"""``assent session``: everything about one session."""

import time

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.picking import pick
from assent.cli.sessions import age, complete, state
from assent.client import Client
from assent.views import figures
from assent.views.sessions import Session
from assent.views.words import span


@click.command("session")
@click.argument("id_or_prefix", metavar="ID", shell_complete=completing.sessions)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(id_or_prefix: str, as_json: bool) -> None:
    """Show one session. The first letters of its id are enough, or its title or project if only one is called so.

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
        *_used(session),
    ]
    return [(name, value) for name, value in rows if value]


def _used(session: Session) -> list[tuple[str, str]]:
    """As the agent reckons it, where it sends telemetry."""
    if session.cost_usd is None:
        return []
    lines = f"{session.lines_added:,} added, {session.lines_removed:,} removed"
    return [
        ("cost", f"{figures.dollars(session.cost_usd)}, as the agent reckons it"),
        ("tokens", figures.kinds_of_tokens(session)),
        ("active", span(session.active_s * 1000) if session.active_s else ""),
        ("lines", lines if session.lines_added or session.lines_removed else ""),
    ]
