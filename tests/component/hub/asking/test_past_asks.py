"""Asks on record, judged as they would be asked today, and what can be permitted by them."""

from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import answer, hook
from tests.component.hub.asking.test_permissions import asked, decided, env, give, grants
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, bash, until
from tests.unit.policy import repository

PUSH = "git push origin feature"
WORDS = "`git push` of feature to origin"


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    return start_hub()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "work" / "shop")


def record_of(hub: HubProcess, project: Path, command: str) -> int:
    """The number of the record of an ask that was denied once."""
    hub.send(bash(command, cwd=str(project)), env=env(project))
    with hook(hub, asked(project, command), env=env(project)) as (_, ask):
        assert answer(hub, ask, "deny")[0] == 202
    rows = until(
        lambda: [r for r in hub.api("GET", "/api/log?limit=200")[1]["records"] if r["kind"] == "ask"], "the record"
    )
    return int(next(row["seq"] for row in rows if row["ask"] == ask["id"]))


def offered(hub: HubProcess, record: object) -> tuple[int, Any]:
    return hub.api("GET", f"/api/grants/offers/{record}")


def test_past_ask_offers_what_it_offered_then(hub: HubProcess, project: Path) -> None:
    """The shape, its project and its agent; given, it passes from then on."""
    record = record_of(hub, project, PUSH)
    status, offer = offered(hub, record)
    assert (status, offer["project"], offer["harness"]) == (200, str(project), "claude-code")
    assert [stay["words"] for stay in offer["stays"]] == [WORDS]
    status, given = give(hub, kind="shape", record=record, words=WORDS, hours=8)
    assert (status, given["words"]) == (201, WORDS)
    assert decided(hub, project, PUSH) == "allow"
    assert decided(hub, project, "git push origin main") == ""


def test_what_was_not_shown_is_not_permitted(hub: HubProcess, project: Path) -> None:
    """The words on the screen and what the record covers have to be the same."""
    record = record_of(hub, project, PUSH)
    status, problem = give(hub, kind="shape", record=record, words="`git push` of main to origin")
    assert (status, problem["error"]["code"]) == (409, "changed")
    assert grants(hub) == []


def test_danger_is_never_offered(hub: HubProcess, project: Path) -> None:
    """As on the card."""
    record = record_of(hub, project, "git push --force origin main")
    assert offered(hub, record)[0] == 409
    assert give(hub, kind="shape", record=record, words="")[0] == 409
    assert grants(hub) == []


@pytest.mark.parametrize("record", ["0", "1", "99999999", "-1", "x", "9" * 40])
def test_other_records_offer_nothing(hub: HubProcess, record: str) -> None:
    """Only an ask does, and only one that is there."""
    status, problem = offered(hub, record)
    assert (status, problem["error"]["code"]) == (409, "not-offered")


def test_what_a_rule_denies_by_now_is_not_offered(hub: HubProcess, project: Path) -> None:
    """A permission would not be heard."""
    record = record_of(hub, project, PUSH)
    hub.paths.rules.parent.mkdir(parents=True, exist_ok=True)
    hub.paths.rules.write_text(
        '[[rule]]\nmatch = "Bash(git push *)"\ndecision = "deny"\nreason = "No."\n', encoding="utf-8"
    )
    until(lambda: offered(hub, record)[0] == 409, "the rule in force")
