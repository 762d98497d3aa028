"""``assent schema``: the shapes of what crosses a boundary."""

import click
import msgspec

from assent.cli import output
from assent.harnesses import schema


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema of an event, a tool's input or a reply; without a name, list the names.

    \b
    Examples:
      assent schema
      assent schema PreToolUse
      assent schema PreToolUse.reply
    """
    if name is None:
        for each in schema.names():
            output.say(each)
    else:
        output.say(msgspec.json.format(msgspec.json.encode(schema.schema(name)), indent=2).decode())
