"""Every use that a table names exists, and every command has a safety argument."""

from collections.abc import Iterator

import pytest

from assent.policy import commands
from assent.policy.commands.spec import Invocation, Spec, option_table, used
from assent.policy.shell.words import Arg
from tests.unit.policy.setting import SETTING


def _specs() -> Iterator[tuple[str, Spec]]:
    """Of every command and every verb, each once."""
    seen: set[int] = set()
    waiting = list(commands.known().items())
    while waiting:
        name, spec = waiting.pop()
        if id(spec) not in seen:
            seen.add(id(spec))
            yield name, spec
            waiting += [(f"{name} {verb}", inner) for verb, inner in (spec.verbs or {}).items()]


def _uses(spec: Spec) -> set[str]:
    uses = {use.rstrip("*") for use in spec.operands.split()}
    return uses | ({takes.lstrip("?;2") for takes in option_table(spec.options).takes.values()} - {"flag"})


def test_every_use_that_a_table_names_exists() -> None:
    """A slip in a table is found here, not when a line happens to use it."""
    for name, spec in _specs():
        invocation = Invocation(name, (), spec, SETTING, SETTING.cwd)
        for use in _uses(spec):
            try:
                list(used(invocation, use, Arg("x")))
            except ValueError as error:
                pytest.fail(f"{name}: {error}")


def test_every_command_says_why() -> None:
    """The safety argument is what a person reads."""
    assert not [name for name, spec in _specs() if not spec.why and not spec.does]
