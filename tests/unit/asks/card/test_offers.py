"""Lasting permissions in words, and as the client takes them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from assent.asks.card.build import Seen, draw
from assent.asks.card.offers import grant_of, offers
from assent.harnesses.claude_code.grants import fault
from assent.protocol.card import GrantScope, Offer
from assent.protocol.events import PermissionRequest
from assent.protocol.permission import AddDirectories, AddRules, PermissionRule, SetMode
from tests.unit.asks.judged import asked, bash, card_of

FILES: dict[GrantScope, str] = {"project": "/p/.claude/settings.local.json", "user": "/h/.claude/settings.json"}
CAPTURED = Path(__file__).parents[3] / "fixtures/claude_code/events/PermissionRequest.json"
PAYLOADS: list[dict[str, Any]] = json.loads(CAPTURED.read_text())


def nothing(_: str) -> Sequence[str]:
    return ()


def offered(event: PermissionRequest) -> tuple[Offer, ...]:
    return offers(event, card_of(event), FILES, nothing)


def grants(event: PermissionRequest) -> list[str]:
    return [offer.grant for offer in offered(event)]


def rules(*contents: str, tool: str = "Bash") -> list[dict[str, Any]]:
    named = [{"toolName": tool, "ruleContent": content} for content in contents]
    return [{"type": "addRules", "rules": named, "behavior": "allow", "destination": "localSettings"}]


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("npm test", ["rule:Bash(npm test)", "rule:Bash(npm test *)"]),
        ("npm run build -- --x", ["rule:Bash(npm run build -- --x)", "rule:Bash(npm run build *)"]),
        ("pytest -q", ["rule:Bash(pytest -q)", "rule:Bash(pytest *)"]),
        ("npm ci", ["rule:Bash(npm ci)"]),
        ("npm test && git push", ["rule:Bash(npm test), Bash(git push)"]),
        ("cd src && npm ci", ["rule:Bash(npm ci)"]),
        ("python3 -c 'print(1)'", [r"rule:Bash(python3 -c 'print\(1\)')"]),
        (r"touch a\ b", [r"rule:Bash(touch a\\ b)"]),
        ("npm ci 2>&1 | tail -5", ["rule:Bash(npm ci)"]),
        ("npm ci > /dev/null 2>&1", ["rule:Bash(npm ci)"]),
        ("npm ci 2>&1 > log", []),
        ("ls *.py", []),
        ("echo $(whoami)", []),
        ("echo hi > out.txt", []),
        ("for x in a b; do rm $x; done", []),
        ("ls\nrm x", []),
        ("bash -c 'npm ci'", []),
        ("rm \u202ex", []),
    ],
)
def test_own_rules_say_no_more_than_they_can(command: str, own: list[str]) -> None:
    """Exact first; what the client's language cannot say is not offered."""
    assert grants(bash(command)) == own


def test_danger_gets_exact_rules_only() -> None:
    """Whatever the client suggests."""
    event = asked("Bash", rules("git push *"), command="git push --force origin main")
    assert grants(event) == ["rule:Bash(git push --force origin main)"]


def test_danger_gets_no_mode_and_no_directory() -> None:
    """They let far more pass than the call at hand."""
    suggested = [
        {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
        {"type": "addDirectories", "directories": ["/srv"], "destination": "session"},
    ]
    event = asked("Write", suggested, file_path="/etc/passwd", content="x")
    assert card_of(event).risk.level == "danger"
    assert grants(event) == ["rule:Edit(//etc/passwd)"]


def test_danger_of_a_whole_tool_gets_nothing() -> None:
    """A rule for the tool says nothing of what is sent with it."""
    event = asked("mcp__db__query", sql="x")
    card = draw(event, Seen(risk="danger"))
    assert offers(event, card, FILES, nothing) == ()


def test_call_outside_of_the_sandbox_gets_no_rule() -> None:
    """A rule does not tell inside from outside."""
    assert grants(bash("npm test", dangerouslyDisableSandbox=True)) == []


def test_suggestion_is_offered_in_words() -> None:
    """With its scopes, the files that change, and what it leaves."""
    [*_, offer] = offered(asked("Bash", rules("git push *"), command="git push origin main"))
    assert offer == Offer(
        "rule:Bash(git push *)",
        "Every command that begins with “git push”.",
        ("session", "project", "user"),
        FILES,
        suggested=True,
        leaves="git with other words, and whatever else stands on the same line.",
    )


def test_suggestion_that_is_our_own_is_offered_once() -> None:
    """And said to be suggested."""
    [offer] = offered(asked("Bash", rules("curl -s http://127.0.0.1:9/x"), command="curl -s http://127.0.0.1:9/x"))
    assert offer.suggested


def test_past_calls_are_shown() -> None:
    """At most three, of all rules together."""
    event = bash("npm test && git push")
    [offer] = offers(event, card_of(event), FILES, lambda rule: [f"{rule} {n}" for n in range(2)])
    assert offer.covers == ("Bash(npm test) 0", "Bash(npm test) 1", "Bash(git push) 0")


@pytest.mark.parametrize(
    ("suggestion", "grant", "words"),
    [
        (
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            "mode:accept_edits",
            "Edits of files in the project, all of them, until the session ends.",
        ),
        (
            {"type": "addDirectories", "directories": ["/srv/x"], "destination": "session"},
            "directory:/srv/x",
            "Reading files in /srv/x, and editing them as in the project.",
        ),
        ({"type": "toolAlwaysAllow", "tool": "WebSearch"}, "rule:WebSearch", "Every search of the web."),
        (rules("//srv/**", tool="Read")[0], "rule:Read(//srv/**)", "Reading anything in /srv."),
        (rules("touch:*")[0], "rule:Bash(touch:*)", "Every command that begins with “touch”."),
        (rules("a * b")[0], "rule:Bash(a * b)", "Every command that fits “a * b”, where * is any text."),
        (
            rules("domain:e.example", tool="WebFetch")[0],
            "rule:WebFetch(domain:e.example)",
            "Fetching pages from e.example.",
        ),
        (rules("hello:*", tool="Skill")[0], "rule:Skill(hello:*)", "The skill hello, with any words."),
        (
            {"type": "addRules", "rules": [{"toolName": "mcp__lab"}], "behavior": "allow", "destination": "session"},
            "rule:mcp__lab",
            "Every tool of the server lab.",
        ),
    ],
)
def test_each_kind_of_suggestion_is_understood(suggestion: dict[str, Any], grant: str, words: str) -> None:
    """In the words of a person."""
    found = {offer.grant: offer.words for offer in offered(asked("Bash", [suggestion], command="ls /x"))}
    assert found[grant] == words


@pytest.mark.parametrize(
    "suggestion",
    [
        {"type": "setMode", "mode": "bypassPermissions", "destination": "session"},
        {**rules("x")[0], "behavior": "deny"},
        {**rules("x")[0], "rules": []},
        {"type": "removeRules", "rules": [], "behavior": "allow", "destination": "session"},
        {"type": "somethingNew"},
    ],
)
def test_other_suggestions_are_not_offered(suggestion: dict[str, Any]) -> None:
    """Only what lets something pass that may pass."""
    assert grants(asked("Bash", [suggestion], command="ls *")) == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload["tool_name"])
