"""Whose yes counts at this hub: who says it, for the team, and what is missing then."""

from collections.abc import Callable
from dataclasses import dataclass

from assent.asks import approval
from assent.asks.approval import Yes
from assent.asks.open_ask import Held, Person, RefusedError, Team
from assent.protocol.approval import ApprovalView
from assent.protocol.surfaces import Screen
from assent.protocol.team import Identity
from assent.text import approval_words

_NO_TEAM = "This hub is in no team, so no other person can be asked. `assent join` takes it into one."


@dataclass(slots=True)
class Counting:
    now_ms: Callable[[], int]
    # This hub's end of its team; None where it has none.
    team: Team | None = None

    @property
    def owner(self) -> Identity | None:
        """Who the owner of this hub is for the team."""
        return self.team.owner if self.team is not None and self.team.is_joined else None

    @property
    def is_joined(self) -> bool:
        return self.team is not None and self.team.is_joined

    @property
    def damage(self) -> str:
        """Why it is not known whether this hub is in a team; "" where it is."""
        return self.team.damage if self.team is not None else ""

    @property
    def me(self) -> Identity | None:
        """The person at this hub's own screens. Where a workload owns it, none is known there; where that cannot be
        told, neither."""
        if self.damage:
            return None
        return self.owner if self.is_joined else approval.LOCAL

    def named(self, needs: ApprovalView) -> ApprovalView:
        """With those who answer for a workload in the owner's place."""
        if self.team is None or not self.is_joined or self.owner is not None:
            return needs
        return approval.with_answerers(needs, self.team.answerers)

    def unreachable(self, needs: ApprovalView) -> str:
        """Why those who have to agree cannot be asked; "" where they can, or where the owner is enough."""
        me = [Yes(self.me, 0)] if self.me is not None else []
        if not approval.missing(needs, me, self.owner, 0):
            return ""
        if self.damage:
            return self.damage
        return self.team.trouble if self.team is not None and self.team.is_joined else _NO_TEAM

    def identity(self, who: Person) -> Identity | None:
        """Who that is for the team. At this hub's own screens it is the owner; from elsewhere only what is proven."""
        if who.identity is not None or who.surface == "team":
            return who.identity
        return self.me

    def counts_here(self, held: Held, screen: Screen) -> bool:
        """Whether a yes of the person at this hub's screens would be one of those needed now. Of an ask of another hub
        that hub says so; here it is known that they said it."""
        me, owner = self.me, self.owner
        if me is None:
            return held.needs is None
        if held.needs is None:
            return not approval.has_said(held.yeses, me, owner)
        return (
            approval.counts(held.needs, me, owner, self.now_ms() - held.opened_at)
            and approval.weighs(held.drawn.card, screen)
            and not approval.has_said(held.yeses, me, owner)
        )

    def _is_revoked(self, yes: Yes) -> bool:
        return self.team is not None and self.team.is_revoked(yes.hub)

    def missing(self, held: Held) -> int:
        """How many more have to say yes; 0 where no approval is needed."""
        if held.needs is None:
            return 0
        return approval.missing(held.needs, held.yeses, self.owner, self.now_ms() - held.opened_at)

    def weighed(self, held: Held, needs: ApprovalView, who: Person) -> tuple[Yes, int]:
        """This yes, and how many more are needed beside those so far. Raises RefusedError where it does not count."""
        state, owner, now = held.life.state, self.owner, self.now_ms()
        identity = self.identity(who)
        # A machine that was lost may have said yes before it was shut out.
        held.yeses = tuple(yes for yes in held.yeses if not self._is_revoked(yes))
        if identity is None or not approval.counts(needs, identity, owner, now - held.opened_at):
            why = f"Your yes is not one of those this needs: {approval_words.demand(needs)}. You can say no."
            raise RefusedError("not-approver", why, state)
        if not approval.weighs(held.drawn.card, who.screen):
            why = "A chat can say no to this. A yes needs the page, a terminal or a device of yours that was let in."
            raise RefusedError("not-here", why, state)
        if approval.has_said(held.yeses, identity, owner):
            raise RefusedError("already-counted", "You said yes already; another person has to, too.", state)
        yes = Yes(identity, now, who.by, approval.is_owner(identity, owner), who.hub)
        return yes, approval.missing(needs, (*held.yeses, yes), owner, now - held.opened_at)
