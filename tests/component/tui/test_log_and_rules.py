"""Log and rules as tabs: what was decided and why, and the rules that decide."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.errors import AssentError
from assent.protocol.card import Card
from assent.protocol.decision import TraceLine, Trial, TrialQuestion
from assent.views.decisions import DecisionRow
from tests.component.tui.conftest import Seat, Sit
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.shown_asks import OPENED, permission

RULE = {"level": "user", "file": "/home/dev/rules.toml", "number": 1, "decision": "deny", "match": ["Bash(rm *)"]}
THEIRS = {**RULE, "level": "agent.project", "file": "/src/.claude/settings.json", "match": ["Bash(ls)"]}
FILE = "/home/dev/rules.toml"


def decision(seq: int, **fields: Any) -> DecisionRow:
    known = {"decision": "allow", "by": "rule:user#1", "tool": "Bash", "what": f"make step-{seq}"}
    return DecisionRow(**{"seq": seq, "at": OPENED, "hash": "5" * 64, **known, **fields})


class Hub(StandIn):
    """One that pages through its decisions, and keeps rules."""

    def __init__(self) -> None:
        super().__init__()
        self.hub = {"home": "/home/dev"}
        self.decided = [decision(seq) for seq in range(1, 301)]
        self.filters: list[str] = []
        self.kept: list[dict[str, Any]] = [RULE, THEIRS]

    def decisions(  # type: ignore[override]
        self, text: str = "", *, limit: int = 100, before: int | None = None
    ) -> tuple[list[DecisionRow], int | None]:
        self.filters.append(text)
        found = [row for row in reversed(self.decided) if not before or row.seq < before][:limit]
        return found, found[-1].seq if found and found[-1].seq > 1 else None

    def rules(self, _: str = "") -> dict[str, Any]:
        return {"rules": list(self.kept), "troubles": [], "file": FILE}

    def search(self, _: str, **__: object) -> tuple[list[dict[str, Any]], int | None]:
        return [{}] * 3, None

    def add_rule(self, match: str, decision: str, reason: str = "") -> dict[str, Any]:
        if "(" not in match:
            raise AssentError("This is no rule.", hint="write Tool(what).")
        number = len(self.kept) + 1
        self.kept.insert(1, {**RULE, "match": [match], "decision": decision, "reason": reason, "number": number})
        return {"file": FILE}

    def remove_rule(self, rule: dict[str, Any], folder: str = "") -> dict[str, Any]:
        assert folder == ""
        self.kept.remove(rule)
        return {"backup": "/home/dev/rules.toml.1"}

    def try_(self, question: TrialQuestion) -> Trial:
        line = TraceLine("rule:user#1", "deny", "no deletions")
        return Trial(question.command, "deny", "danger", "no deletions", (), (line,), "rule:user#1")

    def review(self) -> dict[str, Any]:
        offer = {"text": "Bash(npm test *)", "saved": 14, "newly_allowed": 0}
        return {"asks": 20, "approvals": 18, "offers": [offer]}


@pytest.mark.anyio
async def test_log_is_read_on_and_stays_where_one_reads(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newest on top; the end of the list brings older ones, what is new comes above, and a filter asks the hub."""
    monkeypatch.chdir(tmp_path)
    hub = Hub()
    async with sit(hub=hub, size=(120, 30)) as seat:
        await seat.press("4")
        await seat.sees("make step-300", "asks today", "-by:stance,judge")
        await seat.press("end")
        await seat.until(lambda: len(seat.app.query_one("#log-rows").source) >= 200, "older ones")  # type: ignore[attr-defined]
        await seat.press("home", "j", "j")
        await seat.sees("▌")
        at = seat.place("make step-299")
        hub.decided.append(decision(301, decision="deny", by="floor:x", why="too much"))
        await seat.tell(permission())
        await seat.later(1)
        await seat.sees("1 newer above: Home")
        assert seat.place("make step-299") == at
        await seat.press("home")
        await seat.sees("make step-301")
        await seat.press("/")
        await seat.press("ctrl+u")
        await seat.type("risc:care")
        await seat.press("enter")
        await seat.sees("Did you mean risk:?")
        assert "risc:care" not in hub.filters
        await seat.press("ctrl+u")
        await seat.type("risk:care")
        await seat.press("enter")
        await seat.until(lambda: hub.filters[-1] == "risk:care", "the filter")
        file = tmp_path / "l.csv"
        await seat.press("w", "ctrl+u")
        await seat.type("l.csv")
        await seat.press("enter")
        await seat.until(lambda: file.exists() and file.read_text().count("\n") == 302, "the file")


