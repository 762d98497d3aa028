"""Rules of a file that is broken as the hub starts: neither a deny nor an approval is lost in silence."""

from pathlib import Path

import pytest

from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.paths import Paths, find
from assent.policy.call import Call, Scene
from assent.policy.rules import last_good
from assent.policy.rules.book import RuleBook
from assent.policy.rules.last_good import LastGood
from assent.protocol.decision import Decision, Deny, Prompt
from tests.unit.policy.calls import pre

RULES = """
[[rule]]
match = "Bash(rm *)"
decision = "deny"
reason = "x"

[[rule]]
match = "Bash(ls *)"
decision = "allow"

[[approval]]
match = 'tool:"Bash(kubectl *)"'
from = "owner"
"""
BROKEN = "[[rule]\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".assent").mkdir(parents=True)
    (folder / ".git").mkdir()
    return folder


@pytest.fixture(params=["user", "project"])
def file(request: pytest.FixtureRequest, tmp_path: Path, project: Path) -> Path:
    """Whose rules they are."""
    return tmp_path / "user.toml" if request.param == "user" else project / ".assent/rules.toml"


def started(tmp_path: Path) -> RuleBook:
    """A hub that starts now."""
    return RuleBook(tmp_path / "user.toml", last_good=LastGood(tmp_path / "copies"))


def said(book: RuleBook, project: Path, command: str) -> Decision | None:
    opinion = book.speak(pre("Bash", command=command), Scene(project))
    return None if opinion is None else opinion.decision


def needs_a_yes(book: RuleBook, project: Path, command: str) -> bool:
    call = Call.of(pre("Bash", command=command))
    assert call is not None
    return book.approval(call, Scene(project), None) is not None


def test_copy_is_in_force_where_the_file_is_broken_at_the_start(tmp_path: Path, project: Path, file: Path) -> None:
    """Denies and approvals, as they were; and that the file is broken is known."""
    file.write_text(RULES)
    assert isinstance(said(started(tmp_path), project, "rm x"), Deny)
    file.write_text(BROKEN)
    book = started(tmp_path)
    assert isinstance(said(book, project, "rm x"), Deny)
    assert needs_a_yes(book, project, "kubectl get pods")
    assert said(book, project, "touch x") is None
    assert [trouble.file for trouble in book.troubles] == [file]


def test_without_a_copy_everything_is_asked_about(tmp_path: Path, project: Path, file: Path) -> None:
    """What it would have denied is not known, so no rule of another file lets a call pass either."""
    file.write_text(BROKEN)
    other = project / ".assent/rules.toml" if file.parent == tmp_path else tmp_path / "user.toml"
    other.write_text(RULES)
    book = started(tmp_path)
    assert isinstance(said(book, project, "touch x"), Prompt)
    assert isinstance(said(book, project, "ls x"), Prompt)
    assert isinstance(said(book, project, "rm x"), Deny)
    assert book.naming(_call("ls x"), Scene(project), _call("ls x").acts(Scene(project))[0]) == ""


def _call(command: str) -> Call:
    call = Call.of(pre("Bash", command=command))
    assert call is not None
    return call


def test_file_that_is_mended_is_in_force_again(tmp_path: Path, project: Path, file: Path) -> None:
    """Also where there was no copy."""
    file.write_text(BROKEN)
    book = started(tmp_path)
    assert isinstance(said(book, project, "touch x"), Prompt)
    file.write_text(RULES)
    again = started(tmp_path)
    assert said(again, project, "touch x") is None
    assert isinstance(said(again, project, "rm x"), Deny)


def test_file_that_was_removed_leaves_no_copy(tmp_path: Path, project: Path) -> None:
    """Its rules are gone on purpose."""
    file = tmp_path / "user.toml"
    file.write_text(RULES)
    book = started(tmp_path)
    said(book, project, "rm x")
    assert LastGood(tmp_path / "copies").find(file) is not None
    file.unlink()
    book.hurry()
    assert said(book, project, "rm x") is None
    assert LastGood(tmp_path / "copies").find(file) is None


@pytest.mark.parametrize("content", [b"", b"0" * 64, b"cut"])
def test_copy_that_was_cut_short_is_none(tmp_path: Path, content: bytes) -> None:
    """An empty file has no rules, and would be taken for a good one."""
    copies = LastGood(tmp_path / "copies")
    copies.keep(tmp_path / "user.toml", RULES.encode())
    (copy,) = (tmp_path / "copies").iterdir()
    assert copies.find(tmp_path / "user.toml") == RULES.encode()
    copy.write_bytes(content)
    assert copies.find(tmp_path / "user.toml") is None


def test_copies_are_private_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules say what is guarded; repositories come and go."""
    monkeypatch.setattr(last_good, "MOST", 3)
    copies = LastGood(tmp_path / "copies")
    for number in range(5):
        copies.keep(tmp_path / f"{number}.toml", b"")
    kept = list((tmp_path / "copies").iterdir())
    assert len(kept) == 3
    assert {copy.stat().st_mode & 0o777 for copy in kept} == {0o600}
    assert (tmp_path / "copies").stat().st_mode & 0o777 == 0o700
    assert copies.find(tmp_path / "4.toml") == b""


def test_replay_makes_no_copies(tmp_path: Path) -> None:
    """It reads those of the hub."""
    LastGood(tmp_path / "copies", is_kept=False).keep(tmp_path / "user.toml", RULES.encode())
    assert not (tmp_path / "copies").exists()


def test_folder_that_cannot_be_written_harms_no_rule(tmp_path: Path, project: Path) -> None:
    """They are in force all the same."""
    (tmp_path / "copies").write_text("no folder")
    (tmp_path / "user.toml").write_text(RULES)
    assert isinstance(said(started(tmp_path), project, "rm x"), Deny)


@pytest.mark.parametrize(
    ("before", "words"),
    [(RULES, "The last good copy of it is in force."), (None, "There is no good copy of it, so every call")],
)
def test_every_screen_is_told_what_is_in_force_instead(home: Path, before: str | None, words: str) -> None:
    """With the place where the file is broken."""
    paths: Paths = find({"HOME": str(home)})
    paths.rules.parent.mkdir(parents=True)
    if before is not None:
        paths.rules.write_text(before)
        assert PolicyInForce(paths).rules_trouble is None
    paths.rules.write_text(BROKEN)
    trouble = PolicyInForce(paths).rules_trouble
    assert trouble is not None
    assert f"{paths.rules}:1" in trouble
    assert words in trouble
