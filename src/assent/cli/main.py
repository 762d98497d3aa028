"""The program ``assent``: verbs loaded on use, and the one place where errors become messages and exit codes."""

import importlib
import io
import os
import sys
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from assent._version import __version__
from assent.cli import output
from assent.cli.commands import BY_NAME, SECTIONS, VERBS
from assent.errors import AssentError

INTERRUPTED = 130
BUG = 3
# Set by the shell that asks what a word could become.
COMPLETES = "_ASSENT_COMPLETE"


class LazyGroup(click.Group):
    """Imports a verb when it is called, never to list it."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [verb.name for verb in VERBS]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in BY_NAME:
            return None
        command = importlib.import_module(BY_NAME[cmd_name].module).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in BY_NAME and not name.startswith("-") and not ctx.resilient_parsing:
            import difflib  # only whoever mistypes waits for it

            close = difflib.get_close_matches(name, BY_NAME, n=2)
            meant = f" Did you mean {' or '.join(repr(other) for other in close)}?" if close else ""
            raise click.UsageError(f"There is no command {name!r}.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section in SECTIONS:
            with formatter.section(section):
                # The same indent in every section, so that they read as one table.
                widest = max(len(verb.name) for verb in VERBS)
                rows = [(verb.name.ljust(widest), verb.help) for verb in VERBS if verb.section == section]
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = [CompletionItem(verb.name, help=verb.help) for verb in VERBS if verb.name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # `assent log | head` has seen enough, which is no failure.
            output.abandon_stdout()
            return 0


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`assent COMMAND --help` explains one of them, with examples.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Assent judges what coding agents want to do, asks you when it must, and keeps a record.

    \b
    First steps:
      assent install     then start claude; `assent demo` plays a session
      assent status      is the hub up, and where is its page
    Every day:
      assent watch       all agents in this terminal, and what they ask you
      assent asks        what waits for you; `assent answer ID` answers it
      assent log         what happened, and why
    """
    ctx.color = output.wants_colour()


def main() -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show an arrow gets a question mark. The stream is None if it was closed at the start.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if COMPLETES in os.environ:
        importlib.import_module("assent.cli.completing").prepare()
    sys.exit(run(sys.argv[1:]))


def run(argv: list[str]) -> int:
    """The exit code: 0 done, 1 refused, 2 usage, 3 bug, 4 hub unreachable, 5 answer lost, 130 interrupted."""
    try:
        result = cli.main(args=argv, prog_name="assent", standalone_mode=False)
    except AssentError as error:
        output.complain(f"{output.styled('assent:', 'bad')} {error}")
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        from assent.cli import crash  # only a bug needs it

        verb = next((word for word in argv if word in BY_NAME), "no verb")
        output.complain(f"{output.styled('assent:', 'bad')} {crash.report(error, verb)}")
        return BUG
    return result if isinstance(result, int) else 0
