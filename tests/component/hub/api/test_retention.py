"""Pruning and backing up the journal of a real hub."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from assent import keys
from assent.client import ApiError, Client
from tests.component.hub_process import HubProcess, bash, until


def nobody_looks(_: dict[str, Any]) -> None:
    pass


@pytest.fixture
def busy(hub: HubProcess) -> HubProcess:
    for n in range(20):
        hub.send(bash(f"make build{n}"))
    until(lambda: decisions(hub) == 20, "the records of twenty calls")
    return hub


def decisions(hub: HubProcess) -> int:
    _, log = hub.api("GET", "/api/log?limit=1000")
    return sum(record["kind"] == "decision" for record in log["records"])


def prune(hub: HubProcess, **wanted: Any) -> dict[str, Any]:
    limits = {"keep": None, "max_size": None, "dry_run": False} | wanted
    return Client(hub.paths).prune(**limits, on_progress=nobody_looks)


def test_pruned_hub_goes_on_and_its_chain_holds(busy: HubProcess) -> None:
    """All that is too old goes, the hub knows where its chain ends, and what comes next follows."""
    planned = prune(busy, keep="0s", dry_run=True)
    done = prune(busy, keep="0s")
    assert planned["removed"] == done["removed"] == done["records"]
    (head,) = Client(busy.paths).heads()
    until(lambda: busy.api("GET", "/api/status")[1]["journal"]["hash"] == head["hash"], "the hub's own head")
    busy.send(bash("make build"))
    until(lambda: len(Client(busy.paths).search("tool:bash", limit=9, before=None)[0]) == 2, "the next call")
    checked = Client(busy.paths).verify()
    assert (checked["broken"], checked["pruned_through"]) == (None, done["removed"])


def test_settings_are_the_limits_where_none_are_named(busy: HubProcess) -> None:
    """By the defaults nothing of today is too old or too much."""
    assert prune(busy)["removed"] == 0


@pytest.mark.parametrize("wanted", [{"keep": "long"}, {"max_size": "1 parsec"}, {"what": 1}])
def test_limits_that_make_no_sense_remove_nothing(busy: HubProcess, wanted: dict[str, Any]) -> None:
    """Refused before anything happened."""
    status, _ = busy.api("POST", "/api/log/prune", json.dumps(wanted).encode())
    checked = Client(busy.paths).verify()
    assert (status, checked["broken"], checked.get("pruned_through", 0)) == (400, None, 0)


def test_only_the_desk_may_prune_and_back_up(busy: HubProcess) -> None:
    """Neither the page's cookie nor the token of the hooks is enough."""
    code = busy.api("POST", "/api/pair")[1]["code"]
    cookie = {"Cookie": busy.claim(json.dumps({"code": code}).encode())}
    token = {"Authorization": f"Bearer {keys.post_token(busy.paths)}"}
    for path in ("/api/log/prune", "/api/log/backup"):
        assert busy.tcp("POST", path, b"{}", cookie)[0] == 401
        assert busy.tcp("POST", path, b"{}", token)[0] == 403
    assert not busy.paths.backup.exists() or not list(busy.paths.backup.iterdir())


def test_backup_is_checked_and_says_where_its_chain_ends(busy: HubProcess, tmp_path: Path) -> None:
    """Under today's date if no file was named; what exists is refused; a relative path is refused."""
    client = Client(busy.paths)
    copied = client.backup(None, nobody_looks)
    assert Path(copied["file"]).parent == busy.paths.backup
    assert copied["checked"]["head"] in client.heads()
    assert copied["checked"]["broken"] is None
    target = tmp_path / "copy.db"
    assert client.backup(str(target), nobody_looks)["file"] == str(target)
    with pytest.raises(ApiError, match="exists already"):
        client.backup(str(target), nobody_looks)
    with pytest.raises(ApiError, match="whole path"):
        client.backup("copy2.db", nobody_looks)


def test_listeners_hear_every_record_in_order_while_the_hub_prunes(busy: HubProcess) -> None:
    """A checkpoint comes between the records appended before and after it, not sooner and not later."""
    seen: list[int] = []
    stream = Client(busy.paths).stream()
    first = threading.Event()

    def listen() -> None:
        for record in stream:
            seen.append(record["seq"])
            first.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    until(lambda: busy.send(bash("make build")) and first.wait(0.1), "the first record heard")

    def send() -> None:
        for n in range(150):
            busy.send(bash(f"ls {n}"))

    senders = [threading.Thread(target=send) for _ in range(3)]
    for sender in senders:
        sender.start()
    removed = 0
    while any(sender.is_alive() for sender in senders):
        removed += prune(busy, keep="0s")["removed"]
    for sender in senders:
        sender.join()
    assert removed > 0
    (head,) = Client(busy.paths).heads()
    until(lambda: seen and seen[-1] >= head["seq"], "the last record heard")
    assert seen == list(range(seen[0], seen[0] + len(seen)))
    assert Client(busy.paths).verify()["broken"] is None
