"""Uses of rules are counted under the id by which the rule is listed."""

from pathlib import Path

import pytest

from assent.hub.asking.grants import Grants
from assent.hub.asking.permissions import PermissionStore
from assent.hub.bus import Bus
from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.hub.recorder import Live, Recorder
from assent.journal.memory import MemoryJournal
from assent.paths import Paths
from assent.protocol.record import Draft

pytestmark = pytest.mark.anyio
RULE = '[[rule]]\nmatch = "Bash({})"\ndecision = "allow"\n'


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(config_dir=tmp_path / "config", state=tmp_path / "state")


async def test_rule_is_counted_as_itself_when_its_number_becomes_anothers(paths: Paths) -> None:
    """Numbers are places in the file, and the file changes."""
    paths.config_dir.mkdir()
    paths.rules.write_text(RULE.format("make a"))
    bus = Bus()
    policy = PolicyInForce(paths, bus)
    recorder = Recorder(MemoryJournal(), Live(bus=bus))
    store = PermissionStore(paths, recorder, policy.by_rule)
    grants = Grants(paths, store, policy, recorder.live, recorder)
    bus.register(grants)

    async def decide(by: str) -> dict[str, int]:
        body = {"event": "PreToolUse", "project": "/p"}
        recorder.live.publish(
            await recorder.journal.append([Draft(at=1, kind="decision", decision="allow", by=by, body=body)])
        )
        return {each.rule: each.saved for each in grants.listed()}

    assert await decide("rule:user#1") == {"Bash(make a)": 1}
    assert await decide("rule:user#1") == {"Bash(make a)": 2}
    assert await decide("rule:user#9") == {"Bash(make a)": 2}
    paths.rules.write_text(RULE.format("make b") + RULE.format("make a"))
    policy.hurry()
    assert await decide("rule:user#1") == {"Bash(make a)": 2, "Bash(make b)": 1}
    await store.close()