def test_captured_suggestions_become_grants(payload: dict[str, Any]) -> None:
    """Every offer made of what the real client sent can be sent back in each of its scopes."""
    event = msgspec.convert(payload, PermissionRequest)
    for offer in offers(event, draw(event, Seen(risk="care")), FILES, nothing):
        assert offer.words
        for scope in offer.scopes:
            assert msgspec.to_builtins(grant_of(offer.grant, scope))["destination"]


def test_own_offers_are_granted_by_the_codec() -> None:
    """We never offer what we would not send."""
    for command in ("npm test", "pytest -q", "npm run lint", "git commit -m 'a (b)'", "cargo test", "go build ./..."):
        for offer in offered(bash(command)):
            assert fault(grant_of(offer.grant, "project")) is None


def test_rule_is_granted_where_it_is_wanted() -> None:
    """Project means the settings that are not shared with others."""
    rule = PermissionRule("Bash", "npm test *")
    assert [grant_of("rule:Bash(npm test *)", scope) for scope in get_args(GrantScope)] == [
        AddRules(rules=(rule,), behavior="allow", destination=destination)
        for destination in ("session", "localSettings", "userSettings")
    ]


def test_several_rules_are_one_grant() -> None:
    """They were offered together."""
    grant = grant_of("rule:Bash(npm test), Bash(git push)", "session")
    assert isinstance(grant, AddRules)
    assert [str(rule) for rule in grant.rules] == ["Bash(npm test)", "Bash(git push)"]


def test_mode_and_directory_are_granted() -> None:
    """A mode for the session, a directory for the project at most."""
    assert grant_of("mode:accept_edits", "session") == SetMode(mode="accept_edits", destination="session")
    assert grant_of("directory:/srv", "project") == AddDirectories(directories=("/srv",), destination="localSettings")


@pytest.mark.parametrize(
    ("text", "scope", "why"),
    [
        ("", "session", "is a rule, a mode or a directory"),
        ("everything", "session", "is a rule, a mode or a directory"),
        ("rule:", "session", "A rule is written like"),
        ("rule:Bash(", "session", "A rule is written like"),
        ("rule:Bash()", "session", "A rule is written like"),
        ("rule:*", "session", "A rule is written like"),
        ("mode:bypassPermissions", "session", "not granted"),
        ("mode:acceptEdits", "user", "for the session only"),
        ("directory:srv", "session", "whole path"),
        ("directory:/srv", "user", "session or the project only"),
    ],
)
def test_what_is_no_grant_is_refused_with_a_sentence(text: str, scope: GrantScope, why: str) -> None:
    """It may have been edited."""
    with pytest.raises(ValueError, match=why):
        grant_of(text, scope)


def test_read_outside_the_project_offers_its_folder() -> None:
    """The folder is added once instead of a yes to each file."""
    event = bash("cat /srv/data/a.csv")
    found = offers(event, card_of(event), FILES, nothing, ("/srv/data",))
    offer = next(offer for offer in found if offer.grant == "directory:/srv/data")
    assert offer.scopes == ("session", "project")
    assert not offer.suggested


def test_danger_offers_no_folder() -> None:
    """What is Danger gets exact rules and nothing else."""
    event = bash("cat /srv/data/.env")
    assert all(
        "directory:" not in offer.grant for offer in offers(event, card_of(event), FILES, nothing, ("/srv/data",))
    )
