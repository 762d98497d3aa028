"""Helpers that several verbs share: the settings of the current folder, confirmation, picking a session, filters."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from assent.cli import output
from assent.client import Client
from assent.errors import AssentError, NotFoundError, UsageError
from assent.harnesses import names

if TYPE_CHECKING:
    from assent.config import Config
    from assent.harnesses.site import Site
    from assent.paths import Paths
    from assent.protocol.card import ShownAsk
    from assent.protocol.session import Session

SHOWN_WITHIN = 10.0
POLL = 0.05


def page_link(client: Client, port: int, path: str = "") -> str:
    address = f"http://localhost:{port}/{path}"
    try:
        return f"{address}#open={client.pair()}"
    except AssentError:
        # Inside an agent's session no code is given out; the address alone still helps who has a cookie.
        return address


def wait_for_ask(client: Client, session: str) -> "ShownAsk | None":
    """The open ask of a session whose id begins so. The hub writes it down before it shows it, so it may take a
    moment; None if it takes too long."""
    end = time.monotonic() + SHOWN_WITHIN
    while time.monotonic() < end:
        for ask in client.snapshot().asks:
            if ask.subject.session.startswith(session) and ask.state == "open":
                return ask
        time.sleep(POLL)
    return None


def opened(link: str) -> bool:
    """Show it in the person's browser, if there is a person at a screen that has one."""
    has_screen = sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not output.is_interactive() or os.environ.get("CI") or os.environ.get("SSH_CONNECTION") or not has_screen:
        return False
    import webbrowser

    try:
        return webbrowser.open(link)
    except webbrowser.Error:
        return False


class Filtered(click.Command):
    """Filters negate with a dash, so click must not see them: only what can be nothing else is an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        short = {name for param in self.get_params(ctx) for name in param.opts if not name.startswith("--")}
        options = [arg for arg in args if arg.startswith("--") or arg in short]
        words = [arg for arg in args if arg not in options]
        return super().parse_args(ctx, [*(arg for arg in options if arg != "--"), "--", *words])


def pick(sessions: "list[Session]", name: str) -> "Session":
    """By its id, which wins over ids that only begin with it, or by its title or project if only one is called so."""
    for how, matches in _candidates(sessions, name):
        if len(matches) == 1:
            return matches[0]
        if matches:
            names = ", ".join(output.said_by_agent(session.id) for session in matches[:5])
            raise UsageError(f"{len(matches)} sessions {how} {name!r}: {names}.", hint="give more letters of an id.")
    raise NotFoundError(f"No session is called {name!r} or begins with it.", hint="`assent sessions` lists them.")


def _candidates(sessions: "list[Session]", name: str) -> "Iterator[tuple[str, list[Session]]]":
    if not name:
        return
    yield "are", [session for session in sessions if session.id == name]
    yield "begin with", [session for session in sessions if session.id.startswith(name)]
    called = [s for s in sessions if name in (s.title, PurePosixPath(s.project or s.cwd).name)]
    # One that is over is seldom meant.
    yield "are called", [session for session in called if session.is_live] or called


def harness_option(text: str, default: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--harness NAME``: one of those that are registered when the command runs."""
    return click.option(
        "--harness",
        metavar="NAME",
        default=default,
        callback=registered_harness,
        shell_complete=harness_names,
        help=text,
    )


def registered_harness(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    # The registry loads all of them.
    if value and value not in names.TITLES:
        from assent.harnesses import registry

        if value not in registry.HARNESSES:
            raise click.BadParameter(f"{value!r} is not one of {', '.join(registry.HARNESSES)}.")
    return value


def harness_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    from assent.harnesses import registry

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in registry.HARNESSES if name.startswith(last)]


def must_be_confirmed(question: str, *, yes: bool, details: Callable[[], None] | None = None) -> None:
    """Raises unless the user agrees, now or with ``--yes``. ``details`` are shown to those who want to see them."""
    if yes:
        return
    if not output.is_interactive():
        raise UsageError(
            "Nothing was changed: there is no terminal to ask on.", hint="--yes goes ahead without being asked."
        )
    if not output.confirmed(question, details):
        raise AssentError("Nothing was changed.")


def must_be_person(paths: "Paths", what: str) -> None:
    """Raises where an agent asks. The hub knows who does; without one, what agents leave in the environment of their
    commands tells. ``what``: "Keys are replaced"."""
    client = Client(paths)
    if client.healthy():
        me = client.me()
        is_person, hint = me["scope"] == "admin", me.get("hint")
    else:
        from assent.install import rotation

        is_person, hint = rotation.agent_around(os.environ) is None, None
    if not is_person:
        raise AssentError(
            f"{what} by a person at the desk, not from an agent's session. Nothing was changed.",
            hint=hint or "run it in a terminal of your own.",
        )


def site_here(settings: "Config | None" = None) -> "Site":
    """The user, the machine and the current folder as the installer sees them."""
    from assent.config import Config
    from assent.harnesses import site as sites

    try:
        folder = Path.cwd()
    except OSError as error:
        raise UsageError(
            f"The folder you are in cannot be used ({error.strerror}).", hint="go to another folder and try again."
        ) from error
    settings = settings or Config()
    hub, wait = settings.hub, settings.longest_wait
    return sites.find(
        project=folder, port=hub.port, unreachable=hub.unreachable, wait=wait, tool_batches=hub.tool_batches
    )
