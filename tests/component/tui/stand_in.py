"""A hub that is not there: it tells what a test tells it to, and remembers every answer."""

from collections.abc import Iterator, Sequence
from queue import Queue
from typing import Any, Literal

import msgspec

from assent.client.snapshot import Snapshot
from assent.errors import HubUnreachableError
from assent.protocol.card import AnswerRequest, AnswersRequest, Denial, Member, Offer, Said, ShownAsk, Taken
from assent.protocol.lasting import Given
from assent.protocol.queue import Item
from assent.protocol.queue import Queue as Instructions
from assent.protocol.session import Session
from assent.views.decisions import DecisionRow
from assent.views.feed import Row
from assent.views.report import Counted, report

Json = dict[str, Any]
# Ends the stream; with an error, there is no hub either.
_END = object()


class StandIn:
    """Methods are those of the client; what is not the hub's own stands below them."""

    def __init__(self, *asks: ShownAsk, sessions: Sequence[Session] = (), rows: Sequence[Row] = ()) -> None:
        self.asks = {ask.id: ask for ask in asks}
        self.known = {session.id: session for session in sessions}
        self.rows = list(rows)
        self.elsewhere: list[Session] = []
        self.decided: list[DecisionRow] = []
        self.granted: list[Offer] = []
        self.denied: list[Denial] = []
        self.lasting: list[Given] = []
        self.queues: dict[str, list[Item]] = {}
        self.hub: Json = {}
        self.listed: Json = {"rules": [], "troubles": [], "file": "/home/dev/.config/assent/rules.toml"}
        self.records: list[Json] = []
        self.set: Json = {"stance": "balanced", "asks": {"wait": "PT5400S"}}
        self.seq = 1
        # What was said to it, in order.
        self.answers: list[tuple[str, AnswerRequest]] = []
        self.queued: list[tuple[str, str]] = []
        self.wishes: list[object] = []
        # Raised instead of taking an answer.
        self.refusal: Exception | None = None
        self.is_down = False
        self._told: Queue[Any] = Queue()

    def snapshot(self) -> Snapshot:
        if self.is_down:
            raise HubUnreachableError("No hub is running.", hint="`assent up` starts it.")
        asks = sorted(self.asks.values(), key=lambda ask: ask.opened_at, reverse=True)
        return Snapshot(self.seq, asks, [*self.known.values()], self.hub, self.queues)

    def stream(self, since: int = 0, **_: object) -> Iterator[Json]:
        while (told := self._told.get()) is not _END:
            if told.get("seq", since + 1) > since:
                yield told

    def sessions(self, *, elsewhere: bool = False) -> list[Session]:
        return self.elsewhere if elsewhere else [*self.known.values()]

    def answer(self, ask: str, said: AnswerRequest) -> None:
        self.answers.append((ask, said))
        if self.refusal is not None:
            raise self.refusal
        answer = Said(at=self.asks[ask].opened_at + 1_000, by="person:desk", choice=said.choice)
        self.change(msgspec.structs.replace(self.asks[ask], state="told", answer=answer))

    def alike(self, _: str) -> tuple[ShownAsk, ...]:
        return tuple(ask for ask in self.asks.values() if ask.state == "open")

    def answer_all(self, given: AnswersRequest) -> tuple[Taken, ...]:
        if self.refusal is not None:
            raise self.refusal
        return tuple(self._taken(member, given.choice) for member in given.asks)

    def _taken(self, member: Member, choice: Literal["allow", "deny"]) -> Taken:
        now = self.asks[member.id]
        if now.state != "open":
            return Taken(member.id, "too-late", "It is over.")
        if (now.rev, now.hash) != (member.rev, member.hash):
            return Taken(member.id, "changed", "It changed.")
        self.answer(member.id, AnswerRequest(rev=member.rev, hash=member.hash, choice=choice))
        return Taken(member.id)

    def ask(self, name: str) -> ShownAsk:
        return self.asks[name]

    def offers(self, _: str) -> list[Offer]:
        return self.granted

    def denials(self, _: str) -> list[Denial]:
        return self.denied

    def grants(self) -> list[Given]:
        return self.lasting

    def take_back(self, name: str) -> None:
        self.lasting = [given for given in self.lasting if given.id != name]

    def feed(self, *, limit: int = 200, before: int | None = None, session: str = "") -> list[Row]:
        wanted = [row for row in self.rows if session in ("", row.session) and (before is None or row.seq < before)]
        return wanted[::-1][:limit]

    def decisions(self, _: str = "", **__: object) -> tuple[list[DecisionRow], int | None]:
        return self.decided[::-1], None

    def story(self, _: str) -> list[Json]:
        return self.records

    def rules(self, _: str = "") -> Json:
        return self.listed

    def stats(self, **_: object) -> Counted:
        return Counted(True, 0, 0, report({}, since="2026-01-01", until="2026-01-15"))

    def settings(self) -> Json:
        file = "/home/dev/.config/assent/config.toml"
        return {"file": file, "settings": self.set, "changeable": ["stance", "asks.wait", "presence.quiet"]}

    def change_settings(self, wanted: dict[str, str]) -> str:
        if self.refusal is not None:
            raise self.refusal
        self.wishes.append(wanted)
        self.set |= {name: value for name, value in wanted.items() if name in self.set}
        return "/home/dev/.config/assent/config.toml"

    def go_away(self, seconds: float | None) -> Json:
        self.wishes.append(("away", seconds))
        return {"away": True}

    def come_back(self) -> Json:
        self.wishes.append("back")
        return {}

    def review(self) -> Json:
        return {"proposals": []}

    def status(self) -> Json:
        return self.hub

    def presence(self) -> Json:
        return {}

    def devices(self) -> list[Json]:
        return []

    def setup(self) -> Json:
        return {"installed": []}

    def looking(self, *, focused: bool) -> None: ...

    def be_quiet(self, wish: object) -> Json:
        self.wishes.append(wish)
        return {}

    def test_ask(self) -> None:
        self.wishes.append("a test ask")

    def queue(self, session: str) -> Instructions:
        return Instructions(session, tuple(self.queues.get(session, ())))

    def queue_add(self, session: str, text: str) -> Instructions:
        self.queued.append((session, text))
        return self.queue(session)

    # For the test

    def change(self, *asks: ShownAsk, session: Session | None = None, rows: Sequence[Row] = ()) -> None:
        """It happens now: followers hear of it."""
        self.seq += 1
        changed = [msgspec.structs.replace(ask, changed=self.seq) for ask in asks]
        self.asks |= {ask.id: ask for ask in changed}
        self.rows += rows
        told: Json = {"seq": self.seq, "kind": "ask", "asks": changed, "rows": list(rows)}
        if session is not None:
            self.known[session.id] = session
            told["sessionChanged"] = session
        self._told.put(msgspec.to_builtins(told))

    def beat(self, **more: Any) -> None:
        self._told.put(more)

    def end_stream(self) -> None:
        self._told.put(_END)
