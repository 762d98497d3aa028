"""Reading the record over the API of a real hub."""

from typing import Any
from urllib.parse import quote

import pytest

from tests.component.hub_process import HubProcess, bash, until


def found(hub: HubProcess, text: str, rest: str = "") -> list[dict[str, Any]]:
    status, body = hub.api("GET", f"/api/log?q={quote(text)}{rest}")
    assert status == 200
    records: list[dict[str, Any]] = body["records"]
    return records


@pytest.fixture
def busy(hub: HubProcess) -> HubProcess:
    for command in ("git push origin main", "make build", "ls"):
        hub.send(bash(command, cwd="/src/webshop"))
    until(lambda: len(found(hub, "event:PreToolUse")) == 6, "three calls and their decisions")
    return hub


def test_log_is_narrowed_by_a_filter(busy: HubProcess) -> None:
    """The words of a filter reach the journal: text, columns, and what only the body knows."""
    (denied,) = found(busy, "decision:deny project:webshop rule:user#1 tool:bash")
    assert denied["by"] == "rule:user#1"
    (event,) = found(busy, '"push origin" -decision:deny')
    assert event["call"] == denied["call"]
    assert [record["decision"] for record in found(busy, "decision:allow,deny", "&limit=1")] == ["allow"]
    assert [record["decision"] for record in found(busy, "decision:allow,deny", f"&before={denied['seq'] + 1}")] == [
        "deny"
    ]


def test_bad_filter_is_refused_with_its_place(busy: HubProcess) -> None:
    """The caret and the remedy travel in the error."""
    status, body = busy.api("GET", "/api/log?q=push+tol:Bash")
    assert (status, body["error"]["code"]) == (400, "bad-filter")
    assert body["error"]["message"].endswith("\n  push tol:Bash\n       ^^^^^^^^")
    assert "did you mean tool:?" in body["error"]["hint"]


def test_story_is_found_by_number_id_and_beginning(busy: HubProcess) -> None:
    """Every way leads to the same records; too short a beginning is told from one that does not exist."""
    (denied,) = found(busy, "decision:deny")
    status, story = busy.api("GET", f"/api/log/{denied['call']}")
    assert (status, [record["kind"] for record in story["records"]]) == (200, ["event", "decision"])
    assert busy.api("GET", f"/api/log/{denied['seq']}")[1] == story
    status, body = busy.api("GET", f"/api/log/{denied['call'][:5]}")
    assert (status, body["error"]["message"]) == (409, "3 calls begin with that id.")
    for unknown in ("zzz", "99999", "0"):
        assert busy.api("GET", f"/api/log/{unknown}")[0] == 404


def test_record_without_a_call_is_its_own_story(busy: HubProcess) -> None:
    """What belongs to no call can be shown, too."""
    status, body = busy.api("GET", "/api/log/1")
    assert (status, [record["seq"] for record in body["records"]]) == (200, [1])


def test_verify_takes_the_head_that_heads_gives(busy: HubProcess) -> None:
    """What is kept today is checked against tomorrow."""
    _, body = busy.api("GET", "/api/log/heads")
    (head,) = body["heads"]
    busy.send(bash("ls"))
    status, checked = busy.api("GET", f"/api/log/verify?against={head['hub']}:{head['seq']}:{head['hash']}")
    assert (status, checked["against"], checked["broken"]) == (200, head, None)
    _, checked = busy.api("GET", f"/api/log/verify?against={head['hub']}:{head['seq']}:{'0' * 64}")
    assert checked["broken"]["seq"] == head["seq"]
    for nonsense in ("x", "a:b:c", f"{head['hub']}:1:short"):
        assert busy.api("GET", f"/api/log/verify?against={nonsense}")[0] == 400


@pytest.mark.parametrize("path", ["/api/log", "/api/log/1", "/api/log/heads", "/api/log/verify"])
def test_record_is_not_for_strangers(busy: HubProcess, path: str) -> None:
    """Without a key nothing of the record is told."""
    assert busy.tcp("GET", path)[0] in (401, 403)
