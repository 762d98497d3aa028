"""Rules and settings that change under a running hub, and while none runs."""

from typing import Any

from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, bash, until

DENY = '[[rule]]\nmatch = "Write"\ndecision = "deny"\nreason = "x"\n'


def of_kind(hub: HubProcess, kind: str) -> list[dict[str, Any]]:
    status, answer = hub.api("GET", "/api/log?limit=500")
    assert status == 200
    return [record for record in answer["records"] if record["kind"] == kind]


def nth(hub: HubProcess, kind: str, count: int) -> dict[str, Any]:
    found = until(lambda: of_kind(hub, kind) if len(of_kind(hub, kind)) == count else None, f"{count} records: {kind}")
    return found[-1]


def test_change_of_rules_is_on_record(start_hub: StartHub) -> None:
    """What is in force at the start, what changes then, and what breaks."""
    hub = start_hub(rules=DENY)
    assert nth(hub, "rules", 1)["body"]["added"] == ["deny Write: x"]
    hub.paths.rules.write_text(DENY + DENY.replace("Write", "Bash(npm *)"))
    assert nth(hub, "rules", 2)["body"] == {"file": str(hub.paths.rules), "added": ["deny Bash(npm *): x"]}
    hub.paths.rules.write_text("[[rule]]\nmatch = 7\n")
    assert "stay in force" in nth(hub, "rules", 3)["line"]
    assert hub.send(bash("npm install"))["action"] == "json_output"


def test_change_while_no_hub_ran_is_on_record(start_hub: StartHub) -> None:
    """The next hub compares what is in force with what the journal says."""
    hub = start_hub(config='stance = "strict"')
    assert nth(hub, "config", 1)["body"]["changed"]["stance"] == ["", '"strict"']
    hub.stop()
    hub.start()
    until(lambda: of_kind(hub, "hub")[-1]["body"]["what"].startswith("started"), "the start")
    hub.stop()
    hub.paths.config.write_text(hub.paths.config.read_text().replace("strict", "watch"))
    hub.start()
    assert nth(hub, "config", 2)["body"]["changed"] == {"stance": ['"strict"', '"watch"']}
