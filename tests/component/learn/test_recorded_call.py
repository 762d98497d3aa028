"""Both commands over a long made-up history in a real journal."""

import json
import time
from pathlib import Path

import pytest

from bench import history
from tests.component.cli.conftest import Terminal

RECORDS = 4_000


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weeks of sessions in several projects, up to now."""
    home = tmp_path_factory.mktemp("made")
    history.write(home, records=RECORDS, seed=7, until=int(time.time() * 1000))
    return home


@pytest.fixture
def terminal(made: Path, home: Path) -> Terminal:
    return Terminal(made, home)


def test_replay_counts_every_call_once(terminal: Terminal, tmp_path: Path) -> None:
    """Whatever the rules, nothing is lost and nothing counted twice."""
    (tmp_path / "new.toml").write_text('[[rule]]\nmatch = ["Bash(git *)", "Edit"]\ndecision = "ask"\nreason = "x"\n')
    output = json.loads(terminal.ok("replay", str(tmp_path / "new.toml"), "--since", "365d", "--json"))
    listed = sum(difference["count"] for difference in (*output["changed"], *output["already"]))
    assert output["calls"] == output["same"] + output["restored"] + output["unjudged"] + listed > RECORDS / 10
    assert output["changed"]


def test_replay_with_check_fails_only_over_a_refusal(terminal: Terminal, tmp_path: Path) -> None:
    """The exit code is for scripts that test rules."""
    (tmp_path / "all.toml").write_text('[[rule]]\nmatch = ["Bash", "Edit", "WebFetch"]\ndecision = "allow"\n')
    (tmp_path / "none.toml").write_text("")
    options = ("--since", "365d", "--check")
    refused = terminal.run("replay", str(tmp_path / "all.toml"), *options)
    assert (refused.returncode, refused.stderr) == (1, "")
    assert "that a person refused would now be allowed:" in refused.stdout.splitlines()[2]
    assert terminal.run("replay", str(tmp_path / "none.toml"), *options).returncode == 0


def test_offers_do_not_fail_their_own_check(terminal: Terminal, tmp_path: Path) -> None:
    """All that is offered, replayed together, allows nothing that was refused, and saves what it said."""
    offers = json.loads(terminal.ok("review", "--since", "365d", "--min", "1", "--json"))["offers"]
    assert len(offers) > 10
    rules = terminal.paths.rules.read_text()
    for offer in offers:
        rules += f"\n[[rule]]\nmatch = {json.dumps(offer['text'])}\ndecision = 'allow'\n"
    (tmp_path / "more.toml").write_text(rules)
    shown = terminal.ok("replay", str(tmp_path / "more.toml"), "--since", "365d", "--json", "--limit", "1000")
    output = json.loads(shown)
    # The rules that are in force since allow some of it, which is not the offers' doing.
    assert all(example["already"] for kind in ("refused", "denied") for example in output[kind]["examples"])
    assert {(each["was"], each["becomes"]) for each in output["changed"]} <= {
        ("no_opinion", "allow"),
        ("prompt", "allow"),
    }
    assert output["asks_saved"] >= max(offer["saved"] for offer in offers)
