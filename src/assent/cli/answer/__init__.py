"""``assent answer``: one ask in full, and a person's answer to it."""

import time
from collections.abc import Sequence
from typing import get_args

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.answer import keyboard
from assent.cli.answer.card import card
from assent.cli.answer.dialogue import Dialogue, Wish
from assent.cli.answer.keyboard import LeftError, Screen
from assent.cli.answer.sending import Receipt, Sending, over, unanswerable
from assent.cli.asks import nothing
from assent.client import Client
from assent.client.snapshot import Snapshot
from assent.errors import AnswerLostError, AssentError, NotFoundError, UsageError
from assent.hub_state import snippets
from assent.protocol import modes
from assent.protocol.bodies import SAFE, Choice
from assent.protocol.card import ShownAsk
from assent.protocol.lasting import PermissionKind
from assent.protocol.queue import Item
from assent.text import ask_state

PLAIN_WIDTH = 100
_MODES = {"ask": "default", "accept-edits": modes.ACCEPT_EDITS}


@click.command("answer", short_help="Look at one of them, and answer it.")
@click.argument("name", metavar="ID", shell_complete=completing.asks)
@click.argument("choice", metavar="[CHOICE]", required=False, shell_complete=completing.choices)
@click.option("-m", "--message", default="", metavar="TEXT", help="What the agent is told with it.")
@click.option("--grant", default="", metavar="RULE", help="What to allow from now on, instead of what is offered.")
@click.option("--hours", type=click.IntRange(1, 720), help="allow_here: for so many hours, not until taken back.")
@click.option("--minutes", type=click.IntRange(1, 1_440), help="allow_for: for so many minutes.")
@click.option("--edit", metavar="TEXT", help="allow_edited: the command to run instead; without it, $EDITOR opens.")
@click.option("--mode", type=click.Choice(list(_MODES)), help="approve: how the agent goes on with its plan.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(
    name: str,
    choice: str | None,
    message: str,
    grant: str,
    hours: int | None,
    minutes: int | None,
    edit: str | None,
    mode: str | None,
    as_json: bool,
) -> None:
    """Show an ask in full and answer it. The first letters of its id are enough; `assent asks` lists what waits.

    Without a CHOICE the card is shown, and keys answer it: d denies, a allows once, A allows and stops asking for this
    here, m allows for some minutes, s for this session, R writes a rule, e edits, N denies from now on, x also stops
    the turn, t leaves it for the terminal, q leaves. A yes to Care takes Enter as well, to Danger the match word that
    stands at the end of the card.

    \b
    Choices:
      permission  deny  deny_here  deny_and_stop  allow  allow_here  allow_for
                  allow_edited  allow_session  allow_project  allow_user  hand_back
      question    deny  answer  hand_back
      plan        revise  approve  hand_back
      form        decline  cancel  submit  hand_back
      stop        let_stop  keep_going

    A no may come from a script, and so may revise and keep_going, which only say something. Whatever permits something
    needs a terminal, the card just shown, and a key that is pressed after it: there is no --yes. Exit code 5 says that
    the answer was not used, because another one was first or it waits no more.

    \b
    Examples:
      assent answer kptwm
      assent answer kptwm deny -m 'Use git stash.'
      assent answer kptwm allow_edited --edit 'git clean -nd'
      assent answer kptwm allow_here --hours 8
      assent answer kptwm allow_for --minutes 10
      assent answer kptwm allow_project --grant 'rule:Bash(npm test *)'
      assent answer wqrtx keep_going -m 'Run the tests.'
    """
    client = Client(locations.find())
    state = client.snapshot()
    ask = _found(state, name)
    queued = state.queues.get(ask.subject.session, ())
    if not ask_state.is_waiting(ask):
        raise AnswerLostError(over(ask))
    if not ask.choices:
        raise unanswerable(client)
    wish = Wish(
        _choice(ask, choice), message.strip(), _granted(grant), edit, _MODES.get(mode or "", ""), hours, minutes
    )
    if wish.choice in SAFE and (wish.choice != "deny_here" or wish.grant or not output.is_interactive()):
        _say(_scripted(client, ask, wish), as_json=as_json)
        return
    if not output.is_interactive():
        _cannot_ask(ask, wish, queued, as_json=as_json)
        return
    try:
        with keyboard.opened() as keys:
            replies = snippets(state.hub, ask.subject.project)
            receipt = Dialogue(Screen(keys), Sending(client), wish, ask, queued, replies).run()
    except LeftError:
        raise AssentError(f"Nothing was answered; {ask.id} still waits.") from None
    _say(receipt, as_json=as_json)


