"""The program ``assent``: verbs loaded on use, and the one place where errors become messages and exit codes."""

import atexit
import gc
import importlib
import io
import keyword
import os
import sys
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from assent._version import __version__
from assent.cli import output
from assent.errors import AssentError
from assent.harnesses import names

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

INTERRUPTED = 130
BUG = 3
# Set by the shell that asks what a word could become.
COMPLETES = "_ASSENT_COMPLETE"


class Verb(NamedTuple):
    name: str
    section: str
    help: str
    # The module it shares with other verbs. There its command has the verb's name, elsewhere it is called `command`.
    shared_module: str = ""

    @property
    def module(self) -> str:
        # Some verbs are words of Python's own.
        own = self.name + ("_" if keyword.iskeyword(self.name) else "")
        return f"assent.cli.{self.shared_module or own}"

    def load(self) -> click.Command:
        command = getattr(importlib.import_module(self.module), self.name if self.shared_module else "command")
        assert isinstance(command, click.Command)
        return command


VERBS = (
    Verb("up", "Hub", "Start the hub."),
    Verb("down", "Hub", "Stop the hub until `assent up`.", "up"),
    Verb("restart", "Hub", "Stop the hub and start it again.", "up"),
    Verb("status", "Hub", "Show whether the hub runs and how it is."),
    Verb("pause", "Hub", "Let rules and stance be silent for a while."),
    Verb("resume", "Hub", "End a pause.", "pause"),
    Verb("setup", "Set-up", "Set Assent up, one question after another."),
    Verb("install", "Set-up", f"Add Assent to {names.TITLE}'s settings."),
    Verb("uninstall", "Set-up", f"Take Assent out of {names.TITLE}'s settings."),
    Verb("service", "Set-up", "Have the hub started when you log in."),
    Verb("pair", "Set-up", "Let a phone or another computer in."),
    Verb("devices", "Set-up", "List the screens that were let in, and shut one out."),
    Verb("keys", "Set-up", "List the hub's keys, and replace them by new ones."),
    Verb("confirm", "Set-up", "Say that a terminal is yours, where the hub cannot tell.", "devices"),
    Verb("connect", "Set-up", "Have asks brought to Telegram, ntfy, Slack and others."),
    Verb("doctor", "Set-up", "Find out what does not work, and why."),
    Verb("demo", "Set-up", "Replay a recorded session into the hub."),
    Verb("completion", "Set-up", "Print a completion script for your shell.", "completing"),
    Verb("join", "Team", "Join a team: your machines show each other's asks."),
    Verb("leave", "Team", "Leave the team.", "join"),
    Verb("team", "Team", "Show how this machine stands in its team, and the others."),
    Verb("relay", "Team", "Carry asks and answers between the hubs of a team."),
    Verb("asks", "People", "Show what waits for you."),
    Verb("answer", "People", "Look at one of them, and answer it."),
    Verb("watch", "People", "Watch all agents and answer what they ask, in the terminal."),
    Verb("sessions", "People", "List the sessions the hub knows."),
    Verb("session", "People", "Show one session."),
    Verb("jump", "People", "Go to the terminal of a session."),
    Verb("queue", "People", "Queue instructions that a session is told when it would stop."),
    Verb("away", "People", "Say that you leave the desk."),
    Verb("back", "People", "Say that you are at the desk again.", "away"),
    Verb("quiet", "People", "Have nothing pushed to your phone for a while.", "away"),
    Verb("statusline", "People", "Print what waits in one line, for a status line."),
    Verb("try", "Policy", "Show what would be decided about a command, and why."),
    Verb("rules", "Policy", "Show, check, test and explain the rules that hold here."),
    Verb("trust", "Policy", "Let the allow rules of a project hold, once you have read them."),
    Verb("tests", "Policy", "Let agents run tests in a project without asking.", "grants"),
    Verb("changes", "Policy", "Let agents change files in a project that git can bring back.", "grants"),
    Verb("grants", "Policy", "List what you allowed for longer than once, and take it back."),
    Verb("review", "Policy", "Find the rules that would have saved you the most asks."),
    Verb("replay", "Policy", "Show what a rules file would have decided about the record."),
    Verb("log", "Record", "Show what happened."),
    Verb("stats", "Record", "Show how much was asked, decided and saved."),
    Verb("exec", "Other", "Run an agent with Assent's hooks for this run only."),
    Verb("acp", "Other", "Stand between an editor and its agent."),
    Verb("schema", "Other", "Print the JSON Schema of an event, tool input or reply."),
)

