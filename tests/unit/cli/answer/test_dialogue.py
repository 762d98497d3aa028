"""A conversation over a card, key by key: what each answer sends, and what sends nothing."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from msgspec.structs import replace

from assent.asks.choices import CHOICES, ways
from assent.cli import output
from assent.cli.answer.dialogue import Dialogue, Wish
from assent.cli.answer.keyboard import Keyboard, LeftError, Screen
from assent.cli.answer.sending import Sending
from assent.client import ApiError, Client
from assent.errors import AnswerLostError
from assent.paths import Paths
from assent.protocol.card import AnswerRequest, Card, FieldView, Offer, Peril, ShownAsk
from assent.protocol.surfaces import Scope
from tests.unit.tui import shown_asks as asks

Talk = Callable[..., AnswerRequest | None]
RULE = Offer(
    "rule:Bash(npm test *)",
    "Runs of npm test.",
    ("session", "project", "user"),
    {"project": "/p/.claude/settings.local.json", "user": "/u/settings.json"},
    covers=("npm test auth",),
    leaves="Anything else.",
)
OWN = Offer("rule:Bash(npm test)", "Exactly this.", ("session",), suggested=True)


class Typed(Keyboard):
    """Each press is a key or, where a line is asked for, a line."""

    __slots__ = ("presses",)

    def __init__(self, *presses: str | None) -> None:
        super().__init__(-1, [])
        self.presses = deque(presses)

    def settle(self) -> None:
        pass

    def key(self, seconds: float | None = None) -> str | None:
        assert self.presses, "more keys are asked for"
        return self.presses.popleft()

    def line(self, prompt: str, *, hides: bool = False) -> str | None:
        output.say(prompt + ("(hidden)" if hides else ""))
        return self.key()

    @contextmanager
    def as_usual(self, *, hides: bool = False) -> Iterator[None]:
        yield


def at_risk(ask: ShownAsk, level: str) -> ShownAsk:
    """The same ask at another risk, with what a yes costs there."""
    risk = Peril(level, match="uploads" if level == "danger" else "")
    card = Card(ask.kind, ask.view, ask.subject, risk)
    return replace(ask, risk=risk, choices=ways(card, Scope.ADMIN))


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, paths: Paths) -> Talk:
    """What is sent, if these keys are pressed on this ask."""
    monkeypatch.setenv("LINES", "200")

    def run(ask: ShownAsk, *presses: str | None, wish: Wish | None = None, **changes: Any) -> AnswerRequest | None:
        said: list[AnswerRequest] = []
        replies: dict[str, Any] = {"offers": [RULE, OWN], "refuse": None, "now": ask} | changes

        def answer(_: Client, __: str, given: AnswerRequest) -> None:
            if replies["refuse"]:
                refused, replies["refuse"] = replies["refuse"], None
                raise refused
            said.append(given)

        monkeypatch.setattr(Client, "answer", answer)
        monkeypatch.setattr(Client, "offers", lambda *_: replies["offers"])
        monkeypatch.setattr(
            Client, "ask", lambda *_: replace(ask, state="told", choices=()) if said else replies["now"]
        )
        keyboard = Typed(*presses)
        with suppress(LeftError):
            Dialogue(
                Screen(keyboard), Sending(Client(paths)), wish or Wish(), ask, snippets=replies.get("snippets", ())
            ).run()
        assert not keyboard.presses
        return said[0] if said else None

    return run


def sent(choice: str, **fields: Any) -> AnswerRequest:
    return AnswerRequest(rev=1, hash="0" * 64, choice=choice, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("level", "keys", "is_sent"),
    [
        ("look", ("a",), True),
        ("change", ("a",), True),
        ("care", ("a", "\r"), True),
        ("care", ("a", "a", "q"), False),
        ("care", ("a", None, "q"), False),
        ("care", ("a", "", "q"), False),
        ("danger", ("a", "upload", "q"), False),
        ("danger", ("a", "", "q"), False),
        ("danger", ("a", None, "q"), False),
        ("look", ("\r", " ", "y", "z", "q"), False),
    ],
)
def test_cost_of_a_yes_grows_with_the_risk(talk: Talk, level: str, keys: tuple[str | None, ...], is_sent: bool) -> None:
    """One key, two, or the match word; Enter alone is never a yes."""
    assert talk(at_risk(asks.permission(), level), *keys) == (sent("allow") if is_sent else None)


def test_danger_is_allowed_by_its_word(talk: Talk) -> None:
    """Exactly as it stands there."""
    assert talk(asks.permission(), "a", "uploads") == sent("allow", match="uploads")


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("d",), sent("deny")),
        (("D", "Use stash."), sent("deny", message="Use stash.")),
        (("D", "", "q"), None),
        (("x",), sent("deny_and_stop")),
        (("t",), sent("hand_back")),
        (("r", "d"), sent("deny")),
        (("\x1b",), None),
    ],
)
def test_no_is_one_key_whatever_the_risk(talk: Talk, keys: tuple[str, ...], answer: AnswerRequest | None) -> None:
    """With words or without, and leaving is no answer."""
    assert talk(asks.permission(), *keys) == answer


def test_lasting_yes_shows_rule_and_file_first(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """What, where, and then a key of its own; any other goes back."""
    ask = at_risk(asks.permission(), "change")
    assert talk(ask, "R", "p", "a") == sent("allow_project", grant=RULE.grant)
    shown = capsys.readouterr().out
    assert "Allowed from now on in this project:\n│ Bash(npm test *)\nRuns of npm test.\n" in shown
    assert "File: /p/.claude/settings.local.json\n" in shown
    assert "npm test auth" in shown
    assert talk(ask, "R", "x", "q") is None
    assert talk(ask, "s", "2", "a") == sent("allow_session", grant=OWN.grant)
    assert "2 Exactly this. (suggested by the agent)\n" in capsys.readouterr().out
    assert talk(ask, "s", "1", "n", "q") is None
    assert talk(ask, "s", "q", offers=[]) is None


def test_rule_of_ones_own_says_that_it_was_not_checked(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """The same file, no examples, and the same cost."""
    wish = Wish("allow_user", message="For tests.", grant="rule:Bash(npm *)")
    given = sent("allow_user", grant="rule:Bash(npm *)", message="For tests.")
    assert talk(at_risk(asks.permission(), "care"), "a", "\r", wish=wish) == given
    assert "This rule is your own; what it would let pass was not checked." in capsys.readouterr().out


def test_choice_of_the_command_line_is_no_key(talk: Talk) -> None:
    """It says what is meant; a press after the card says yes."""
    ask = at_risk(asks.permission(), "look")
    assert talk(ask, "a", wish=Wish("allow", message="Fine.")) == sent("allow", message="Fine.")
    assert talk(ask, "\r", wish=Wish("allow")) is None


def test_edited_command_is_shown_before_it_is_sent(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole input goes, with one part changed; the same text again is no edit."""
    ask = replace(at_risk(asks.permission(), "look"), risk=Peril("look", instead="git stash -u"))
    edited = {**ask.view.raw, "command": "git stash -u"}
    assert talk(ask, "e", "1", "a") == sent("allow_edited", edited=edited)
    assert "│ git stash -u\n" in capsys.readouterr().out
    assert talk(ask, "a", wish=Wish("allow_edited", edit="git stash -u")) == sent("allow_edited", edited=edited)
    assert talk(ask, wish=Wish("allow_edited", edit=ask.view.raw["command"])) is None
    assert "Nothing was changed." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("editor", "answer"),
    [("sed -i s/npm/pnpm/", "git clean -fdx && pnpm ci"), ("true", None), ("false", None), ("sh -c 'exit 3'", None)],
)
def test_editor_changes_the_command(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, editor: str, answer: str | None
) -> None:
    """One that fails, or changes nothing, sends nothing."""
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.delenv("VISUAL", raising=False)
    ask = replace(at_risk(asks.permission(), "look"), risk=Peril("look"))
    given = talk(ask, "e", *(("a",) if answer else ("q",)))
    assert (given.edited or {}).get("command") == answer if given else answer is None


