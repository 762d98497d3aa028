"""Allow for some minutes, with the real client: silent once given, asked about again once taken back or over."""

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import bash, say
from tests.e2e.lab.waiting import until
from tests.e2e.test_lasting_answers import begin


def test_allowed_for_ten_minutes_is_silent_and_asked_once_taken_back(lab: LabFactory) -> None:
    """The second call runs without an ask; the third is asked about."""
    same, other = bash("touch made.txt"), bash("touch other.txt")
    here = lab([[same], [same], [other], [same], [say("Done.")]])
    begin(here)
    ask = here.hub.wait_for_ask(1)
    exact = next(stay for stay in ask["timed"] if stay["kind"] == "exact")
    assert "word for word" in exact["covers"]
    here.hub.answer(ask, "allow_for", grant="exact", minutes=10)
    second = here.hub.wait_for_ask(2)
    assert second["view"]["raw"]["command"] == "touch other.txt"
    [given] = here.hub.api("GET", "/api/grants")[1]["grants"]
    assert (given["until"] - given["at"], given["saved"]) == (600_000, 1)
    here.hub.assent("grants", "revoke", given["id"])
    here.hub.answer(second, "deny")
    third = here.hub.wait_for_ask(3)
    assert third["view"]["raw"]["command"] == "touch made.txt"
    here.hub.answer(third, "deny")
    here.model.wait_for(5)
    assert here.hub.api("GET", "/api/grants")[1]["grants"] == []


def test_allowed_for_ten_minutes_ends_by_itself(lab: LabFactory) -> None:
    """Silent within them; ten minutes later, by the hub's clock, the same call of the same session is asked about."""
    same = bash("touch made.txt")
    here = lab([[same], [same], [say("Done.")], [same], [say("Once more.")]])
    here.install()
    here.hub.start()
    terminal = here.terminal()
    terminal.submit("go")
    here.hub.answer(here.hub.wait_for_ask(1), "allow_for", grant="exact", minutes=10)
    terminal.wait_for("Done.")
    assert [ask["kind"] for ask in here.hub.asks()].count("permission") == 1
    (given,) = here.hub.api("GET", "/api/grants")[1]["grants"]
    here.hub.close()
    here.hub.start(ahead=601)
    assert here.hub.api("GET", "/api/grants")[1]["grants"] == []
    terminal.submit("again")
    asked = until(lambda: [ask for ask in here.hub.asks() if ask["state"] == "open"], "an ask")
    assert asked[0]["view"]["raw"]["command"] == "touch made.txt"
    assert asked[0]["opened_at"] > given["until"]
    here.hub.answer(asked[0], "deny")
    here.model.wait_for(5)
