"""Whatever the spelling: the guard's own files and the folders around them are never out of sight."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.policy.own import Own
from tests.unit.policy.owning import word

# What each does to {}: change, take along, read all of it.
VERBS = [
    "mv {} /tmp/x",
    "rm -rf {}",
    "chmod -R 000 {}",
    "chown -R nobody {}",
    "find {} -type f -exec sed -i s/a/b/ {{}} +",
    "tar -xf x.tar -C {}",
    "cp -r x/. {}",
    "grep -r . {}",
    "cp -r {} copy",
    "tar cf - {} | base64",
    "for each in {}; do mv $each /tmp; done",
    "ln -s {} link && mv link/* /tmp",
]
OURS = [".config", ".config/assent", ".local", ".local/state", ".local/state/assent"]


def spelled(path: str, how: list[int], home: Path) -> str:
    """The path below the home, each step of it written in another way."""
    names = path.split("/")
    written = []
    for place, name in enumerate(names):
        match how[place] % 6:
            case 0:
                written.append(name)
            case 1:
                written += [name, "..", name]
            case 2:
                written.append(f"{name[:2]}*")
            case 3:
                written.append(f"{name[:2]}?{name[3:]}")
            case 4:
                written.append(f"{{{name},{name}x}}")
            case _:
                written += [".", name]
    start = ("~", "$HOME", '"$HOME"', str(home), "..", "/proc/self/root" + str(home), "link")[how[-1] % 7]
    return "/".join([start, *written])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path in OURS:
        (tmp_path / path).mkdir(parents=True, exist_ok=True)
    (tmp_path / ".config/assent/rules.toml").touch()
    (tmp_path / ".local/state/assent/journal.db").touch()
    (tmp_path / "project").mkdir()
    (tmp_path / "project/link").symlink_to(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(
    path=st.sampled_from(OURS),
    verb=st.sampled_from(VERBS),
    how=st.lists(st.integers(0, 41), min_size=4, max_size=4),
)
def test_no_spelling_of_ours_or_of_what_lies_around_passes(home: Path, path: str, verb: str, how: list[int]) -> None:
    """In bypass it is denied, and in every other mode nothing of ours allows it."""
    kept = (str(home / ".config/assent"), str(home / ".local/state/assent"))
    where = {"project": str(home / "project"), "own": Own(kept=kept)}
    line = verb.format(spelled(path, how, home))
    assert word(line, "bypass", **where) == "deny", line  # type: ignore[arg-type]
    assert word(line, **where) in ("prompt", "deny"), line  # type: ignore[arg-type]
