"""``assent watch``: all agents on one screen, answered with keys."""

import os
import sys

import click

from assent import paths as locations
from assent.cli import completing, output
from assent.cli.common import Filtered
from assent.client import Client
from assent.errors import UsageError
from assent.paths import Paths


@click.command("watch", cls=Filtered, options_metavar="[OPTIONS] [FILTER]...")
@click.argument("words", nargs=-1, metavar="", shell_complete=completing.filters)
@click.option(
    "--plain", is_flag=True, help="One line an event, for screen readers and pipes; a filter narrows it down."
)
@click.option("--ascii", "is_ascii", is_flag=True, help="Letters instead of signs and lines.")
@click.option(
    "--light/--dark", "is_light", default=None, help="Colours; without this as your terminal's background is."
)
@click.option("--bell", is_flag=True, help="Ring when something dangerous waits and you look elsewhere.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal; nothing needs it.")
def command(
    words: tuple[str, ...], plain: bool, is_ascii: bool, is_light: bool | None, bell: bool, no_mouse: bool
) -> int:
    """Watch all agents and answer what they ask, with keys. Starts the hub if there is none.

    \b
    In it:
      j k     move            a  allow once      1-5  Inbox, Sessions, Feed, Log, Rules
      Enter   open            d  deny            /    filter
      Space   read on         ?  all keys        q    back, and out

    \b
    Examples:
      assent watch
      assent watch --plain
      assent watch --plain 'risk:>=care' project:webshop | tee webshop.txt
    """
    if words and not plain:
        raise UsageError(
            "Nothing was started: a filter on the command line goes with --plain.", hint="in the screens, press /."
        )
    paths = locations.find()
    if not Client(paths).healthy():
        _start_hub(paths)
    if plain:
        from assent.tui import plain as plain_stream

        return plain_stream.run(Client(paths), " ".join(words), is_ascii=is_ascii)
    if not output.is_interactive() or os.environ.get("TERM") == "dumb":
        raise UsageError(
            "The terminal UI needs a terminal that can draw, and this is none.",
            hint="`assent watch --plain` prints one line an event, `assent asks` what waits.",
        )
    return _watch(paths, is_ascii=is_ascii, is_light=is_light, bell=bell, mouse=not no_mouse)


def _watch(paths: Paths, *, is_ascii: bool, is_light: bool | None, bell: bool, mouse: bool) -> int:
    from assent.tui.ending import settle_soon

    settle_soon()
    # Textual takes a quarter of a second to load, and no other verb needs it.
    from assent.tui.app import Watch
    from assent.tui.drawing.look import found_look

    look = found_look(os.environ, is_ascii=is_ascii, is_light=is_light)
    # A key pressed at the terminal is a person's order, as `assent up` is.
    app = Watch(Client(paths), look, lambda: _start_hub(paths, ordered=True), screen_name=_terminal(), rings=bell)
    code = app.run(mouse=mouse)
    if app.crash is not None:
        raise app.crash
    return code or 0


def _start_hub(paths: Paths, *, ordered: bool = False) -> None:
    # One runs most of the time.
    from assent.cli import hub_process

    hub_process.start(paths, ordered=ordered)


def _terminal() -> str:
    """What this one is called where several are open."""
    try:
        return os.ttyname(sys.stdin.fileno()).removeprefix("/dev/")
    except OSError:
        return "terminal"
