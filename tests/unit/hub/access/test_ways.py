"""Ways to this hub for other machines, as far as they can be found out."""

import json
from pathlib import Path

import pytest

from assent.hub.access import ways as module
from assent.hub.access.ways import ways

pytestmark = pytest.mark.anyio


def tailscale(folder: Path, told: str) -> None:
    program = folder / "tailscale"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{told}\nEND\n")
    program.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    return tmp_path


async def test_tailscale_that_is_on_names_this_machine(programs: Path) -> None:
    """The name stands in the commands, ready to be typed."""
    tailscale(programs, json.dumps({"BackendState": "Running", "Self": {"DNSName": "Desk.tail1.ts.net."}}))
    way = (await ways(8717))[0]
    assert way.found
    assert way.commands == ("tailscale serve --bg 8717", "assent pair --over desk.tail1.ts.net")


@pytest.mark.parametrize(
    "told",
    ["", "not json", "[]", '{"BackendState": "Stopped", "Self": {"DNSName": "x."}}', '{"BackendState": "Running"}'],
)
async def test_tailscale_that_is_off_or_odd_is_not_found(programs: Path, told: str) -> None:
    """Its commands are shown all the same, with a name to fill in."""
    tailscale(programs, told)
    way = (await ways(8717))[0]
    assert not way.found
    assert "NAME.ts.net" in way.commands[1]


async def test_network_address_is_ready_to_be_typed(monkeypatch: pytest.MonkeyPatch, programs: Path) -> None:
    """And where there is none, that is said."""
    monkeypatch.setattr(module, "_own_address", lambda: "192.168.1.20")
    assert (await ways(8717))[1].commands == ("assent pair --over 192.168.1.20",)
    monkeypatch.setattr(module, "_own_address", lambda: "")
    assert (await ways(8717))[1].commands == ()


async def test_chat_needs_no_address(programs: Path) -> None:
    """It is always there."""
    assert (await ways(None))[2].commands == ("assent connect telegram",)
