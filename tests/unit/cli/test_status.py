"""What `assent status` says about a hub, and about none."""

import json
import os
from collections.abc import Callable

import pytest

from assent.client import ApiError
from assent.errors import HubUnreachableError
from assent.install import manifest
from assent.install.manifest import Install
from assent.lock import Holder, Lock
from assent.paths import Paths
from assent.shim import stopped
from tests.unit.cli.conftest import Run, status

NO_HUB = HubUnreachableError("No hub is running.", hint="`assent up` starts it.")
Answers = Callable[..., None]


@pytest.fixture(autouse=True)
def a_minute_after_its_start(clock: Callable[[float], None]) -> None:
    clock(1_000_000 / 1000 + 75)


def test_status_of_a_quiet_hub(assent: Run, answers: Answers) -> None:
    """Version, pid, age, sessions, stance, journal and a link that opens the page once."""
    answers(status=status(), pair="c0de")
    result = assent("status")
    assert result.code == 0
    assert result.out == (
        "hub       running for 1 min, version 0.1.0, pid 4711\n"
        "sessions  0 live\n"
        "events    none since it started\n"
        "stance    balanced\n"
        "journal   up to record 7\n"
        "page      http://localhost:8717/#open=c0de\n"
    )


def test_status_tells_where_decisions_are_exported_to(assent: Run, answers: Answers) -> None:
    """And what waits while nothing is taken."""
    export = {"otlp": "http://127.0.0.1:4318", "trouble": "", "refused": 0, "behind": 0, "last_sent_at": 1_060_000}
    answers(status=status(export=export), pair="c0de")
    assert "export    to http://127.0.0.1:4318, last taken 15 s ago\n" in assent("status").out
    export |= {"trouble": "it takes nothing now (503)", "behind": 12, "refused": 2, "last_sent_at": None}
    answers(status=status(export=export), pair="c0de")
    behind = export | {"trouble": "", "behind": 12_000}
    answers(status=status(export=behind), pair="c0de")
    assert "; 12,000 records behind" in assent("status").out
    answers(status=status(export=export), pair="c0de")
    told = "nothing taken since it started; 12 records wait: it takes nothing now (503); 2 records refused"
    assert told in assent("status").out


def test_status_tells_what_became_of_calls_in_auto_mode(assent: Run, answers: Answers) -> None:
    """One line, where there is something to tell."""
    words = "auto mode: 12 calls answered before the classifier, 3 refused, 1 appealed"
    answers(status=status(auto_mode={"words": words}), pair="c0de")
    assert "auto mode 12 calls answered before the classifier, 3 refused, 1 appealed\n" in assent("status").out


def test_status_shows_every_trouble(assent: Run, answers: Answers) -> None:
    """What is wrong stands where its subject does, and texts of several lines stay in their column."""
    answers(
        status=status(
            port=None,
            events=12,
            last_event_at=1_060_000,
            sessions=2,
            paused_for=90.2,
            bad_input=3,
            gaps=4,
            journal={"hub": "ab12", "trouble": "disk full", "lost": 5, "seq": 9},
            config_trouble="config.toml:3: no.\n    prot = 1\n    ^",
            rules_trouble="rules.toml:1: no.",
            port_trouble="Port 8717 is taken.",
        )
    )
    assert assent("status").out == (
        "hub       running for 1 min, version 0.1.0, pid 4711\n"
        "sessions  2 live\n"
        "events    12, last 15 s ago\n"
        "stance    balanced\n"
        "paused    for 1m30s more; the floor and Danger stay\n"
        "journal   up to record 9; disk full; 5 records lost\n"
        "config    config.toml:3: no.\n"
        "              prot = 1\n"
        "              ^\n"
        "rules     rules.toml:1: no.\n"
        "port      Port 8717 is taken.\n"
        "gaps      4 hook runs found no hub\n"
        "bad input 3 events could not be read\n"
    )


def test_status_names_machines_that_joined_just_now(assent: Run, answers: Answers) -> None:
    """With what shuts them out; a name may hold anything."""
    machines = [{"hub": "NzVpTJJ5" + 35 * "A", "name": "build\nbox", "joined_at": 1_060_000}]
    answers(status=status(new_machines=machines))
    (line,) = [line for line in assent("status").out.splitlines() if line.startswith("machines")]
    assert line.startswith("machines  joined in your name at ")
    assert line.endswith("Not yours? `assent team revoke NzVpTJJ5`")


