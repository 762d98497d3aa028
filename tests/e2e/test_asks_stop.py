"""A turn that is over: what was queued keeps it going, and a person who is asked can, from any screen."""

import threading

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Hub
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import Turn, bash, call, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import HANG, until

ALWAYS = '[asks]\nhold_stops = "always"\n'
SPINNER = "assent: reply from any screen, or Esc to let it stop"
FEEDBACK = "[user] <system-reminder>\n{} hook additional context: Your user says: {}\n</system-reminder>"


def queued(hub: Hub, *instructions: str, to: str = "stop") -> None:
    """Queue as a person does, once the hub knows the session."""
    hub.wait_for("UserPromptSubmit")
    for instruction in instructions:
        hub.assent("queue", "project", "add", "--to", to, instruction)


def told(hub: Hub, what: str) -> list[str]:
    """What the record says became of instructions."""
    return [e.body["text"] for e in hub.entries("hub") if e.body["what"] == "queue" and e.body["did"] == what]


def started(lab: Lab, config: str = "") -> Terminal:
    lab.hub.configure(extra=config)
    lab.install()
    lab.hub.start()
    terminal = lab.terminal()
    terminal.submit("go")
    return terminal


def unattended(lab: Lab, hold: threading.Event, instruction: str, to: str) -> None:
    """A run of ``claude -p`` that goes on once the instruction is queued."""
    lab.install()
    lab.hub.start()
    lab.take_slot()
    with lab.client.popen("go") as run:
        queued(lab.hub, instruction, to=to)
        hold.set()
        run.communicate(timeout=HANG)


def test_queue_is_told_in_order_one_instruction_for_each_stop(lab: LabFactory) -> None:
    """The model gets a person's words, the terminal shows feedback and no error, and the last stop is real."""
    hold = threading.Event()
    here = lab([Turn([say("Finished.")], hold=hold), [say("Tested.")], [say("Committed.")]])
    terminal = started(here)
    queued(here.hub, "Commit.", "Run the tests.")
    here.hub.assent("queue", "project", "move", "2", "1")
    hold.set()
    screen = terminal.wait_for("Committed.")
    assert here.model.wait_for(2).news() == [FEEDBACK.format("Stop", "Run the tests.")]
    assert here.model.wait_for(3).news() == [FEEDBACK.format("Stop", "Commit.")]
    assert "Stop hook feedback: Your user says: Run the tests." in screen
    assert "error" not in screen.lower()
    until(lambda: len(here.hub.entries("event", "Stop")) == 3, "the third stop")
    assert told(here.hub, "delivered") == ["Run the tests.", "Commit."]
    assert "Nothing waits for project.\n2 of 8 continuations used.\n" in here.hub.assent("queue", "project")


def test_ninth_stop_takes_nothing_and_the_next_turn_goes_on(lab: LabFactory) -> None:
    """The client listens eight times in a row; what waits then is told after the next prompt, not lost."""
    hold = threading.Event()
    here = lab([Turn([say("Finished.")], hold=hold), *([say(f"Did {number}.")] for number in range(1, 12))])
    terminal = started(here)
    queued(here.hub, *(f"Step {number}." for number in range(1, 11)))
    hold.set()
    terminal.wait_for("Did 8.")
    until(lambda: len(here.hub.entries("event", "Stop")) == 9, "the ninth stop")
    assert len(told(here.hub, "delivered")) == 8
    terminal.submit("next")
    here.model.wait_for(12)
    assert told(here.hub, "delivered") == [f"Step {number}." for number in range(1, 11)]
    steps = [line for news in here.model.news() for line in news if "Your user says" in line]
    assert steps == [FEEDBACK.format("Stop", f"Step {number}.") for number in range(1, 11)]


