"""`assent connect`, with a hub that exists only on paper."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.cli import connect as connect_
from assent.client import ApiError, Client
from assent.errors import UsageError
from tests.unit.cli.conftest import Run

Answers = Callable[..., None]
PERSON = {"scope": "admin"}


def surface(**changes: Any) -> dict[str, Any]:
    token = {"name": "token", "words": "The bot's token", "known": False}
    return {
        "name": "telegram",
        "title": "Telegram",
        "state": "off",
        "words": "Not connected.",
        "after": [20.0, 1800.0],
        "secrets": [token],
        "guide": "",
    } | changes


def connected(**changes: Any) -> dict[str, Any]:
    said = {"said": "This is @my_bot.", "todo": "", "kept": "in the system's keyring", "ladder": ""}
    return surface(state="connected", words="Connected to 1 person.") | said | changes


@pytest.fixture(autouse=True)
def somebody_at_a_desk(answers: Answers) -> None:
    answers(me=PERSON)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, str], dict[str, Any]]]:
    """What the hub was given."""
    found: list[tuple[dict[str, str], dict[str, Any]]] = []

    def connect(_: Client, __: str, secrets: dict[str, str], settings: dict[str, Any]) -> dict[str, Any]:
        found.append((secrets, settings))
        return connected()

    monkeypatch.setattr(Client, "connect", connect)
    return found


@pytest.fixture
def token(tmp_path: Path) -> str:
    file = tmp_path / "token"
    file.write_text("123:secret\n")
    return str(file)


def test_list_tells_state_and_time_of_each(assent: Run, answers: Answers) -> None:
    """One that no step of the ladder names is no use, and that is said."""
    works = surface(state="connected", words="Connected to 1 person.")
    forgotten = surface(name="slack", state="connected", words="Connected.", after=[])
    answers(surfaces=[works, forgotten, surface(name="ntfy", after=[300.0])])
    lines = [" ".join(line.split()) for line in assent("connect").out.splitlines()]
    assert lines == [
        "telegram Connected to 1 person. after 20s and after 30m",
        "slack Connected. not on the ladder: nothing is sent there",
        "ntfy Not connected.",
    ]
    assert json.loads(assent("connect", "--json").out)["surfaces"][0]["name"] == "telegram"


def test_secret_is_read_from_a_file_and_never_shown(
    assent: Run, answers: Answers, given: list[tuple[dict[str, str], dict[str, Any]]], token: str
) -> None:
    """Settings are taken as TOML has them."""
    answers(surface=surface())
    done = assent("connect", "telegram", "--token-file", token, "--set", "privacy=masked", "--set", "users=[1, 2]")
    assert given == [({"token": "123:secret"}, {"privacy": "masked", "users": [1, 2]})]
    assert done.code == 0
    assert "This is @my_bot." in done.out
    assert "Its secrets are in the system's keyring." in done.out
    assert "secret" not in (done.out + done.err).replace("secrets", "")


def test_what_is_left_to_do_is_waited_for(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    """The hub says when the user did it."""
    answers(connect=connected(state="waiting", todo="Send 482913 to @my_bot.", words="Waiting for the code."))
    states = iter(["off", "waiting", "waiting", "connected"])
    monkeypatch.setattr(Client, "surface", lambda *_: surface(state=next(states), words="Connected to 1 person."))
    monkeypatch.setattr("assent.cli.connect.POLL", 0)
    done = assent("connect", "telegram", "--token-file", token)
    assert done.code == 0
    assert "Send 482913 to @my_bot." in done.out
    assert "✓ Telegram: connected to 1 person." in done.out


def test_code_that_came_too_late_is_a_failure(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    """The surface takes no answers, so none are promised."""
    answers(connect=connected(state="waiting", todo="Send 482913 to @my_bot."))
    states = iter(["off", "waiting", "trouble"])
    monkeypatch.setattr(Client, "surface", lambda *_: surface(state=next(states), words="The code was not sent."))
    monkeypatch.setattr("assent.cli.connect.POLL", 0)
    done = assent("connect", "telegram", "--token-file", token)
    assert (done.code, done.err) == (1, "assent: Telegram does not work yet. The code was not sent.\n")


def test_without_a_terminal_secrets_come_from_files(assent: Run, answers: Answers) -> None:
    """Nothing is prompted for; what is known already is not asked for again."""
    answers(surface=surface(guide="First make a bot."), connect=connected())
    done = assent("connect", "telegram")
    assert (done.code, done.out) == (2, "First make a bot.\n\n")
    assert "no terminal to type its token in" in done.err
    known = {"name": "token", "words": "The bot's token", "known": True}
    answers(surface=surface(secrets=[known]))
    assert assent("connect", "telegram", "--json").code == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--secret", "123:secret"], "takes the name of a secret and a file"),
        (["--token-file", "123:secret"], "could not be read from its file"),
        (["--secret", "tokn=x"], "has no secret called 'tokn'; it has token."),
        (["--set", "privacy"], "given as key=value"),
    ],
)
def test_slips_are_told_without_repeating_a_secret(
    assent: Run, answers: Answers, token: str, options: list[str], says: str
) -> None:
    """A secret given in place of a file name is in no output."""
    answers(surface=surface(secrets=[{"name": "token", "words": "", "known": True}]))
    done = assent("connect", "telegram", *options)
    assert done.code == 2
    assert says in done.err
    assert "123:secret" not in done.out + done.err


@pytest.mark.parametrize(
    "options", [["--test"], ["telegram", "--test", "--disconnect"], ["telegram", "--disconnect", "--set", "a=1"]]
)
def test_options_that_do_not_go_together_do_nothing(assent: Run, options: list[str]) -> None:
    """Half of what was wanted would be a surprise."""
    assert assent("connect", *options).code == 2


def test_surface_with_many_secrets_has_no_single_token() -> None:
    """Which one is meant is not guessed."""
    two = [{"name": name, "words": "", "known": False} for name in ("app_token", "bot_token")]
    with pytest.raises(UsageError, match="name one with --secret: app_token, bot_token"):
        connect_.secrets_of(surface(secrets=two), "file", (), may_ask=False)


def test_typed_secrets_are_not_echoed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty line keeps the one that is known."""
    monkeypatch.setattr("assent.cli.output.is_interactive", lambda: True)
    typed = iter(["123:secret", ""])
    monkeypatch.setattr("click.termui.hidden_prompt_func", lambda _: next(typed))
    secrets = [
        {"name": "token", "words": "The bot's token", "known": False},
        {"name": "login", "words": "A login", "known": True},
    ]
    assert connect_.secrets_of(surface(secrets=secrets), None, (), may_ask=True) == {"token": "123:secret"}
    assert "secret" not in capsys.readouterr().out


