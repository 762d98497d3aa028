"""Auto mode: the client's own check refuses a call, a person says otherwise, and that call runs once."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.classifier import CATEGORY, EXPLANATION, LOCAL
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import Block, Turn, bash, call, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import HANG

ALWAYS = '[asks]\nunattended = "always"\n'
# What the client makes of a yes.
RETRY = "you may retry this tool call"
CHECKED = 'python3 -c \'open("ran.txt", "a").write("x")\''


def twice(command: str = CHECKED) -> list[list[Block]]:
    """A model that tries once more when it is told that it may, in other words."""
    again = call("Bash", command=command, description="Once more")
    return [[bash(command)], [again], [say("Done.")]]


@contextmanager
def unattended(lab: Lab, asks: str = ALWAYS, rules: str = "", *, hub: str = "") -> Iterator["subprocess.Popen[str]"]:
    """``claude -p`` at work in auto mode."""
    lab.hub.configure(asks, rules=rules, hub=hub)
    lab.install()
    lab.hub.start()
    lab.take_slot()
    with lab.client.popen("go", mode="auto") as run:
        try:
            yield run
            run.communicate(timeout=HANG)
        finally:
            run.kill()


def runs(lab: Lab) -> int:
    file = lab.project / "ran.txt"
    return len(file.read_text()) if file.exists() else 0


@pytest.mark.parametrize("outage", ["block", "overloaded", "unavailable"])
def test_refused_call_runs_once_after_a_yes(lab: LabFactory, outage: str) -> None:
    """Whatever the check said or failed to say: the agent waits, a person says yes, and just that call runs."""
    here = lab(twice(), env=LOCAL, classifier=outage)
    with unattended(here):
        ask = here.hub.wait_for_ask()
        assert "appeal" in ask["flags"]
        assert runs(here) == 0
        here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
        told = " ".join(here.model.wait_for(2).news())
        assert RETRY in told
    assert runs(here) == 1
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] == "ran"
    if outage == "block":
        assert f"[{CATEGORY}]" in ask["risk"]["reason"]


def test_yes_is_told_before_the_agent_stops_where_the_client_passes_no_retry_on(lab: LabFactory) -> None:
    """Where the check could not say anything the client keeps the yes to itself; the agent is told and goes on."""
    script = [[bash(CHECKED)], [say("I leave that out.")], [bash(CHECKED)], [say("Done.")]]
    here = lab(script, env=LOCAL, classifier="unclear")
    with unattended(here):
        ask = here.hub.wait_for_ask()
        here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
        assert RETRY not in " ".join(here.model.wait_for(2).news())
        assert "Make exactly this call once more" in " ".join(here.model.wait_for(3).news())
    assert runs(here) == 1
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] == "ran"


@pytest.mark.parametrize(("choice", "words"), [("allow", "Make exactly this call"), ("deny", "Use the API instead.")])
def test_words_reach_the_model_with_the_refusal_where_batches_are_listened_to(
    lab: LabFactory, choice: str, words: str
) -> None:
    """Nothing else stands between a refusal and the next request."""
    here = lab(twice(), env=LOCAL, classifier="block")
    with unattended(here, hub="tool_batches = true\n"):
        ask = here.hub.wait_for_ask()
        here.hub.answer(ask, choice, match=ask["risk"].get("match", ""), message="Use the API instead.")
        assert words in " ".join(here.model.wait_for(2).news())
        if choice == "deny":
            here.hub.answer(here.hub.wait_for_ask(2), "deny")
    assert runs(here) == (choice == "allow")


def test_refused_call_of_a_sub_agent_runs_once_after_a_yes(lab: LabFactory) -> None:
    """The yes is for the sub-agent that was refused: it makes the call again, and its parent hears nothing of it."""
    task = call("Agent", description="Write", subagent_type="general-purpose", prompt="lane-a: write")
    here = lab({"main": [[task], [say("All done.")]], "lane-a": twice()}, env=LOCAL, classifier="block")
    with unattended(here, rules='[[rule]]\nmatch = "Agent"\ndecision = "allow"\n'):
        ask = here.hub.wait_for_ask()
        assert "appeal" in ask["flags"]
        assert ask["subject"]["agent"]
        assert runs(here) == 0
        here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
        assert RETRY in " ".join(here.model.wait_for(2, "lane-a").news())
    assert runs(here) == 1
    assert not any("once more" in line for news in here.model.news() for line in news)


def test_server_side_explanation_stands_on_the_card(lab: LabFactory) -> None:
    """Where the model's server judges, its words are quoted, and a yes works alike."""
    here = lab(twice(), classifier="block")
    with unattended(here):
        ask = here.hub.wait_for_ask()
        assert f"Auto mode refused it: “{EXPLANATION}”" in ask["risk"]["reason"]
        here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
    assert runs(here) == 1


