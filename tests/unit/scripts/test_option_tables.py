"""What is read out of a program's help, and what is said about a table that differs from it."""

import sys
from pathlib import Path

from assent.policy.commands.spec import Spec
from scripts.option_tables import Helper, compared, options

HELP = """Usage: tool [OPTION]... FILE

  -o, --output=FILE          write the result to FILE
  -n, --count <number>       how many
      --color[=WHEN]         use colours
  -v, --verbose              say more
      --pager PROGRAM        show the result with PROGRAM
"""


def test_help_is_read_with_what_options_take() -> None:
    """Other names of an option take what one of them is shown with."""
    assert {each.name: each.takes for each in options(HELP)} == {
        "-o": "value",
        "--output": "value",
        "-n": "value",
        "--count": "value",
        "--color": "optional",
        "-v": "flag",
        "--verbose": "flag",
        "--pager": "value",
    }


def _told(spec: Spec, room: Path) -> tuple[list[str], list[str], list[str]]:
    tool = room / "tool"
    tool.write_text(f"#!{sys.executable}\nprint({HELP!r})\n")
    tool.chmod(0o755)
    found = compared(["tool"], spec, Helper([str(room)], room))
    return (
        [each.name for each in found.unlisted],
        [each.name for each, _ in found.differing],
        [each.name for each in found.shifting],
    )


def test_option_that_does_not_sound_harmless_is_told_where_a_table_does_not_name_it(tmp_path: Path) -> None:
    """A table that takes the rest for harmless has to name it."""
    assert _told(Spec("Shows.", "* --color? -v"), tmp_path) == (
        ["-o", "--output", "--pager"],
        [],
        ["-n", "--count"],
    )


def test_option_that_takes_a_value_for_one_of_them_only_is_told(tmp_path: Path) -> None:
    """What follows it would be something else."""
    assert _told(Spec("Shows.", "-o -n: -v: --output=write --count= --color? --verbose --pager=run"), tmp_path) == (
        [],
        ["-o", "-v"],
        [],
    )
