"""Shell completion from the hub: ids of asks, answers, sessions, words of a filter.

Errors are never shown to the shell: without a hub there is nothing to offer."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from assent import paths as locations
from assent.cli import output
from assent.client import Client
from assent.errors import AssentError
from assent.expressions import later
from assent.text import who, wording
from assent.text.safe import plain_line

if TYPE_CHECKING:
    from assent.protocol.card import ShownAsk

LONGEST_HELP = 60
# A shell takes nothing else for more than a word. What an agent called itself goes no further than this.
_WORD = later(r"[A-Za-z0-9_][A-Za-z0-9_.@:+-]{0,80}", re.ASCII)

Items = list[CompletionItem]


def asks(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    items = ((ask.id, f"{wording.label(ask)}: {ask.view.verb}, {who.project(ask.subject)}") for ask in _waiting())
    return _items(items, incomplete)


def choices(ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Those that the ask named before takes; without one there are none."""
    name = str(ctx.params.get("name") or "")
    asks = [ask for ask in _waiting() if name and ask.id.startswith(name)]
    return _items(((way.choice, "") for ask in asks for way in ask.choices), incomplete)


def sessions(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    """Live ones by the first letters of their id; by the name of their project where only one has it."""
    try:
        live = [session for session in _client().sessions() if session.is_live]
    except AssentError:
        return []
    projects = [PurePosixPath(session.project or session.cwd).name for session in live]
    by_id = [(session.id[:8], session.title or project) for session, project in zip(live, projects, strict=True)]
    named = [
        (project, session.title)
        for session, project in zip(live, projects, strict=True)
        if projects.count(project) == 1
    ]
    return _items((*named, *by_id), incomplete)


def surfaces(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    try:
        items = [(surface["name"], surface["words"]) for surface in _client().surfaces()]
    except AssentError:
        return []
    return _items(items, incomplete)


def filters(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> Items:
    return filter_terms(incomplete)


def filter_terms(incomplete: str) -> Items:
    """Whole terms where the values are known, else the key."""
    sign = "-" if incomplete.startswith("-") else ""
    return _items(((f"{sign}{term}", "") for term in _terms(incomplete.removeprefix("-"))), incomplete)


def _terms(begun: str) -> Iterator[str]:
    # Imported when a shell asks: every verb that takes a filter imports this module.
    from assent import filter as filter_words
    from assent.protocol.decision import Risk

    key, is_key, _ = begun.partition(":")
    if not is_key:
        yield from (f"{key}:" for key in filter_words.KEYS)
        return
    if key == "risk":
        yield from (f"risk:{risk.word}" for risk in Risk)
    elif key == "decision":
        yield from (f"decision:{word}" for word in filter_words.DECISIONS)
    elif key in ("since", "until"):
        yield from (f"{key}:{when}" for when in ("15m", "2h", "today", "yesterday", "7d"))
    elif key in ("project", "session"):
        try:
            sessions = _client().sessions()
        except AssentError:
            return
        for session in sessions:
            value = session.id[:8] if key == "session" else PurePosixPath(session.project or session.cwd).name
            yield f"{key}:{value}"
    elif key == "ask":
        yield from (f"ask:{ask.id}" for ask in _waiting())


def _waiting() -> "list[ShownAsk]":
    try:
        asks = _client().snapshot().asks
    except AssentError:
        return []
    return [ask for ask in reversed(asks) if ask.state in ("open", "doubtful")]


def _client() -> Client:
    return Client(locations.find())


def _items(pairs: Iterable[tuple[str, str]], incomplete: str) -> Items:
    matching = {value: help_text for value, help_text in pairs if value.startswith(incomplete) and _is_word(value)}
    return [
        CompletionItem(value, help=plain_line(help_text, LONGEST_HELP) or None) for value, help_text in matching.items()
    ]


def _is_word(value: str) -> bool:
    return _WORD.fullmatch(value.removeprefix("-")) is not None


class _Bash(BashComplete):
    """Bash ends words at colons, which filters are full of: the line itself tells where they end."""

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n' completion response
    response=$(env COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" %(complete_var)s=bash_complete "$1" 2>/dev/null)
    COMPREPLY=()
    while read -r completion; do
        case "$completion" in
            dir,*) compopt -o dirnames ;;
            file,*) compopt -o default ;;
            plain,*) COMPREPLY+=("${completion#plain,}") ;;
        esac
    done <<< "$response"
    # A key of a filter goes on with its value.
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace; fi
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        line, point = os.environ.get("COMP_LINE", ""), os.environ.get("COMP_POINT", "")
        begun = os.fsencode(line)[: int(point)].decode(errors="replace") if point.isdigit() else line
        words = split_arg_string(begun)[1:]
        return (words, "") if not words or begun[-1:].isspace() else (words[:-1], words[-1])

    def complete(self) -> str:
        args, incomplete = self.get_completion_args()
        # What stands before the last colon is on the line already.
        done = len(incomplete.rpartition(":")[0]) + 1 if ":" in incomplete else 0
        items = self.get_completions(args, incomplete)
        return "\n".join(f"{item.type},{str(item.value)[done:]}" for item in items)


def prepare() -> None:
    """For the moment in which a shell asks."""
    add_completion_class(_Bash)


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that makes your shell complete the commands and options of Assent, and what the hub knows: ids of
    what waits for you and the answers it takes, sessions, and the words of a filter. Without a hub those are left out.

    \b
    Examples:
      assent completion bash >> ~/.bashrc
      assent completion zsh >> ~/.zshrc
      assent completion fish > ~/.config/fish/completions/assent.fish
    """
    prepare()
    kind = get_completion_class(shell)
    assert kind is not None
    output.say(kind(ctx.find_root().command, {}, "assent", "_ASSENT_COMPLETE").source())
