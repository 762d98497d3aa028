"""How people are named on record."""

from assent.hub.access import caller
from assent.hub.access.caller import Caller
from assent.protocol.surfaces import Scope


def test_device_cannot_pass_for_the_desk() -> None:
    """Its name is its own choice."""
    phone = Caller(Scope.DENY, Scope.DENY, "Desk", surface="page", device="d1")
    assert caller.desk(Scope.ADMIN).by == "person:desk"
    assert phone.by == "person:desk-d1"
    assert Caller(Scope.DENY, Scope.DENY, "My phone", device="d1").by == "person:My-phone"
