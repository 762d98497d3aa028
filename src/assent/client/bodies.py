"""Answers that hold a list."""

from msgspec import Struct

from assent.protocol.card import Denial, Offer
from assent.protocol.lasting import Given
from assent.views.decisions import DecisionRow
from assent.views.feed import Row


class GrantsBody(Struct):
    grants: list[Given]


class FeedBody(Struct):
    rows: list[Row]


class DecisionsBody(Struct):
    rows: list[DecisionRow]
    before: int | None = None


class OffersBody(Struct):
    offers: list[Offer]
    denials: list[Denial] = []
