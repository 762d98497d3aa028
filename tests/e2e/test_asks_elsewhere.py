"""Answered at the terminal: the ask leaves the other screens, and never takes another one with it."""

import json
import os
import re
from pathlib import Path

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.hub import Ask
from tests.e2e.lab.lab import Lab
from tests.e2e.lab.model import bash, call, say
from tests.e2e.lab.terminal import Terminal
from tests.e2e.lab.waiting import until

# Goes on when the test says so.
LONG = [[bash("cat gate && touch one.txt")], [say("Done.")]]
SHORT = [[bash("touch one.txt")], [say("Done.")]]
TWICE = [[bash("touch one.txt"), bash("touch one.txt")], [say("Done.")]]


def asked(lab: Lab, *arguments: str) -> tuple[Terminal, Ask]:
    """A dialog in the terminal, and the same ask elsewhere."""
    lab.install(*arguments)
    lab.hub.start()
    terminal = lab.terminal()
    terminal.submit("go")
    ask = lab.hub.wait_for_ask()
    terminal.wait_for_dialog()
    return terminal, ask


def key(terminal: Terminal, answer: str) -> str:
    """The key of the line that begins so: how many lines there are depends on the client's mood."""
    for line in terminal.screen().splitlines():
        if (match := re.match(r"[❯ ]*(\d)\. (.*)", line)) and match[2].startswith(answer):
            return match[1]
    raise AssertionError(f"no {answer!r} in:\n{terminal.screen()}")


def press(terminal: Terminal, *keys: str) -> None:
    terminal.press(*keys)


def held_up(lab: Lab) -> Path:
    """What LONG waits for: a pipe, until something is written to it."""
    gate = lab.project / "gate"
    os.mkfifo(gate)
    return gate


def result(ask: Ask) -> tuple[str, str]:
    told = ask["result"]
    return told["ending"], told.get("certainty", "certain")


def test_yes_at_the_terminal_closes_the_ask_long_before_the_call_ends(lab: LabFactory) -> None:
    """The client tells it at once; that the call ran makes it certain."""
    here = lab(LONG)
    gate = held_up(here)
    terminal, _ = asked(here)
    press(terminal, "1")
    closed = here.hub.wait_for_ask(1, "closed")
    assert result(closed) == ("terminal", "reported")
    assert closed["result"]["why"] == "allowed at the terminal"
    assert "PostToolUse" not in here.hub.events()
    gate.write_text("on\n")
    here.hub.wait_for("PostToolUse")
    until(lambda: result(here.hub.asks()[0]) == ("terminal", "certain"), "what was reported is certain")


def test_yes_at_the_terminal_is_too_late_to_answer_elsewhere(lab: LabFactory) -> None:
    """An answer from a screen that still shows the card is refused."""
    here = lab(LONG)
    held_up(here)
    terminal, ask = asked(here)
    press(terminal, "1")
    here.hub.wait_for_ask(1, "closed")
    status, reply = here.hub.try_answer(ask, "deny")
    assert (status, reply["error"]["code"]) == (409, "too-late")


def test_no_at_the_terminal_closes_the_ask(lab: LabFactory) -> None:
    """The hook is ended and the client tells why; either is enough."""
    here = lab(SHORT)
    terminal, _ = asked(here)
    press(terminal, key(terminal, "No"))
    closed = here.hub.wait_for_ask(1, "closed")
    assert closed["result"]["ending"] == "terminal"


def test_escape_at_the_terminal_closes_the_ask(lab: LabFactory) -> None:
    """Interrupting the turn is an answer."""
    here = lab(SHORT)
    terminal, _ = asked(here)
    press(terminal, "Escape")
    closed = here.hub.wait_for_ask(1, "closed")
    assert closed["result"]["ending"] == "terminal"


def test_no_at_the_terminal_closes_the_ask_without_telemetry(lab: LabFactory) -> None:
    """The ended hook tells it."""
    here = lab(SHORT)
    terminal, _ = asked(here, "--no-telemetry")
    press(terminal, key(terminal, "No"))
    assert here.hub.wait_for_ask(1, "closed")["result"]["ending"] == "terminal"


def test_no_to_every_call_of_a_message_closes_their_asks_without_telemetry(lab: LabFactory) -> None:
    """No result, no batch and no report follows: the ended hooks tell it, one after the other."""
    here = lab([[bash("touch one.txt"), bash("touch two.txt")], [say("Done.")]])
    terminal, _ = asked(here, "--no-telemetry")
    press(terminal, "Escape")
    here.hub.wait_for_ask(1, "closed")
    until(lambda: all(ask["state"] == "closed" for ask in here.hub.asks()), "nothing that waits")
    assert {ask["result"]["ending"] for ask in here.hub.asks()} <= {"terminal", "withdrawn"}
    assert not {"PostToolUse", "PostToolUseFailure", "PostToolBatch"} & set(here.hub.events())


