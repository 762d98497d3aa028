"""Rounds of a plan in a running hub: what changed since the one that was sent back."""

from typing import Any

from tests.component.hub.ask_client import answer, hook
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess

FIRST = "# Move login\n\n1. Extract the check\n2. Delete the rest\n"
SECOND = "# Move login\n\n1. Extract the check\n2. Test it\n3. Ask before anything is deleted\n"
NOTES = "Do not delete anything yet."


def plan(text: str, session: str = "s1") -> dict[str, Any]:
    return {
        "session_id": session,
        "transcript_path": "/nowhere/t.jsonl",
        "cwd": "/nowhere",
        "hook_event_name": "PermissionRequest",
        "permission_mode": "plan",
        "tool_name": "ExitPlanMode",
        "tool_input": {"plan": text},
    }


def answered(hub: HubProcess, text: str, choice: str, **more: Any) -> dict[str, Any]:
    """A plan, and the answer to it."""
    with hook(hub, plan(text)) as (run, ask):
        assert answer(hub, ask, choice, **more)[0] == 202
        run.result()
    return ask


def test_second_round_tells_what_changed_and_what_was_sent_back(start_hub: StartHub) -> None:
    """Counts, lines, when the first was proposed, and the notes on it. The card itself has the whole plan."""
    hub = start_hub()
    first = answered(hub, FIRST, "revise", message=NOTES)
    assert "round" not in first
    with hook(hub, plan(SECOND)) as (_, ask):
        told = ask["round"]
        assert (told["since"], told["wrote"]) == (first["opened_at"], NOTES)
        assert (told["diff"]["added"], told["diff"]["removed"]) == (2, 1)
        assert "-2. Delete the rest" in told["diff"]["hunks"][0]["lines"]
        assert ask["view"]["markdown"] == SECOND
        assert "diffs" not in ask["view"]


def test_plan_after_an_approved_one_is_a_first_round(start_hub: StartHub) -> None:
    """It is about something else."""
    hub = start_hub()
    answered(hub, FIRST, "approve", mode="default")
    with hook(hub, plan(SECOND)) as (_, ask):
        assert "round" not in ask


def test_plan_of_another_session_is_not_compared(start_hub: StartHub) -> None:
    """Rounds belong to one agent."""
    hub = start_hub()
    answered(hub, FIRST, "revise", message=NOTES)
    with hook(hub, plan(SECOND, "s2")) as (_, ask):
        assert "round" not in ask


def test_restarted_hub_knows_the_round_before_from_the_record(start_hub: StartHub) -> None:
    """The plan that was sent back stands in the journal."""
    hub = start_hub()
    answered(hub, FIRST, "revise", message=NOTES)
    hub.stop()
    hub.start()
    with hook(hub, plan(SECOND)) as (_, ask):
        assert (ask["round"]["diff"]["added"], ask["round"]["wrote"]) == (2, NOTES)
        assert "note" not in ask["round"]["diff"]


def test_long_plan_is_compared_whole_while_the_hub_runs(start_hub: StartHub) -> None:
    """Of a long plan the record has only the beginning, and after a restart the difference says so."""
    hub = start_hub()
    long = "\n".join(f"{at}. Step number {at} of a long plan" for at in range(400))
    answered(hub, long, "revise", message=NOTES)
    with hook(hub, plan(f"{long}\nLast")) as (run, ask):
        assert (ask["round"]["diff"]["added"], ask["round"]["diff"]["removed"]) == (1, 0)
        answer(hub, ask, "revise", message="Shorter.")
        run.result()
    hub.stop()
    hub.start()
    with hook(hub, plan("Short.")) as (_, ask):
        assert "4,000 characters" in ask["round"]["diff"]["note"]


def test_secrets_are_hidden_in_the_difference_too(start_hub: StartHub) -> None:
    """The round before is shown as its card was."""
    hub = start_hub()
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    answered(hub, f"{FIRST}\nUse the token {secret} for it.\n", "revise", message=f"Not {secret}, please.")
    with hook(hub, plan(SECOND)) as (_, ask):
        assert secret not in str(ask["round"])
