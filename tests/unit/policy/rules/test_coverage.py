"""Whether rules account for a whole line."""

from hypothesis import given
from hypothesis import strategies as st

from assent.policy.rules.coverage import Cover, of_line
from tests.unit.policy.calls import call


def covered(text: str, *names: str) -> Cover:
    """By rules that name these texts exactly."""
    return of_line(text, call("Bash", command=text).line, lambda form: Cover.EXACT if form in names else Cover.NO)


def test_cover_takes_every_command() -> None:
    """One that is not named is enough to cover nothing."""
    assert covered("a x && b | c; d", "a x", "b", "c", "d") is Cover.EXACT
    assert covered("a x && b | c; d", "a x", "b", "d") is Cover.NO


def test_cover_is_as_good_as_the_worst_of_it() -> None:
    """A wildcard somewhere is a wildcard."""
    cover = {"a": Cover.EXACT, "b": Cover.WIDE}
    assert of_line("a; b", call("Bash", command="a; b").line, lambda form: cover.get(form, Cover.NO)) is Cover.WIDE


def test_cover_wants_substitutions_covered_too() -> None:
    """What they print must be known, and they must be named; text by another spelling is only text."""
    assert covered("cat <(x)", "cat <(x)", "cat /dev/fd/63") is Cover.NO
    assert covered("cat <(x)", "cat /dev/fd/63", "x") is Cover.EXACT
    assert covered("a $(echo b)", "a b") is Cover.EXACT
    assert covered("a $(x)", "a $(x)", "x") is Cover.NO


def test_cover_sees_through_wrappers_that_change_nothing() -> None:
    """Time and priority are not what a rule is about; rights and variables are."""
    assert covered("timeout 5 nice a", "a") is Cover.EXACT
    assert covered("sudo a", "a") is Cover.NO
    assert covered("env X=1 a", "a") is Cover.NO
    assert covered("sudo a", "sudo a") is Cover.EXACT


def test_cover_takes_variables_before_a_command_for_part_of_it() -> None:
    """They can make it another command."""
    assert covered("X=1 a", "a") is Cover.NO
    assert covered("X=1 a", "X=1 a") is Cover.EXACT


@given(st.text(alphabet=st.sampled_from("ab '\"\\$`<>|&;()#\n-=c{}")) | st.text())
def test_cover_is_never_given_to_what_is_not_named(text: str) -> None:
    """Whatever an agent sends."""
    assert covered(text) is Cover.NO
