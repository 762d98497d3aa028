"""The page of statistics, as people read it."""

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import click
import pytest

from assent.cli import stats as stats_
from assent.cli.stats import page
from assent.errors import HubUnreachableError
from assent.protocol.usage import OfModel, Usage
from assent.views import spread
from assent.views.days import Cells, Day, Tool
from assent.views.report import Counted, report
from tests.unit.cli.conftest import Run


def busy(days: int = 40) -> Cells:
    """Some weeks in two projects; in the second an agent chose the names."""
    first = date(2026, 2, 1)
    return {
        (first + timedelta(days=number)).isoformat(): {
            "/src/shop": Day(
                events=400,
                calls=100 + number,
                decisions={"allow": 50, "deny": 2},
                deciders={"rule": 30, "stance": 20, "terminal": 6, "client": 44, "person": number},
                unasked=50,
                asks=number % 7 + 1,
                endings={"allowed": number % 7, "expired": 1},
                waited_ms=spread.of([4_000, 9_000]),
                waited_on={"telegram": spread.of([9_000]), "desk": spread.of([4_000])},
                shapes={"git push": number % 7, "npm run\x1b[2J": 1},
                took_us=spread.of([300, 300, 2_000]),
                tools={"Bash": Tool(60, 3, 90_000, spread.of([500, 4_000])), "Read": Tool(40)},
                failures=3,
            ),
            "/src/\x1b[2J" + "long" * 20: Day(events=3, calls=1, tools={"mcp__\x1b[31m" + "x" * 90: Tool(1)}, gaps=1),
        }
        for number in range(days)
    }


def counted(cells: Cells, **how: Any) -> Counted:
    found = report(cells, since="2026-01-01", until=max(cells, default="2026-01-01"))
    return Counted(**{"complete": True, "counted": 9, "of": 9, "report": found, **how})


def plain(told: Counted, width: int = 80, ink: stats_.Ink = stats_.BLOCKS) -> list[str]:
    return [click.unstyle(line) for line in page(told, width, ink)]


def test_page_begins_with_what_people_want_to_know() -> None:
    """How often, how fast, what was saved, what was refused."""
    assert plain(counted(busy(2)))[:6] == [
        "1 Feb – 2 Feb 2026",
        "",
        "  People were asked 3 times, 1.5 a day.",
        "  Half of 4 answers came within 4.1 s, nine in ten within 9.7 s.",
        "  100 calls ran without asking: a rule or the stance allowed them, 49% of 203.",
        "  The answer was no 4 times, by the policy or by a person.",
    ]


def test_page_charts_endings_deciders_tools_and_projects() -> None:
    """Every chart has its title, its names and its figures."""
    text = "\n".join(plain(counted(busy(2))))
    for wanted in (
        r"^Asks per day  up to 2$",
        r"^  expired +2 +67%  █+$",
        r"^How the 3 asks ended$",
        r"^What prompted most  of 3 asks$",
        r"^  git push +1 +33%  █+$",
        r"^Time to answer, by screen  answers, half of them within$",
        r"^  Telegram +2 +9\.7 s  █+$",
        r"^Who decided 201 of the 203 calls$",
        r"^  a rule +60 +30%  █+",
        r"^Busiest tools  calls, failed$",
        r"^  Bash +120 +6  █+$",
        r"^Slowest tools  half",
        r"^  Bash +512 ms +4\.1 s  █+$",
        r"^  shop +201 +3  █+$",
        r"^  The hub decided half of 6 hooks within 0\.3 ms, 99 in 100 within 2\.0 ms\.",
        r"^  6 calls failed, 2 hooks reached no hub\.$",
        r"^  Cost and tokens are not known",
    ):
        assert re.search(wanted, text, re.MULTILINE), wanted


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("days", [1, 40, 400])
@pytest.mark.parametrize("ink", [stats_.BLOCKS, stats_.ASCII])
def test_page_fits_its_terminal_whatever_agents_call_things(width: int, days: int, ink: stats_.Ink) -> None:
    """No line is wider than the screen, and no name steers it."""
    lines = plain(counted(busy(days)), width, ink)
    assert max(map(len, lines)) <= width
    assert all(line.isprintable() for line in lines)
    if ink is stats_.ASCII:
        # What an agent wrote is shown as what it is.
        assert all(line.isascii() for line in lines if "⟨" not in line)