def test_agents_connect_nothing(assent: Run, answers: Answers) -> None:
    """Not even to look: whatever runs in an agent's session is refused before anything is typed."""
    answers(me={"scope": "watch"})
    for argv in (["connect"], ["connect", "telegram"], ["connect", "telegram", "--disconnect"]):
        done = assent(*argv)
        assert (done.code, done.out) == (1, "")
        assert "from inside an agent's session" in done.err


def test_disconnect_says_what_is_left(assent: Run, answers: Answers) -> None:
    """A secret that could not be forgotten is a failure."""
    answers(disconnect=surface(left=""))
    assert assent("connect", "telegram", "--disconnect").out == (
        "Telegram is disconnected: its secrets and settings are forgotten.\n"
    )
    answers(disconnect=surface(left="“telegram.token” is left in the keyring."))
    done = assent("connect", "telegram", "--disconnect")
    assert done.code == 1
    assert "is left in the keyring" in done.out


@pytest.mark.parametrize(
    ("told", "code", "says"),
    [
        ({"state": "answered", "words": "Allowed on Telegram, 09:41:07", "surface": "telegram"}, 0, "✓ Allowed on"),
        ({"state": "answered", "words": "Denied on Chrome", "surface": "page"}, 0, "It was answered elsewhere"),
        ({"state": "failed", "words": "Nobody is connected."}, 1, "✗ It did not get there: Nobody is connected."),
        ({"state": "unanswered"}, 1, "✗ Nobody answered within a minute."),
        ({"state": "decided"}, 1, "✗ Nobody was asked"),
        ({"state": "shown", "can_answer": False}, 0, "✓ Telegram: the test ask was taken. Nobody can"),
    ],
)
def test_test_ask_ends_in_words(assent: Run, answers: Answers, told: dict[str, Any], code: int, says: str) -> None:
    """What was proven, and what was not."""
    whole = {"words": "", "surface": "", "can_answer": True} | told
    answers(surface=surface(), try_surface="test-1", tried_surface=whole)
    done = assent("connect", "telegram", "--test")
    assert done.code == code
    assert says in done.out


def test_test_ask_says_when_it_is_there(assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the phone rings, and the user knows what to do."""
    answers(surface=surface(), try_surface="test-1")
    states = iter(["asking", "shown", "shown", "answered"])
    monkeypatch.setattr(connect_, "POLL", 0)
    told = {"words": "Allowed on Telegram", "surface": "telegram", "can_answer": True}
    monkeypatch.setattr(Client, "tried_surface", lambda *_: told | {"state": next(states)})
    shown = assent("connect", "telegram", "--test").out
    assert shown.count("Telegram: a test ask is there. Answer it;") == 1


def test_words_of_the_hub_are_passed_on(assent: Run, answers: Answers) -> None:
    """It knows which names there are."""
    answers(surface=ApiError(404, "no-such-surface", "There is nothing of this name to connect.", "telegram?"))
    done = assent("connect", "telegramm")
    assert (done.code, done.err) == (1, "assent: There is nothing of this name to connect.\nhint: telegram?\n")