def test_other_tools_are_edited_as_json(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no object is not sent."""
    ask = at_risk(asks.edit(), "look")
    given = {"file_path": "b.py"}
    assert talk(ask, "a", wish=Wish("allow_edited", edit='{"file_path": "b.py"}')) == sent("allow_edited", edited=given)
    assert talk(ask, wish=Wish("allow_edited", edit="[1]")) is None
    assert "This is not a JSON object." in capsys.readouterr().out


def test_questions_are_answered_one_by_one(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """By number, in one's own words, several at once; all of it is seen once more before it goes."""
    first, second = (each.question for each in (asks.DATABASES, asks.FEATURES))
    answers = {first: "PostgreSQL", second: "Search, Export"}
    assert talk(asks.question(), "a", "2", "2, 1,2", "a") == sent(
        "answer", answers={**answers, second: "Export, Search"}
    )
    assert "Which database? → PostgreSQL\n" in capsys.readouterr().out
    own = {first: "DuckDB", second: "neither"}
    assert talk(asks.question(), "a", "o", "DuckDB", "neither", "a") == sent("answer", answers=own)
    assert talk(asks.question(), "a", "x", "q") is None
    assert talk(asks.question(), "a", "2", "", "q") is None
    assert talk(asks.question(), "d") == sent("deny")


def test_plan_is_approved_into_a_mode_or_sent_back(talk: Talk) -> None:
    """The mode is picked, then a key approves; notes need words."""
    assert talk(asks.plan(), "a", "1", "a") == sent("approve", mode="default")
    assert talk(asks.plan(), "a", "2", "a") == sent("approve", mode="accept_edits")
    assert talk(asks.plan(), "a", wish=Wish("approve", mode="accept_edits")) == sent("approve", mode="accept_edits")
    assert talk(asks.plan(), "a", "3", "q") is None
    assert talk(asks.plan(), "d", "Keep the old names.") == sent("revise", message="Keep the old names.")
    assert talk(asks.plan(), "d", "", "q") is None


def test_turn_that_ended_is_kept_going(talk: Talk) -> None:
    """With one of the usual words, or one's own."""
    assert talk(asks.stop(), "a", "2") == sent("keep_going", message="Run the tests.")
    assert talk(asks.stop(), "a", "Write a test.") == sent("keep_going", message="Write a test.")
    assert talk(asks.stop(), "a", "", "q") is None
    assert talk(asks.stop(), "d") == sent("let_stop")


FIELDS = (
    FieldView("owner", "text", "Owner", required=True),
    FieldView("pin", "text", secret=True),
    FieldView("count", "integer", minimum=1, default=3),
    FieldView("share", "number"),
    FieldView("urgent", "boolean"),
    FieldView("colour", "choice", options=(("r", "Red"), ("b", "Blue"))),
    FieldView("tags", "choices", options=(("x", "X"), ("y", "Y"))),
)


def test_form_is_filled_in_field_by_field(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong is said at once, what is secret is not shown, and at the end it takes a key and Enter."""
    ask = at_risk(asks.form(*FIELDS), "care")
    lines = ("", "ada", "1234", "none", "0", "5", "nan", "0.5", "maybe", "y", "3", "Blue", "1,2")
    content = {
        "owner": "ada",
        "pin": "1234",
        "count": 5,
        "share": 0.5,
        "urgent": True,
        "colour": "b",
        "tags": ["x", "y"],
    }
    assert talk(ask, "a", *lines, "a", "\r") == sent("submit", content=content)
    shown = capsys.readouterr().out
    assert "1234" not in shown
    assert "pin: (hidden)" in shown
    for sentence in (
        "must be filled in",
        "must be a whole number",
        "must be at least 1",
        "Answer y or n",
        "Pick from 1",
    ):
        assert sentence in shown
    skipped = ("ada", "", "", "", "", "", "")
    assert talk(ask, "a", *skipped, "a", "\r") == sent("submit", content={"owner": "ada", "count": 3})
    assert talk(ask, "a", "ada", None, "q") is None
    assert talk(ask, "a", *skipped, "\r", "q") is None
    assert talk(ask, "c") == sent("cancel")


def test_changed_ask_is_shown_again_and_bound_anew(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """The first answer was to something else and is not used; the next one is to what is there now."""
    ask = at_risk(asks.permission(), "look")
    now = replace(ask, rev=2, hash="1" * 64)
    changed = ApiError(409, "changed", "It has changed since it was shown. Look again.")
    assert talk(ask, "a", "a", refuse=changed, now=now) == AnswerRequest(rev=2, hash="1" * 64, choice="allow")
    assert capsys.readouterr().out.count("Look · Delete untracked files") == 2
    # Noticed without a key, while the card is read.
    assert talk(ask, None, "d", now=now) == AnswerRequest(rev=2, hash="1" * 64, choice="deny")


def test_ask_that_is_over_ends_the_conversation(talk: Talk) -> None:
    """Keys are not read any more."""
    ask = at_risk(asks.permission(), "look")
    with pytest.raises(AnswerLostError, match="It does not wait any more"):
        talk(ask, None, now=replace(ask, state="closed", choices=()))


def test_refused_answer_leaves_the_ask_open(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """What the hub says is shown, and another key can be pressed."""
    refused = ApiError(409, "refused-by-policy", "The policy refuses it now: no pushes.")
    assert talk(at_risk(asks.permission(), "look"), "a", "d", refuse=refused) == sent("deny")
    assert "The policy refuses it now: no pushes." in capsys.readouterr().out


@pytest.mark.parametrize("kind", CHOICES)
def test_only_what_is_offered_has_a_key(talk: Talk, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the scope to deny, no other key does anything."""
    ask = getattr(asks, kind)()
    least = replace(ask, choices=ask.choices[:1])
    assert talk(least, "a", "s", "A", "e", "q") is None
    assert "allow" not in capsys.readouterr().out


def test_own_reply_is_shown_before_it_is_sent(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """Its number fills it in; Enter sends it, other words take its place, and without an end nothing goes out."""
    replies = ("Use pnpm here", "Explain first")
    for presses, message in (
        (("D", "2", ""), "Explain first"),
        (("D", "2", "Explain it"), "Explain it"),
        (("D", "3"), "3"),
    ):
        assert talk(asks.permission(), *presses, snippets=replies) == sent("deny", message=message)
    assert talk(asks.permission(), "D", "1", None, "q", snippets=replies) is None
    assert "1 Use pnpm here\n" in capsys.readouterr().out


def test_own_replies_follow_the_usual_next_steps(talk: Talk) -> None:
    """The usual ones go out at once, as before."""
    replies = ("Use pnpm here",)
    for presses, message in ((("a", "2"), "Run the tests."), (("a", "4", ""), "Use pnpm here")):
        assert talk(asks.stop(), *presses, snippets=replies) == sent("keep_going", message=message)


def test_second_round_shows_its_difference_on_a_key(talk: Talk, capsys: pytest.CaptureFixture[str]) -> None:
    """It answers nothing."""
    assert talk(asks.plan(round=asks.ROUND), "v", "q") is None
    said = capsys.readouterr().out
    assert "v what changed" in said
    assert "+ 2. Keep the old names" in said
