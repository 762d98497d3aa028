"""Many asks within seconds are one row: nobody is worn down by pressing Allow fourteen times. Pure."""

from collections.abc import Sequence

from assent.protocol.card import ShownAsk

MOST = 5
WINDOW = 10_000


def bursting(asks: Sequence[ShownAsk]) -> dict[str, list[ShownAsk]]:
    """Of asks in the order they came, by session those that are more than five of it within ten seconds."""
    sessions: dict[str, list[ShownAsk]] = {}
    for ask in asks:
        sessions.setdefault(ask.subject.session, []).append(ask)
    found: dict[str, list[ShownAsk]] = {}
    for session, of in sessions.items():
        dense: dict[str, ShownAsk] = {}
        for at in range(MOST, len(of)):
            if of[at].opened_at - of[at - MOST].opened_at <= WINDOW:
                dense |= {ask.id: ask for ask in of[at - MOST : at + 1]}
        if dense:
            found[session] = [*dense.values()]
    return found


def words(asks: Sequence[ShownAsk]) -> str:
    seconds = max(1, round((asks[-1].opened_at - asks[0].opened_at) / 1000))
    return f"Paused: {len(asks)} asks in {seconds} s. Review or stop the session?"
