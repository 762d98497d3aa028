"""All voices together."""

import gc
import logging
import weakref
from pathlib import Path

import pytest

from assent.paths import Paths
from assent.policy.call import Call, Opinion, Scene, Voice
from assent.policy.judge import judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.rules import Rules
from assent.policy.judges.stance import Stance, StanceName
from assent.protocol.decision import (
    Allow,
    Answered,
    Block,
    Decision,
    Defer,
    Deny,
    Filled,
    Halt,
    NoOpinion,
    Proceed,
    Prompt,
    Risk,
    TraceLine,
    Verdict,
)
from assent.protocol.events import Event, Stop, UnknownEvent
from tests.unit.policy.calls import SCENE, pre, request, rules

LS = pre("Bash", command="ls")
ENV = "/srv/project/.env"


class Says:
    """A voice with one opinion."""

    def __init__(self, decision: Decision | None, by: str = "addon:x", risk: Risk | None = None) -> None:
        self._opinion = None if decision is None else Opinion(decision, by, "because", risk=risk)

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        return self._opinion


class Raises:
    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        raise ValueError("the secret payload")


def voices(stance: StanceName, *pairs: tuple[str, str]) -> list[Voice]:
    text = "".join(
        f'[[rule]]\nmatch = \'{match}\'\ndecision = "{decision}"\nreason = "x"\n' for decision, match in pairs
    )
    own = Paths(Path("/own/config"), Path("/own/state"))
    return [Floor(own), Rules(rules(text)), Stance(lambda _: stance)]


ORDER: list[Decision] = [
    Halt("h"),
    Deny("d"),
    Defer(),
    Prompt("p"),
    Answered({}),
    Allow(),
    Proceed("c"),
    NoOpinion("no_rule"),
]


@pytest.mark.parametrize("stricter", range(len(ORDER) - 1))
def test_judge_takes_the_strictest(stricter: int) -> None:
    """In whatever order the voices speak."""
    strict, lax = Says(ORDER[stricter], "a:strict"), Says(ORDER[stricter + 1], "a:lax")
    for order in ([strict, lax], [lax, strict]):
        verdict = judge(LS, SCENE, order)
        assert (verdict.decision, verdict.by) == (ORDER[stricter], "a:strict")


def test_judge_lets_the_first_speaker_win_a_tie() -> None:
    """So the order of the voices is the order of who answers."""
    assert judge(LS, SCENE, [Says(Deny("1"), "a:1"), Says(Deny("2"), "a:2")]).by == "a:1"
    stop = Stop(session_id="s")
    assert judge(stop, SCENE, [Says(Block("1"), "a:1"), Says(Block("2"), "a:2")]).by == "a:1"


def test_judge_keeps_one_line_for_each_voice_that_spoke() -> None:
    """Also for those who were not heeded."""
    verdict = judge(LS, SCENE, [Says(Allow(), "a:1"), Says(None), Says(Deny("no"), "a:2")])
    assert verdict.trace == (TraceLine("a:1", "allow", "because"), TraceLine("a:2", "deny", "because"))


def test_judge_without_a_voice_has_no_opinion() -> None:
    """And says why."""
    assert judge(LS, SCENE, []).verdict == Verdict(NoOpinion("no_rule"), "judge")
    unknown = UnknownEvent(session_id="s", hook_event_name="New")
    assert judge(unknown, SCENE, []).decision == NoOpinion("unknown_event")


@pytest.mark.parametrize(
    ("strict", "lax"),
    [
        (Block("b"), Proceed("c")),
        (Halt("h"), Block("b")),
        (Filled("accept", {}), Proceed("c")),
        (Block("b"), Answered({})),
    ],
)
def test_judge_orders_decisions_of_other_events(strict: Decision, lax: Decision) -> None:
    """To stop beats to answer beats to go on."""
    assert judge(Stop(session_id="s"), SCENE, [Says(lax), Says(strict)]).decision == strict


