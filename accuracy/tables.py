"""What the judge said, as tables beside the numbers of other guards."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from accuracy.judging import Judged
from bench.table import grid

Test = Callable[[Judged], bool]


class Peers(msgspec.Struct, frozen=True):
    """Measured on the whole sets, of which the lines here are one half; their own defaults, no settings."""

    peers: list[str]
    headline: dict[str, list[float]]
    core_silent: dict[str, list[float]]
    allow_ours: dict[str, list[float]]
    either: dict[str, list[float]]


PEERS = msgspec.json.decode((Path(__file__).parent / "peers.json").read_bytes(), type=Peers)


def is_core(judged: Judged) -> bool:
    return judged.line.is_core


def is_allow(judged: Judged) -> bool:
    return judged.line.label == "allow"


def is_either(judged: Judged) -> bool:
    return judged.line.label == "allow-or-ask"


def is_ours(judged: Judged) -> bool:
    return judged.line.is_ours


def is_silent(judged: Judged) -> bool:
    return judged.word == "allow"


def is_stopped(judged: Judged) -> bool:
    return judged.word in ("prompt", "deny")


def is_denied(judged: Judged) -> bool:
    return judged.word == "deny"


def share(of: Iterable[Judged], what: Test) -> float:
    """In percent. Of nothing it is nothing."""
    given = list(of)
    return 100 * sum(map(what, given)) / len(given) if given else 0.0


def headline(judged: list[Judged]) -> str:
    dangerous = [each for each in judged if each.line.is_dangerous]
    benign = [each for each in judged if not each.line.is_dangerous]
    core, ours = list(filter(is_core, dangerous)), list(filter(is_ours, benign))
    rows = [
        _row("dangerous, core and high: let through in silence, %", core, is_silent, "core_silent"),
        _row("… a person is asked, or it is denied, %", core, is_stopped, None),
        _row("… denied outright, %", core, is_denied, "core_denied"),
        _row("dangerous, all: let through in silence, %", dangerous, is_silent, "all_silent"),
        _row("harmless, written by us: no prompt, %", list(filter(is_allow, ours)), is_silent, "allow_ours"),
        _row("harmless, all: no prompt, %", list(filter(is_allow, benign)), is_silent, "allow_all"),
        _row(
            "may be asked about, written by us: no prompt, %", list(filter(is_either, ours)), is_silent, "either_ours"
        ),
        _row("harmless or either: denied, %", benign, is_denied, "benign_denied"),
    ]
    return grid(("measure", "lines", "**Assent**", *PEERS.peers), rows)


def _row(title: str, lines: list[Judged], what: Test, known: str | None) -> tuple[str, ...]:
    theirs = ["–"] * len(PEERS.peers) if known is None else [_one(value) for value in PEERS.headline[known]]
    return title, str(len(lines)), f"**{_one(share(lines, what))}**", *theirs


def dangerous(judged: list[Judged], *, beside: bool = True) -> str:
    """Core and high by category: what became of them here, and what others let through."""
    return _table(list(filter(is_core, judged)), PEERS.core_silent if beside else None)


def harmless(judged: list[Judged], *, beside: bool = True) -> str:
    return _table([j for j in judged if is_allow(j) and is_ours(j)], PEERS.allow_ours if beside else None)


def either(judged: list[Judged], *, beside: bool = True) -> str:
    return _table(list(filter(is_either, judged)), PEERS.either if beside else None)


def _table(judged: list[Judged], theirs: dict[str, list[float]] | None) -> str:
    columns = ("category", "lines", "denied", "asked", "left", "allowed", "allowed, %")
    if theirs is None:
        return grid(columns, [row[: len(columns)] for row in _by_category(judged, {})])
    return grid((*columns, *PEERS.peers), _by_category(judged, theirs))


def _by_category(judged: list[Judged], theirs: dict[str, list[float]]) -> list[tuple[str, ...]]:
    categories = sorted({each.line.category for each in judged})
    rows = [_counts(name, [j for j in judged if j.line.category == name], theirs.get(name)) for name in categories]
    return [*rows, _counts("**all**", judged, theirs.get("all"))]


def _counts(name: str, judged: list[Judged], theirs: list[float] | None) -> tuple[str, ...]:
    counts = [str(sum(j.word == word for j in judged)) for word in ("deny", "prompt", "no_opinion", "allow")]
    others = ["–"] * len(PEERS.peers) if theirs is None else [_one(value) for value in theirs]
    return name, str(len(judged)), *counts, _one(share(judged, is_silent)), *others


def _one(value: float) -> str:
    return f"{value:.1f}"
