"""The story of a decision."""

from typing import Any

import msgspec

from assent.protocol.card import Card
from assent.text.ask_state import state
from assent.tui.log import story
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import OPENED, permission


def record(seq: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "seq": seq,
        "at": OPENED + seq,
        "kind": kind,
        "hash": "abcdef0123" * 6,
        "line": f"{kind} \x1b[2J",
        "body": {},
        **fields,
    }


def asked() -> list[dict[str, Any]]:
    ask = permission()
    card = msgspec.to_builtins(Card(ask.kind, ask.view, ask.subject, ask.risk, ask.says, ask.flags))
    return [
        record(1, "event", body={"payload": {"tool_name": "Bash", "tool_input": {"command": "git clean"}}}),
        record(2, "ask", ask="kptwm", body={"what": "permission", "card": card, "shown": "f" * 64, "rev": 2}),
        record(3, "answer", ask="kptwm", by="person:iPhone", body={"choice": "deny", "surface": "web"}),
        record(4, "outcome", ask="kptwm", body={"ending": "denied"}),
    ]


def test_story_has_the_card_as_it_was_shown_with_its_hash() -> None:
    """What was answered and what came of it stand with it; nothing of it can be answered."""
    ask = story.frozen(asked())
    assert ask is not None
    assert (ask.id, ask.rev, ask.hash, ask.choices) == ("kptwm", 2, "f" * 64, ())
    assert state(ask, OPENED).text.startswith("Denied on iPhone, ")
    assert "revision 2, SHA-256 " + "f" * 64 in text(story.digest(ask, 120), 120)
    assert story.title(asked()).startswith("Ask kptwm, ")


def test_story_tells_what_the_agent_reported_where_no_end_is_on_record() -> None:
    """An allowed call that ran has ended, also where only its own event says so."""
    allowed = record(3, "answer", ask="kptwm", by="person:iPhone", body={"choice": "allow", "surface": "web"})
    for event, words in (("PostToolUse", "ran"), ("PostToolUseFailure", "failed"), ("PreToolUse", "Nobody reported")):
        ask = story.frozen([*asked()[:2], allowed, record(4, "event", body={"event": event})])
        assert ask is not None
        assert words in state(ask, OPENED).text


def test_story_without_a_card_shows_the_input() -> None:
    """Of a card that cannot be read, too, nothing is made up."""
    broken = [record(1, "ask", ask="kptwm", body={"card": {"kind": "nonsense"}})]
    assert story.frozen(broken) is None
    assert story.frozen(asked()[:1]) is None
    assert '"command": "git clean"' in text(story.given(asked(), 60), 60)


def test_records_are_lines_with_their_place_in_the_chain() -> None:
    """When, what, the number and the hash; no control character comes through."""
    shown = text(story.on_record(asked(), 60), 60)
    assert "event ⟨U+001B⟩[2J  #1 abcdef01" in shown
    assert "\x1b" not in shown