@pytest.mark.parametrize(
    ("stance", "rule", "command", "expected"),
    [
        ("balanced", None, "make", NoOpinion),
        ("strict", None, "make", Prompt),
        ("strict", ("allow", "Bash(make *)"), "make", Allow),
        ("strict", ("allow", "Bash(make)"), "make", Allow),
        ("strict", ("allow", "Bash(make *)"), "make; rm x", Prompt),
        ("strict", ("allow", "Bash(make *)"), "make > x", Prompt),
        ("watch", ("allow", "Bash(make *)"), "make", Allow),
        ("watch", ("deny", "Bash(make *)"), "make", Deny),
        ("strict", ("ask", "Bash(make *)"), "make", Prompt),
        ("watch", None, "rm -rf /", Deny),
        ("watch", ("allow", "Bash(rm -rf /)"), "rm -rf /", Deny),
        ("watch", ("allow", "Bash(assent down)"), "assent down", Deny),
    ],
)
def test_judge_weighs_rules_against_the_stance(
    stance: StanceName, rule: tuple[str, str] | None, command: str, expected: type[Decision]
) -> None:
    """A rule that covers the whole line silences the stance; nothing silences the floor."""
    verdict = judge(pre("Bash", command=command), SCENE, voices(stance, *([rule] if rule else [])))
    assert type(verdict.decision) is expected


@pytest.mark.parametrize(
    ("stance", "match", "expected"),
    [
        ("balanced", "Read", Prompt),
        ("balanced", "Read(*.env)", Prompt),
        ("balanced", "Read(/.env)", Allow),
        ("strict", "Read(*.env)", Deny),
        ("strict", "Read(/.env)", Allow),
    ],
)
def test_judge_needs_an_exact_rule_to_allow_danger(stance: StanceName, match: str, expected: type[Decision]) -> None:
    """A wildcard silences the stance up to Care, a name up to Danger."""
    verdict = judge(pre("Read", file_path=ENV), SCENE, voices(stance, ("allow", match)))
    assert type(verdict.decision) is expected
    assert verdict.risk == "danger"


def test_judge_does_not_let_a_rule_silence_an_addon() -> None:
    """Only the stance is silenced."""
    heard = [*voices("watch", ("allow", "Bash(make)")), Says(Prompt("hm"), "addon:x", Risk.LOOK)]
    assert judge(pre("Bash", command="make"), SCENE, heard).by == "addon:x"


@pytest.mark.parametrize(
    ("rule", "command", "expected"),
    [
        (("allow", "Bash(make)"), "make", Allow()),
        (("deny", "Bash(make)"), "make", None),
        (("ask", "Bash(make)"), "make", NoOpinion("asked")),
        (("allow", "Bash(ls)"), "make", NoOpinion("asked")),
    ],
)
def test_judge_answers_a_permission_request(rule: tuple[str, str], command: str, expected: Decision | None) -> None:
    """The dialog is opening already, so to ask is to stay silent."""
    verdict = judge(request("Bash", command=command), SCENE, voices("strict", rule))
    if expected is None:
        assert isinstance(verdict.decision, Deny)
    else:
        assert verdict.decision == expected


def test_judge_does_not_allow_danger_behind_an_open_dialog() -> None:
    """A wildcard that did not silence the stance before the dialog does not answer it either."""
    verdict = judge(request("Read", file_path=ENV), SCENE, voices("balanced", ("allow", "Read")))
    assert verdict.decision == NoOpinion("asked")
    assert verdict.by == "stance:balanced"