def test_yes_without_telemetry_is_doubted_and_certain_once_the_call_ended(lab: LabFactory) -> None:
    """Nothing reports the yes, but the client does not say either that its dialog still waits."""
    here = lab(LONG)
    gate = held_up(here)
    terminal, _ = asked(here, "--no-telemetry")
    press(terminal, "1")
    doubtful = here.hub.wait_for_ask(1, "doubtful")
    assert result(doubtful) == ("terminal", "probable")
    gate.write_text("on\n")
    assert result(here.hub.wait_for_ask(1, "closed")) == ("terminal", "certain")


def test_transcript_tells_of_a_yes_without_telemetry_and_without_an_event(lab: LabFactory) -> None:
    """The line with the call's result says who decided it."""
    here = lab(SHORT)
    here.install("--no-telemetry")
    settings = json.loads(here.user_settings().read_text())
    for event in ("PostToolUse", "Stop"):
        del settings["hooks"][event]
    here.user_settings().write_text(json.dumps(settings))
    here.hub.start()
    terminal = here.terminal()
    terminal.submit("go")
    here.hub.wait_for_ask()
    terminal.wait_for_dialog()
    press(terminal, "1")
    closed = here.hub.wait_for_ask(1, "closed")
    assert result(closed) == ("terminal", "reported")
    assert closed["result"]["why"] == "allowed at the terminal"


def test_yes_to_a_short_call_without_telemetry_closes_with_its_result(lab: LabFactory) -> None:
    """Its end is the first thing heard of it."""
    here = lab(SHORT)
    terminal, _ = asked(here, "--no-telemetry")
    press(terminal, "1")
    assert result(here.hub.wait_for_ask(1, "closed")) == ("terminal", "certain")


def test_equal_requests_do_not_close_each_other(lab: LabFactory) -> None:
    """Two calls of the same words are two asks: a yes at the terminal to one leaves the other open, and answerable."""
    here = lab(TWICE)
    terminal, _ = asked(here)
    press(terminal, "1")
    here.hub.wait_for_ask(1, "closed")
    other = here.hub.wait_for_ask(2, "open")
    here.hub.answer(other, "deny", message="Once is enough.")
    here.model.wait_for(2)
    results = here.model.news()[1]
    assert [line.partition("]")[0] for line in results] == ["[result", "[error"]
    assert "Once is enough." in results[1]


def test_equal_requests_at_the_same_time_do_not_close_each_other(lab: LabFactory) -> None:
    """Two dialogs wait behind each other at the terminal, two asks beside each other elsewhere."""
    here = lab([])
    outside = here.folder / "outside.txt"
    outside.write_text("outside\n")
    reading = call("Read", file_path=str(outside))
    here.model.script = {"main": [[reading, reading], [say("Done.")]]}
    here.hub.configure('stance = "watch"')
    terminal, _ = asked(here)
    here.hub.wait_for_ask(2)
    press(terminal, "1")
    terminal.wait_for("2 of 2")
    until(lambda: [ask["state"] for ask in here.hub.asks()].count("closed") == 1, "one of them closes")
    here.hub.wait_for("PostToolUse")
    assert sorted(ask["state"] for ask in here.hub.asks()) == ["closed", "open"]


def test_sub_agent_and_its_session_do_not_close_each_others_asks(lab: LabFactory) -> None:
    """The same words from both; the terminal answers for the session alone."""
    script = {
        "main": [
            [call("Agent", description="Help", prompt="HELPER, do it", subagent_type="general-purpose")],
            [bash("touch one.txt")],
            [say("Done.")],
        ],
        "HELPER": [[bash("touch one.txt")], [say("Helped.")]],
    }
    here = lab(script)
    here.install()
    here.hub.start()
    # Else a helper's dialog opens at the terminal after a moment, before the other one or after it.
    here.hub.leave_desk()
    terminal = here.terminal()
    terminal.submit("go")

    def both() -> list[Ask]:
        asks = here.hub.asks()
        return asks if len(asks) == 2 and {ask["state"] for ask in asks} == {"open"} else []

    until(both, "two open asks")
    terminal.wait_for_dialog()
    assert "from the" not in terminal.screen()
    press(terminal, "1")

    def closed() -> list[Ask]:
        return [ask for ask in here.hub.asks() if ask["state"] == "closed"]

    (of_session,) = until(closed, "the ask of the session closes")
    (of_helper,) = [ask for ask in here.hub.asks() if ask["id"] != of_session["id"]]
    assert of_helper["state"] == "open"
    assert "agent" not in of_session["subject"]
    assert of_helper["subject"]["agent"]
    here.hub.answer(of_helper, "deny", message="Not you.")
    here.model.wait_for(2, "HELPER")
    assert "Not you." in here.model.news("HELPER")[1][0]