def test_yes_is_used_up_by_the_call_that_ran(lab: LabFactory) -> None:
    """The same call a third time is refused and asked about anew."""
    script = [[bash(CHECKED)], [bash(CHECKED)], [bash(CHECKED)], [say("Done.")]]
    here = lab(script, env=LOCAL, classifier="block")
    with unattended(here):
        ask = here.hub.wait_for_ask()
        here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
        second = here.hub.wait_for_ask(2)
        assert runs(here) == 1
        here.hub.answer(second, "deny")
    assert runs(here) == 1


def test_no_stays_a_no_and_its_words_reach_the_model(lab: LabFactory) -> None:
    """The repeated call is refused again, and the model reads what the person said."""
    script = [[bash(CHECKED)], [say("I leave that out.")], [bash(CHECKED)], [say("Done.")]]
    here = lab(script, env=LOCAL, classifier="block")
    with unattended(here):
        here.hub.answer(here.hub.wait_for_ask(), "deny", message="Use the API instead.")
        told = " ".join(here.model.wait_for(3).news())
        assert "Use the API instead." in told
        here.hub.answer(here.hub.wait_for_ask(2), "deny")
    assert runs(here) == 0


def test_silence_is_a_no(lab: LabFactory) -> None:
    """Time runs out, and the call stays refused."""
    here = lab(twice(), env=LOCAL, classifier="block")
    with unattended(here, '[asks]\nunattended = "always"\nwait = "2s"\n'):
        here.model.wait_for(3)
    assert runs(here) == 0
    assert {ask["result"]["ending"] for ask in here.hub.asks()} == {"expired"}


def test_unattended_run_without_a_person_is_not_held(lab: LabFactory) -> None:
    """A run in a pipeline goes on as without Assent."""
    here = lab(twice(), env=LOCAL, classifier="block")
    with unattended(here, '[asks]\nunattended = "reachable"\n'):
        here.model.wait_for(3)
    assert runs(here) == 0
    assert here.hub.asks() == []


LOOKING = """\
ls -la
git status
git log --oneline | head -5
cat README.md
grep -rn project . --include='*.md'
find . -name '*.md' | xargs wc -l
for f in *.md; do head -1 $f; done
cat /etc/hostname
git diff HEAD --stat
wc -l $(git ls-files)
du -sh .git | cut -f1
ps aux | grep -c python
python3 --version && git --version
awk 'NR < 3' README.md
git show HEAD --stat | tail -2""".splitlines()


@pytest.mark.parametrize("state", ["allow", "block", "overloaded", "unavailable"])
def test_looking_runs_without_the_check(lab: LabFactory, state: str) -> None:
    """What only looks is allowed before the client would ask, whatever state its check is in."""
    here = lab([*([bash(line)] for line in LOOKING), [say("Done.")]], env=LOCAL, classifier=state)
    here.install()
    here.hub.start()
    here.headless(mode="auto")
    assert here.classifier.asked == 0
    assert [news[0].split("]")[0] for news in here.model.news()[1:]] == ["[result"] * len(LOOKING)


def test_guarded_file_cannot_be_appealed(lab: LabFactory) -> None:
    """Dangerous, so held when it came; the check refuses it in spite of the yes, and the card offers no second one."""
    write = call("Write", file_path=".vscode/settings.json", content="{}\n")
    here = lab([[write], [say("Done.")]], env=LOCAL, classifier="block")
    with unattended(here):
        first = here.hub.wait_for_ask()
        here.hub.answer(first, "allow", match=first["risk"]["match"])
        ask = here.hub.wait_for_ask(2)
        assert "guarded" in ask["flags"]
        assert [way["choice"] for way in ask["choices"]] == ["deny", "deny_here", "hand_back"]
        status, _ = here.hub.try_answer(ask, "allow", match=ask["risk"].get("match", ""))
        assert status != 202
        here.hub.answer(ask, "hand_back")
    assert not (here.project / ".vscode/settings.json").exists()