def test_judge_prompts_when_a_voice_fails(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing becomes an allow by a crash, and the log quotes nothing of the call."""
    with caplog.at_level(logging.ERROR, "assent.policy"):
        verdict = judge(LS, SCENE, [Says(Allow()), Raises()])
    assert isinstance(verdict.decision, Prompt)
    assert verdict.by == "judge:raises"
    assert "Raises failed on PreToolUse: ValueError" in caplog.text
    assert "secret payload" not in caplog.text


def test_judge_still_denies_when_another_voice_fails() -> None:
    """A failure weakens no verdict."""
    assert isinstance(judge(LS, SCENE, [Raises(), Says(Deny("no"))]).decision, Deny)


def test_judge_stays_silent_when_a_voice_fails_where_nothing_can_be_asked() -> None:
    """A prompt means nothing on a stop, and a dialog that is opening needs none."""
    assert judge(Stop(session_id="s"), SCENE, [Raises()]).decision == NoOpinion("no_rule")
    assert judge(request("Bash", command="ls"), SCENE, [Says(Allow()), Raises()]).decision == NoOpinion("asked")


@pytest.mark.parametrize(
    ("command", "expected"),
    [("make", NoOpinion("paused")), ("git push", NoOpinion("paused")), ("rm -rf /", None)],
)
def test_judge_paused_hears_the_floor_only(command: str, expected: Decision | None) -> None:
    """A pause lifts rules and stance."""
    heard = voices("strict", ("deny", "Bash(git push *)"), ("allow", "Bash(make)"))
    verdict = judge(pre("Bash", command=command), SCENE, heard, paused=True)
    if expected is None:
        assert isinstance(verdict.decision, Deny)
    else:
        assert (verdict.decision, verdict.by) == (expected, "pause")


def test_judge_paused_still_minds_danger() -> None:
    """A pause never lifts Danger."""
    assert isinstance(judge(pre("Read", file_path=ENV), SCENE, voices("balanced"), paused=True).decision, Prompt)
    assert isinstance(judge(pre("Read", file_path=ENV), SCENE, voices("strict"), paused=True).decision, Deny)


@pytest.mark.parametrize(("command", "decision"), [("ls", "allow"), ("make", "no_opinion"), ("touch x", "deny")])
def test_judge_allows_only_looking_in_plan_mode(command: str, decision: str) -> None:
    """Whatever rules allow: a plan is agreed to first."""
    verdict = judge(pre("Bash", mode="plan", command=command), SCENE, voices("balanced", ("allow", "Bash")))
    assert verdict.decision.word == decision


def test_judge_names_the_risk_even_without_a_decision() -> None:
    """The record can be searched by it."""
    verdict = judge(pre("Bash", command="make"), SCENE, voices("watch"))
    assert (verdict.decision, verdict.by, verdict.risk) == (NoOpinion("no_rule"), "stance:watch", "care")
    assert [line.by for line in verdict.trace] == ["stance:watch"]


class Looks:
    """A voice that notes which call it was shown."""

    def __init__(self) -> None:
        self.calls: list[Call | None] = []

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        self.calls.append(Call.of(event, scene))
        return None


def test_judgement_carries_the_call_that_all_voices_looked_at() -> None:
    """The line is read once."""
    one, other = Looks(), Looks()
    judgement = judge(LS, SCENE, [one, other])
    assert judgement.call is not None
    assert one.calls[0] is other.calls[0] is judgement.call


def test_call_is_gone_with_its_judgement() -> None:
    """Not left to the garbage collector, which would look for one with every event."""
    gc.disable()
    try:
        judgement = judge(pre("Bash", command="git push | tail"), SCENE, voices("balanced", ("allow", "Bash(ls *)")))
        call = weakref.ref(judgement.call)
        assert call() is not None
        del judgement
        assert call() is None
    finally:
        gc.enable()


def test_judging_again_looks_again() -> None:
    """Files may have changed when a person says yes."""
    first = judge(LS, SCENE, [])
    assert judge(LS, first.scene, []).call is not first.call


def test_judgement_has_acts_and_effects() -> None:
    """For the card and for what is remembered of the session."""
    judgement = judge(pre("Bash", command="touch a"), SCENE, voices("balanced"))
    assert [act.text for act in judgement.acts] == ["touch a"]
    assert {done.effect.kind for done in judgement.effects} == {"write"}
    assert judgement.risk == "change"
    assert judge(Stop(session_id="s"), SCENE, []).acts == ()


@pytest.mark.parametrize(
    ("event", "opinion", "is_left"),
    [
        (LS, None, True),
        (LS, NoOpinion("no_rule"), True),
        (LS, Prompt("look"), False),
        (request("Bash", command="ls"), Prompt("look"), True),
        (request("Bash", command="ls"), Allow(), False),
        (UnknownEvent(session_id="s", hook_event_name="New"), None, False),
    ],
)
def test_judgement_says_whether_it_is_left_to_others(event: Event, opinion: Decision | None, *, is_left: bool) -> None:
    """A person is asked only then."""
    assert judge(event, SCENE, [Says(opinion)]).is_left is is_left
    assert not judge(event, SCENE, [Says(opinion)], paused=True).is_left


def test_asking_rule_is_named_on_a_permission_request() -> None:
    """The verdict is silence, and says which voice wanted to ask."""
    judgement = judge(request("Bash", command="ls"), SCENE, [Says(Prompt("Look at it."), "rule:user#4")])
    assert (judgement.decision, judgement.by) == (NoOpinion("asked"), "rule:user#4")
    assert judgement.wanted == Prompt("Look at it.")
