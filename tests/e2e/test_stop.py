"""What an answer to Stop does in the real client."""

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import say


def test_stop_blocked_once_gives_the_reason_and_then_ends(lab: LabFactory) -> None:
    """The model gets the reason and one more turn; the second stop, marked as ours, ends it."""
    here = lab([[say("Finished.")], [say("Now really.")]])
    here.install()
    here.hub.start([{"event": "Stop", "nth": 1, "decision": {"decision": "block", "reason": "Run the tests first."}}])
    run = here.headless()
    assert run.result["result"] == "Now really."
    assert any("Run the tests first." in line for line in here.model.news()[1])
    stops = here.hub.entries("event", "Stop")
    assert [entry.payload["stop_hook_active"] for entry in stops] == [False, True]
