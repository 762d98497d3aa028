"""A change of what is in force is put on record, without anything secret in it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.hub.upkeep.changes import Changes, without_password
from assent.journal.base import JournalError
from assent.paths import Paths
from assent.protocol.record import Draft
from assent.redact import Redactor
from assent.toml import watched

pytestmark = pytest.mark.anyio

RULE = '[[rule]]\nmatch = "{}"\ndecision = "{}"\nreason = "So."\n'


class Hub:
    """Lives of a hub over the same files, as far as they concern what is in force."""

    def __init__(self, root: Path) -> None:
        self.paths = Paths(root / "config", root / "state")
        for folder in (self.paths.config_dir, self.paths.state):
            folder.mkdir()
        self.project = root / "repo"
        (self.project / ".assent").mkdir(parents=True)
        self.written: list[Draft] = []
        self.fails = False
        self.start()

    def start(self, hub: str = "h1") -> None:
        self.standing = PolicyInForce(self.paths)
        redactor = Redactor(lambda text: f"fp{len(text)}")
        self.changes = Changes(self.standing, redactor, hub, self.paths.config, self.paths.in_force)

    async def news(self) -> list[dict[str, Any]]:
        """The bodies of what is recorded by a look at the disk."""
        self.written.clear()
        await self.changes.record(self)
        return [draft.body for draft in self.written]

    async def record(self, drafts: Sequence[Draft]) -> None:
        if self.fails:
            raise JournalError("Not recorded: the disk is full.")
        self.written += drafts

    def note(self, what: str, by: str = "hub") -> None:
        raise NotImplementedError

    def rules(self, text: str) -> None:
        self.paths.rules.write_text(text)

    def settings(self, text: str) -> None:
        self.paths.config.write_text(text)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """Looks at the disk on every use, not once a second."""
    monkeypatch.setattr(watched, "EVERY", -1.0)
    return Hub(tmp_path)


async def test_nothing_in_force_is_no_news(hub: Hub) -> None:
    """A hub with defaults alone has nothing to tell."""
    assert await hub.news() == []
    assert not hub.paths.in_force.exists()


async def test_rules_added_and_removed_are_told_in_words(hub: Hub) -> None:
    """What a rule says, of what, when, and why."""
    hub.rules(RULE.format("Bash(git push *)", "ask") + 'when = { branch = ["main"], risk = ">=care" }\n')
    first = "ask Bash(git push *) when branch main and risk >=care: So."
    assert await hub.news() == [{"file": str(hub.paths.rules), "added": (first,)}]
    assert (hub.written[0].kind, hub.written[0].by) == ("rules", "hub:files")
    assert await hub.news() == []
    hub.rules(RULE.format("Write", "deny") * 2)
    assert await hub.news() == [
        {"file": str(hub.paths.rules), "added": ("deny Write: So.", "deny Write: So."), "removed": (first,)}
    ]
    hub.paths.rules.unlink()
    assert await hub.news() == [{"file": str(hub.paths.rules), "removed": ("deny Write: So.", "deny Write: So.")}]


async def test_settings_are_told_before_and_after(hub: Hub) -> None:
    """Each with its full name and as it is written."""
    hub.settings('stance = "strict"\n[asks]\nwait = "5m"\n[project."/src/a b"]\nstance = "watch"\n')
    assert await hub.news() == [
        {
            "file": str(hub.paths.config),
            "changed": {
                "stance": ("", '"strict"'),
                "asks.wait": ("", '"5m"'),
                'project."/src/a b".stance': ("", '"watch"'),
            },
        }
    ]
    hub.settings('stance = "balanced"\n[asks]\nwait = "5m"\n')
    (body,) = await hub.news()
    assert body["changed"] == {
        "stance": ('"strict"', '"balanced"'),
        'project."/src/a b".stance': ('"watch"', ""),
    }


async def test_change_while_no_hub_ran_is_told_at_the_next_start(hub: Hub) -> None:
    """What the record says is compared with what is in force, in every life."""
    hub.rules(RULE.format("Write", "deny"))
    hub.settings('stance = "strict"\n')
    assert len(await hub.news()) == 2
    hub.start()
    assert await hub.news() == []
    hub.settings('stance = "watch"\n')
    hub.start()
    assert [body["changed"] for body in await hub.news()] == [{"stance": ('"strict"', '"watch"')}]


async def test_another_journal_is_told_everything(hub: Hub) -> None:
    """What stands in an old journal is not in a new one."""
    hub.rules(RULE.format("Write", "deny"))
    await hub.news()
    hub.start("h2")
    assert len(await hub.news()) == 1
    hub.paths.in_force.write_text("{")
    hub.start("h2")
    assert len(await hub.news()) == 1


async def test_broken_file_is_told_once_and_so_is_its_repair(hub: Hub) -> None:
    """That older rules stay in force, and when that is over."""
    hub.rules(RULE.format("Write", "deny"))
    await hub.news()
    hub.rules('[[rule]]\nmatsch = "Write"\n')
    (body,) = await hub.news()
    assert body["trouble"].startswith("line 2: ")
    assert await hub.news() == []
    hub.rules(RULE.format("Write", "deny"))
    assert await hub.news() == [{"file": str(hub.paths.rules)}]
    hub.settings("stance = 7\n")
    (body,) = await hub.news()
    assert body["trouble"].startswith("line 1: ")
    hub.settings('stance = "strict"\n')
    assert (await hub.news())[0]["changed"] == {"stance": ("", '"strict"')}


async def test_rules_of_a_project_are_told_when_they_are_first_heard_of(hub: Hub) -> None:
    """Also those that are not obeyed, and why."""
    (hub.project / ".assent" / "rules.toml").write_text(RULE.format("Write", "deny") + RULE.format("Read", "allow"))
    assert await hub.news() == []
    hub.standing._rules.files(hub.project)
    (body,) = await hub.news()
    assert body["file"].endswith("repo/.assent/rules.toml")
    assert body["added"][0] == "deny Write: So."
    assert body["added"][1].startswith("allow Read: So. (not obeyed: ")


async def test_what_could_not_be_recorded_is_recorded_later(hub: Hub) -> None:
    """A full disk delays a record, it does not lose it."""
    hub.rules(RULE.format("Write", "deny"))
    hub.fails = True
    with pytest.raises(JournalError):
        await hub.news()
    hub.fails = False
    assert len(await hub.news()) == 1


SECRETS = 'url = "postgresql://me:hunter2@db.example/assent?sslpassword=hunter2"'


async def test_no_secret_is_recorded_or_kept(hub: Hub) -> None:
    """Not the database's password, not what surfaces are given, not a token in a rule; also not in a broken file."""
    hub.settings(f'[journal]\n{SECRETS}\n[surface.ntfy]\ntopic = "hunter2"\nusers = [4711]\n')
    hub.rules(RULE.format("Bash(curl -H 'Authorization: Bearer hunter2hunter2hunter2' *)", "deny"))
    told = str(await hub.news())
    assert '"postgresql://me:…@db.example/assent?…"' in told
    assert "⟨withheld fp9⟩" in told
    hub.settings(f"[journal]\n{SECRETS} x\n")
    told += str(await hub.news())
    hub.settings('[journal]\nurl = "mysql://me:hunter2@db"\n')
    told += str(await hub.news())
    told += hub.paths.in_force.read_text()
    assert "hunter2" not in told
    assert "4711" not in told


async def test_changed_secret_shows_as_a_change(hub: Hub) -> None:
    """That it changed can be seen, not to what."""
    hub.settings('[surface.ntfy]\ntopic = "one"\n')
    await hub.news()
    hub.settings('[surface.ntfy]\ntopic = "another"\n')
    assert [body["changed"] for body in await hub.news()] == [
        {"surface.ntfy.topic": ("⟨withheld fp5⟩", "⟨withheld fp9⟩")}
    ]


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("sqlite", "sqlite"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://me:pw@host:5433/db", "postgresql://me:…@host:5433/db"),
        ("postgresql://me@host", "postgresql://me@host"),
        ("postgresql:///db?password=pw", "postgresql:…"),
        ("postgresql://me:pw@[::1/db", "postgresql://…"),
        ("postgresql://me:pw@host:port/db", "postgresql://…"),
        ("postgresql://me:p@w@host/db", "postgresql://me:…@host/db"),
    ],
)
def test_address_of_a_database_is_told_without_its_password(url: str, told: str) -> None:
    """However it is written."""
    assert without_password(url) == told
