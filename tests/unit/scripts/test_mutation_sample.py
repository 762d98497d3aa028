"""Small changes of the source, to see which of them the tests notice."""

import ast

import pytest

from scripts import pairing
from scripts.mutation_sample import PACKAGES, Mutant, near_tests, sample, within


def changed(source: str) -> list[str]:
    """Each change of a module of this text, applied."""
    return [
        Mutant("m", kind, node, after).applied(source.encode()).decode()
        for kind, node, after in within(ast.parse(source), False, False)
    ]


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("x = a < b", ["x = (a <= b)"]),
        ("x = a is not None", ["x = (a is None)"]),
        ("x = 'ü' and b", ["x = ('ü' or b)"]),
        ("x = not a", ["x = (a)"]),
        ("x = 2", ["x = (3)"]),
        ("if a: x()", ["if (not a): x()"]),
        ("return a", ["return (not a)"]),
        ("log.info('%d', 2)", []),
        ("x = f'{a < b}'", []),
        ("x: Literal[1] = a", []),
        ("x = True", []),
    ],
)
def test_kinds_of_changes(line: str, after: list[str]) -> None:
    """Texts, log lines and annotations are left alone."""
    start = "def f() -> bool:\n    "
    assert changed(start + line) == [start + text for text in after]


def test_tables_outside_functions_are_left_alone() -> None:
    """Only what runs is changed."""
    assert changed("x = 2\nclass A:\n    y = not 3") == []


def test_sample_is_the_same_for_a_seed_and_has_every_package() -> None:
    """And each of its changes can be compiled."""
    mutants = sample(1, 12)
    assert [mutant.text for mutant in mutants] == [mutant.text for mutant in sample(1, 12)]
    assert [mutant.module.partition("/")[0] for mutant in mutants] == [*PACKAGES, *PACKAGES]
    for mutant in mutants:
        compile(mutant.applied((pairing.ROOT / mutant.path).read_bytes()), mutant.path, "exec")


def test_near_tests_are_those_of_the_name_the_group_or_the_folder() -> None:
    """A module without tests of its name has those that its group names, or those of its folder."""
    assert near_tests("hub/pipeline/drafts") == list(pairing.excepted()["hub/pipeline/drafts"].tests)
    assert near_tests("scripts/mutation_sample") == ["tests/unit/scripts/test_mutation_sample.py"]
    assert near_tests("journal/memory")[-1] == "tests/component/journal/test_contract.py"
    assert near_tests("scripts/other") == ["tests/unit/scripts"]
