"""Gaps: read where they are plain, counted where they are many."""

import os
from pathlib import Path

import pytest

from assent.hub.ingress import spool
from assent.hub.ingress.spool import Gap, collapsed


def test_few_gaps_stay_as_they_are() -> None:
    """Each is a record of its own."""
    gaps = [Gap(at=number, event="Stop") for number in range(spool.MOST_ALONE)]
    assert collapsed(gaps) == (gaps, [])


def test_more_are_counted_by_event() -> None:
    """Of those beyond the limit their number and size are kept."""
    first = [Gap(at=0)] * spool.MOST_ALONE
    alone, counted = collapsed([*first, Gap(at=7, event="Stop", size=2), Gap(at=8, event="Stop", size=3)])
    assert alone == first
    assert [(gap.at, gap.event, gap.size, gap.count) for gap in counted] == [(7, "Stop", 5, 2)]


def test_names_without_end_are_counted_together() -> None:
    """Made-up events do not make as many records."""
    _, counted = collapsed(Gap(at=0, event=str(number)) for number in range(5_000))
    assert len(counted) <= spool.MOST_EVENTS + 1
    assert sum(gap.count for gap in counted) == 5_000 - spool.MOST_ALONE


@pytest.mark.parametrize(
    "line", ['{"at":-1}', '{"at":99999999999999999999}', '{"at":1,"count":9}', '{"at":1,"event":"%s"}' % ("x" * 999)]
)
def test_gap_that_no_shim_wrote_is_left_out(tmp_path: Path, line: str) -> None:
    """Numbers that no record can hold, and names without end."""
    (tmp_path / "gaps.ndjson").write_text(f'{line}\n{{"at":1}}\n')
    found = spool.take(tmp_path)
    assert found is not None
    assert found[1] == [Gap(at=1)]


def test_something_else_in_its_place_is_taken_away(tmp_path: Path) -> None:
    """A pipe, a link: neither is read, neither stays, and where a link leads nothing is touched."""
    spooled, target = tmp_path / "gaps.ndjson", tmp_path / "target"
    target.mkdir()
    os.mkfifo(spooled)
    assert spool.take(tmp_path) is None
    spooled.symlink_to(target)
    assert spool.take(tmp_path) is None
    assert list(tmp_path.iterdir()) == [target]
    spool._remove(target)
    assert list(tmp_path.iterdir()) == []


def test_folder_in_its_place_does_not_stop_later_gaps(tmp_path: Path) -> None:
    """It is taken away, and what shims leave from then on is read."""
    (tmp_path / "gaps.ndjson").mkdir()
    assert spool.take(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "gaps.ndjson").write_text('{"at":1}\n')
    found = spool.take(tmp_path)
    assert found is not None
    assert [gap.at for gap in found[1]] == [1]


def test_what_an_earlier_hub_set_aside_is_taken_first(tmp_path: Path) -> None:
    """It is said that it was left over; what came since waits."""
    (tmp_path / "gaps.taken").write_text('{"at":1}\n')
    (tmp_path / "gaps.ndjson").write_text('{"at":2}\n')
    assert spool.take(tmp_path) == (tmp_path / "gaps.taken", [Gap(at=1)], True)
    (tmp_path / "gaps.taken").unlink()
    assert spool.take(tmp_path) == (tmp_path / "gaps.taken", [Gap(at=2)], False)


def test_event_that_is_counted_already_is_counted_on() -> None:
    """Also where no more names fit; only new names are counted together."""
    names = [str(number) for number in range(spool.MOST_EVENTS + 1)]
    gaps = [Gap(at=0)] * spool.MOST_ALONE + [Gap(at=1, event=name) for name in [*names, "0"]]
    counted = {gap.event: gap.count for gap in collapsed(gaps)[1]}
    assert counted == dict.fromkeys(names[:-1], 1) | {"0": 2, "?": 1}


def test_only_the_beginning_of_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shim stops long before that."""
    monkeypatch.setattr(spool, "LARGEST", 10)
    (tmp_path / "a").write_bytes(b"x" * 11)
    assert spool.plain(tmp_path / "a") == b"x" * 10
