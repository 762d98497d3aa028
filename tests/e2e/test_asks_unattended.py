"""Unattended runs: the call itself waits for a person, and goes nowhere without one."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.waiting import HANG

ALWAYS = '[asks]\nunattended = "always"\n'
PUSH = "git push --force origin main"
ONE_CALL = [[bash("touch one.txt")], [say("Done.")]]


@contextmanager
def unattended(lab: Lab, asks: str = ALWAYS) -> Iterator["subprocess.Popen[str]"]:
    """``claude -p`` at work."""
    lab.hub.configure(asks)
    lab.install()
    lab.hub.start()
    lab.take_slot()
    with lab.client.popen("go") as run:
        try:
            yield run
            run.communicate(timeout=HANG)
        finally:
            run.kill()


def made(lab: Lab) -> list[str]:
    return sorted(path.name for path in lab.project.glob("*.txt"))


def test_call_waits_for_a_person_and_runs_when_allowed(lab: LabFactory) -> None:
    """There is no person at a terminal: the ask says so, and a yes from elsewhere lets the call run."""
    here = lab(ONE_CALL)
    with unattended(here):
        ask = here.hub.wait_for_ask()
        assert "unattended" in ask["flags"]
        assert made(here) == []
        here.hub.answer(ask, "allow")
    assert made(here) == ["one.txt"]
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] == "ran"


def test_danger_is_held_before_it_is_refused(lab: LabFactory) -> None:
    """The client would turn a prompt into a refusal, so the PreToolUse itself waits for a person."""
    here = lab([[bash(PUSH)], [say("Done.")]])
    with unattended(here):
        ask = here.hub.wait_for_ask()
        assert ask["risk"]["level"] == "danger"
        here.hub.answer(ask, "allow", match=ask["risk"]["match"])
        here.model.wait_for(2)
    assert "PermissionRequest" not in here.hub.events()
    assert {"PostToolUse", "PostToolUseFailure"} & set(here.hub.events())


def test_denied_call_tells_the_model_the_message(lab: LabFactory) -> None:
    """A no with words reaches an unattended run like any other."""
    here = lab([[bash(PUSH)], [say("Done.")]])
    with unattended(here):
        here.hub.answer(here.hub.wait_for_ask(), "deny", message="Open a pull request instead.")
        [news] = here.model.wait_for(2).news()
    assert news.endswith("Open a pull request instead.")
    assert news.startswith("[error]")


def test_silence_allows_nothing(lab: LabFactory) -> None:
    """Time runs out, and the call is refused as if it had not been asked about, by no person."""
    here = lab(ONE_CALL)
    with unattended(here, '[asks]\nunattended = "always"\nwait = "2s"\n'):
        here.model.wait_for(2)
    assert made(here) == []
    ended = here.hub.wait_for_ask(1, "closed")
    assert ended["result"]["ending"] == "expired"
    assert "answer" not in ended


def test_asking_can_be_switched_off(lab: LabFactory) -> None:
    """A run in a pipeline ends at once instead of waiting for a person."""
    here = lab(ONE_CALL)
    with unattended(here, '[asks]\nunattended = "never"\n'):
        here.model.wait_for(2)
    assert made(here) == []
    assert here.hub.asks() == []
