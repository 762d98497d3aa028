"""The rules in force."""

import hashlib
from pathlib import Path

import pytest

from assent.policy.call import Opinion, Scene
from assent.policy.rules import book as book_
from assent.policy.rules.book import RuleBook, find
from assent.policy.rules.file import CHANGED
from assent.protocol.decision import Allow, Deny, Prompt
from tests.unit.policy.calls import pre

DENY_RM = '[[rule]]\nmatch = "Bash(rm *)"\ndecision = "deny"\nreason = "x"\n'
ASK_RM = '[[rule]]\nmatch = "Bash(rm *)"\ndecision = "ask"\nreason = "x"\n'
ALLOW_LS = '[[rule]]\nmatch = "Bash(ls *)"\ndecision = "allow"\n'


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".assent").mkdir(parents=True)
    (folder / ".git").mkdir()
    return folder


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(tmp_path: Path, clock: Clock) -> RuleBook:
    return RuleBook(tmp_path / "user.toml", clock=clock)


def say(book: RuleBook, project: Path, command: str) -> Opinion | None:
    return book.speak(pre("Bash", command=command), Scene(project))


def test_book_is_silent_without_files(book: RuleBook, project: Path) -> None:
    """Rules are optional."""
    assert say(book, project, "rm x") is None
    assert book.troubles == ()


def test_book_joins_user_and_project(book: RuleBook, tmp_path: Path, project: Path) -> None:
    """The strictest of both counts, and names its file."""
    (tmp_path / "user.toml").write_text(DENY_RM)
    (project / ".assent/rules.toml").write_text(ASK_RM)
    opinion = say(book, project, "rm x")
    assert opinion is not None
    assert opinion.by == "rule:user#1"
    assert isinstance(opinion.decision, Deny)


def test_book_ignores_what_a_project_would_allow(book: RuleBook, project: Path) -> None:
    """And tells about it."""
    (project / ".assent/rules.toml").write_text(ALLOW_LS + ASK_RM)
    assert say(book, project, "ls") is None
    assert [ignored.rule.by for ignored in book.ignored(project)] == ["rule:project#1"]
    opinion = say(book, project, "rm x")
    assert opinion is not None
    assert opinion.by == "rule:project#2"
    assert isinstance(opinion.decision, Prompt)


def test_book_follows_changes_within_a_second(book: RuleBook, project: Path, clock: Clock) -> None:
    """A file that appears, changes and goes."""
    rules = project / ".assent/rules.toml"
    assert say(book, project, "rm x") is None
    rules.write_text(ASK_RM)
    clock.now += 1
    assert say(book, project, "rm x") is not None
    rules.unlink()
    clock.now += 1
    assert say(book, project, "rm x") is None


def test_book_keeps_the_last_good_rules_of_a_broken_file(
    book: RuleBook, tmp_path: Path, project: Path, clock: Clock
) -> None:
    """A slip of the pen disarms nothing."""
    (tmp_path / "user.toml").write_text(DENY_RM)
    assert say(book, project, "rm x") is not None
    (tmp_path / "user.toml").write_text("[[rule]\n")
    clock.now += 1
    assert say(book, project, "rm x") is not None
    assert [trouble.file for trouble in book.troubles] == [tmp_path / "user.toml"]


def test_book_serves_many_projects(book: RuleBook, tmp_path: Path) -> None:
    """Sessions come and go; what is remembered stays bounded and right."""
    for number in range(600):
        folder = tmp_path / f"p{number}"
        folder.mkdir()
        if number % 100 == 0:
            (folder / ".assent").mkdir()
            (folder / ".assent/rules.toml").write_text(DENY_RM)
        assert (say(book, folder, "rm x") is not None) is (number % 100 == 0)


def test_find_walks_up_to_the_repository(tmp_path: Path, project: Path) -> None:
    """And not beyond it: rules above belong to another project."""
    (project / ".assent/rules.toml").write_text("")
    (project / "src/deep").mkdir(parents=True)
    assert find(project / "src/deep") == project / ".assent/rules.toml"
    inner = project / "vendor/inner"
    (inner / ".git").mkdir(parents=True)
    assert find(inner) is None
    assert find(tmp_path) is None


def test_find_stops_at_home(home: Path) -> None:
    """A rules file in the home folder would hold for everything below it."""
    (home / ".assent").mkdir()
    (home / ".assent/rules.toml").write_text("")
    (home / "src").mkdir()
    assert find(home / "src") is None
    assert find(home) is None
    assert find(Path("/")) is None


def test_book_obeys_what_a_person_trusts_until_a_byte_changes(tmp_path: Path, project: Path, clock: Clock) -> None:
    """Trust and its loss are seen within a second, and the loss is told."""
    rules, trust = project / ".assent/rules.toml", tmp_path / "trust.json"
    book = RuleBook(tmp_path / "user.toml", trust, clock=clock)
    rules.write_text(ALLOW_LS)
    assert say(book, project, "ls") is None
    digest = hashlib.sha256(rules.read_bytes()).hexdigest()
    trust.write_bytes(book_.trust_text({str(rules.resolve()): digest}))
    clock.now += 1
    opinion = say(book, project, "ls")
    assert opinion is not None
    assert (opinion.by, opinion.decision) == ("rule:project#1", Allow())
    assert book.ignored(project) == ()
    rules.write_text(ALLOW_LS + "\n")
    clock.now += 1
    assert say(book, project, "ls") is None
    assert [ignored.why for ignored in book.ignored(project)] == [CHANGED]
    assert [file.ignored[0].why for file, _ in book.known() if file.ignored] == [CHANGED]


def test_book_trusts_a_file_and_not_its_copy(tmp_path: Path, project: Path) -> None:
    """The same bytes elsewhere are another project's."""
    rules, trust = project / ".assent/rules.toml", tmp_path / "trust.json"
    rules.write_text(ALLOW_LS)
    digest = hashlib.sha256(rules.read_bytes()).hexdigest()
    trust.write_bytes(book_.trust_text({"/elsewhere/.assent/rules.toml": digest}))
    assert say(RuleBook(tmp_path / "user.toml", trust), project, "ls") is None
