"""The real client finishes a turn while its person is away."""

from assent.secrets_store import Vault
from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import call, say
from tests.e2e.lab.waiting import until
from tests.services.telegram import TOKEN, Telegram

ADA = 12345678
SETTINGS = f"""
[asks]
hold_stops = "never"

[surface.telegram]
users = [{ADA}]

[presence]
ladder = ["telegram@0s"]
"""


def test_a_finished_turn_is_told_once_when_its_background_work_is_done(lab: LabFactory) -> None:
    """The first stop has a task in the background: told is the end of the turn that the client begins after it."""
    work = call("Bash", command="sleep 3", description="Build", run_in_background=True)
    here = lab([[work], [say("It is being built.")], [say("All is built.")]])
    with Telegram(ADA) as telegram:
        here.hub.configure(SETTINGS)
        Vault(here.hub.paths).put("telegram", "token", TOKEN)
        here.install()
        here.hub.start(addresses={"telegram": telegram.address})
        here.hub.leave_desk()
        terminal = here.terminal()
        terminal.submit("go")
        told = until(lambda: telegram.in_chat(ADA), "the message")
        assert "All is built." in told[0].text
        pushes = until(lambda: here.hub.entries("push"), "the record of it")
        assert [(entry.body["sent"], entry.body["about"]) for entry in pushes] == [(True, "finished")]
        assert len(telegram.in_chat(ADA)) == 1
