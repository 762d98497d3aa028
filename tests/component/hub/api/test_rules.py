"""Rules and settings over the hub's API."""

import json
from typing import Any

from tests.component.hub_process import HubProcess, until


def call(hub: HubProcess, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    return hub.api(method, path, b"" if body is None else json.dumps(body).encode())


def test_rule_that_was_added_is_in_force_and_can_be_removed_again(hub: HubProcess) -> None:
    """The file is as it was afterwards, but for what came with the rule."""
    before = hub.paths.rules.read_bytes() if hub.paths.rules.exists() else b""
    added = {"match": "Bash(deploy *)", "decision": "deny", "reason": "Not from here."}
    assert call(hub, "POST", "/api/rules", added)[0] == 201
    rule = next(r for r in call(hub, "GET", "/api/rules")[1]["rules"] if r["match"] == ["Bash(deploy *)"])
    assert (rule["decision"], rule["reason"], rule["level"]) == ("deny", "Not from here.", "user")
    wanted = {name: rule[name] for name in ("file", "number", "match", "decision")}
    assert call(hub, "DELETE", "/api/rules", wanted)[0] == 200
    assert hub.paths.rules.read_bytes().strip() == before.strip()


def test_rule_that_is_none_is_not_written(hub: HubProcess) -> None:
    """Bad input changes nothing and says why."""
    before = hub.paths.rules.read_bytes() if hub.paths.rules.exists() else None
    status, reply = call(hub, "POST", "/api/rules", {"match": "Bash(", "decision": "allow"})
    assert (status, reply["error"]["code"]) == (422, "bad-rule")
    assert (hub.paths.rules.read_bytes() if hub.paths.rules.exists() else None) == before


def test_rule_that_changed_meanwhile_is_not_removed(hub: HubProcess) -> None:
    """Only the rule that was shown is removed."""
    gone = {"file": str(hub.paths.rules), "number": 1, "match": ["Bash(something else)"], "decision": "allow"}
    status, reply = call(hub, "DELETE", "/api/rules", gone)
    assert (status, reply["error"]["code"]) == (409, "changed")


def test_setting_that_was_changed_is_in_force(hub: HubProcess) -> None:
    """No restart, and the rest of the file stays."""
    before = hub.paths.config.read_text()
    assert call(hub, "PATCH", "/api/settings", {"asks.hold_stops": "always", "presence.quiet": "22:00-07:00"})[0] == 200
    until(lambda: call(hub, "GET", "/api/settings")[1]["settings"]["asks"]["hold_stops"] == "always", "the new setting")
    assert hub.paths.config.read_text().startswith(before.rstrip("\n"))


def test_bad_setting_is_refused_with_its_reason(hub: HubProcess) -> None:
    """All of it or nothing."""
    before = hub.paths.config.read_text()
    status, reply = call(hub, "PATCH", "/api/settings", {"stance": "strict", "asks.wait": "soon"})
    assert (status, reply["error"]["code"]) == (422, "bad-setting")
    assert hub.paths.config.read_text() == before


def test_setting_that_needs_more_than_a_value_is_not_changed_here(hub: HubProcess) -> None:
    """Where the hub listens is not for a page to say."""
    status, reply = call(hub, "PATCH", "/api/settings", {"hub.bind": "0.0.0.0"})
    assert (status, reply["error"]["code"]) == (422, "not-changeable")
