"""``assent sessions``: who works where."""

import time
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import click
import msgspec

from assent import paths as locations
from assent.cli import output
from assent.client import Client
from assent.views import figures
from assent.views.sessions import Agent, Session

HEADINGS = ("STATE", "SESSION", "PROJECT", "TITLE", "MODE", "MODEL", "CALLS", "DENIED", "COST", "AGE")
STATE_STYLES = {"working": "good", "idle": "strong", "ended": "faint", "done": "faint", "vanished": "warn"}


@click.command("sessions")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def command(as_json: bool) -> None:
    """List the sessions the hub knows, the most recently active first, sub-agents under their session.

    \b
    Examples:
      assent sessions
      assent sessions --json | jq -r 'select(.state == "working") | .project'
    """
    found = Client(locations.find()).sessions()
    if as_json:
        for session in found:
            output.say_json(complete(session))
    elif found:
        now = time.time()
        output.say_table([HEADINGS, *(row for session in found for row in rows(session, now))])
    else:
        output.say("No session yet. Start claude, or replay one with `assent demo`.")


def complete(session: Session) -> dict[str, Any]:
    """All fields, also those the wire leaves out because they have their default."""
    return {**msgspec.structs.asdict(session), "agents": [msgspec.structs.asdict(agent) for agent in session.agents]}


def rows(session: Session, now: float) -> Iterator[tuple[str, ...]]:
    project = PurePosixPath(session.project or session.cwd).name
    yield (
        state(session.state),
        output.said_by_agent(session.id[:8]),
        output.said_by_agent(project, 24) or "-",
        output.said_by_agent(session.title, 32) or "-",
        output.said_by_agent(session.mode, 18) or "-",
        output.said_by_agent(session.model, 24) or "-",
        str(session.calls),
        str(session.denied),
        "-" if session.cost_usd is None else figures.dollars(session.cost_usd),
        age(session.last, now),
    )
    for agent in session.agents:
        yield agent_row(agent, now)


def agent_row(agent: Agent, now: float) -> tuple[str, ...]:
    name = output.said_by_agent(agent.type or agent.id[:8], 32)
    return (state(agent.state), "", "", f"  └ {name}", "", "", str(agent.calls), "", "", age(agent.last, now))


def state(word: str) -> str:
    return output.styled(word, STATE_STYLES.get(word, "strong"))


def age(last: int, now: float) -> str:
    return output.span(now - last / 1000)
