"""Allow for some minutes, with the real client: silent once given, asked about again once taken back."""

from tests.e2e.conftest import LabFactory
from tests.e2e.lab.model import bash, say
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