def test_instruction_queued_while_a_tool_runs_reaches_the_next_request(lab: LabFactory) -> None:
    """The turn is not interrupted: the words stand beside the tool's result, once, and the next stop takes nothing."""
    go = "until [ -e go.txt ]; do sleep 0.1; done"
    here = lab([[bash(go)], [bash("ls")], [say("Done.")]])
    here.hub.configure(rules='[[rule]]\nmatch = "Bash(*)"\ndecision = "allow"\n')
    here.install()
    here.hub.start()
    here.take_slot()
    with here.client.popen("go") as run:
        here.hub.wait_for("PreToolUse")
        queued(here.hub, "Leave the old API alone.", to="tool")
        assert "next tool result" in here.hub.assent("queue", "project")
        (here.project / "go.txt").touch()
        run.communicate(timeout=HANG)
    heard = [sum("Your user says: Leave the old API alone." in line for line in news) for news in here.model.news()]
    assert heard == [0, 1, 0]
    assert told(here.hub, "delivered") == ["Leave the old API alone."]
    assert [entry.decision for entry in here.hub.entries("decision", "PostToolUse")] == ["proceed"]


def test_instruction_for_a_sub_agent_is_told_at_its_stop(lab: LabFactory) -> None:
    """The sub-agent goes on with it, and its parent hears nothing of it."""
    hold = threading.Event()
    task = call("Agent", description="Look", subagent_type="general-purpose", prompt="lane-a: look")
    here = lab({"main": [[task], [say("All done.")]], "lane-a": [Turn([say("Looked.")], hold=hold), [say("Again.")]]})
    unattended(here, hold, "Look at the tests, too.", to="subagent")
    assert here.model.news("lane-a")[1] == [FEEDBACK.format("SubagentStop", "Look at the tests, too.")]
    assert not any("Look at the tests" in line for news in here.model.news() for line in news)


def test_completed_task_is_held_back_with_a_reason(lab: LabFactory) -> None:
    """The task stays open, and the model reads why."""
    hold = threading.Event()
    create = call("TaskCreate", subject="Write docs", description="All", activeForm="Writing")
    done = call("TaskUpdate", taskId="1", status="completed")
    here = lab([[create], Turn([done], hold=hold), [done], [say("Done.")]])
    unattended(here, hold, "Not before the tests pass.", to="task")
    news = here.model.news()
    assert any("Your user says: Not before the tests pass." in line for line in news[2])
    assert not any("Your user says" in line for line in news[3])
    assert [entry.decision for entry in here.hub.entries("decision", "TaskCompleted")] == ["block"]


@pytest.mark.parametrize("way", ["answer", "queue"])
def test_held_stop_goes_on_with_what_a_person_says(lab: LabFactory, way: str) -> None:
    """The spinner says what it waits for; the reply reaches the model, and the turn that follows is held again."""
    here = lab([[say("Finished.")], [say("Tested.")]])
    terminal = started(here, ALWAYS)
    ask = here.hub.wait_for_ask()
    assert (ask["kind"], ask["view"]["stop"]["message"]) == ("stop", "Finished.")
    terminal.wait_for(SPINNER)
    if way == "answer":
        here.hub.answer(ask, "keep_going", message="Run the tests.")
    else:
        assert "told at once" in here.hub.assent("queue", "project", "add", "Run the tests.")
    assert here.model.wait_for(2).news() == [FEEDBACK.format("Stop", "Run the tests.")]
    again = here.hub.wait_for_ask(2)
    assert again["view"]["stop"]["used"] == 1
    here.hub.answer(again, "let_stop")
    until(lambda: not terminal.shows(SPINNER), "the spinner is gone")
    assert "error" not in terminal.screen().lower()
    assert len(here.model.requests()) == 2


def test_escape_in_the_terminal_releases_a_held_stop(lab: LabFactory) -> None:
    """The session is free at once, the ask closes on every screen, and an answer after that is refused."""
    here = lab([[say("Finished.")], [say("Hello.")]])
    terminal = started(here, ALWAYS)
    ask = here.hub.wait_for_ask()
    terminal.wait_for(SPINNER)
    terminal.press("Escape")
    closed = here.hub.wait_for_ask(state="closed")
    assert closed["id"] == ask["id"]
    status, refused = here.hub.try_answer(ask, "keep_going", message="Run the tests.")
    assert (status, refused["error"]["code"]) == (409, "too-late")
    assert len(here.model.requests()) == 1


