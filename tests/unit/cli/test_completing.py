"""What shells are offered beyond our verbs: from the hub, and nothing where there is none."""

from collections.abc import Callable

import pytest

from assent.cli import completing, main
from assent.client.snapshot import Snapshot
from assent.errors import HubUnreachableError
from assent.protocol.session import Session
from tests.unit.cli.conftest import Run
from tests.unit.tui import shown_asks as asks

Answers = Callable[..., None]
Complete = Callable[..., list[str]]
WEBSHOP = Session(id="4f1c0000-1", project="/home/ada/webshop", title="Flaky login")
HOSTILE = Session(id="$(touch x)", project="/p/`id`;\x1b[2J", title="x")


@pytest.fixture
def complete(
    assent: Run, answers: Answers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Complete:
    """What a shell would be told about a line."""
    answers(
        snapshot=Snapshot(1, [asks.plan(id="wqrtx"), asks.permission(), asks.edit(id="zzzzz", state="closed")], []),
        sessions=[WEBSHOP, HOSTILE],
    )
    completing.prepare()

    def run(line: str, shell: str = "bash") -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("_ASSENT_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_LINE", line)
        monkeypatch.setenv("COMP_POINT", str(len(line)))
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
        with pytest.raises(SystemExit):
            main.run([])
        monkeypatch.delenv("_ASSENT_COMPLETE")
        return capsys.readouterr().out.splitlines()

    return run


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("assent answer ", ["kptwm", "wqrtx"]),
        ("assent answer k", ["kptwm"]),
        ("assent answer wqrtx ", ["revise", "approve", "hand_back"]),
        ("assent answer wqrtx a", ["approve"]),
        ("assent session ", ["webshop", "4f1c0000"]),
        ("assent queue web", ["webshop"]),
        ("assent asks ris", ["risk:"]),
        ("assent asks risk:da", ["danger"]),
        ("assent log tool:Bash decision:den", ["deny"]),
        ("assent log ver", ["verify"]),
        ("assent asks project:", ["webshop"]),
        ("assent asks ask:k", ["kptwm"]),
    ],
)
def test_bash_is_offered_what_fits_there(complete: Complete, line: str, offered: list[str]) -> None:
    """Ids, answers that this ask takes, sessions, and terms of a filter, of which bash wants what follows the colon."""
    assert complete(line) == [f"plain,{value}" for value in offered]


def test_zsh_and_fish_show_what_an_id_stands_for(complete: Complete) -> None:
    """With the verb beside it."""
    about = "Danger: Delete untracked files, webshop"
    assert complete("assent answer k", "zsh") == ["plain", "kptwm", about]
    assert complete("assent answer k", "fish") == [f"plain,kptwm\t{about}"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_gets_plain_words_only(complete: Complete, shell: str) -> None:
    """What an agent called its session or folder never reaches a shell that might take it for more."""
    text = "\n".join(complete("assent session ", shell))
    assert "webshop" in text
    assert not set(text) & set("$`;\x1b(")


def test_without_a_hub_nothing_is_offered(complete: Complete, answers: Answers) -> None:
    """And nothing is said about it."""
    answers(snapshot=HubUnreachableError("No hub is running."), sessions=HubUnreachableError("No hub is running."))
    for line in ("assent answer ", "assent answer k ", "assent session ", "assent asks project:"):
        assert "".join(complete(line)) == ""


def test_log_offers_verbs_and_keys_together(complete: Complete) -> None:
    """Its first word is a command or a filter."""
    told = complete("assent log ")
    assert {"plain,show", "plain,risk:", "plain,since:"} <= set(told)
