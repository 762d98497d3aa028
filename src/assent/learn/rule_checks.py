"""Rules files as their authors want them checked: can they be read, and do their own tests hold."""

from collections.abc import Iterator
from pathlib import Path

from assent.paths import Paths
from assent.policy import rule_book, rule_file, rule_tests, world
from assent.policy.rule import Rule
from assent.policy.rule_tests import Outcome as Outcome


def here(paths: Paths) -> list[Path]:
    """The files that hold in this folder."""
    project = rule_book.find(Path.cwd())
    return [file for file in (paths.rules, project) if file is not None and file.exists()]


def check(file: Path) -> tuple[Rule, ...]:
    """Every rule of it, heard or not. Raises ConfigError."""
    if not _is_projects(file):
        return rule_file.load_user(file).rules
    # Its paths begin at the project's folder.
    found = rule_file.load_project(file.absolute())
    return tuple(sorted((*found.rules, *(each.rule for each in found.ignored)), key=lambda rule: rule.number))


def tests(rules: tuple[Rule, ...]) -> int:
    return sum(len(rule.tests) for rule in rules)


def run(file: Path) -> Iterator[Outcome]:
    """Every test of the file, in the project it belongs to, else in the one around this folder. Raises ConfigError."""
    whole = file.absolute()
    project = whole.parent.parent if _is_projects(file) else Path(world.repository(str(Path.cwd())))
    return rule_tests.run(check(file), project)


def _is_projects(file: Path) -> bool:
    return file.name == "rules.toml" and file.absolute().parent.name == ".assent"
