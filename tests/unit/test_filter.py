"""The words by which people narrow the record down."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import UsageError
from assent.filter import KEYS, LONGEST, parse
from assent.protocol.record import Record

NOW = 1_700_000_000.0


def record(**fields: Any) -> Record:
    whole: dict[str, Any] = {
        "at": int(NOW * 1000),
        "kind": "event",
        "hub": "h",
        "seq": 1,
        "prev": "0",
        "hash": "1",
    } | fields
    return Record(**whole)


DENIED = record(
    kind="decision",
    at=int(NOW * 1000) - 3_600_000,
    session="4f1c88aa-0",
    agent="agent-7",
    call="c12ab1",
    ask="kv7mp",
    risk="care",
    decision="deny",
    by="rule:user#12",
    body={
        "event": "PreToolUse",
        "harness": "claude-code",
        "project": "/home/ada/src/webshop",
        "tool": "Bash",
        "decision": {"reason": "Pushes are Reviewed."},
        "trace": [{"by": "rule:project#3", "says": "deny", "why": "no"}, {"by": "floor:home", "why": "x"}],
        "payload": {"tool_input": {"command": "git push origin main"}, "edits": ["ŽLUTÝ kůň"]},
    },
)
BARE = record()

MATCHES = {
    "": True,
    "session:4f1c": True,
    "session:4f1d": False,
    "session:9,4f1c": True,
    "-session:4f1c": False,
    "agent:agent call:c12": True,
    "project:webshop": True,
    "project:/home/ada/src": True,
    "project:/home/ada/src/webshop/": True,
    "project:/home/ada/src/web": False,
    "project:shop": False,
    "harness:claude-code event:pretooluse tool:BASH": True,
    "tool:Write,Edit": False,
    "-tool:Write": True,
    "risk:care": True,
    "risk:>=care": True,
    "risk:>care": False,
    "risk:<=change": False,
    "risk:<danger": True,
    "risk:=care": True,
    "risk:look,danger": False,
    "decision:deny": True,
    "decision:Deny": True,
    "-decision:allow,deny": False,
    "by:rule": True,
    "by:rule:user": True,
    "by:rule:user#12": True,
    "by:rule:user#1": False,
    "rule:user#12": True,
    "rule:user#1": False,
    "rule:user": True,
    "rule:project#3": True,
    "ask:KV7MP": True,
    "ask:kv7": False,
    "since:2h": True,
    "since:30m": False,
    "until:30m": True,
    "until:2h": False,
    "-since:30m": True,
    "push": True,
    "PUSH reviewed": True,
    '"push origin"': True,
    '"origin push"': False,
    "žlutý": True,
    "-push": False,
    "tool_input": False,
    "decision:deny -force risk:>=change git": True,
}


@pytest.mark.parametrize(("text", "expected"), MATCHES.items())
def test_filter_matches(text: str, expected: bool) -> None:
    """Each key means what people expect of it; keys of a body are no text."""
    assert parse(text, now=NOW).matches(DENIED) is expected


@pytest.mark.parametrize("key", [key for key in KEYS if key not in ("since", "until")])
def test_record_without_the_field_matches_only_the_negation(key: str) -> None:
    """What a record does not say is never what was asked for."""
    value = {"risk": "care", "decision": "deny"}.get(key, "x")
    assert not parse(f"{key}:{value}", now=NOW).matches(BARE)
    assert parse(f"-{key}:{value}", now=NOW).matches(BARE)


def test_by_person_matches_every_screen_of_a_person() -> None:
    """``by:person`` is any person, on any screen."""
    assert parse("by:person", now=NOW).matches(record(by="person:phone"))
    assert not parse("by:pers", now=NOW).matches(record(by="person:phone"))


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("utc")
@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("since:2023-11-14", 1_699_920_000_000),
        ("until:2023-11-14", 1_700_006_400_000),
        ("since:today", 1_699_920_000_000),
        ("since:yesterday", 1_699_833_600_000),
        ("until:yesterday", 1_699_920_000_000),
        ("since:2023-11-14T22:13:20", 1_700_000_000_000),
        ("until:2023-11-14T22:13:20", 1_700_000_000_000),
        ("since:2023-11-14T23:13:20+01:00", 1_700_000_000_000),
        ("since:1h30m", 1_699_994_600_000),
        ("since:900000d", 0),
    ],
)
def test_moments_are_local_and_a_day_ends_at_its_end(text: str, at: int) -> None:
    """``since:`` a day includes it, and so does ``until:``."""
    (term,) = parse(text, now=NOW).terms
    assert term.values == (str(at),)


REFUSED = {
    "rsk:care": ("There is no key rsk:", "did you mean risk:?"),
    "https://x": ("There is no key https:", "quote it"),
    "tool:": ("tool: needs a value.", "for example"),
    "tool:a,,b": ("tool: needs a value.", "for example"),
    "risk:>=caer": ("caer is no risk.", "did you mean care?"),
    "risk:>": ("Nothing is no risk.", "risks are look"),
    "decision:alow": ("alow is no decision.", "did you mean allow?"),
    "decision:yes": ("yes is no decision.", "decisions are no_opinion, allow, deny, prompt"),
    "since:soon": ("soon is no moment.", "2h"),
    "since:1h,2h": ("since: takes one moment.", ""),
    "until:2026-02-30": ("2026-02-30 is no moment.", ""),
    "-": ("There is nothing to look for here.", ""),
    '""': ("There is nothing to look for here.", ""),
}


@pytest.mark.parametrize(("term", "expected"), REFUSED.items())
def test_bad_term_is_shown_with_a_caret_and_a_remedy(term: str, expected: tuple[str, str]) -> None:
    """The sentence names what is wrong, the caret stands under it."""
    with pytest.raises(UsageError) as refusal:
        parse(f"push {term} risk:care", now=NOW)
    sentence, shown, caret = refusal.value.message.split("\n")
    assert sentence.startswith(expected[0])
    assert shown == f"  push {term} risk:care"
    assert caret == "  " + " " * len("push ") + "^" * len(term)
    assert expected[1] in (refusal.value.hint or "")


def test_open_quotation_is_shown_where_it_opens() -> None:
    """The caret stands under the mark that is never closed."""
    with pytest.raises(UsageError) as refusal:
        parse('tool:Bash "git push', now=NOW)
    assert refusal.value.message.split("\n")[1:] == ['  tool:Bash "git push', "            ^"]


@pytest.mark.parametrize("text", ["x" * (LONGEST + 1), "half \ud800"])
def test_text_no_journal_could_look_for_is_refused(text: str) -> None:
    """Too long, or no text at all."""
    with pytest.raises(UsageError):
        parse(text, now=NOW)


filters = st.lists(
    st.sampled_from([f"{key}:" for key in KEYS] + list('-",:<>= \\\n') + list(MATCHES)) | st.text(max_size=5),
    max_size=12,
).map("".join)


@given(text=filters | st.text(max_size=40))
def test_parse_refuses_or_gives_a_filter_that_can_be_written_down(text: str) -> None:
    """Whatever is typed is a filter or a usage error, and what a filter prints means the same filter."""
    try:
        parsed = parse(text, now=NOW)
    except UsageError:
        return
    assert parse(str(parsed), now=NOW + 1000) == parsed
    assert parsed.matches(DENIED) in (True, False)
