"""The floor."""

from pathlib import Path

import pytest

from assent.paths import Paths
from assent.policy.judges.floor import Floor
from assent.protocol.decision import Deny, Prompt, Risk
from assent.protocol.events import Stop
from tests.unit.policy.calls import SCENE, pre, request


@pytest.fixture
def own(tmp_path: Path) -> Paths:
    return Paths(config_dir=tmp_path / "config/assent", state=tmp_path / "state/assent")


def test_floor_denies_on_both_gates(own: Paths) -> None:
    """With the reason, the evidence, and the highest risk."""
    text = "It deletes your home folder or the whole system: “rm -rf /”. Nothing can allow this."
    for event in (pre("Bash", command="rm -rf /"), request("Bash", command="rm -rf /")):
        opinion = Floor(own).speak(event, SCENE)
        assert opinion is not None
        assert (opinion.by, opinion.evidence, opinion.risk) == ("floor:delete-everything", "rm -rf /", Risk.DANGER)
        assert opinion.decision == Deny(text)


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit"])
def test_floor_guards_assents_own_files(own: Paths, tool: str) -> None:
    """Rules, settings, record and keys."""
    for path in (own.rules, own.config, own.journal, own.keys / "post", own.state):
        opinion = Floor(own).speak(pre(tool, file_path=str(path)), SCENE)
        assert opinion is not None
        assert opinion.by == "floor:own-files"
        assert isinstance(opinion.decision, Deny)


def test_floor_guards_its_files_through_links_and_detours(own: Paths, tmp_path: Path) -> None:
    """A link to the folder is the folder, and so is the real folder behind a link."""
    own.config_dir.mkdir(parents=True)
    (tmp_path / "link").symlink_to(own.config_dir)
    through = Paths(config_dir=tmp_path / "link", state=own.state)
    for paths, path in (
        (own, tmp_path / "link/rules.toml"),
        (through, own.config_dir / "rules.toml"),
        (own, tmp_path / "x/../config/assent/rules.toml"),
    ):
        assert Floor(paths).speak(pre("Write", file_path=str(path)), SCENE) is not None


@pytest.mark.parametrize(
    "line",
    [
        "echo x >> {}",
        "rm {}",
        "sed -i s/a/b/ {}",
        "cp x {}",
        "mv {} x",
        "tee {} < x",
        "F={}; rm $F",
        "chmod 0 {}",
        'python3 -c \'open("{}", "w")\'',
        "shred {}",
    ],
)
def test_floor_guards_its_files_from_commands(own: Paths, line: str) -> None:
    """Whatever writes, moves or deletes them."""
    opinion = Floor(own).speak(pre("Bash", command=line.format(own.rules)), SCENE)
    assert opinion is not None
    assert opinion.by == "floor:own-files"


def test_floor_guards_the_folders_around_its_files(own: Paths) -> None:
    """Deleting or moving them deletes its files."""
    for line in (f"rm -rf {own.state.parent}", f"rm -r {own.config_dir.parent}/", f"cd {own.state}; rm -rf ."):
        opinion = Floor(own).speak(pre("Bash", command=line), SCENE)
        assert opinion is not None, line
        assert opinion.by == "floor:own-files"


def test_floor_lets_everything_else_pass(own: Paths, tmp_path: Path) -> None:
    """Reading its files is a matter of risk, and a similar name is another folder."""
    floor = Floor(own)
    for event in (
        pre("Bash", command="ls -la"),
        pre("Bash", command=f"cat < {own.rules}"),
        pre("Read", file_path=str(own.config)),
        pre("Write", file_path=str(tmp_path / "config/assent2/x")),
        pre("WebFetch", url="https://example.com"),
        Stop(session_id="s"),
    ):
        assert floor.speak(event, SCENE) is None


@pytest.mark.parametrize("command", [None, 3, ["rm"], {}])
def test_floor_prompts_for_a_command_it_cannot_read(own: Paths, command: object) -> None:
    """An unreadable call is for a person."""
    opinion = Floor(own).speak(pre("Bash", command=command), SCENE)
    assert opinion is not None
    assert isinstance(opinion.decision, Prompt)


@pytest.mark.parametrize("command", ["echo " + "x" * 70_000, "a;" * 1001, "$(" * 200 + "a", "sudo " * 100 + "ls"])
def test_floor_prompts_for_more_than_can_be_judged(own: Paths, command: str) -> None:
    """The end of such a line was not examined."""
    opinion = Floor(own).speak(pre("Bash", command=command), SCENE)
    assert opinion is not None
    assert opinion.by == "floor:unread"
    assert isinstance(opinion.decision, Prompt)


@pytest.mark.parametrize("rest", ["; " + "x" * 70_000, "\necho 'open", "\nfi", ";" + "a;" * 2_000], ids=range(4))
def test_floor_still_denies_what_it_sees_in_a_line_it_cannot_read(own: Paths, rest: str) -> None:
    """A shell runs what stands before the place where it stumbles."""
    opinion = Floor(own).speak(pre("Bash", command=f"rm -rf /{rest}"), SCENE)
    assert opinion is not None
    assert isinstance(opinion.decision, Deny)
