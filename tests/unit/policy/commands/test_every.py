"""Properties of every known command, whatever its arguments."""

import itertools

import pytest

from assent.policy.commands import known
from assent.protocol.decision import Risk
from tests.unit.policy.risks import effects, risk

ODD = ("", "-", "--", "'' $x", "x y z", "-x --x=y", "-c", "-e 1", "a=b @", "-o <<< x")


# By their first letter: a test for each of thousands of names would take longer to set up than to run.
NAMES = {letter: tuple(names) for letter, names in itertools.groupby(sorted(known()), key=lambda name: name[:1])}


@pytest.mark.parametrize("letter", NAMES)
def test_command_is_judged_whatever_it_is_given(letter: str) -> None:
    """No argument makes the judge stumble, and each leaves at least one effect or something that is started."""
    for name, odd in itertools.product(NAMES[letter], ODD):
        line = f"{name} {odd}"
        try:
            judged = risk(line)
        except Exception as error:
            error.add_note(f"at: {line}")
            raise
        assert judged in Risk, line


@pytest.mark.parametrize("letter", NAMES)
def test_danger_beside_a_command_is_danger(letter: str) -> None:
    """Nothing that is known about a command hides what its words run."""
    assert [name for name in NAMES[letter] if risk(f"{name} $(rm -rf /)") != Risk.DANGER] == []


def test_sentences_are_sentences() -> None:
    """Whatever is said about a command is said to a person."""
    for name in known():
        for effect in effects(f"{name} x -y"):
            assert effect.why.endswith("."), (name, effect.why)
            assert effect.why[0].isupper() or effect.why.startswith(name), (name, effect.why)
