"""The voice of the rules."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.call import Call
from assent.policy.judges.rules import Rules
from assent.protocol.decision import Allow, Decision, Deny, Prompt, Risk
from assent.protocol.events import PreToolUse, Stop
from tests.unit.policy.calls import SCENE, pre, request, rules


def voice(*pairs: tuple[str, str], reason: str = "So.") -> Rules:
    because = f'reason = "{reason}"\n'
    return Rules(rules("".join(f"[[rule]]\nmatch = '{m}'\ndecision = \"{d}\"\n{because}" for d, m in pairs)))


def bash(command: str) -> PreToolUse:
    return pre("Bash", command=command)


def test_rules_order_does_not_matter() -> None:
    """Deny beats ask beats allow, wherever they stand."""
    pairs = [("allow", "Bash(git *)"), ("ask", "Bash(git push *)"), ("deny", "Bash(git push -f *)")]
    for order in itertools.permutations(pairs):
        rules_ = voice(*order)
        said: list[type[Decision]] = []
        for command in ("git push -f", "git push", "git log"):
            opinion = rules_.speak(bash(command), SCENE)
            assert opinion is not None
            said.append(type(opinion.decision))
        assert said == [Deny, Prompt, Allow]


def test_rules_say_who_and_why() -> None:
    """The number of the rule, its reason, and the pattern that fitted."""
    opinion = voice(("allow", "Bash(ls)"), ("deny", "Bash(rm *)"), reason="We keep things.").speak(bash("rm x"), SCENE)
    assert opinion is not None
    assert (opinion.by, opinion.why, opinion.evidence) == ("rule:user#2", "We keep things.", "Bash(rm *)")
    assert opinion.decision == Deny("We keep things.")


def test_rules_that_allow_without_a_reason_give_one() -> None:
    """The trace tells which rule it was."""
    opinion = Rules(rules('[[rule]]\nmatch = "Bash(ls)"\ndecision = "allow"')).speak(bash("ls"), SCENE)
    assert opinion is not None
    assert opinion.why == "Rule 1 of the user allows this."


def test_rules_stay_silent_about_what_they_do_not_name() -> None:
    """Nothing becomes an allow by silence."""
    assert voice(("allow", "Bash(ls)")).speak(bash("rm x"), SCENE) is None
    assert Rules([]).speak(bash("rm x"), SCENE) is None


def test_rules_speak_about_gates_only() -> None:
    """A stop is no tool call."""
    assert voice(("deny", "*")).speak(Stop(session_id="s"), SCENE) is None


@pytest.mark.parametrize(
    ("match", "silences"),
    [("Bash(git status)", Risk.DANGER), ("Bash(git *)", Risk.CARE), ("Bash", Risk.CARE)],
)
def test_rules_that_allow_silence_the_stance_as_far_as_they_are_exact(match: str, silences: Risk) -> None:
    """A wildcard cannot have meant the worst case."""
    opinion = voice(("allow", match)).speak(bash("git status"), SCENE)
    assert opinion is not None
    assert opinion.silences is silences


def test_rules_prefer_the_exact_allow() -> None:
    """Whichever stands first."""
    for order in itertools.permutations([("allow", "Bash(git *)"), ("allow", "Bash(git status)")]):
        opinion = voice(*order).speak(bash("git status"), SCENE)
        assert opinion is not None
        assert opinion.silences is Risk.DANGER


def test_rules_do_not_add_up_to_an_allow() -> None:
    """One rule must account for the whole line."""
    two = voice(("allow", "Bash(git *)"), ("allow", "Bash(npm *)"))
    assert two.speak(bash("git status && npm test"), SCENE) is None


def test_rules_answer_a_permission_request() -> None:
    """Allow and deny as they are; ask as a prompt, which the judge turns into silence."""
    three = voice(("allow", "Bash(ls)"), ("ask", "Bash(git *)"), ("deny", "Bash(rm *)"))
    said = [three.speak(request("Bash", command=command), SCENE) for command in ("ls", "git log", "rm x")]
    assert [type(opinion.decision) for opinion in said if opinion is not None] == [Allow, Prompt, Deny]


@given(st.text(alphabet="ab ;|\u00a0\t\n'$*") | st.text())
def test_rules_find_the_same_with_and_without_the_index(command: str) -> None:
    """Looking for first words first is only faster."""
    pairs = [("deny", "Bash(a b *)"), ("ask", "Bash(b)"), ("allow", "Bash(a:*)"), ("allow", "Bash(aa*)")]
    every = rules("".join(f'[[rule]]\nmatch = "{m}"\ndecision = "{d}"\nreason = "x"\n' for d, m in pairs))
    heard = Rules(every).speak(bash(command), SCENE)
    call = Call.of(bash(command))
    assert call is not None
    restricting = [rule for rule in every if rule.says != "allow" and rule.restricts(call, SCENE)]
    allowing = [rule for rule in every if rule.says == "allow" and rule.covers(call, SCENE)]
    expected = [*restricting, *allowing][:1]
    assert ([heard.by] if heard else []) == [rule.by for rule in expected]
