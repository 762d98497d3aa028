"""Another rules file, laid over the record."""

import pytest

from assent.errors import UsageError
from assent.learn.replay import Difference, Replayed, replay
from tests.unit.learn.conftest import MakeCourt
from tests.unit.learn.stories import Story, bash

ALLOW = '[[rule]]\nmatch = "Bash(make *)"\ndecision = "allow"\n'
DENY = '[[rule]]\nmatch = "Bash(make *)"\ndecision = "deny"\nreason = "x"\n'
ASK = '[[rule]]\nmatch = "Bash(make *)"\ndecision = "ask"\nreason = "x"\n'


def changes(differences: tuple[Difference, ...]) -> dict[tuple[str, str], int]:
    return {(difference.was, difference.becomes): difference.count for difference in differences}


def total(found: Replayed) -> int:
    listed = sum(difference.count for difference in (*found.changed, *found.already))
    return found.same + found.restored + found.unjudged + listed


def test_same_rules_change_nothing(court: MakeCourt) -> None:
    """The record is judged as it was."""
    story = Story()
    story.approved("Bash", bash("make test"))
    story.wanted("Read", {"file_path": f"{story.project}/a.py"}, "allow")
    found = replay(story.cases(), court(""), court(""))
    assert (found.calls, found.same, found.changed, found.already) == (2, 2, (), ())


def test_difference_is_counted_with_the_rule_that_spoke(court: MakeCourt) -> None:
    """Who reads it knows which rule did it, and to which call."""
    story = Story()
    for _ in range(3):
        story.approved("Bash", bash("make test"))
    found = replay(story.cases(), court(""), court(ALLOW))
    assert changes(found.changed) == {("no_opinion", "allow"): 3}
    (example,) = found.changed[0].examples
    assert (example.by, example.evidence, example.times) == ("rule:user#1", "Bash(make *)", 3)
    assert (example.project, example.what, example.seq) == (story.project, "make test", 11)
    assert (found.asks_saved, found.asks_added) == (3, 0)


def test_refused_call_that_would_be_allowed_is_named_first(court: MakeCourt) -> None:
    """What a person did not want is the first thing to know about new rules."""
    story = Story()
    story.refused("Bash", bash("make deploy"))
    story.wanted("Bash", bash("make clean"), "deny")
    found = replay(story.cases(), court(""), court(ALLOW))
    assert [example.what for example in found.refused.examples] == ["make deploy"]
    assert [example.what for example in found.denied.examples] == ["make clean"]


def test_refused_call_is_named_even_where_todays_rules_allow_it(court: MakeCourt) -> None:
    """A file can be checked against itself."""
    story = Story()
    story.refused("Bash", bash("make deploy"))
    found = replay(story.cases(), court(ALLOW), court(ALLOW))
    assert [example.already for example in found.refused.examples] == [True]


def test_approved_call_that_would_be_denied_is_named(court: MakeCourt) -> None:
    """Rules that are too tight show as well."""
    story = Story()
    story.approved("Bash", bash("make test"))
    found = replay(story.cases(), court(""), court(DENY))
    assert found.thwarted.count == 1


def test_difference_under_todays_rules_is_told_apart(court: MakeCourt) -> None:
    """Only what the file itself changes is put down to it."""
    story = Story()
    story.wanted("Bash", bash("make test"))
    story.wanted("Read", {"file_path": f"{story.project}/a.py"}, "no_opinion")
    found = replay(story.cases(), court(ALLOW), court(ALLOW))
    assert found.changed == ()
    assert changes(found.already) == {("no_opinion", "allow"): 2}


def test_file_that_restores_what_was_decided_is_counted(court: MakeCourt) -> None:
    """Equal to the record and yet not to today."""
    story = Story()
    story.wanted("Bash", bash("make test"))
    found = replay(story.cases(), court(DENY), court(""))
    assert (found.restored, found.same, found.changed, found.already) == (1, 0, (), ())


def test_more_asks_are_counted(court: MakeCourt) -> None:
    """A call that ran unasked would have opened a dialog."""
    story = Story()
    story.ran("Bash", bash("make test"), story.wanted("Bash", bash("make test")))
    found = replay(story.cases(), court(""), court(ASK))
    assert (found.asks_saved, found.asks_added) == (0, 1)


def test_redacted_call_is_counted_and_never_guessed(court: MakeCourt) -> None:
    """A rule that would match the mark is not asked."""
    story = Story()
    story.refused("Bash", bash("make deploy TOKEN=⟨token:12345678⟩"))
    found = replay(story.cases(), court(""), court(ALLOW))
    assert (found.unjudged, found.refused.count, found.changed) == (1, 0, ())


def test_unknown_harness_is_counted_and_never_guessed(court: MakeCourt) -> None:
    """Its payload cannot be read."""
    story = Story()
    story.wanted("Bash", bash("make"))
    story.records[0].body["harness"] = "somebody_else"
    assert replay(story.cases(), court(""), court(ALLOW)).unjudged == 1


def test_rule_for_one_harness_changes_its_calls_alone(court: MakeCourt) -> None:
    """A call of each client, by the name that each has for its shell."""
    story = Story()
    story.wanted("Bash", bash("make"))
    story.wanted("bash", bash("make"))
    story.records[2].body["harness"] = "copilot"
    (change,) = replay(story.cases(), court(""), court(f'{ALLOW}harness = "copilot"\n')).changed
    assert (change.count, change.examples[0].seq) == (1, 3)


def test_floor_is_never_lifted_by_a_file(court: MakeCourt) -> None:
    """No rules file makes the floor disappear."""
    story = Story()
    story.wanted("Bash", bash("rm -rf /"), "deny")
    everything = '[[rule]]\nmatch = "Bash"\ndecision = "allow"\n'
    found = replay(story.cases(), court(""), court(everything))
    assert (found.same, found.denied.count) == (1, 0)


def test_every_call_is_counted_once(court: MakeCourt) -> None:
    """The numbers add up."""
    story = Story()
    story.approved("Bash", bash("make a"))
    story.refused("Bash", bash("make b"))
    story.wanted("Bash", bash("make c"), "deny")
    story.wanted("Bash", bash("curl ⟨token:12345678⟩"))
    story.wanted("WebFetch", {"url": "https://example.com/"}, "prompt")
    story.wanted("Read", {"file_path": f"{story.project}/a.py"}, "allow")
    for today, other in (("", ALLOW), (ALLOW, ""), (DENY, ASK), (ASK, ALLOW)):
        found = replay(story.cases(), court(today), court(other))
        assert total(found) == found.calls == 6


def test_examples_are_limited(court: MakeCourt) -> None:
    """Only as many as were asked for, the most frequent first."""
    story = Story()
    for number in range(6):
        for _ in range(number + 1):
            story.wanted("Bash", bash(f"make {number}"))
    found = replay(story.cases(), court(""), court(ALLOW), examples=2)
    assert [(example.what, example.times) for example in found.changed[0].examples] == [("make 5", 6), ("make 4", 5)]
    assert found.changed[0].count == 21


def test_broken_rules_are_refused(court: MakeCourt) -> None:
    """The error is the one the hub gives, with its line."""
    with pytest.raises(UsageError, match=r"rules0.toml:3: "):
        court('[[rule]]\nmatch = "Bash"\ndecision = "perhaps"\n')
