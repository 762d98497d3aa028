"""Asks as surfaces get them, for tests."""

from typing import Any

from msgspec.structs import replace

from assent.protocol.card import Peril, Segment, ShownAsk, Subject, View, Way

OPENED = 1_700_000_000_000


def shown(name: str = "kptwm", *, risk: str = "care", session: str = "s1", **fields: Any) -> ShownAsk:
    """A permission to run a command, open and answerable."""
    ask = ShownAsk(
        id=name,
        rev=1,
        hash="5" * 64,
        kind="permission",
        state="open",
        opened_at=OPENED,
        expires_at=OPENED + 600_000,
        view=View(
            "Delete untracked files",
            tool="Bash",
            line="git clean -fdx",
            segments=(Segment("git clean -fdx", risk, needs_you=True),),
        ),
        subject=Subject(
            "claude-code", session=session, title="Fix flaky login", folder="/src/webshop", project="webshop"
        ),
        risk=Peril(risk, reason="Removes 214 files git does not track."),
        choices=(Way("deny"), Way("allow", "confirm"), Way("hand_back")),
    )
    return replace(ask, **fields)
