"""The main ways, whole: the real Claude Code in a terminal, the real hub, a real browser."""

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.card import Card, sheet
from tests.browser.visit import Visit
from tests.e2e.conftest import SECONDS, LabFactory
from tests.e2e.lab.classifier import CATEGORY, LOCAL
from tests.e2e.lab.lab import Lab, read_json
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.test_auto_mode import runs, twice

pytestmark = pytest.mark.timeout(SECONDS)
ONE_CALL = [[bash("touch one.txt")], [say("Done.")]]
TWO_CALLS = [[bash("touch one.txt")], [bash("touch one.txt")], [say("Done.")]]
Visitors = Callable[..., Visit]


def begin(lab: Lab, visitors_of: Visitors) -> tuple[Terminal, Card]:
    """A page is open, and the dialog stands in the terminal."""
    lab.install()
    lab.hub.start()
    page = visitors_of(lab.hub).open()
    terminal = lab.terminal()
    terminal.submit("go")
    terminal.wait_for_dialog()
    return terminal, Card(page).shows("touch one.txt").read()


def made(lab: Lab) -> list[str]:
    return sorted(path.name for path in lab.project.glob("*.txt"))


def test_allow_on_the_page_closes_the_dialog_and_runs_the_call(lab: LabFactory, visitors_of: Visitors) -> None:
    """Pressed on the page, done in the terminal, and the receipt comes back."""
    here = lab(ONE_CALL)
    terminal, card = begin(here, visitors_of)
    card.press("Allow once")
    here.model.wait_for(2)
    assert made(here) == ["one.txt"]
    assert not terminal.has_dialog()
    card.says("ran")


def test_deny_with_a_message_is_what_the_model_hears(lab: LabFactory, visitors_of: Visitors) -> None:
    """Word for word."""
    here = lab(ONE_CALL)
    _, card = begin(here, visitors_of)
    card.press("Deny and tell…")
    telling = sheet(card.page, "Deny and tell")
    telling.get_by_role("textbox").fill("Use the Write tool instead.")
    telling.get_by_role("button", name="Deny and tell").click()
    assert here.model.wait_for(2).news() == ["[error] Use the Write tool instead."]
    assert made(here) == []


def test_always_for_the_project_changes_its_settings_and_is_silent_next_time(
    lab: LabFactory, visitors_of: Visitors
) -> None:
    """The rule shown on the page stands in the file shown on the page, and the same call is not asked about again."""
    here = lab(TWO_CALLS)
    _, card = begin(here, visitors_of)
    card.key("R")
    always = sheet(card.page, "Always allow")
    always.get_by_label("this project").check()
    expect(always).to_contain_text(str(here.local_settings()))
    rule = always.get_by_label("The rule").input_value()
    always.get_by_role("button", name="Allow and remember").click()
    here.model.wait_for(3)
    assert read_json(here.local_settings())["permissions"]["allow"] == [rule]
    assert here.hub.events().count("PermissionRequest") == 1
    assert len(here.hub.asks()) == 1


def test_yes_in_the_terminal_closes_the_card_while_the_command_runs(lab: LabFactory, visitors_of: Visitors) -> None:
    """The client's telemetry tells."""
    here = lab([[bash("touch one.txt && cat gate")], [say("Done.")]])
    # A pipe that is never written to: the command is at work until the end of the test.
    os.mkfifo(here.project / "gate")
    terminal, card = begin(here, visitors_of)
    terminal.press("Enter")
    expect(card.status).to_contain_text("terminal")
    assert len(here.model.requests()) == 1
    expect(card.button("Allow once")).to_be_disabled()


def test_appeal_answered_on_the_page_lets_the_refused_call_run(lab: LabFactory, visitors_of: Visitors) -> None:
    """Auto mode's check refuses a call; the page shows why, a click overrules it, and the agent makes it again."""
    here = lab(twice(), env=LOCAL, classifier="block")
    here.install()
    here.hub.start()
    page = visitors_of(here.hub).open()
    here.hub.leave_desk()
    here.terminal(mode="auto").submit("go")
    card = Card(page).shows("ran.txt", f"Auto mode refused it: “[{CATEGORY}]”")
    assert runs(here) == 0
    card.press_twice("Allow once")
    here.model.wait_for(3)
    assert runs(here) == 1
    card.says("ran")