def test_prompt_typed_during_a_hold_is_sent_after_the_answer_or_ends_the_hold(lab: LabFactory) -> None:
    """The prompt box stays usable. A prompt that the client takes at once, just after the hold began, is the answer."""
    here = lab([[say("Finished.")], [say("Tested.")], [say("Hello.")]])
    terminal = started(here, ALWAYS)
    ask = here.hub.wait_for_ask()
    terminal.wait_for(SPINNER)
    terminal.submit("say hello")
    status, reply = here.hub.try_answer(ask, "keep_going", message="Run the tests.")
    news = here.model.wait_for(2).news()
    if status == 202:
        assert any("Run the tests." in line for line in news)
    else:
        assert reply["error"]["code"] == "too-late"
        assert reply["ask"]["result"]["ending"] == "terminal"
        assert any("say hello" in line for line in news)


def test_stop_is_not_held_while_the_user_is_there(lab: LabFactory) -> None:
    """By default only people who are away are asked what comes next."""
    here = lab([[say("Finished.")], [say("Hello.")]])
    terminal = started(here)
    terminal.wait_for("Finished.")
    terminal.submit("more")
    terminal.wait_for("Hello.")
    until(lambda: len(here.hub.entries("event", "Stop")) == 2, "the second stop")
    assert here.hub.asks() == []


def test_stop_is_held_while_the_user_is_away(lab: LabFactory) -> None:
    """`assent away` holds the next stop, a reply keeps the turn going, and `assent back` holds nothing more."""
    hold = threading.Event()
    here = lab([Turn([say("Finished.")], hold=hold), [say("Tested.")]])
    terminal = started(here)
    here.hub.wait_for("UserPromptSubmit")
    here.hub.assent("away")
    hold.set()
    ask = here.hub.wait_for_ask()
    here.hub.assent("back")
    here.hub.answer(ask, "keep_going", message="Run the tests.")
    terminal.wait_for("Tested.")
    until(lambda: len(here.hub.entries("event", "Stop")) == 2, "the second stop")
    assert len(here.hub.asks()) == 1


def test_held_stop_outlives_the_hub(lab: LabFactory) -> None:
    """The hook of a killed hub starts the next one, which knows what was asked; the answer reaches the model."""
    here = lab([[say("Finished.")], [say("Tested.")]])
    terminal = started(here, ALWAYS)
    ask = here.hub.wait_for_ask()
    terminal.wait_for(SPINNER)
    here.hub.kill()
    until(here.hub.is_reachable, "the hook started another hub")
    again = here.hub.wait_for_ask()
    assert again["id"] == ask["id"]
    # Shown again at once, and answerable as soon as the hook is back.
    until(lambda: here.hub.try_answer(again, "keep_going", message="Run the tests.")[0] == 202, "the answer is taken")
    assert here.model.wait_for(2).news() == [FEEDBACK.format("Stop", "Run the tests.")]


def test_sub_agent_is_held_and_goes_on(lab: LabFactory) -> None:
    """Where every stop is held a sub-agent's is, too; what is said there is for it alone."""
    task = call("Agent", description="Look", subagent_type="general-purpose", prompt="lane-a: look")
    here = lab({"main": [[task], [say("All done.")]], "lane-a": [[say("Looked.")], [say("Again.")]]})
    started(here, ALWAYS)
    ask = until(
        lambda: next((a for a in here.hub.asks() if a["subject"].get("agent")), None), "the sub-agent's ask", 30
    )
    assert (ask["kind"], ask["view"]["stop"]["message"]) == ("stop", "Looked.")
    here.hub.answer(ask, "keep_going", message="Look at the tests, too.")
    assert here.model.wait_for(2, "lane-a").news() == [FEEDBACK.format("SubagentStop", "Look at the tests, too.")]


def test_idle_teammate_is_told_what_to_do(lab: LabFactory) -> None:
    """It goes on with a person's words, and reads nothing of how they came."""
    hold = threading.Event()
    spawn = call("Agent", description="Mate", subagent_type="general-purpose", prompt="lane-a: work", name="researcher")
    script = {"main": [[spawn], [say("Spawned.")]], "lane-a": [Turn([say("Idle.")], hold=hold), [say("Looked.")]]}
    here = lab(script, env={"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"})
    started(here)
    here.hub.wait_for("SubagentStart")
    queued(here.hub, "Look at the tests.", to="teammate")
    hold.set()
    news = here.model.wait_for(2, "lane-a").news()
    assert news[0] == "[user] TeammateIdle hook feedback:\nYour user says: Look at the tests."
    assert all("hook.py" not in line for line in news)
