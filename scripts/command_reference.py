"""Write docs/commands.md from the program's own help. `--check` only compares."""

import sys
from pathlib import Path

import click

from assent.cli.main import SECTIONS, VERBS, cli

TARGET = Path(__file__).parent.parent / "docs" / "commands.md"

INTRODUCTION = """\
# Commands

Made from `assent --help`; `make docs` refreshes it.

`--json` is there wherever data is printed. Colour is left out when `NO_COLOR` is set or the output is no terminal.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | refused, or nothing of that name was found: nothing was changed, the message says why and what to do |
| 2 | the command line, or a file you wrote, is wrong |
| 3 | a bug in Assent; the message names a file to attach to a report |
| 4 | no hub is running |
| 5 | the answer was not used: another one was first, or it waits no more |
| 130 | interrupted |
"""


def render() -> str:
    parts = [INTRODUCTION]
    group = click.Context(cli, info_name="assent", **cli.context_settings)
    for section in SECTIONS:
        parts.append(f"## {section}\n")
        for verb in (verb for verb in VERBS if verb.section == section):
            command = cli.get_command(group, verb.name)
            assert command is not None
            context = click.Context(command, info_name=verb.name, parent=group, max_content_width=100)
            parts.append(f"### assent {verb.name}\n\n```\n{command.get_help(context)}\n```\n")
            for name, inner in sorted(getattr(command, "commands", {}).items()):
                place = click.Context(inner, info_name=name, parent=context, max_content_width=100)
                parts.append(f"#### assent {verb.name} {name}\n\n```\n{inner.get_help(place)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    if "--check" not in sys.argv:
        TARGET.write_text(render(), encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != render():
        sys.exit("docs/commands.md is not what the program says. hint: make docs")
