"""``assent acp``: a proxy between an editor and its agent."""

import asyncio
import os
import shutil

import click

from assent import config
from assent import paths as locations
from assent.cli import output
from assent.harnesses.base import NOT_STARTED
from assent.shim import place

CANNOT_RUN, NOT_FOUND = 126, 127


def _complain(text: str) -> None:
    output.complain(f"assent: {text}.")


@click.command("acp", context_settings={"allow_interspersed_args": False})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- AGENT [ARGS]...")
def command(words: tuple[str, ...]) -> int:
    """Stand between an editor and an agent that speaks the Agent Client Protocol. Name this in your editor where the
    agent's command stands. Messages go through as they are.

    What the agent asks permission for is judged first: what only looks is allowed once, a danger is refused and the
    reason shown in the editor. Where a person is asked, the editor's dialog opens and the ask stands on your other
    screens; the first answer counts. What the agent has the editor write or run is judged as well. Its other calls are
    recorded. In a mode that asks nothing its own tools run unasked, and the session is shown as bypass.

    Exit codes: the agent's own; 126 it cannot be run, 127 it was not found. Ended by a signal: 130, 143.

    \b
    Examples:
      assent acp -- gemini --acp
      assent acp -- opencode acp
    """
    from assent.acp.hub_link import HubLink  # the proxy's parts, which listing the verbs does not need
    from assent.acp.program import Program

    program = shutil.which(words[0])
    if program is None:
        is_there = "/" in words[0] and os.path.exists(words[0])  # noqa: PTH110 - text
        output.complain(f"assent: {words[0]} {'cannot be run' if is_there else 'was not found'}. {NOT_STARTED}")
        return CANNOT_RUN if is_there else NOT_FOUND
    paths = locations.find()
    unreachable = config.load(paths.config).hub.unreachable
    place.place(paths, unreachable=unreachable)
    link = HubLink(paths, unreachable, _complain)
    try:
        return asyncio.run(Program([program, *words[1:]], link, _complain).run())
    except OSError as error:
        output.complain(f"assent: {program} cannot be run: {error.strerror}.")
        return CANNOT_RUN