@pytest.mark.anyio
async def test_story_shows_the_card_as_it_was_and_answers_nothing(sit: Sit) -> None:
    """Keys that answer do nothing there."""
    hub, ask = Hub(), permission("kptwm")
    card = msgspec.to_builtins(Card(ask.kind, ask.view, ask.subject, ask.risk, ask.says, ask.flags))
    body = {"what": "permission", "card": card, "shown": "f" * 64}
    hub.records = [
        {"seq": 7, "at": OPENED, "kind": "ask", "ask": "kptwm", "hash": "e" * 64, "line": "asked", "body": body}
    ]
    async with sit(hub=hub) as seat:
        await seat.press("4")
        await seat.sees("make step-299")
        await seat.pilot.click("#log-rows", offset=(5, 1))
        await seat.until(lambda: seat.lines[seat.place("make step-299")].startswith("▌"), "the choice")
        await seat.press("enter")
        await seat.sees("Ask kptwm", "DANGER", "SHA-256 " + "f" * 64, "asked  #7 eeeeeeee")
        await seat.read()
        await seat.press("a", "d", "x")
        assert hub.answers == []
        await seat.press("r")
        await seat.sees('"kind": "ask"')
        await seat.press("q")
        await seat.sees("make step-300")


async def _typed(seat: Seat, *texts: str) -> None:
    for text in texts:
        await seat.press("ctrl+u")
        await seat.type(text)
        await seat.press("enter")


@pytest.mark.anyio
async def test_rule_is_tried_added_and_taken_back(sit: Sit) -> None:
    """An allow is shown whole before it is written, with a key of its own; everything can be undone."""
    hub = Hub()
    async with sit(hub=hub, size=(100, 30)) as seat:
        await seat.press("5")
        await seat.sees("Yours, everywhere  ~/rules.toml", "■ deny   Bash(rm *)", "3 in 7 days", "from the repository")
        await seat.press("t")
        await _typed(seat, "rm -rf /")
        await seat.sees("■ It would be denied", "Who said what")
        await seat.press("escape", "+")
        await _typed(seat, "nonsense", "deny", "")
        await seat.sees("This is no rule. Write Tool(what).")
        await seat.press("+")
        await _typed(seat, "Bash(npm test *)", "allow", "tests are fine")
        await seat.sees("Allow this from now on?", "Written to ~/rules.toml")
        await seat.press("enter", "W")
        assert len(hub.kept) == 2
        await seat.read()
        await seat.press("W")
        await seat.sees("✓ allow  Bash(npm test *)", "u: take back allow Bash(npm test *)")
        await seat.press("u")
        await seat.until(lambda: hub.kept == [RULE, THEIRS], "the undo")


@pytest.mark.anyio
async def test_rule_is_removed_in_two_steps_and_put_back(sit: Sit) -> None:
    """What is not one's own stays; so does a rule that one moved away from before the second key."""
    hub = Hub()
    async with sit(hub=hub, size=(100, 30)) as seat:
        await seat.press("5")
        await seat.sees("3 in 7 days")
        await seat.press("j", "d")
        await seat.sees("Remove it? Enter removes, Esc keeps", "Enter removes it from ~/rules.toml")
        await seat.press("j")
        assert "Remove it?" not in seat.screen
        await seat.press("d")
        await seat.sees("This rule is not ours to remove")
        assert hub.kept == [RULE, THEIRS]
        await seat.press("k", "d", "enter")
        await seat.until(lambda: hub.kept == [THEIRS], "the removal")
        await seat.sees("u: put back deny Bash(rm *)")
        await seat.press("u")
        await seat.until(lambda: len(hub.kept) == 2, "the undo")


@pytest.mark.anyio
async def test_rule_that_saves_asks_is_taken_from_the_log_to_the_rules(sit: Sit) -> None:
    """It is offered with what it saves, and stands ready to be added; nothing is written by looking at it."""
    hub = Hub()
    async with sit(hub=hub, size=(120, 30)) as seat:
        await seat.press("4", "R")
        await seat.sees("In 30 days people were asked 20 times", "saves 14 asks; nothing else on record")
        await seat.press("j", "enter")
        await seat.sees("what it matches", "Bash(npm test *)")
        await seat.press("escape")
        assert hub.kept == [RULE, THEIRS]