def _found(state: Snapshot, name: str) -> ShownAsk:
    """By its id or the beginning of one; what is over only by its whole id."""
    waiting = [ask for ask in reversed(state.asks) if ask_state.is_waiting(ask)]
    exact = [ask for ask in state.asks if ask.id == name]
    begun = [ask for ask in waiting if name and ask.id.startswith(name)]
    for matches in (exact, begun):
        if len(matches) == 1:
            return matches[0]
    if len(begun) > 1:
        ids = ", ".join(ask.id for ask in begun[:9])
        raise UsageError(f"{len(begun)} asks begin with {name!r}: {ids}.", hint="give more letters.")
    if not waiting:
        live = sum(session.is_live for session in state.sessions)
        raise NotFoundError(f"No ask is called {name!r}. {nothing(live)}")
    listed = ", ".join(f"{ask.id} ({output.said_by_agent(ask.view.verb)})" for ask in waiting[:5])
    more = f" and {len(waiting) - 5} more" if len(waiting) > 5 else ""
    raise NotFoundError(f"No ask is called {name!r}.", hint=f"these wait: {listed}{more}.")


def _choice(ask: ShownAsk, given: str | None) -> Choice | None:
    """As it is called, with dashes or without. Raises where this ask does not take it."""
    if given is None:
        return None
    offered = [way.choice for way in ask.choices]
    wanted = given.strip().lower().replace("-", "_")
    for choice in offered:
        if choice == wanted:
            return choice
    problem = "is no answer to this" if wanted in get_args(Choice) else "is no answer"
    raise UsageError(f"{given!r} {problem}. Nothing was sent.", hint=f"it takes {', '.join(offered)}.")


def _granted(grant: str) -> str:
    """A rule may stand by itself, and an answer that stays is named by its kind."""
    prefixes = ("rule:", "mode:", "directory:", *get_args(PermissionKind))
    return grant if not grant or grant.startswith(prefixes) else f"rule:{grant}"


def _scripted(client: Client, ask: ShownAsk, wish: Wish) -> Receipt:
    assert wish.choice is not None
    if wish.choice in ("revise", "keep_going") and not wish.message:
        raise UsageError(f"{wish.choice} needs words. Nothing was sent.", hint="-m 'Run the tests.'")
    if wish.choice == "deny_here" and not wish.grant:
        raise UsageError("deny_here needs a rule. Nothing was sent.", hint="--grant 'Bash(npm publish *)'")
    said = {"message": wish.message, "grant": wish.grant}
    return Sending(client).send(ask, wish.choice, **{name: text for name, text in said.items() if text})


def _cannot_ask(ask: ShownAsk, wish: Wish, queued: Sequence[Item], *, as_json: bool) -> None:
    if wish.choice is not None:
        raise AssentError(
            f"{wish.choice} was not sent: a yes needs a terminal, where you see what you agree to.",
            hint=f"run `assent answer {ask.id}` in one. {_no(ask)} works anywhere.",
        )
    if as_json:
        output.say_json(ask)
        return
    for line in card(ask, time.time() * 1000, min(output.width(PLAIN_WIDTH), PLAIN_WIDTH), queued):
        output.say(line)
    raise AssentError(
        "Nothing was answered: there is no terminal to ask on.",
        hint=f"`assent answer {ask.id} {_no(ask)}` works anywhere; a yes needs a terminal.",
    )


def _no(ask: ShownAsk) -> str:
    return ask.choices[0].choice


def _say(receipt: Receipt, *, as_json: bool) -> None:
    if as_json:
        output.say_json(receipt)
    else:
        output.say(receipt.words)
