"""Detection of a flood of asks: many of one session within seconds are not read one by one, which invites abuse."""

from collections import deque
from dataclasses import dataclass, field

WINDOW = 10_000
MOST = 5
MOST_SESSIONS = 500
MOST_ASKS = 1_000


@dataclass(frozen=True, slots=True)
class Burst:
    session: str
    asks: tuple[str, ...]
    ms: int

    @property
    def words(self) -> str:
        return f"Paused: {len(self.asks)} asks in {max(1, round(self.ms / 1_000))} s"


@dataclass(slots=True)
class Bursts:
    """Which sessions ask too much at once. A burst goes on while asks follow each other within the window."""

    _came: dict[str, deque[tuple[int, str]]] = field(default_factory=dict)
    _bursting: set[str] = field(default_factory=set)

    def came(self, session: str, ask: str, at: int) -> Burst | None:
        """The burst this ask belongs to, if it makes one or comes into one."""
        came = self._came.setdefault(session, deque(maxlen=MOST_ASKS))
        if came and at - came[-1][0] > WINDOW:
            came.clear()
            self._bursting.discard(session)
        if session not in self._bursting:
            while came and at - came[0][0] > WINDOW:
                came.popleft()
        came.append((at, ask))
        if len(came) > MOST:
            self._bursting.add(session)
        if len(self._came) > MOST_SESSIONS:
            self.forget(next(iter(self._came)))
        return self.of(session)

    def is_next(self, session: str, at: int) -> bool:
        """Whether one more ask now would make a burst, or go on with one."""
        came = self._came.get(session, ())
        return sum(at - then <= WINDOW for then, _ in came) >= MOST or (
            session in self._bursting and at - self._came[session][-1][0] <= WINDOW
        )

    def of(self, session: str) -> Burst | None:
        if session not in self._bursting:
            return None
        came = self._came[session]
        return Burst(session, tuple(name for _, name in came), came[-1][0] - came[0][0])

    def forget(self, session: str) -> None:
        self._came.pop(session, None)
        self._bursting.discard(session)
