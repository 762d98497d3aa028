"""A call judged on trial."""

from pathlib import Path

import msgspec
import pytest

from assent import paths as locations
from assent.policy import trial
from assent.policy.call import Opinion, Scene
from assent.policy.judges.floor import Floor
from assent.policy.judges.stance import Stance, StanceName
from assent.protocol.decision import Step, Trial, TrialQuestion
from assent.protocol.events import Event

PROJECT = "/home/me/shop"


def held(command: str, *, stance: StanceName = "balanced", mode: str = "default") -> Trial:
    own = locations.find({"ASSENT_HOME": "/home/me/assent"})
    voices = (Floor(own), Stance(lambda _: stance))
    question = TrialQuestion(command, PROJECT, mode)
    return trial.hold(question, Scene(project=Path(PROJECT)), voices)


@pytest.mark.parametrize(
    ("command", "decision", "risk"),
    [
        ("git log --oneline | head", "allow", "look"),
        ("touch notes.md", "no_opinion", "change"),
        ("npm install left-pad", "no_opinion", "care"),
        ("git push --force", "ask", "danger"),
        ("rm -rf /", "deny", "danger"),
        ("echo 'unfinished", "ask", "care"),
    ],
)
def test_trial_tells_decision_and_risk(command: str, decision: str, risk: str) -> None:
    """In the words people and scripts use: a prompt is called ask."""
    found = held(command)
    assert (found.command, found.decision, found.risk) == (command, decision, risk)
    assert found.reason


def test_trial_follows_the_stance() -> None:
    """The same risk, another attitude."""
    assert held("git push --force", stance="strict").decision == "deny"
    assert held("git push --force", stance="watch").decision == "no_opinion"


def test_trial_shows_what_each_command_does_and_starts() -> None:
    """A tree: as risky as the worst below, with the effects where they happen."""
    found = held("ls && sudo sh -c 'cat /etc/shadow'")
    listing, root = found.steps
    assert (listing.command, listing.risk, listing.starts) == ("ls", "look", ())
    assert (root.risk, [effect.kind for effect in root.effects]) == ("danger", ["privilege"])
    inner = _last(root)
    assert inner.command == "cat /etc/shadow"
    assert "secret" in [effect.kind for effect in inner.effects]
    assert {effect.kind for effect in found.effects} >= {"nothing", "privilege", "secret"}


def test_trial_names_the_safer_way_and_the_part_that_decides() -> None:
    """What a person needs in order to say something better than no."""
    found = held("ls; git push --force origin main")
    assert (found.evidence, found.safer) == ("git push --force origin main", "git push --force-with-lease")


def test_trial_keeps_what_every_voice_said() -> None:
    """Floor before stance; the words of the trace are those of the decision."""
    found = held("rm -rf /")
    assert [(line.by.partition(":")[0], line.says) for line in found.trace] == [("floor", "deny"), ("stance", "ask")]


@pytest.mark.parametrize("mode", ["default", "plan", "accept_edits", "auto", "preapproved_only", "bypass"])
def test_trial_says_what_silence_comes_to(mode: str) -> None:
    """No opinion is no approval, but in some modes the client runs the call."""
    told = held("npm install left-pad", mode=mode).told
    assert told.startswith("The agent is told nothing")
    assert ("runs the call" in told) == (mode == "bypass")


def test_trial_of_another_tool_is_one_step() -> None:
    """Its input names what it touches."""
    question = TrialQuestion(tool="Edit", input={"file_path": "/home/me/.bashrc"}, cwd=PROJECT)
    found = trial.hold(question, Scene(project=Path(PROJECT)), (Stance(lambda _: "balanced"),))
    assert (found.decision, found.risk) == ("ask", "danger")
    assert [(step.command, step.effects) for step in found.steps] == [("Edit", found.effects)]
    assert found.effects[0].target == "/home/me/.bashrc"


def test_trial_survives_a_judge_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is heard as a prompt, here as well as in earnest."""

    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("assent.policy.call.Walk.line", fails)
    found = held("ls")
    assert (found.decision, found.risk, found.effects) == ("ask", None, ())


def test_trial_is_paused_with_the_hub() -> None:
    """What would be decided now is nothing."""

    class Loud:
        def speak(self, event: Event, scene: Scene) -> Opinion | None:
            return Stance(lambda _: "strict").speak(event, scene)

    question = TrialQuestion("npm install left-pad", PROJECT)
    found = trial.hold(question, Scene(project=Path(PROJECT)), (Loud(),), paused=True)
    assert (found.decision, found.by) == ("no_opinion", "pause")


def test_trial_of_an_endless_line_stays_short() -> None:
    """Hundreds of commands do not become hundreds of lines, and the worst is among those told."""
    found = held("; ".join(f"cat f{number}" for number in range(300)) + "; git push --force")
    assert len(found.effects) <= trial.MOST_EFFECTS
    assert len(found.steps) <= trial.MOST_STEPS
    assert (found.risk, found.effects[0].risk) == ("danger", "danger")


def test_trial_is_written_with_all_that_was_promised() -> None:
    """Fields that scripts rely on are there even if they are empty."""
    written = msgspec.to_builtins(held("true"))
    assert {"command", "decision", "risk", "reason", "effects", "trace"} <= set(written)
    assert {"kind", "risk", "target", "why"} <= set(written["effects"][0])


def _last(step: Step) -> Step:
    return _last(step.starts[-1]) if step.starts else step
