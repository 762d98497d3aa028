"""What is known about commands can be read: every table of options, of every command and sub-command."""

from collections.abc import Iterator

from assent.policy import commands
from assent.policy.commands.spec import Invocation, Spec
from tests.unit.policy.setting import SETTING


def every(name: str, spec: Spec, depth: int = 0) -> Iterator[tuple[str, Spec]]:
    yield name, spec
    if depth < 4:
        for verb, inner in (spec.verbs or {}).items():
            yield from every(f"{name} {verb}", inner, depth + 1)


def test_commands_tables_can_be_read() -> None:
    """No table of options holds an entry that is not one."""
    seen: set[str] = set()
    for name, spec in commands.known().items():
        for path, inner in every(name, spec):
            if inner.options not in seen:
                seen.add(inner.options)
                Invocation(path, (), inner, SETTING, SETTING.cwd)
