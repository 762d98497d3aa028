"""``assent sessions``: list sessions."""

import time
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import click
import msgspec

from assent import paths as locations
from assent.cli import output
from assent.client import Client
from assent.harnesses import names
from assent.protocol.modes import BYPASS
from assent.protocol.session import Agent, Session
from assent.text import times, wording
from assent.views import figures

HEADINGS = ("STATE", "NEEDS YOU", "SESSION", "PROJECT", "TITLE", "MODE", "MODEL", "CALLS", "DENIED", "COST", "AGE")
# In a terminal that is narrower than this, columns give way that are seldom looked at.
WIDE = 110
_SELDOM = (5, 6, 7, 8)
WIDEST_MACHINE = 24


@click.command("sessions")
@click.option("--all", "of_all", is_flag=True, help="Also those of other hubs, where several share a database.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def command(of_all: bool, as_json: bool) -> None:
    """List the sessions the hub knows, the most recently active first, sub-agents under their session.

    \b
    Examples:
      assent sessions
      assent sessions --all
      assent sessions --json | jq -r 'select(.state == "waiting") | .project'
    """
    client = Client(locations.find())
    every = client.sessions()
    if of_all:
        every = sorted([*every, *client.sessions(elsewhere=True)], key=lambda session: -session.last)
    if as_json:
        for session in every:
            output.say_json(complete(session))
    elif every:
        now, is_narrow = time.time(), output.width(WIDE) < WIDE
        table = [(*HEADINGS, *(("MACHINE",) if of_all else ()))]
        for session in every:
            machine = output.said_by_agent(session.machine or session.hub, WIDEST_MACHINE) or "here"
            table += [(*row, *((machine,) if of_all else ())) for row in rows(session, now, is_narrow=is_narrow)]
        output.say_table([_narrowed(row) for row in table] if is_narrow else table)
    else:
        output.say(f"No session yet. Start {names.PROGRAM}, or replay one with `assent demo`.")


def complete(session: Session) -> dict[str, Any]:
    """All fields, also those the wire leaves out because they have their default."""
    asdict = msgspec.structs.asdict
    parts = {
        "agents": [asdict(agent) for agent in session.agents],
        "todos": [asdict(todo) for todo in session.todos],
        "context": asdict(session.context) if session.context else None,
        "summary": asdict(session.summary) if session.summary else None,
        "terminal": asdict(session.terminal) if session.terminal else None,
    }
    return {**asdict(session), **parts}


def _narrowed(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell for place, cell in enumerate(row) if place not in _SELDOM)


def rows(session: Session, now: float, *, is_narrow: bool = False) -> Iterator[tuple[str, ...]]:
    project = PurePosixPath(session.project or session.cwd).name
    # That nothing is asked should be seen at once.
    bypass = output.styled(" ▲ bypass", "bad") if is_narrow and session.mode == BYPASS else ""
    yield (
        state(session.state),
        needs_you(session),
        output.said_by_agent(session.id[:8]),
        output.said_by_agent(project, 10 if is_narrow else 24) or "-",
        (output.said_by_agent(session.title, 32 if not is_narrow else 13 - len(bypass and "▲ bypass")) or "-") + bypass,
        mode(session) or "-",
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
    return (state(agent.state), "", "", "", f"  └ {name}", "", "", str(agent.calls), "", "", age(agent.last, now))


def mode(session: Session) -> str:
    shown = output.said_by_agent(session.mode, 18)
    return output.styled(shown, "bad") if session.mode == BYPASS else shown


def state(word: str) -> str:
    words = wording.SESSIONS[word]
    return output.styled(words.text, output.ROLES[words.role])


def needs_you(session: Session) -> str:
    """How many asks wait, or where a dialog does that Assent cannot answer."""
    return str(session.needs) if session.needs else "terminal" if session.dialogs else "-"


def age(last: int, now: float) -> str:
    return times.age(now * 1000 - last)
