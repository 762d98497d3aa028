"""``assent completion``: teach a shell our verbs."""

import click
from click.shell_completion import get_completion_class

from assent.cli import completing, output


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a script that makes your shell complete the commands and options of Assent, and what the hub knows: ids of
    what waits for you and the answers it takes, sessions, and the words of a filter. Without a hub those are left out.

    \b
    Examples:
      assent completion bash >> ~/.bashrc
      assent completion zsh >> ~/.zshrc
      assent completion fish > ~/.config/fish/completions/assent.fish
    """
    completing.prepare()
    kind = get_completion_class(shell)
    assert kind is not None
    output.say(kind(ctx.find_root().command, {}, "assent", "_ASSENT_COMPLETE").source())
