"""What a person is shown: every kind of ask, from what the real client sends."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.asks.card import build
from assent.asks.card.build import HIDDEN, LONGEST_LINE, NoAskError, Seen, draw
from assent.protocol.card import Card, OptionView, QuestionView, StopView
from assent.protocol.events import EVENTS, Elicitation, Event, PermissionRequest, PreToolUse, Stop, TeammateIdle
from tests.unit.asks.judged import PROJECT, asked, bash, card_of, tried

CAPTURED = Path(__file__).parents[3] / "fixtures/claude_code/events"
SCRIPT = "echo a\n" * 20 + "for h in a b; do ssh $h rm -rf /srv; done\n"
ASKS = ("PermissionRequest", "PreToolUse", "Elicitation", "Stop", "SubagentStop")


def captured(name: str) -> list[Event]:
    payloads: list[dict[str, Any]] = json.loads((CAPTURED / f"{name}.json").read_text())
    return [msgspec.convert(payload, EVENTS[name]) for payload in payloads]


@pytest.mark.parametrize("name", ASKS)
def test_every_captured_payload_draws_a_card(name: str) -> None:
    """The same one each time, and one that survives the journal and the wire."""
    for event in captured(name):
        card = draw(event, Seen())
        assert card.view.verb
        assert draw(event, Seen()) == card
        assert msgspec.json.decode(msgspec.json.encode(card), type=Card) == card


def test_events_that_are_never_asked_about_draw_nothing() -> None:
    """They are told apart, not guessed at."""
    with pytest.raises(NoAskError, match="Nobody can be asked about TeammateIdle"):
        draw(TeammateIdle(session_id="s"), Seen())


def test_command_card_is_read_from_the_top() -> None:
    """What, why, what would be safer, and what the agent says."""
    card = card_of(bash("git clean -fdx && npm ci", description="Clean install\nto rule out stale deps."))
    assert card.kind == "permission"
    assert card.view.verb == "Delete untracked files"
    assert "".join(segment.text for segment in card.view.segments) == "git clean -fdx && npm ci"
    assert card.risk.level == "danger"
    assert card.risk.reason == "It deletes files that git does not know and cannot bring back: “git clean -fdx”."
    assert (card.risk.safer, card.risk.instead) == ("git clean -n lists them first", "git clean -ndx && npm ci")
    assert card.says == "Clean install to rule out stale deps."
    assert card.view.raw["command"] == "git clean -fdx && npm ci"


def test_reason_is_for_people() -> None:
    """The safer way, which the agent is told with it, stands elsewhere on the card."""
    event = bash("git clean -fdx")
    trial = msgspec.structs.replace(
        tried(event),
        by="stance:balanced",
        reason="It deletes. Safer: git clean -n lists them first.",
    )
    assert draw(event, Seen(trial=trial)).risk.reason == "It deletes."


def test_reason_of_a_rule_is_told_with_what_the_judge_saw() -> None:
    """Why it is asked, and what would happen."""
    event = bash("git push origin main")
    trial = msgspec.structs.replace(tried(event), by="rule:user#4", reason="Pushes are reviewed.")
    assert draw(event, Seen(trial=trial)).risk.reason == "Pushes are reviewed. It sends commits to the remote."


def test_subject_says_who_and_where() -> None:
    """With the sub-agent and its task."""
    event = PreToolUse(
        session_id="s1",
        cwd=f"{PROJECT}/src",
        agent_id="a1",
        agent_type="Explore",
        permission_mode="bypass",
        tool_name="Bash",
        tool_input={"command": "ls"},
    )
    seen = Seen(
        harness="claude-code",
        project=PROJECT,
        title="Fix login",
        task="Look around",
        branch="main",
        machine="box",
        attended=False,
    )
    card = draw(event, seen)
    assert msgspec.to_builtins(card.subject) == {
        "harness": "claude-code",
        "session": "s1",
        "title": "Fix login",
        "agent": "a1",
        "agent_type": "Explore",
        "task": "Look around",
        "project": PROJECT,
        "folder": f"{PROJECT}/src",
        "branch": "main",
        "mode": "bypass",
        "machine": "box",
    }
    assert card.flags == ("sub_agent", "unattended", "bypass")


def test_other_machine_and_limited_host_are_flagged() -> None:
    """They are unusual, so they are said aloud."""
    assert draw(bash("ls"), Seen(is_elsewhere=True, limited=True)).flags == ("other_machine", "limited_host")


@pytest.mark.parametrize(
    ("event", "is_outside"),
    [
        (asked("Read", file_path=f"{PROJECT}/a"), False),
        (asked("Read", file_path="a"), False),
        (asked("Read", file_path="/etc/hosts"), True),
        (asked("Read", file_path="~/x"), True),
        (asked("Read", file_path=f"{PROJECT}-other/a"), True),
        (bash("rm ../x"), True),
        (bash("cat /etc/hosts"), True),
        (bash("rm x"), False),
        (bash("ls > /dev/null"), False),
    ],
)
def test_what_lies_outside_the_project_is_flagged(event: Any, is_outside: bool) -> None:
    """By the file, or by what the judge saw the command touch."""
    assert ("outside_project" in card_of(event).flags) is is_outside


@pytest.mark.parametrize(
    "event",
    [
        bash("ls \u202ex"),
        asked("Read", file_path=f"{PROJECT}/p\u0430ss"),
        asked("mcp__a\u202eb__c", text="x"),
        asked("Write", file_path=f"{PROJECT}/a", content="x\u200by"),
        asked("AskUserQuestion", questions=[{"question": "Sure\u202e?"}]),
        asked("ExitPlanMode", plan="Do\u200b it"),
        Elicitation(session_id="s", message="\x1b[2J"),
        Stop(session_id="s", last_assistant_message="done\u202e"),
    ],
)
def test_hidden_characters_raise_any_ask_to_care(event: Event) -> None:
    """And the reason says so."""
    card = draw(event, Seen(risk="look"))
    assert "hidden_characters" in card.flags
    assert card.risk.level == "care"
    assert card.risk.reason.endswith(HIDDEN)


def test_hidden_characters_never_lower_a_danger() -> None:
    """Care is the least, not the most."""
    assert draw(bash("rm \u202ex"), Seen(risk="danger")).risk.level == "danger"


@pytest.mark.parametrize(
    ("event", "is_long"),
    [
        (bash("ls"), False),
        (bash("echo " + "x" * 3_000), True),
        (bash("ls\n" * 40), True),
        (asked("Write", file_path="/x/a", content="a\n" * 20), False),
        (asked("Write", file_path="/x/a", content="a\n" * 50), True),
        (asked("ExitPlanMode", plan="a\n" * 50), True),
    ],
)
def test_what_no_screen_shows_at_once_is_flagged(event: Any, is_long: bool) -> None:
    """So that a surface can ask for reading to the end."""
    assert ("long" in draw(event, Seen()).flags) is is_long


@pytest.mark.parametrize("word", ["", "catastrophic"])
def test_unknown_risk_is_care(word: str) -> None:
    """Never less."""
    assert draw(asked("Unheard"), Seen(risk=word)).risk.level == "care"


def test_question_is_shown_whole() -> None:
    """Options with what they mean and how they would look."""
    option = {"label": "SQLite", "description": "One file", "preview": "db.sqlite"}
    questions = [{"question": "Which?", "header": "DB", "options": [option], "multiSelect": True}]
    card = draw(asked("AskUserQuestion", questions=questions), Seen())
    assert (card.kind, card.risk.level) == ("question", "look")
    assert card.view.questions == (
        QuestionView("Which?", "DB", (OptionView("SQLite", "One file", "db.sqlite"),), multi=True),
    )


@pytest.mark.parametrize("given", [{}, {"questions": []}, {"questions": "x"}])
def test_question_that_cannot_be_read_is_a_permission(given: dict[str, Any]) -> None:
    """It can be refused or left to the terminal, not answered."""
    assert draw(asked("AskUserQuestion", **given), Seen()).kind == "permission"


def test_plan_is_shown_with_what_it_also_allows() -> None:
    """Nothing that a yes would let pass is left out."""
    allowed = [{"tool": "Bash", "prompt": "run tests"}]
    card = draw(asked("ExitPlanMode", plan="# Move login\n1. Do", allowedPrompts=allowed), Seen())
    assert (card.kind, card.view.verb, card.view.markdown) == ("plan", "Plan: Move login", "# Move login\n1. Do")
    assert card.view.facts == (("also allowed", "Bash: run tests"),)


def test_plan_is_read_from_its_file_where_it_was_not_sent() -> None:
    """Older clients keep it there."""
    card = draw(asked("ExitPlanMode", planFilePath="/x/plan.md"), Seen(read=lambda _: "Do it"))
    assert card.view.markdown == "Do it"


def test_form_says_where_its_contents_go() -> None:
    """To the server, which is named in the heading, too."""
    card = draw(Elicitation(session_id="s", mcp_server_name="lab", mode="form", requested_schema={}), Seen())
    assert (card.kind, card.view.verb) == ("form", "Say yes or no to lab")
    assert card.risk.reason == "What is filled in goes to the server lab."


def test_stop_shows_the_last_message_and_what_still_runs() -> None:
    """And how often it was kept going."""
    [*_, event] = [event for event in captured("Stop") if isinstance(event, Stop) and event.session_crons]
    card = draw(event, Seen(continuations=2))
    assert (card.kind, card.view.verb) == ("stop", "The turn is finished")
    assert card.view.stop == StopView("done", 2, background=("later (0 9 * * 1-5): check the build",))


def test_sub_agent_that_stops_is_named() -> None:
    """It is not the session that ends."""
    assert draw(captured("SubagentStop")[0], Seen()).view.verb == "The sub-agent general-purpose finished"


def test_edit_is_shown_as_a_diff_of_the_file() -> None:
    """Against the text as it is now, by its whole path."""
    read: list[str] = []

    def reader(path: str) -> str:
        read.append(path)
        return "a\n"

    event = asked("Edit", file_path="src/x.py", old_string="a", new_string="b", replace_all=True)
    card = draw(event, Seen(project=PROJECT, read=reader))
    assert read == [f"{PROJECT}/src/x.py"]
    [diff] = card.view.diffs
    assert (diff.path, diff.added, diff.removed) == ("src/x.py", 1, 1)
    assert card.view.facts == (("replace_all", "true"),)


def test_input_of_other_tools_is_shown_as_facts() -> None:
    """All of it, by name."""
    card = draw(asked("mcp__github__create_issue", title="x", labels=["a", "b"], draft=False, body=None), Seen())
    assert card.view.facts == (("title", "x"), ("labels", '["a","b"]'), ("draft", "false"))


def test_sub_agent_is_shown_with_its_whole_prompt() -> None:
    """What it will be told is the thing itself."""
    card = draw(asked("Agent", prompt="Look.", description="Explore", subagent_type="Explore"), Seen())
    assert [segment.text for segment in card.view.segments] == ["Look."]
    assert (card.says, card.view.facts) == ("Explore", (("subagent_type", "Explore"),))


def test_saying_of_the_agent_is_short() -> None:
    """Two lines of it, not a page."""
    assert len(draw(bash("ls", description="x" * 1_000), Seen()).says) == 300
    assert draw(bash("ls", description=3), Seen()).says == ""


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (bash("git clean -fdx &&\n  npm ci"), "git clean -fdx && npm ci"),
        (bash(SCRIPT), "for h in a b; do ssh $h rm -rf /srv; done"),
        (asked("Edit", file_path="a.py", old_string="a", new_string="b"), "a.py +1 -1"),
        (asked("mcp__github__get_me", owner="acme", draft=False), "owner: acme · draft: false"),
        (
            asked("AskUserQuestion", questions=[{"question": "Where?", "options": [{"label": "A"}, {"label": "B"}]}]),
            "A · B",
        ),
        (asked("ExitPlanMode", plan="# Move login\n\nFirst the tests."), "First the tests."),
        (Stop(session_id="s", last_assistant_message="All tests pass.\nDone."), "All tests pass. Done."),
    ],
)
def test_line_shows_the_thing_itself(event: Event, line: str) -> None:
    """What a list shows below the heading."""
    trial = tried(event) if isinstance(event, PermissionRequest) else None
    assert draw(event, Seen(trial=trial, read=lambda _: "a", project=PROJECT)).view.line == line


def test_line_keeps_both_ends_of_what_is_long() -> None:
    """The end of a command says as much as its beginning."""
    line = draw(bash(f"first {'x' * 5_000} last"), Seen()).view.line
    assert len(line) == LONGEST_LINE
    assert line.startswith("first ")
    assert line.endswith(" last")


@pytest.mark.parametrize(
    "event",
    [
        asked("ExitPlanMode", plan=f"First {'word ' * 500} last"),
        Stop(session_id="s", last_assistant_message="First " * 99),
    ],
)
def test_line_of_prose_is_its_beginning(event: Event) -> None:
    """The end of a plan or of last words says nothing without what comes before."""
    line = draw(event, Seen()).view.line
    assert len(line) == LONGEST_LINE
    assert line.startswith("First ")
    assert line.endswith("…")


def test_text_for_people_that_goes_to_a_server_is_prose() -> None:
    """It is read as Markdown; a single line is not worth it."""
    view = draw(asked("mcp__github__create_issue", title="x", body="## Why\n- slow"), Seen()).view
    assert view.facts == (("title", "x"), ("body", "## Why\n- slow"))
    assert view.prose == ("body",)


def test_long_explanation_of_a_refusal_is_cut_between_words() -> None:
    """Half a secret would be shown and recorded."""
    secret = "ghp_" + "a1B2" * 9
    assert build._first_words(f"{'word ' * 118}{secret} more", 600) == f"{'word ' * 118}…".strip()
    assert build._first_words(f"short {secret}", 600) == f"short {secret}"
    assert build._first_words("x" * 601, 600) == "…"
