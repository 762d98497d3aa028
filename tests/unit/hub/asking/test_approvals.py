"""Where a call can be held for those who have to agree, for each kind of client."""

from types import ModuleType

import pytest

from assent.asks.desk import Desk
from assent.asks.open_ask import Team
from assent.harnesses import acp, claude_code, codex, copilot, gemini, grok, opencode, qwen
from assent.hub.asking import approvals
from assent.journal.memory import MemoryJournal
from assent.policy.call import Scene
from assent.policy.judge import Judgement, judge
from assent.policy.rules.book import RuleBook
from assent.protocol.decision import Deny
from assent.protocol.events import Event, PermissionRequest
from assent.protocol.modes import Run
from tests.unit.asks.test_desk_approvals import Team as Joined
from tests.unit.hub.pipeline.test_approvals import FOUR_EYES, written
from tests.unit.policy.calls import PROJECT, pre, request

MAKE = pre("Bash", command="make deploy")
ASKED = request("Bash", command="make deploy")


@pytest.fixture
def book(tmp_path_factory: pytest.TempPathFactory) -> RuleBook:
    return RuleBook(written(tmp_path_factory.mktemp("rules") / "rules.toml", FOUR_EYES))


def obstacle(book: RuleBook, harness: ModuleType, event: Event, scene: Scene, team: Team | None = None) -> str:
    judgement: Judgement = judge(event, scene, [book])
    assert judgement.approval is not None
    desk = Desk(MemoryJournal().append, lambda: 0, lambda: 0, team=team or Joined())
    return approvals.obstacle(harness, judgement, judgement.approval, desk)


@pytest.mark.parametrize("harness", [claude_code, codex, copilot, gemini, grok, opencode, qwen])
def test_call_is_held_before_it_reaches_its_client(book: RuleBook, harness: ModuleType) -> None:
    """With a person at the terminal as without."""
    for attended in (True, False, None):
        assert obstacle(book, harness, MAKE, Scene(PROJECT, attended=attended)) == ""


@pytest.mark.parametrize("harness", [codex, copilot, qwen])
def test_permission_request_is_held_where_no_dialog_stands_open(book: RuleBook, harness: ModuleType) -> None:
    """The client's own dialog opens only once the hook lets go."""
    assert obstacle(book, harness, ASKED, Scene(PROJECT, attended=True)) == ""


def test_open_dialog_is_told_from_a_client_that_cannot_wait(book: RuleBook) -> None:
    """One makes the call again, and it is held; at the other nothing could be held."""
    here = Scene(PROJECT, attended=True)
    assert "Make the call again" in obstacle(book, claude_code, ASKED, here)
    assert "cannot let a call wait" in obstacle(book, acp, ASKED, here)
    assert "cannot let a call wait" in obstacle(book, acp, MAKE, here)
    of_helper = PermissionRequest(
        session_id="s", cwd=str(PROJECT), tool_name="Bash", tool_input={"command": "make"}, agent_id="a1"
    )
    assert obstacle(book, claude_code, of_helper, here) == ""


def test_run_that_asks_nobody_is_denied(book: RuleBook) -> None:
    """It was started so."""
    run = Scene(PROJECT, attended=False, run=Run(on_ask="deny"))
    assert "--on-ask deny" in obstacle(book, claude_code, MAKE, run)


def test_why_nobody_could_be_asked_is_told_and_on_record(book: RuleBook) -> None:
    """In the reason and in the trace."""
    ended = approvals.ended(judge(MAKE, Scene(PROJECT), [book]), "Nobody is there.")
    assert isinstance(ended.decision, Deny)
    assert ended.decision.reason.endswith("It was not given, so this was not allowed. Nobody is there.")
    assert (ended.trace[-1].says, ended.trace[-1].why) == ("deny", "Nobody is there.")
