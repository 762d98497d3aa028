"""``assent asks``: what waits for a person, in the order in which it came."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.common import Filtered
from assent.client import Client
from assent.errors import HubUnreachableError
from assent.harnesses import names
from assent.text import ask_state, times, who, wording
from assent.text.safe import middle, terminal_text

if TYPE_CHECKING:
    from assent.filter import Filter
    from assent.hub_state import Mirror
    from assent.protocol.card import ShownAsk
    from assent.protocol.queue import Item

NARROWEST = 60
# Below this many columns.
WIDE = 110
# What stands beside the two columns that give way.
_FIXED = 44
_BEFORE_VERB = 21


@click.command("asks", cls=Filtered, options_metavar="[FILTER]... [OPTIONS]")
@click.argument("words", nargs=-1, metavar="", shell_complete=completing.filters)
@click.option("--watch", "-w", "is_watched", is_flag=True, help="Go on with every change; Ctrl-C ends it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--ascii", "is_ascii", is_flag=True, help="Plain letters instead of signs.")
def command(words: tuple[str, ...], is_watched: bool, as_json: bool, is_ascii: bool) -> None:
    """Show what waits for you, the oldest first: risk, id, what, who, how long it waits, and below it the thing itself.

    A filter narrows it down, with the words that `assent log` takes: session project agent harness tool risk ask since
    until, a dash negates, other words are looked for in the text. With --watch every change gets a line: what came,
    what was answered where, and what became of it. Nothing is answered here: that is `assent answer ID`.

    \b
    Examples:
      assent asks
      assent asks 'risk:>=care' project:webshop
      assent asks --watch
      assent asks --json | jq -r 'select(.risk.level == "danger") | .id'
    """
    wanted = _filter(" ".join(words))
    client = Client(locations.find())
    say = _Saying(as_json=as_json, is_ascii=is_ascii, with_state=is_watched)
    if is_watched:
        _watch(client, wanted, say)
        return
    snapshot = client.snapshot()
    waiting = [ask for ask in reversed(snapshot.asks) if ask_state.is_waiting(ask)]
    matching = [ask for ask in waiting if matches(wanted, ask)]
    for ask in matching:
        say.one(ask, time.time() * 1000, snapshot.queues.get(ask.subject.session, ()))
    if matching or as_json:
        return
    if waiting:
        output.say(f"None of the {len(waiting)} that wait match the filter.")
        return
    live = sum(session.is_live for session in snapshot.sessions)
    output.say(nothing(live))


def _filter(words: str) -> "Filter | None":
    if not words:
        return None
    from assent import filter as filters

    return filters.parse(words, now=time.time())


def nothing(live: int) -> str:
    """What to say where nothing waits."""
    if not live:
        return f"Nothing needs you, and no session is live. Start {names.PROGRAM} anywhere, or `assent demo` shows one."
    return f"Nothing needs you. {live} {'session' if live == 1 else 'sessions'} live; `assent sessions` shows them."


def matches(wanted: "Filter | None", ask: "ShownAsk") -> bool:
    if wanted is None:
        return True
    from assent.filter import of_ask

    return wanted.matches(of_ask(ask))


def _watch(client: Client, wanted: "Filter | None", say: "_Saying") -> None:
    from threading import Event

    from assent.hub_state import Heard, Lost, Mirror, follow

    mirror, is_lost = Mirror(), False
    # A person at a terminal sees what waits; a program that reads along does not.
    for news in follow(client, Event(), screen="", is_seen=sys.stdout.isatty()):
        if isinstance(news, Lost):
            if not mirror.seq:
                raise news.error or HubUnreachableError("No hub is running.", hint="`assent up` starts it.")
            if not is_lost:
                output.complain("The hub stopped; waiting for the next one. Nothing can be answered meanwhile.")
            is_lost = True
            continue
        if is_lost and not isinstance(news, Heard):
            output.complain("The hub is back.")
            is_lost = False
        is_first = not mirror.seq
        before = dict(mirror.asks)
        for ask in _changed(mirror, before, mirror.take(news).asks):
            if matches(wanted, ask) and (not is_first or ask_state.is_waiting(ask)):
                say.one(ask, mirror.now())


def _changed(mirror: "Mirror", before: "dict[str, ShownAsk]", has_news: object) -> "Iterator[ShownAsk]":
    """In the order in which they came; only where a person would see a difference."""
    if not has_news:
        return
    for ask in mirror.in_order():
        earlier = before.get(ask.id)
        if earlier is None or _seen(earlier) != _seen(ask):
            yield ask


def _seen(ask: "ShownAsk") -> tuple[object, ...]:
    """What its line says, but for how long it waits."""
    now = ask_state.state(ask, ask.opened_at, turned=ask.opened_at)
    return (now.text, ask.rev if now.is_open else 0, ask.approved_by if now.is_open else ())


class _Saying:
    """How one ask is printed."""

    def __init__(self, *, as_json: bool, is_ascii: bool, with_state: bool) -> None:
        self._as_json, self._is_ascii, self._with_state = as_json, is_ascii, with_state
        self._width = output.width(120)

    def one(self, ask: "ShownAsk", now: float, queued: "Sequence[Item]" = ()) -> None:
        if self._as_json:
            output.say_json(ask)
            return
        line = self._changed(ask, now) if self._with_state else self._listed(ask, now)
        if queued:
            line = f"{line}\n{' ' * _BEFORE_VERB}{cut(ask_state.queued(queued), self._width - _BEFORE_VERB)}"
        output.say(wording.plain(line) if self._is_ascii else line)

    def _listed(self, ask: "ShownAsk", now: float) -> str:
        if self._width < WIDE:
            return self._below_each_other(ask, now)
        room = max(self._width, NARROWEST) - _FIXED
        verb, who_ = cut(ask.view.verb, room * 3 // 5), cut(whose(ask), room * 2 // 5)
        age = ask_state.time_of(ask, now)
        # It looks answered at the terminal.
        doubt = " ◌" if ask.state == "doubtful" else ""
        line = f"{_level(ask)}  {ask.id}  {verb:<{room * 3 // 5}}  {who_:<{room * 2 // 5}}  {age:>17}{doubt}"
        return line + self._thing(ask) + self._approval(ask)

    def _below_each_other(self, ask: "ShownAsk", now: float) -> str:
        """In a narrow terminal who wants it has a line of its own."""
        age = f"{ask_state.time_of(ask, now)}{' ◌' if ask.state == 'doubtful' else ''}"
        room = max(self._width, NARROWEST) - _BEFORE_VERB
        verb = cut(ask.view.verb, room - len(age) - 2)
        line = f"{_level(ask)}  {ask.id}  {verb:<{room - len(age) - 2}}  {age}{self._thing(ask)}{self._approval(ask)}"
        return f"{line}\n{' ' * _BEFORE_VERB}{cut(whose(ask), room)}"

    def _thing(self, ask: "ShownAsk") -> str:
        """The command, the file or the choices, on a line of its own."""
        room = max(self._width, NARROWEST) - _BEFORE_VERB
        is_command = ask.kind == "permission"
        whole = output.said_by_agent(terminal_text(ask.view.line, is_command=is_command), 4 * room)
        # Of a command the end matters as much as the beginning; of prose it does not.
        line = middle(whole, room) if is_command else cut(whole, room)
        return f"\n{' ' * _BEFORE_VERB}{output.styled(line, 'faint')}" if line else ""

    def _approval(self, ask: "ShownAsk") -> str:
        """Whose yes it needs, and who said it."""
        line = cut(ask_state.approval(ask), max(self._width, NARROWEST) - _BEFORE_VERB)
        return f"\n{' ' * _BEFORE_VERB}{output.styled(line, 'warn')}" if line else ""

    def _changed(self, ask: "ShownAsk", now: float) -> str:
        current = ask_state.state(ask, now, turned=now)
        text = f"{current.sign} {current.text}".strip()
        line = f"{times.clock(now)}  {_level(ask)}  {ask.id}  {cut(ask.view.verb, 60)}  {cut(whose(ask), 40)}  {text}"
        return line + (self._thing(ask) + self._approval(ask) if current.is_open else "")


def _level(ask: "ShownAsk") -> str:
    """As wide as ``◇ Turn ended``; longer ones are seldom."""
    return output.risk_styled(f"{wording.sign(ask)} {wording.label(ask):<10}", ask.risk.level)


def whose(ask: "ShownAsk") -> str:
    agent = who.which_agent(ask.subject) if ask.subject.agent or who.other_client(ask.subject.harness) else ""
    return " · ".join(filter(None, (who.project(ask.subject), ask_state.machine(ask), ask.subject.title, agent)))


def cut(text: str, longest: int) -> str:
    return output.said_by_agent(text, longest)
