"""Counting of yeses where an approval rule says whose are needed. Pure.

Only a proven identity counts, and each once, whatever it says how often and from where. More yeses and more time can
make an ask ready, never less so; a no ends it, which is the desk's."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from assent.protocol.approval import ApprovalView, Rung
from assent.protocol.bodies import Choice
from assent.protocol.card import Card
from assent.protocol.decision import Risk
from assent.protocol.surfaces import Screen
from assent.protocol.team import Identity
from assent.team.whom import OWNER, is_whom

# The person at this hub's own screens, where it is in no team: known to be its owner, and nothing else.
LOCAL = Identity(issuer="", subject="")
# What people may say where several have to agree: nothing that lasts, nothing changed, and not past those asked.
CHOICES: frozenset[Choice] = frozenset({"deny", "deny_and_stop", "allow"})


class Yes(Struct, frozen=True, omit_defaults=True):
    """One person's yes to one revision, as it is on record."""

    identity: Identity
    at: int
    # As the record names who said it.
    by: str = ""
    # They owned the hub as they said it, and stay one person with its owner whatever team it is in afterwards.
    is_owner: bool = False
    # The hub of theirs that signed it, where that is another one.
    hub: str = ""

    @property
    def label(self) -> str:
        return self.identity.label if self.identity != LOCAL else "you"


def with_answerers(needs: ApprovalView, answerers: tuple[str, ...]) -> ApprovalView:
    """Where a workload owns a hub, those who answer for it are meant by its owner."""
    every = [_without_owner(one, answerers) for one in needs.each]
    return replace(every[0], also=tuple(every[1:]))


def _without_owner(one: ApprovalView, answerers: tuple[str, ...]) -> ApprovalView:
    whom = (name for each in one.whom for name in (answerers if each == OWNER else (each,)))
    ladder = (
        Rung(name, rung.after_s) for rung in one.ladder for name in (answerers if rung.whom == OWNER else (rung.whom,))
    )
    return replace(one, whom=tuple(dict.fromkeys(whom)), ladder=tuple(dict.fromkeys(ladder)), also=())


def is_owner(identity: Identity, owner: Identity | None) -> bool:
    return identity == LOCAL or (owner is not None and identity.id == owner.id)


def whom_now(needs: ApprovalView, waited_ms: int) -> tuple[str, ...]:
    """Who is asked once it has waited so long: by every rule, in order."""
    reached = (rung.whom for one in needs.each for rung in one.ladder if rung.after_s * 1_000 <= waited_ms)
    return tuple(dict.fromkeys((*(whom for one in needs.each for whom in one.whom), *reached)))


def next_rung_ms(needs: ApprovalView, waited_ms: int) -> int | None:
    """After how much waiting in all more people are asked; None where no step is left."""
    later = (rung.after_s * 1_000 for one in needs.each for rung in one.ladder)
    return min((after for after in later if after > waited_ms), default=None)


def _counts_for(one: ApprovalView, yes: Yes, owner: Identity | None, waited_ms: int) -> bool:
    is_owners = _is_owners(yes, owner)
    if is_owners and one.not_owner:
        return False
    asked = (*one.whom, *(rung.whom for rung in one.ladder if rung.after_s * 1_000 <= waited_ms))
    if is_owners and OWNER in asked:
        return True
    return yes.identity != LOCAL and any(is_whom(whom, yes.identity, owner) for whom in asked)


def counts(needs: ApprovalView, identity: Identity | None, owner: Identity | None, waited_ms: int) -> bool:
    """Whether this person's yes is one of those needed by then, for any of the rules."""
    return identity is not None and any(_counts_for(one, Yes(identity, 0), owner, waited_ms) for one in needs.each)


def missing(needs: ApprovalView, yeses: Iterable[Yes], owner: Identity | None, waited_ms: int) -> int:
    """How many more people have to say yes, at least; 0 only where every rule is satisfied."""
    people: dict[str, Yes] = {}
    for yes in yeses:
        people.setdefault(_person(yes, owner), yes)
    return max(
        max(0, one.count - sum(_counts_for(one, yes, owner, waited_ms) for yes in people.values()))
        for one in needs.each
    )


def has_said(yeses: Iterable[Yes], identity: Identity, owner: Identity | None) -> bool:
    return _person(Yes(identity, 0), owner) in {_person(yes, owner) for yes in yeses}


def _is_owners(yes: Yes, owner: Identity | None) -> bool:
    return yes.is_owner or is_owner(yes.identity, owner)


def _person(yes: Yes, owner: Identity | None) -> str:
    """The owner is one person, also where the hub joined a team in between, or left it."""
    return OWNER if _is_owners(yes, owner) else yes.identity.id


def weighs(card: Card, screen: Screen) -> bool:
    """Whether a yes given on such a screen can count. A chat vouches for a person by their number alone: it takes a
    single yes, and none to Danger."""
    needs = card.approval
    if screen in ("page", "terminal") or needs is None:
        return True
    is_grave = card.risk.level not in {risk.word for risk in Risk if risk < Risk.DANGER}
    return screen == "chat" and not is_grave and all(one.count == 1 for one in needs.each)
