"""Lines that are known again, and those that are not."""

import ast
import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import structs

import assent.policy
from accuracy import corpus
from assent.config import StanceName
from assent.paths import find
from assent.policy import memo, own, world
from assent.policy.call import Memo, Scene, Voice
from assent.policy.judge import Judgement, judge
from assent.policy.judges.floor import Floor
from assent.policy.judges.permissions import Permissions
from assent.policy.judges.rules import Rules
from assent.policy.judges.stance import Stance
from assent.policy.memo import LineMemo, Notes, question
from assent.policy.session_taint import Memory
from assent.policy.shell import spelling
from assent.policy.shell.acts import Act
from assent.protocol.events import PreToolUse
from assent.protocol.lasting import Permission
from tests.unit.policy.calls import pre, rules


@dataclass
class Place:
    """Everything that moves a verdict, to be changed piece by piece."""

    home: Path
    scene: Scene
    cwd: Path
    mode: str = "default"
    rules: str = ""
    stance: StanceName = "balanced"

    @property
    def project(self) -> Path:
        return self.scene.project

    def write(self, name: str, text: str, *, program: bool = False) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if program else 0o644)
        return path

    def judge(self, line: str, known: Memo | None = None) -> Judgement:
        # What was followed a moment ago is believed for a moment, with and without a memo.
        spelling.forget()
        voices: tuple[Voice, ...] = (
            Floor(find({"HOME": str(self.home)})),
            Rules(rules(self.rules)),
            Stance(lambda _: self.stance),
            Permissions(),
        )
        return judge(pre("Bash", cwd=self.cwd, mode=self.mode, command=line), self.scene, voices, memo=known)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    # Not in a folder for temporary files, where everything may be changed: only by its name.
    monkeypatch.setattr("assent.policy.paths.FOLDERS", ("/nowhere",))
    monkeypatch.setattr("assent.policy.tool_folders.FOLDERS", ("/nowhere",))
    home = tmp_path / "home"
    project = home / "shop"
    (project / ".git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return Place(home, Scene(project, own=own.of(find({"HOME": str(home)}))), project)


def _script(place: Place, text: str = "rm -rf ~/work\n") -> None:
    place.write("shop/run.sh", text)


def _script_of_the_same_time(place: Place) -> None:
    path = place.home / "shop/run.sh"
    before = path.stat()
    path.write_text("rm -r ~/w\n".ljust(before.st_size))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def _link(place: Place) -> None:
    (place.project / "out").unlink()
    (place.project / "out").symlink_to(place.home / ".ssh")


def _names(place: Place) -> None:
    place.write("shop/conf/.claude/settings.json", '{"hooks": {"x": "y"}}')


def _branch(place: Place) -> None:
    (place.project / ".git/HEAD").write_text("ref: refs/heads/main\n")


def _environment(place: Place) -> None:
    os.environ["PATH"] = f"{place.home}/tools:/usr/bin"


def _folder(place: Place) -> None:
    place.cwd = place.home / ".ssh"


def _mode(place: Place) -> None:
    place.mode = "plan"


def _rule(place: Place) -> None:
    place.rules = '[[rule]]\nmatch = "Bash(ls *)"\ndecision = "deny"\nreason = "So."\n'


def _stance(place: Place) -> None:
    place.stance = "watch"


def _permission(place: Place) -> None:
    held = (Permission("p", "change", project=str(place.project)),)
    place.scene = structs.replace(place.scene, permissions=held)


def _taint(place: Place) -> None:
    memory = Memory(secret="~/.ssh/id_ed25519")
    place.scene = structs.replace(place.scene, memory=memory)


def _project(place: Place) -> None:
    place.scene = structs.replace(place.scene, project=place.home / "other")


def _added(place: Place) -> None:
    place.scene = structs.replace(place.scene, added=(str(place.home / "notes"),))


CHANGES: dict[str, tuple[str, Callable[[Place], object]]] = {
    "the content of a file": ("sh run.sh", _script),
    "a content of the same time and size": ("sh run.sh", _script_of_the_same_time),
    "a file that is there now": ("sh late.sh", lambda place: place.write("shop/late.sh", "rm -rf ~/work\n")),
    "a new program": ("zzcc --version", lambda place: place.write(".local/bin/zzcc", "", program=True)),
    "a link": ("cat out/notes", _link),
    "the names in a folder": ("cp -r conf/. .", _names),
    "the search path": ("cp a.txt ~/tools/ls", _environment),
    "the working folder": ("cat notes", _folder),
    "the mode": ("touch a.txt", _mode),
    "a rule": ("ls -la", _rule),
    "the stance": ("ls -la", _stance),
    "a permission": ("mv a.txt b.txt", _permission),
    "what the session saw": ("curl -d a=b https://example.com/x", _taint),
    "the project": ("rm -rf build", _project),
    "an added folder": ("cat ~/notes/a.txt", _added),
}


@pytest.mark.parametrize("name", CHANGES)
def test_line_is_judged_as_if_for_the_first_time_once_anything_changed(name: str, place: Place) -> None:
    """Each change moves the verdict, and it moves it as far for a line that is known."""
    line, change = CHANGES[name]
    place.write("shop/run.sh", "echo ready for work\n")
    place.write("shop/a.txt", "a\n")
    place.write("shop/conf/a.txt", "a\n")
    (place.project / "out").symlink_to("conf")
    for folder in ("build", "../.ssh", "../other", "../notes", "../tools"):
        (place.project / folder).mkdir(exist_ok=True)
    known = Memo()
    before = place.judge(line, known)
    again = place.judge(line, known)
    assert again.verdict == before.verdict
    assert again.acts is before.acts, "the line was not known again"
    change(place)
    cold = place.judge(line)
    assert place.judge(line, known).verdict == cold.verdict
    assert cold.verdict != before.verdict, "nothing hangs on this change"


LINES = [each.command for each in corpus.load()]


@pytest.mark.parametrize("start", range(4))
def test_lines_of_the_corpus_are_judged_alike_cold_and_warm(start: int, place: Place) -> None:
    """Once without a memo, once for it, once from it."""
    known = Memo()
    for line in LINES[start::16]:
        cold = place.judge(line)
        assert place.judge(line, known).verdict == cold.verdict, line
        again = place.judge(line, known)
        assert again.verdict == cold.verdict, line
        assert list(again.acts) == list(cold.acts), line


RULES = """
[[rule]]
match = "Bash(git *)"
decision = "allow"
when = { mode = "plan" }

[[rule]]
match = ["Bash(npm *)", "Bash(curl *)"]
decision = "ask"
reason = "So."
when = { branch = "main" }

[[rule]]
match = "Bash(git push *)"
decision = "deny"
reason = "So."
when = { agent = "Explore" }

[[rule]]
match = ["Bash(ls *)", "Monitor"]
decision = "allow"
"""


@pytest.mark.parametrize("start", range(2))
def test_rules_hold_for_a_known_line_under_their_conditions_alone(start: int, place: Place) -> None:
    """Which rules a line fits is known again; tool, mode, agent and branch are asked about each time."""
    voice, known = Rules(rules(RULES)), Memo()
    seen = set()
    for line in [*LINES[start::32], "git push origin main", "git status", "npm run x", "ls src", "ls src > out"]:
        for number, (tool, mode) in enumerate(itertools.product(("Bash", "Monitor", "Bash"), ("default", "plan"))):
            branch = place.project / ".git/HEAD"
            branch.write_text(f"ref: refs/heads/{'main' if number % 3 else 'other'}\n")
            asked = {"command": line, "dangerouslyDisableSandbox": number > 3}
            agent = "Explore" if number % 4 == 1 else None
            event = structs.replace(pre(tool, cwd=place.cwd, mode=mode, **asked), agent_id=agent, agent_type=agent)
            warm = judge(event, place.scene, (voice,), memo=known).verdict
            assert warm == judge(event, place.scene, (Rules(rules(RULES)),)).verdict, (line, tool, mode, number)
            seen.add(warm.decision.word)
    assert seen == {"allow", "prompt", "deny", "no_opinion"}


def test_other_rules_are_heard_about_a_known_line(place: Place) -> None:
    """The file was changed, and only the latest rules that were held against a line are remembered with it."""
    known, facts = Memo(), set()
    for said in ("deny", "allow", "ask", "deny"):
        text = f'[[rule]]\nmatch = "Bash(ls *)"\ndecision = "{said}"\nreason = "So."\n'
        for _ in range(2):
            made = judge(pre("Bash", cwd=place.cwd, command="ls src"), place.scene, (Rules(rules(text)),), memo=known)
            assert made.decision.word == {"ask": "prompt"}.get(said, said)
            assert made.call is not None
            facts.add(len(made.call.look(place.scene)._facts))
    assert len(facts) == 1


def test_line_is_read_anew_where_any_one_answer_is_another(place: Place) -> None:
    """Of all answers that lines of the corpus get."""
    for line in LINES[::40]:
        known = Memo()
        place.judge(line, known)
        call = place.judge(line, known).call
        assert call is not None
        notes = call.look(place.scene).notes
        assert notes is not None
        for put, answer in notes.answers.items():
            assert notes.hold(), line
            notes.answers[put] = object()
            assert not notes.hold(), (line, put)
            notes.answers[put] = answer


def test_what_is_known_is_not_changed_by_those_who_use_it(place: Place) -> None:
    """A judgement is kept, drawn and told; the next one sees the same."""
    known = Memo()
    first = place.judge("git push --force; rm -rf build", known)
    before = repr(first.acts)
    assert first.effects
    place.judge("git push --force; rm -rf build", known)
    assert repr(first.acts) == before


def test_without_a_memo_a_line_is_read_anew(place: Place) -> None:
    """As where a person said yes: nothing is taken from before."""
    known = Memo()
    assert place.judge("ls", known).acts is place.judge("ls", known).acts
    assert place.judge("ls").acts is not place.judge("ls").acts


# --- notes


@question
def _size(path: str) -> int:
    return os.stat(path).st_size


@question
def _sizes(folder: str) -> int:
    return sum(_size(f"{folder}/{name}") for name in sorted(os.listdir(folder)))


def test_notes_hold_as_long_as_the_answers_are_the_same(tmp_path: Path) -> None:
    """What one question asks in turn is part of its answer."""
    (tmp_path / "a").write_text("a")
    notes = Notes()
    assert notes.taken(lambda: _sizes(str(tmp_path))) == 1
    assert len(notes.answers) == 1
    assert notes.hold()
    (tmp_path / "a").write_text("bb")
    assert not notes.hold()


def test_question_gets_one_answer_while_a_line_is_read(tmp_path: Path) -> None:
    """So that what is found in it fits together."""
    path = tmp_path / "a"

    def work() -> list[int]:
        sizes = []
        for text in ("a", "bb"):
            path.write_text(text)
            sizes.append(_size(str(path)))
        return sizes

    notes = Notes()
    assert notes.taken(work) == [1, 1]
    assert not notes.hold()


def test_question_is_put_by_position(tmp_path: Path) -> None:
    """A name would not be noted."""
    with pytest.raises(TypeError):
        _size(path=str(tmp_path))


def test_notes_do_not_hold_where_a_question_failed(tmp_path: Path) -> None:
    """Even if who asked went on."""

    def work() -> int:
        try:
            return _size(str(tmp_path / "none"))
        except OSError:
            return 0

    notes = Notes()
    assert notes.taken(work) == 0
    assert not notes.hold()


def test_notes_do_not_hold_where_something_cannot_be_asked_again(tmp_path: Path) -> None:
    """An open file, of which any part may be read."""
    (tmp_path / "a").write_text("a")
    notes = Notes()
    opened = notes.taken(lambda: world.Opened.at(str(tmp_path / "a")))
    assert opened is not None
    with opened:
        assert not notes.hold()


# --- bounds


class Found:
    def __init__(self, weight: int = 0) -> None:
        self.notes = Notes()
        self.weight = weight


def test_memo_forgets_the_line_used_longest_ago() -> None:
    """It holds so many."""
    known = LineMemo[Found](most=2)
    for line in ("a", "b"):
        known.keep(line, Found(), 1)
    assert known.get("a") is not None
    known.keep("c", Found(), 1)
    assert [line for line in ("a", "b", "c") if known.get(line) is not None] == ["a", "c"]


def test_memo_holds_so_many_bytes() -> None:
    """By what is kept of a line: its text, its answers, its commands."""
    known = LineMemo[Found](most_bytes=10_000)
    for line in range(20):
        known.keep(line, Found(weight=1), 100)
    assert 0 < len(known) < 5
    assert known.bytes <= 10_000
    for line in range(20):
        found = known.get(line)
        if found is not None:
            found.notes.is_whole = False
            assert known.get(line) is None
    assert (len(known), known.bytes) == (0, 0)


def test_memo_keeps_no_long_line_and_no_long_answers() -> None:
    """They come once, and what is kept is bounded."""
    known = LineMemo[Found]()
    known.keep("a", Found(), memo.LONGEST_LINE + 1)
    found = Found()
    found.notes.add((len, ("",)), "x" * (memo.LONGEST_ANSWERS + 1))
    known.keep("b", found, 1)
    assert len(known) == 0


# --- who may ask

# Settings and rules in force, which are no part of reading a line; and links, which are one question there.
ELSEWHERE = {"world.py", "own.py", "rules/book.py", "rules/last_good.py", "permissions/file.py", "shell/spelling.py"}
DISK = {
    "stat",
    "lstat",
    "open",
    "scandir",
    "listdir",
    "readlink",
    "access",
    "environ",
    "environb",
    "getenv",
    "getcwd",
    "walk",
}
DISK_PATHS = {"exists", "lexists", "isfile", "isdir", "islink", "realpath", "getsize", "getmtime", "samefile"}
DISK_METHODS = {"read_text", "read_bytes", "is_file", "is_dir", "iterdir", "resolve", "glob", "rglob", "is_symlink"}


def _asks(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name("os"), attr=name) if name in DISK:
                yield f"os.{name}"
            case ast.Attribute(value=ast.Attribute(value=ast.Name("os"), attr="path"), attr=name) if name in DISK_PATHS:
                yield f"os.path.{name}"
            case ast.Call(func=ast.Name("open")):
                yield "open"
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in DISK_METHODS:
                if not (isinstance(value, ast.Name) and value.id == "world"):
                    yield name


def test_nothing_but_the_world_asks_the_disk() -> None:
    """A look past it would not be noted."""
    folder = Path(assent.policy.__file__).parent
    found = {
        f"{path.relative_to(folder)}: {name}"
        for path in folder.rglob("*.py")
        if str(path.relative_to(folder)) not in ELSEWHERE
        for name in _asks(ast.parse(path.read_text()))
    }
    assert not found


def test_all_that_the_world_tells_is_a_question() -> None:
    """But the home, which is part of where a line stands, and what is only calculated."""
    told = {
        name
        for name, each in vars(world).items()
        if callable(each) and getattr(each, "__module__", "") == world.__name__
    }
    asked = {name for name in told if hasattr(getattr(world, name), "__wrapped__")}
    assert {name for name in told - asked if not name.startswith("_")} == {"home", "whole", "with_real", "Opened"}


def test_acts_of_a_known_line_are_those_of_the_walk(place: Place) -> None:
    """Nothing is left out of what is kept."""
    known = Memo()
    place.judge("cd src && ls | head -5", known)
    acts: list[Act] = list(place.judge("cd src && ls | head -5", known).acts)
    assert acts == list(place.judge("cd src && ls | head -5").acts)


def test_calls_of_one_line_share_it_whatever_they_are_called() -> None:
    """The same line before a tool is used and when the client asks for permission."""
    known = Memo()
    event = pre("Bash", command="touch a")
    first = judge(event, Scene(Path(event.cwd)), [Stance(lambda _: "balanced")], memo=known)
    other = PreToolUse(session_id="t", cwd=event.cwd, tool_name="Bash", tool_input={"command": "touch a"})
    assert judge(other, Scene(Path(event.cwd)), [Stance(lambda _: "balanced")], memo=known).acts is first.acts
