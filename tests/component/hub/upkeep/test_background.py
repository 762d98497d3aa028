"""The spool in the hands of any process of the user."""

import os
from pathlib import Path

import pytest

from tests.component.hub_process import HubProcess, bash, until

GAP = '{"at":5,"event":"PreToolUse","session":"s9","size":77,"request_id":"%s"}'


def floor(hub: HubProcess) -> str:
    return str(hub.send(bash("rm -rf ~"))["stdout_json"]["hookSpecificOutput"]["permissionDecision"])


@pytest.mark.parametrize("name", ["gaps.ndjson", "gaps.taken"])
def test_pipe_in_the_spool_is_removed_and_stops_nothing(hub: HubProcess, name: str) -> None:
    """Reading it would wait for ever: for the hub that is asked next, and for each that is started after it."""
    os.mkfifo(hub.paths.spool / name)
    until(lambda: not list(hub.paths.spool.iterdir()), "an empty spool")
    assert floor(hub) == "deny"
    (hub.paths.spool / "gaps.ndjson").write_text(GAP % "r1" + "\n")
    until(lambda: hub.api("GET", "/api/status")[1]["gaps"] == 1, "the gap that came after it")


def test_link_in_the_spool_is_not_followed(hub: HubProcess, tmp_path: Path) -> None:
    """What stands elsewhere is not taken for gaps, and stays."""
    other = tmp_path / "other"
    other.write_text(GAP % "r1" + "\n")
    (hub.paths.spool / "gaps.ndjson").symlink_to(other)
    until(lambda: not list(hub.paths.spool.iterdir()), "an empty spool")
    assert other.exists()
    assert hub.api("GET", "/api/status")[1]["gaps"] == 0


def test_very_many_gaps_become_few_records(hub: HubProcess) -> None:
    """Their number is kept, not each of them."""
    fresh = hub.paths.spool / "fresh"
    fresh.write_text("".join(f"{GAP % number}\n" for number in range(20_000)))
    fresh.rename(hub.paths.spool / "gaps.ndjson")
    until(lambda: not list(hub.paths.spool.iterdir()), "an empty spool")
    status = hub.api("GET", "/api/status")[1]
    assert status["gaps"] == 20_000
    assert status["journal"]["seq"] < 300
    lines = [record["line"] for record in hub.api("GET", "/api/log?limit=1000")[1]["records"]]
    assert "gap: call while no hub was running, 19800 times" in lines
