"""``assent session``: everything about one session."""

import textwrap
import time
from collections.abc import Iterator, Sequence

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.common import pick
from assent.cli.sessions import age, complete, mode, state
from assent.client import Client
from assent.protocol import todos
from assent.protocol.card import ShownAsk
from assent.protocol.queue import Item
from assent.protocol.session import Session
from assent.text import ask_state as state_words
from assent.text import wording
from assent.text.who import agent_name, at_home
from assent.views import figures
from assent.views.sentences import span

LABEL = 10
WIDEST = 100


@click.command("session")
@click.argument("id_or_prefix", metavar="ID", shell_complete=completing.sessions)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(id_or_prefix: str, as_json: bool) -> None:
    """Show one session: its state, what it needs from you, its to-do list, its queue, its sub-agents, how full its
    context is, what it did and what it cost. The first letters of its id are enough, or its title or project if only
    one is called so.

    \b
    Examples:
      assent session 4f1c
      assent session webshop --json | jq .cost_usd
    """
    state = Client(locations.find()).snapshot()
    session = pick(state.sessions, id_or_prefix)
    if as_json:
        output.say_json(complete(session))
        return
    now = time.time()
    waiting = [ask for ask in reversed(state.asks) if state_words.is_waiting(ask) and ask.subject.session == session.id]
    rows = [
        *_rows(session, now),
        *_needs(waiting, now),
        *_todos(session),
        *_queue(state.queues.get(session.id, ())),
        *_agents(session, now),
    ]
    for name, value in rows:
        _say(name, value)


def _say(name: str, value: str) -> None:
    """What is longer than the line goes on under it."""
    for line in textwrap.wrap(value, _room(), break_on_hyphens=False) if click.unstyle(value) == value else [value]:
        output.say(f"{name:<{LABEL - 1}} {line}")
        name = ""


def _room() -> int:
    return output.width(WIDEST) - LABEL


def _needs(waiting: list[ShownAsk], now: float) -> Iterator[tuple[str, str]]:
    name = "needs you"
    for ask in waiting:
        label = f"{wording.sign(ask)} {wording.label(ask)}"
        age = state_words.time_of(ask, now * 1000)
        verb = output.said_by_agent(ask.view.verb, max(20, _room() - len(f"{label} {ask.id} , {age}")))
        yield name, f"{output.risk_styled(label, ask.risk.level)} {ask.id} {verb}, {age}"
        name = ""


def _todos(session: Session) -> Iterator[tuple[str, str]]:
    if session.todos:
        yield "to-do", f"{todos.done(session.todos)} of {len(session.todos)} done"
    for item in session.todos:
        _, sign, role = wording.TODOS[item.state or "open"]
        yield "", output.styled(f"{sign} {output.said_by_agent(item.text, _room() - 2)}", output.ROLES[role])


def _queue(items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    for number, item in enumerate(items, 1):
        yield "queue" if number == 1 else "", f"{number} {output.said_by_agent(item.text, 200)}"


def _agents(session: Session, now: float) -> Iterator[tuple[str, str]]:
    for number, agent in enumerate(session.agents):
        name = f"{output.said_by_agent(agent.type or 'sub-agent')} {output.said_by_agent(agent.id[:12])}"
        text = f"└ {name}, {state(agent.state)}, {agent.calls} calls, last {age(agent.last, now)} ago"
        yield "agents" if not number else "", text
        if agent.task:
            yield "", f"  {output.said_by_agent(agent.task, 200)}"


def _rows(session: Session, now: float) -> list[tuple[str, str]]:
    attended = {True: "yes", False: "no", None: ""}[session.attended]
    ended = f" ({output.said_by_agent(session.ended_because)})" if session.ended_because else ""
    rows = [
        ("session", output.said_by_agent(session.id)),
        ("state", state(session.state) + ended),
        ("title", output.said_by_agent(session.title, 160)),
        ("project", output.said_by_agent(at_home(session.project), 160)),
        ("folder", output.said_by_agent(at_home(session.cwd), 160) if session.cwd != session.project else ""),
        ("agent", agent_name(session.harness)),
        ("mode", mode(session)),
        ("model", output.said_by_agent(session.model)),
        ("attended", attended),
        ("runs on", "a remote machine" if session.remote else ""),
        ("pid", str(session.pid or "")),
        ("started", f"{age(session.started, now)} ago"),
        ("last", f"{age(session.last, now)} ago"),
        ("calls", f"{session.calls}, {session.denied} denied, {session.failed} failed"),
        ("context", figures.context(session.context).removeprefix("context ") if session.context else ""),
        ("auto mode", wording.auto_mode(*_counts(session)).removeprefix("auto mode: ")),
        ("in all", figures.summary(session.summary) if session.summary else ""),
        *_used(session),
    ]
    return [(name, value) for name, value in rows if value]


def _counts(session: Session) -> tuple[int, int, int]:
    return session.auto.answered, session.auto.refused, session.auto.appealed


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
