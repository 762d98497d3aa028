"""The bus: a part of the hub hears what happens by having the method for it.

Parts are registered once, as the hub is built, and hear in that order. What fails in one part is logged there and does
not keep the others from hearing."""

import logging
import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from assent.asks.open_ask import Case, Person
from assent.protocol.card import AnswerRequest
from assent.protocol.record import Record
from assent.views.asks import Ask

log = logging.getLogger("assent.hub")


@runtime_checkable
class HearsRecords(Protocol):
    def on_record(self, record: Record) -> None:
        """It is on record."""


@runtime_checkable
class HearsAsks(Protocol):
    def on_ask(self, ask: Ask) -> None:
        """An ask opened, changed or ended."""


@runtime_checkable
class HearsSignals(Protocol):
    def on_signal(self, record: Record) -> None:
        """It tells something about a person, or something that people want to hear of."""


@runtime_checkable
class HearsYes(Protocol):
    def on_yes(self, case: Case, answer: AnswerRequest, person: Person) -> None:
        """A person's yes went out."""


@runtime_checkable
class HearsNo(Protocol):
    def on_no(self, case: Case, answer: AnswerRequest, person: Person) -> None:
        """A person's no went out, to this and to what is like it."""


@runtime_checkable
class HearsAudience(Protocol):
    def on_audience(self, ask: str) -> None:
        """More people are asked about this ask now, as a ladder says; or it goes on after a restart."""


@runtime_checkable
class HearsPresence(Protocol):
    def on_presence(self, session: str) -> None:
        """A person came or went, or can be reached in another way; perhaps at one session only, else ""."""


@runtime_checkable
class HearsSettings(Protocol):
    def on_settings(self) -> None:
        """The configuration in force is another one."""


class Bus:
    def __init__(self) -> None:
        self._records: list[HearsRecords] = []
        self._asks: list[HearsAsks] = []
        self._signals: list[HearsSignals] = []
        self._yes: list[HearsYes] = []
        self._no: list[HearsNo] = []
        self._audience: list[HearsAudience] = []
        self._presence: list[HearsPresence] = []
        self._settings: list[HearsSettings] = []

    def register(self, *parts: object) -> None:
        self._records += [part for part in parts if isinstance(part, HearsRecords)]
        self._asks += [part for part in parts if isinstance(part, HearsAsks)]
        self._signals += [part for part in parts if isinstance(part, HearsSignals)]
        self._yes += [part for part in parts if isinstance(part, HearsYes)]
        self._no += [part for part in parts if isinstance(part, HearsNo)]
        self._audience += [part for part in parts if isinstance(part, HearsAudience)]
        self._presence += [part for part in parts if isinstance(part, HearsPresence)]
        self._settings += [part for part in parts if isinstance(part, HearsSettings)]

    def record(self, record: Record) -> None:
        for part in self._records:
            try:
                part.on_record(record)
            except Exception:
                _failed(part, "a record")

    def ask(self, ask: Ask) -> None:
        for part in self._asks:
            try:
                part.on_ask(ask)
            except Exception:
                _failed(part, "an ask")

    def signal(self, record: Record) -> None:
        for part in self._signals:
            try:
                part.on_signal(record)
            except Exception:
                _failed(part, "a signal")

    def yes(self, case: Case, answer: AnswerRequest, person: Person) -> None:
        for part in self._yes:
            try:
                part.on_yes(case, answer, person)
            except Exception:
                _failed(part, "a person's yes")

    def no(self, case: Case, answer: AnswerRequest, person: Person) -> None:
        for part in self._no:
            try:
                part.on_no(case, answer, person)
            except Exception:
                _failed(part, "a person's no")

    def audience(self, ask: str) -> None:
        for part in self._audience:
            try:
                part.on_audience(ask)
            except Exception:
                _failed(part, "who is asked")

    def presence(self, session: str = "") -> None:
        for part in self._presence:
            try:
                part.on_presence(session)
            except Exception:
                _failed(part, "who can be reached")

    def settings(self) -> None:
        for part in self._settings:
            try:
                part.on_settings()
            except Exception:
                _failed(part, "new settings")


def _failed(part: object, signal: str) -> None:
    log.exception("%s failed to hear of %s", type(part).__name__, signal)


# Unix milliseconds.
Clock = Callable[[], int]
# Seconds, of the day or of a clock that never jumps.
Seconds = Callable[[], float]


def now_ms() -> int:
    return time.time_ns() // 1_000_000
