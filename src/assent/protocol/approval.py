"""What an approval rule demands of an ask: whose yes, how many, and what becomes of it without them."""

from typing import Literal

from msgspec import Struct, structs

# Without them the call is denied, or the owner is asked as if there were no rule.
Otherwise = Literal["deny", "hand_back"]
# Why the owner is asked beside those whom a project's rule names.
OWNER_TOO = "A project's rule cannot take the decision from the owner."


class Rung(Struct, frozen=True, omit_defaults=True):
    """A step of a ladder: who is asked, too, once the ask has waited so long."""

    whom: str
    after_s: int = 0


class ApprovalView(Struct, frozen=True, omit_defaults=True):
    """Who has to say yes, where that is not simply the person at the desk."""

    # Name of the rule, such as ``approval:user#1``, and why it exists.
    rule: str
    reason: str = ""
    # "owner", "person:…", "group:…": asked from the start.
    whom: tuple[str, ...] = ()
    count: int = 1
    not_owner: bool = False
    # Asked later, too.
    ladder: tuple[Rung, ...] = ()
    # How long it waits; None for as long as other asks do.
    wait_s: int | None = None
    otherwise: Otherwise = "deny"
    # Other rules that speak about the same call: each of them has to be satisfied as well.
    also: tuple["ApprovalView", ...] = ()

    @property
    def each(self) -> tuple["ApprovalView", ...]:
        return (self, *self.also)

    @property
    def rules(self) -> str:
        """The names of all of them."""
        return ", ".join(dict.fromkeys(one.rule for one in self.each))

    @property
    def ends_as(self) -> Otherwise:
        """The strictest of them decides."""
        return "deny" if any(one.otherwise == "deny" for one in self.each) else "hand_back"

    @property
    def shortest_wait_s(self) -> int | None:
        return min((one.wait_s for one in self.each if one.wait_s is not None), default=None)

    def includes(self, other: "ApprovalView") -> bool:
        """Whether who satisfied this satisfied the other. At one event of a call the owner may be needed beside a
        project's rule, and at the next one not."""
        return all(one in self.alone for one in other.alone if one.reason != OWNER_TOO)

    @property
    def alone(self) -> list["ApprovalView"]:
        """Each of them by itself."""
        return [structs.replace(one, also=()) for one in self.each]