def test_third_refusal_in_a_row_is_asked_about_once(lab: LabFactory) -> None:
    """There the client asks by itself before it refuses: one ask for both, and its yes runs the call at once."""
    calls = [bash(f"{CHECKED} # {number}") for number in range(3)]
    here = lab([*([each] for each in calls), [say("Done.")]], env=LOCAL, classifier="block")
    with unattended(here):
        for nth in (1, 2):
            here.hub.answer(here.hub.wait_for_ask(nth), "deny")
        third = here.hub.wait_for_ask(3)
        assert "appeal" not in third["flags"]
        here.hub.answer(third, "allow", match=third["risk"].get("match", ""))
    assert runs(here) == 1
    assert len(here.hub.asks()) == 3


def test_third_refusal_is_not_asked_about_again_when_time_is_up(lab: LabFactory) -> None:
    """The refusal that follows is of a call that a person was shown already."""
    calls = [bash(f"{CHECKED} # {number}") for number in range(3)]
    here = lab([*([each] for each in calls), [say("Done.")]], env=LOCAL, classifier="block")
    with unattended(here, '[asks]\nunattended = "always"\nwait = "2s"\n'):
        here.model.wait_for(4)
    assert len(here.hub.entries("event", "PermissionDenied")) == 3
    assert len(here.hub.asks()) == 3


def attended(lab: Lab, asks: str = "", *, away: bool = False) -> Terminal:
    """A session in a terminal, in auto mode, at work."""
    lab.hub.configure(asks)
    lab.install()
    lab.hub.start()
    if away:
        lab.hub.leave_desk()
    terminal = lab.terminal(mode="auto")
    terminal.submit("go")
    return terminal


def test_terminal_waits_for_a_person_who_is_away(lab: LabFactory) -> None:
    """The spinner says what it waits for, and the call runs in the same turn."""
    here = lab(twice(), env=LOCAL, classifier="block")
    terminal = attended(here, away=True)
    ask = here.hub.wait_for_ask()
    terminal.wait_for("your other screens can let it run once")
    here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
    terminal.wait_for("Done.")
    terminal.wait_for("you let it run once.")
    assert runs(here) == 1


def test_late_yes_keeps_the_turn_from_ending(lab: LabFactory) -> None:
    """Nobody could be reached, so the agent went on; its stop is answered with the yes that came meanwhile."""
    hold = threading.Event()
    script = [[bash(CHECKED)], Turn([say("I leave that out.")], hold=hold), [bash(CHECKED)], [say("Done.")]]
    here = lab(script, env=LOCAL, classifier="block")
    terminal = attended(here)
    ask = here.hub.wait_for_ask()
    here.model.wait_for(2)
    here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
    hold.set()
    assert "Make exactly this call once more" in " ".join(here.model.wait_for(3).news())
    terminal.wait_for("Done.")
    assert runs(here) == 1
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] == "ran"


def test_yes_after_the_turn_is_told_with_the_next_prompt(lab: LabFactory) -> None:
    """The ask stays open when the agent has stopped."""
    here = lab(
        [[bash(CHECKED)], [say("I leave that out.")], [bash(CHECKED)], [say("Done.")]], env=LOCAL, classifier="block"
    )
    terminal = attended(here)
    terminal.wait_for("I leave that out.")
    here.hub.wait_for("Stop")
    ask = here.hub.wait_for_ask()
    here.hub.answer(ask, "allow", match=ask["risk"].get("match", ""))
    terminal.submit("next")
    terminal.wait_for("Done.")
    assert "Make exactly this call once more" in " ".join(here.model.wait_for(3).news())
    assert runs(here) == 1


def test_removal_is_held_before_its_dialog_could_refuse_it(lab: LabFactory) -> None:
    """The client's dialog about a removal gives up after two minutes; ours comes first, and its yes opens none."""
    here = lab([[bash("rm -rf /assent-e2e-is-not-there")], [say("Done.")]], env=LOCAL)
    terminal = attended(here, away=True)
    ask = here.hub.wait_for_ask()
    assert "PermissionRequest" not in here.hub.events()
    here.hub.answer(ask, "allow", match=ask["risk"]["match"])
    terminal.wait_for("Done.")
    assert [each["kind"] for each in here.hub.asks()].count("permission") == 1
    assert "PostToolUse" in here.hub.events()


def test_terminal_is_told_by_which_rule_a_call_was_denied(lab: LabFactory) -> None:
    """Below the call, where the client shows a hook's words; the model does not read them."""
    here = lab([[bash("touch one.txt")], [say("Done.")]], env=LOCAL)
    here.hub.configure(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "deny"\nreason = "Not today."\n')
    here.install()
    here.hub.start()
    terminal = here.terminal(mode="auto")
    terminal.submit("go")
    terminal.wait_for("denied by your rule 1")
    assert not any("your rule 1" in line for line in here.model.wait_for(2).news())
