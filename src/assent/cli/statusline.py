"""``assent statusline``: what waits, for the status line of the agent's own terminal."""

import click

from assent.cli import line


@click.command("statusline")
@click.option("--ascii", "is_ascii", is_flag=True, help="Plain letters instead of signs.")
def command(is_ascii: bool) -> None:
    """Print what waits for you in one line, for the status line of {title}, a shell prompt or tmux.

    {title} names its session on standard input; then the line is about that one, and counts what waits in others
    as “elsewhere”. Without it the line is about all of them. It prints, as far as there is anything to say, what waits
    by risk, how long ago your phone was told or when it will be, and how many instructions are queued.

    \b
    In {settings}, with seconds between two looks:
      "statusLine": {"type": "command", "command": "assent statusline",
                     "refreshInterval": 5}

    \b
    Examples:
      assent statusline
      assent statusline --ascii
    """
    line.run(is_ascii=is_ascii)