def test_status_gives_the_bare_address_where_no_code_may_be_had(assent: Run, answers: Answers) -> None:
    """Inside an agent's session the hub refuses a code; status works all the same."""
    answers(status=status(), pair=ApiError(403, "scope", "This needs the scope admin, you have watch."))
    result = assent("status")
    assert result.code == 0
    assert result.out.endswith("page      http://localhost:8717/\n")


def test_status_json_is_one_object(assent: Run, answers: Answers) -> None:
    """Machines get the hub's own words and no link."""
    answers(status=status())
    result = assent("status", "--json")
    assert result.code == 0
    assert json.loads(result.out) == {"running": True, **status()}
    assert result.out.count("\n") == 1


def install(paths: Paths) -> None:
    manifest.put(paths, Install(file="/s.json", scope="user", before=None, after="", backup=None, created=1))


def test_status_without_hooks_says_that_nothing_will_start_a_hub(assent: Run, answers: Answers, paths: Paths) -> None:
    """Before `assent install`, and after `assent uninstall`, which stops the hub as `assent down` does."""
    answers(status=NO_HUB)
    stopped.leave(paths, stopped.arm(paths))
    result = assent("status")
    assert result.code == 4
    assert result.out == (
        "No hub is running, and no hooks are installed that would start it. `assent install` writes them.\n"
    )


def test_status_without_hub_exits_4(assent: Run, answers: Answers, paths: Paths) -> None:
    """No hub is an exit code scripts can test, and a sentence for people."""
    answers(status=NO_HUB)
    install(paths)
    result = assent("status")
    assert (result.code, result.err) == (4, "")
    assert result.out == "No hub is running. The next hook starts it, or `assent up --detach`.\n"
    assert json.loads(assent("status", "--json").out) == {"running": False, "stopped": False, "pid": None}


def test_status_after_down_says_who_stopped_it(assent: Run, answers: Answers, paths: Paths) -> None:
    """A hub stopped on purpose is told from one that is not there."""
    answers(status=NO_HUB)
    install(paths)
    stopped.leave(paths, stopped.arm(paths))
    result = assent("status")
    assert result.code == 4
    assert result.out == "No hub is running; `assent down` stopped it. Hooks stay silent until `assent up`.\n"


def test_status_names_a_hub_that_hangs(assent: Run, answers: Answers, paths: Paths) -> None:
    """A lock that is held while the hub does not answer points at the process."""
    answers(status=HubUnreachableError("The hub does not answer."))
    paths.state.mkdir(parents=True)
    lock = Lock.take(paths.lock)
    lock.write(Holder(pid=os.getpid(), version="0.1.0", started=1))
    try:
        result = assent("status")
    finally:
        lock.release()
    assert result.code == 4
    assert result.out == (
        f"A hub (pid {os.getpid()}) has the lock but does not answer. `assent restart` replaces it.\n"
    )


def test_status_names_hubs_that_share_the_database(assent: Run, answers: Callable[..., None]) -> None:
    """Who else records there, and how far they are; nothing where this hub is alone."""
    journal = {"hub": "ab12", "trouble": None, "lost": 0, "seq": 7}
    answers(status=status(port=None, journal={**journal, "others": {"cd34": 12, "0f0f": 3}}))
    assert "beside    in the same database: 0f0f (up to record 3), cd34 (up to record 12)\n" in assent("status").out
    answers(status=status(port=None, journal={**journal, "others": {}}))
    assert "beside" not in assent("status").out


def test_status_says_where_asks_are_brought(assent: Run, answers: Callable[..., None]) -> None:
    """What works in one line, and what does not with its reason."""
    surfaces = [
        {"name": "telegram", "title": "Telegram", "state": "connected", "words": "Connected to 1 person."},
        {"name": "ntfy", "title": "ntfy", "state": "trouble", "words": "Its topic is not known."},
        {"name": "slack", "title": "Slack", "state": "off", "words": "Turned off in the settings."},
    ]
    answers(status=status(port=None, surfaces=surfaces))
    shown = assent("status").out
    assert "reaches   Telegram\n" in shown
    assert "reaches   not ntfy: Its topic is not known.\n" in shown
    assert "Slack" not in shown