BY_NAME = {verb.name: verb for verb in VERBS}
SECTIONS = tuple(dict.fromkeys(verb.section for verb in VERBS))


def report(error: BaseException, verb: str) -> str:
    """Write the crash file and say in one line where it is. The error's own words are shown but not kept."""
    summary = f"{type(error).__name__}: {error}".splitlines()[0]
    try:
        kept = f"where it happened is in {_write(error, verb)}"
    except OSError as trouble:
        kept = f"no crash file could be written ({trouble.strerror})"
    return f"This is a bug in Assent: {summary}; {kept}."


def _write(error: BaseException, verb: str) -> "Path":
    import time

    from assent import paths

    folder = paths.find().state
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"crash-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.txt"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(_text(error, verb))
    return path


def _text(error: BaseException, verb: str) -> str:
    import platform
    import traceback

    lines = [
        f"assent {__version__}, {verb}",
        f"python {platform.python_version()} ({sys.executable}), {platform.platform()}",
    ]
    seen: BaseException | None = error
    while seen is not None:
        lines.append(f"\n{type(seen).__qualname__}")
        # Names and places only: an error's text may quote what an agent sent.
        lines += [f"  {at.filename}:{at.lineno} {at.name}" for at in traceback.extract_tb(seen.__traceback__)]
        seen = seen.__cause__ or seen.__context__
    return "\n".join(lines) + "\n"


class LazyGroup(click.Group):
    """Imports a verb when it is called, never to list it."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [verb.name for verb in VERBS]

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in BY_NAME:
            return None
        command = BY_NAME[cmd_name].load()
        # What was imported stays, and need not be looked through again.
        gc.freeze()
        gc.enable()
        command.help = names.filled(command.help)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in BY_NAME and not name.startswith("-") and not ctx.resilient_parsing:
            import difflib  # imported only for a mistyped name

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

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        items = [CompletionItem(verb.name, help=verb.help) for verb in VERBS if verb.name.startswith(incomplete)]
        return items + click.Command.shell_complete(self, ctx, incomplete)

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
      assent install     then start {program}; `assent demo` plays a session
      assent status      is the hub up, and where is its page
    Every day:
      assent watch       all agents in this terminal, and what they ask you
      assent asks        what waits for you; `assent answer ID` answers it
      assent log         what happened, and why
    """
    ctx.color = output.wants_colour()


cli.help = names.filled(cli.help)


def main() -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show an arrow gets a question mark. The stream is None if it was closed at the start.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if COMPLETES in os.environ:
        importlib.import_module("assent.cli.completing").prepare()
    leave(run(sys.argv[1:]))


def leave(code: int) -> NoReturn:
    """As ``sys.exit``, but what the end of a process frees anyway is not taken apart first: that takes as long as a
    small verb. Where something may still go on, or cannot be written, Python ends as always."""
    if threading.active_count() == 1:
        atexit._run_exitfuncs()  # noqa: SLF001 - nothing public runs them
        try:
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
        except (OSError, ValueError):
            sys.exit(code)
        os._exit(code)
    sys.exit(code)


def _wrong_use(error: click.ClickException) -> AssentError:
    """What click found, told as every other error."""
    text = error.format_message()
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
    hint = f"`{path} --help` explains it." if path else None
    return AssentError(text if text.endswith((".", "?", "!")) else f"{text}.", hint=hint)


def _complain(text: str) -> None:
    first, *rest = output.wrapped(f"assent: {text}", output.error_width())
    output.complain("\n".join((output.styled("assent:", "bad") + first.removeprefix("assent:"), *rest)))


def run(argv: list[str]) -> int:
    """The exit code: 0 done, 1 refused, 2 usage, 3 bug, 4 hub unreachable, 5 answer lost, 130 interrupted."""
    try:
        result = cli.main(args=argv, prog_name="assent", standalone_mode=False)
    except AssentError as error:
        _complain(str(error))
        return error.exit_code
    except click.ClickException as error:
        _complain(str(_wrong_use(error)))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        verb = next((word for word in argv if word in BY_NAME), "no verb")
        _complain(report(error, verb))
        return BUG
    return result if isinstance(result, int) else 0
