"""Asks that may be answered at once: of one kind in every way that a person decides by, and never dangerous.

Each still gets an answer of its own, bound to its own text; this only says which may stand together on one sheet."""

from collections.abc import Iterable, Mapping

from assent.protocol.card import Card, Flag, ShownAsk

# As many as a person reads through.
MOST = 20
_LEVELS = frozenset({"look", "change", "care"})
# What is unusual about one of them has to be looked at by itself.
_ALONE: frozenset[Flag] = frozenset(
    {"hidden_characters", "unread", "burst", "appeal", "guarded", "shortened", "read_only"}
)

Group = tuple[str, ...]


def group(card: Card | ShownAsk) -> Group | None:
    """What those that are answered at once have in common; None for what is answered alone."""
    is_plain = card.kind == "permission" and bool(card.view.tool) and card.risk.level in _LEVELS and not card.risk.match
    if not is_plain or card.approval is not None or _ALONE.intersection(card.flags):
        return None
    subject, view = card.subject, card.view
    return (subject.machine, subject.project, subject.harness, view.tool, view.verb, card.risk.level)


def alike(name: str, cards: Mapping[str, Card]) -> list[str]:
    """The ask itself and those like it, in their order; nothing where there is no other one."""
    wanted = group(cards[name]) if name in cards else None
    if wanted is None:
        return []
    found = [other for other, card in cards.items() if group(card) == wanted]
    if len(found) > MOST:
        found = [*[other for other in found if other != name][: MOST - 1], name]
    return found if len(found) > 1 else []


def refusal(cards: Iterable[Card]) -> str:
    """Why these cannot be answered at once; "" where they can."""
    groups = {group(card) for card in cards}
    if None in groups:
        return "One of these is answered only by itself. Nothing was answered: look at each."
    if len(groups) > 1:
        return "These are not alike any more. Nothing was answered: look at each."
    return ""
