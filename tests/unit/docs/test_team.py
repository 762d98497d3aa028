"""The pages about setting up a team and running one can be followed."""

import re
from pathlib import Path

import pytest

from assent.learn import trusting
from assent.relay import settings
from assent.toml import document
from tests.unit.docs.test_docs import ROOT

PAGES = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("team.md", "running-a-team.md")]
EXAMPLES = [block for page in PAGES for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]


def test_relay_of_the_page_starts() -> None:
    """Its settings are read as they stand."""
    (whole,) = (example for example in EXAMPLES if example.startswith("version = 1"))
    read = settings.parse(document.parse(Path("relay.toml"), whole.encode()), {})
    assert (read.team.name, read.people.client_id) == ("Example", "assent-team")


def test_several_hosts_of_a_database_are_one_address() -> None:
    """As the page writes them for a failover, in the place of the one."""
    whole = next(example for example in EXAMPLES if example.startswith("version = 1"))
    (hosts,) = (example for example in EXAMPLES if example.startswith("[database]"))
    changed = re.sub(r"\[database\]\nurl = .*\n", lambda _: hosts, whole)
    read = settings.parse(document.parse(Path("relay.toml"), changed.encode()), {})
    assert "db-1.example.com,db-2.example.com" in read.database.url


def test_approval_of_the_page_says_what_its_tests_expect(tmp_path: Path) -> None:
    """It is about production, and not about staging."""
    file = tmp_path / "rules.toml"
    file.write_text(next(example for example in EXAMPLES if example.startswith("[[approval]]")))
    (rule,) = trusting.approvals(file)
    assert len(rule.tests) == 2
    assert all(outcome.is_good for outcome in trusting.run(file))


@pytest.mark.parametrize("word", ["Keycloak", "Okta", "Entra ID", "Google", "Dex"])
def test_provider_has_a_row(word: str) -> None:
    """Those that people have."""
    assert f"| {word} |" in PAGES[0]
