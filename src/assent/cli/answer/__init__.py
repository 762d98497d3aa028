"""``assent answer``: one ask in full, and a person's answer to it."""

import time
from typing import get_args

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.answering import keyboard
from assent.cli.answering.card import card
from assent.cli.answering.dialogue import Dialogue, Wish
from assent.cli.answering.screen import LeftError, Screen
from assent.cli.answering.sending import Receipt, Sending, over, unanswerable
from assent.cli.asks import nothing
from assent.client import Client
from assent.errors import AnswerLostError, AssentError, UsageError
from assent.protocol.bodies import SAFE, Choice
from assent.protocol.card import ShownAsk
from assent.words import state

PLAIN_WIDTH = 100
_MODES = {"ask": "default", "accept-edits": "acceptEdits"}


@click.command("answer", short_help="Look at one of them, and answer it.")
@click.argument("name", metavar="ID", shell_complete=completing.asks)
@click.argument("choice", metavar="[CHOICE]", required=False, shell_complete=completing.choices)
@click.option("-m", "--message", default="", metavar="TEXT", help="What the agent is told with it.")
@click.option("--grant", default="", metavar="RULE", help="What to allow from now on, instead of what is offered.")
@click.option("--edit", metavar="TEXT", help="allow_edited: the command to run instead; without it, $EDITOR opens.")
@click.option("--mode", type=click.Choice(list(_MODES)), help="approve: how the agent goes on with its plan.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(
    name: str, choice: str | None, message: str, grant: str, edit: str | None, mode: str | None, as_json: bool
) -> None:
    """Show an ask in full and answer it. The first letters of its id are enough; `assent asks` lists what waits.

    Without a CHOICE the card is shown, and keys answer it: d denies, a allows once, s for this session, A for longer, e
    edits, x also stops the turn, t leaves it for the terminal, q leaves. A yes to Care takes Enter as well, to Danger
    the match word that stands at the end of the card.

    \b
    Choices:
      permission  deny  deny_and_stop  allow  allow_edited  allow_session
                  allow_project  allow_user  hand_back
      question    deny  answer  hand_back
      plan        revise  approve  hand_back
      form        decline  cancel  submit  hand_back
      stop        let_stop  keep_going

    A no may come from a script, and so may revise and keep_going, which only say something. Whatever permits something
    needs a terminal, the card just shown, and a key that is pressed after it: there is no --yes. Exit code 5 says that
    the answer was not used, because somebody else was first or it waits no more.

    \b
    Examples:
      assent answer kptwm
      assent answer kptwm deny -m 'Use git stash.'
      assent answer kptwm allow_edited --edit 'git clean -nd'
      assent answer kptwm allow_project --grant 'rule:Bash(npm test *)'
      assent answer wqrtx keep_going -m 'Run the tests.'
    """
    client = Client(locations.find())
    ask = _found(client, name)
    if not state.is_waiting(ask):
        raise AnswerLostError(over(ask))
    if not ask.choices:
        raise unanswerable(client)
    wish = Wish(_choice(ask, choice), message.strip(), _granted(grant), edit, _MODES.get(mode or "", ""))
    if wish.choice in SAFE:
        _say(_scripted(client, ask, wish), as_json=as_json)
        return
    if not output.is_interactive():
        _cannot_ask(ask, wish, as_json=as_json)
        return
    try:
        with keyboard.opened() as keys:
            receipt = Dialogue(Screen(keys), Sending(client), wish, ask).run()
    except LeftError:
        raise AssentError(f"Nothing was answered; {ask.id} still waits.") from None
    _say(receipt, as_json=as_json)


def _found(client: Client, name: str) -> ShownAsk:
    """By its id or the beginning of one; what is over only by its whole id."""
    known = client.snapshot()
    waiting = [ask for ask in reversed(known.asks) if state.is_waiting(ask)]
    exact = [ask for ask in known.asks if ask.id == name]
    begun = [ask for ask in waiting if name and ask.id.startswith(name)]
    for found in (exact, begun):
        if len(found) == 1:
            return found[0]
    if len(begun) > 1:
        ids = ", ".join(ask.id for ask in begun[:9])
        raise UsageError(f"{len(begun)} asks begin with {name!r}: {ids}.", hint="give more letters.")
    if not waiting:
        live = sum(session.is_live for session in known.sessions)
        raise UsageError(f"No ask is called {name!r}. {nothing(live)}")
    listed = ", ".join(f"{ask.id} ({output.said_by_agent(ask.view.verb)})" for ask in waiting[:5])
    more = f" and {len(waiting) - 5} more" if len(waiting) > 5 else ""
    raise UsageError(f"No ask is called {name!r}.", hint=f"these wait: {listed}{more}.")


def _choice(ask: ShownAsk, said: str | None) -> Choice | None:
    """As it is called, with dashes or without. Raises where this ask does not take it."""
    if said is None:
        return None
    offered = [way.choice for way in ask.choices]
    wanted = said.strip().lower().replace("-", "_")
    for choice in offered:
        if choice == wanted:
            return choice
    what = "is no answer to this" if wanted in get_args(Choice) else "is no answer"
    raise UsageError(f"{said!r} {what}. Nothing was sent.", hint=f"it takes {', '.join(offered)}.")


def _granted(grant: str) -> str:
    """A rule may stand by itself."""
    known = ("rule:", "mode:", "directory:")
    return grant if not grant or grant.startswith(known) else f"rule:{grant}"


def _scripted(client: Client, ask: ShownAsk, wish: Wish) -> Receipt:
    assert wish.choice is not None
    if wish.choice in ("revise", "keep_going") and not wish.message:
        raise UsageError(f"{wish.choice} needs words. Nothing was sent.", hint="-m 'Run the tests.'")
    return Sending(client).send(ask, wish.choice, **({"message": wish.message} if wish.message else {}))


def _cannot_ask(ask: ShownAsk, wish: Wish, *, as_json: bool) -> None:
    if wish.choice is not None:
        raise AssentError(
            f"{wish.choice} was not sent: a yes needs a terminal, where you see what you agree to.",
            hint=f"run `assent answer {ask.id}` in one. {_no(ask)} works anywhere.",
        )
    if as_json:
        output.say_json(ask)
        return
    for line in card(ask, time.time() * 1000, PLAIN_WIDTH):
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
