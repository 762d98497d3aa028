"""What holds for every command anybody here knows, whatever it is given."""

import pytest

from assent.policy.commands import known
from assent.protocol.risk import Risk
from tests.unit.policy.risks import effects, risk

ODD = ("", "-", "--", "'' $x", "x y z", "-x --x=y", "-c", "-e 1", "a=b @", "-o <<< x")


@pytest.mark.parametrize("name", sorted(known()))
def test_command_is_judged_whatever_it_is_given(name: str) -> None:
    """No argument makes the judge stumble, and each leaves at least one effect or something that is started."""
    for odd in ODD:
        assert risk(f"{name} {odd}") in Risk


@pytest.mark.parametrize("name", sorted(known()))
def test_danger_beside_a_command_is_danger(name: str) -> None:
    """Nothing that is known about a command hides what its words run."""
    assert risk(f"{name} $(rm -rf /)") == Risk.DANGER


def test_sentences_are_sentences() -> None:
    """Whatever is said about a command is said to a person."""
    for name in known():
        for effect in effects(f"{name} x -y"):
            assert effect.why.endswith("."), (name, effect.why)
            assert effect.why[0].isupper() or effect.why.startswith(name), (name, effect.why)
