"""Plans, read and answered on another screen."""

import json
import re

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Ask
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import Block, Body, bash, call, say

PLAN = "# Plan\n\n1. Do it\n2. Test it\n"
BETTER = "# Plan\n\n1. Do it\n2. Test it with the old database\n3. Tell what changed\n"
NOTES = "With the old database too."


def write_plan(body: Body, text: str = PLAN) -> list[Block]:
    match = re.search(r"(/\S+/plans/[\w-]+\.md)", json.dumps(body))
    assert match
    return [call("Write", file_path=match[1], content=text)]


def planning(lab: LabFactory) -> Lab:
    return lab([write_plan, [call("ExitPlanMode")], [bash("echo go")], [say("Done.")]])


def asked(lab: Lab) -> Ask:
    lab.install()
    lab.hub.start()
    lab.terminal(mode="plan").submit("go")
    ask = lab.hub.wait_for_ask()
    assert ask["kind"] == "plan"
    assert ask["view"]["markdown"] == PLAN
    return ask


@pytest.mark.parametrize("mode", ["default", "accept_edits"])
def test_approved_plan_goes_on_in_the_chosen_mode(lab: LabFactory, mode: str) -> None:
    """The plan is approved, and the next call is made in the mode that was picked."""
    here = planning(lab)
    here.hub.answer(asked(here), "approve", mode=mode)
    here.model.wait_for(4)
    modes = [entry.payload["permission_mode"] for entry in here.hub.entries("event", "PreToolUse")]
    assert modes == ["plan", "plan", mode]


def test_notes_go_back_and_the_agent_keeps_planning(lab: LabFactory) -> None:
    """The model gets the notes and nothing else, and stays in plan mode."""
    here = planning(lab)
    here.hub.answer(asked(here), "revise", message="2. Test it\nnote: with the old database too.")
    assert here.model.wait_for(3).news() == ["[error] 2. Test it\nnote: with the old database too."]
    here.model.wait_for(4)
    modes = [entry.payload["permission_mode"] for entry in here.hub.entries("event", "PreToolUse")]
    assert modes == ["plan", "plan", "plan"]


def test_second_round_shows_the_difference_to_the_first(lab: LabFactory) -> None:
    """Sent back with notes and proposed anew: the card says what changed, and the whole plan is approved."""
    propose = [call("ExitPlanMode")]
    here = lab([write_plan, propose, lambda body: write_plan(body, BETTER), propose, [say("Done.")]])
    first = asked(here)
    here.hub.answer(first, "revise", message=NOTES)
    second = here.hub.wait_for_ask(2)
    assert second["view"]["markdown"] == BETTER
    told = second["round"]
    assert (told["since"], told["wrote"]) == (first["opened_at"], NOTES)
    assert (told["diff"]["added"], told["diff"]["removed"]) == (2, 1)
    assert "-2. Test it" in told["diff"]["hunks"][0]["lines"]
    here.hub.answer(second, "approve", mode="default")
    assert "has approved your plan" in here.model.wait_for(5).news()[0]