def test_page_says_years_where_there_are_two() -> None:
    """Two months of one name are told apart."""
    cells: Cells = {"2025-12-31": {"": Day(events=1)}, "2026-01-02": {"": Day(events=1)}}
    found = report(cells, since="2025-01-01", until="2026-01-02")
    assert plain(Counted(True, 1, 1, found))[0] == "31 Dec 2025 – 2 Jan 2026"


def test_empty_record_is_said_kindly() -> None:
    """Nothing happened, and here is how something could."""
    lines = plain(counted({}))
    assert lines == [
        "1 Jan 2026",
        "",
        "Nothing was recorded in these days. Start claude, or replay a session with `assent demo`.",
    ]


def test_page_says_what_is_not_counted_yet() -> None:
    """A number that is not final says so."""
    lines = plain(counted({}, complete=False, counted=250, of=1_000))
    assert lines[1] == "Still counting: 250 of 1,000 records, 25%."
    assert lines[3].startswith("These days are not counted yet")


def test_calls_are_charted_where_nothing_was_asked() -> None:
    """The first chart is never empty without need."""
    cells: Cells = {f"2026-02-0{day}": {"": Day(events=day, calls=day)} for day in range(1, 5)}
    lines = plain(counted(cells))
    assert "  People were not asked about anything." in lines
    assert "Calls per day  up to 4" in lines


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []

    def stats(_: object, **words: Any) -> Counted:
        heard.append(words)
        return counted(busy(2))

    monkeypatch.setattr("assent.client.Client.stats", stats)
    return heard


def test_stats_asks_for_the_days_and_the_project_that_are_wanted(assent: Run, asked: list[dict[str, Any]]) -> None:
    """Thirty days by default."""
    assert assent("stats").code == 0
    assent("stats", "--since", "2026-01-01", "--until", "yesterday", "--project", "shop")
    assert asked == [
        {"since": "30d", "until": "", "project": ""},
        {"since": "2026-01-01", "until": "yesterday", "project": "shop"},
    ]


def test_stats_json_is_one_object(assent: Run, asked: list[dict[str, Any]]) -> None:
    """What the page is made of, for programs."""
    output = json.loads(assent("stats", "--json").out)
    assert (output["complete"], output["report"]["totals"]["asks"], len(output["report"]["days"])) == (True, 3, 2)


def test_stats_draw_without_blocks_where_they_cannot_be_shown(
    assent: Run, asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On request, and in a locale that knows no others."""
    assert "█" in assent("stats").out
    assert "█" not in assent("stats", "--ascii").out
    monkeypatch.setenv("LC_ALL", "C")
    assert "█" not in assent("stats").out


@pytest.mark.parametrize("option", ["--since", "--until"])
def test_stats_says_what_is_no_moment(assent: Run, asked: list[dict[str, Any]], option: str) -> None:
    """Nothing is asked of the hub, and the message says what to write."""
    result = assent("stats", option, "soon")
    assert (result.code, "soon is no moment." in result.err, asked) == (2, True, [])


def test_stats_without_a_hub_say_so(assent: Run, answers: Callable[..., None]) -> None:
    """The hub does the counting."""
    answers(stats=HubUnreachableError("No hub is running."))
    assert assent("stats").code == 4


def test_one_answer_is_no_half_of_anything() -> None:
    """A median of one would be a riddle."""
    cells: Cells = {"2026-02-01": {"": Day(events=1, asks=1, waited_ms=spread.of([2000]), decisions={"deny": 1})}}
    lines = plain(counted(cells))
    assert "  The answer came after 2.0 s." in lines
    assert "  The answer was no once, by the policy or by a person." in lines


def test_empty_project_points_to_the_others() -> None:
    """A project without calls may be a typo."""
    assert "without --project" in list(page(counted({}), 80, stats_.BLOCKS, "shop"))[-1]


def test_cost_is_told_with_its_models_where_agents_tell_it() -> None:
    """What an agent calls its model steers no screen."""
    models = {"opus": OfModel(2.0, 90), "hai\x1bku": OfModel(0.5, 10)}
    used = Usage(cost_usd=2.5, tokens_in=40, tokens_out=50, tokens_cached=10, models=models)
    lines = plain(counted({"2026-02-01": {"": Day(events=1, used=used)}}), 200)
    assert (
        "  The agents cost $2.50 (opus $2.00, hai⟨U+001B⟩ku $0.50), by their own reckoning, "
        "for 100 tokens: 40 in, 50 out, 10 from the cache."
    ) in lines
    assert not any("not known" in line for line in lines)
