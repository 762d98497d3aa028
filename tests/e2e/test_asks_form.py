"""Forms of MCP servers, filled in on another screen."""

from typing import Any

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Ask
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import call, say

ALLOWED = {"permissions": {"allow": ["mcp__lab"]}}
SECRET = "hunter2-alice"


def asking(lab: LabFactory, tool: str) -> Lab:
    return lab([[call(f"mcp__lab__{tool}")], [say("Done.")]], mcp=True, settings=ALLOWED)


def asked(lab: Lab) -> Ask:
    lab.install()
    lab.hub.start()
    lab.hub.leave_desk()
    lab.terminal().submit("go")
    ask = lab.hub.wait_for_ask()
    assert ask["kind"] == "form"
    assert ask["view"]["form"]["server"] == "lab"
    return ask


def told(lab: Lab) -> Any:
    return lab.model.wait_for(2).news()


def test_filled_form_reaches_the_server_and_not_the_record(lab: LabFactory) -> None:
    """The server gets what was typed; nothing of it is written down anywhere."""
    here = asking(lab, "ask")
    ask = asked(here)
    [field] = ask["view"]["form"]["fields"]
    assert (field["name"], field["title"], field["required"]) == ("account", "Account", True)
    here.hub.answer(ask, "submit", content={"account": SECRET})
    assert told(here) == ['[result] ask: {"action": "accept", "content": {"account": "' + SECRET + '"}}']
    ended = here.hub.wait_for_ask(1, "closed")
    assert ended["result"]["ending"] == "ran"
    assert SECRET not in str([entry.body for entry in here.hub.entries("answer")])
    assert SECRET not in str([entry.body for entry in here.hub.entries("decision")])


def test_form_is_checked_before_it_is_sent(lab: LabFactory) -> None:
    """The client would pass anything on, so the hub holds it against the schema."""
    here = asking(lab, "ask")
    ask = asked(here)
    for content in ({}, {"account": 7}, {"account": "alice", "more": "x"}):
        status, reply = here.hub.try_answer(ask, "submit", content=content)
        assert status in (409, 422), (content, reply)
    here.hub.answer(ask, "decline")
    assert told(here) == ['[result] ask: {"action": "decline"}']


def test_cancelled_form_is_cancelled(lab: LabFactory) -> None:
    """The third way out is not a decline."""
    here = asking(lab, "ask")
    here.hub.answer(asked(here), "cancel")
    assert told(here) == ['[result] ask: {"action": "cancel"}']


def test_link_is_shown_with_its_host_and_accepted(lab: LabFactory) -> None:
    """A server that sends the user to a page: the host is named, and the server learns that they went."""
    here = asking(lab, "sign_in")
    ask = asked(here)
    form = ask["view"]["form"]
    assert (form["mode"], form["host"]) == ("url", "auth.example.com")
    here.hub.answer(ask, "submit")
    assert told(here)[0].startswith('[result] sign_in: {"action": "accept"')


def test_declined_link_is_declined(lab: LabFactory) -> None:
    """No page is opened."""
    here = asking(lab, "sign_in")
    here.hub.answer(asked(here), "decline")
    assert told(here) == ['[result] sign_in: {"action": "decline"}']
