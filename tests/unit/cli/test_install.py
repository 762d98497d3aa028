"""Installing and uninstalling as a person sees it: shown first, asked, backed up, given back."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.paths import Paths
from assent.shim import place, stopped
from tests.unit.cli.conftest import Run

BEFORE = '{\n  "model": "opus"\n}\n'


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def settings(home: Path) -> Path:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(BEFORE)
    return path


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal; what they were asked. They say yes unless "no" is put in."""
    asked: list[str] = []

    def confirmed(question: str, details: Callable[[], None] | None = None) -> bool:
        if asked == ["no"]:
            asked.clear()
            return False
        asked.append(question)
        return True

    monkeypatch.setattr("assent.cli.output.is_interactive", lambda: True)
    monkeypatch.setattr("assent.cli.output.confirmed", confirmed)
    return asked


def test_dry_run_shows_the_change_and_writes_nothing(assent: Run, settings: Path, paths: Paths) -> None:
    """Neither the settings nor our own folders are touched."""
    result = assent("install", "--dry-run")
    assert result.code == 0
    assert f"+++ {settings}" in result.out
    assert '+  "hooks": {' in result.out
    assert result.out.endswith("Nothing was written.\n")
    assert settings.read_text() == BEFORE
    assert not paths.state.exists()


def test_install_asks_then_writes_backs_up_and_places_the_shim(
    assent: Run, settings: Path, paths: Paths, person: list[str]
) -> None:
    """After a yes the hooks are in the settings, the old bytes in a backup, and what the hooks start is there."""
    result = assent("install")
    assert result.code == 0
    assert person == ["Write this?", "Have it report?"]
    hooks = json.loads(settings.read_text())["hooks"]
    assert "PreToolUse" in hooks
    (backup,) = paths.backup.iterdir()
    assert backup.read_text() == BEFORE
    assert place.is_current(paths)
    assert f"Written: {settings} ({len(hooks)} events).\nbackup  {backup}\n" in result.out
    assert result.out.endswith(
        "undo    assent uninstall\nnext    Start claude; the hub starts by itself. `assent doctor` checks it.\n"
    )


def test_install_masks_the_token_it_shows(assent: Run, settings: Path) -> None:
    """Terminals are recorded and shared."""
    assent("install", "--yes")
    token = json.loads(settings.read_text())["hooks"]["PostToolUse"][0]["hooks"][0]["headers"]["Authorization"]
    assert token.startswith("Bearer ")
    settings.write_text(BEFORE)
    result = assent("install", "--dry-run")
    assert token not in result.out
    assert "Bearer ••••••••" in result.out


def test_install_says_in_a_few_lines_what_it_does(assent: Run, settings: Path, person: list[str]) -> None:
    """Three before the question, three for telemetry, and what was done; the whole change is shown on request."""
    result = assent("install")
    lines = result.out.splitlines()
    assert lines[0] == f"Assent joins Claude Code: {settings} is changed."
    assert len(lines) <= 9
    assert '"hooks"' not in result.out


def test_telemetry_is_a_question_of_its_own(
    assent: Run, settings: Path, monkeypatch: pytest.MonkeyPatch, person: list[str]
) -> None:
    """It says what is lost without it, and a no leaves the hooks in place."""
    monkeypatch.setattr("assent.cli.output.confirmed", lambda question, details: question == "Write this?")
    result = assent("install")
    assert "Without that, a Yes in the terminal is noticed only when the call ends" in result.out
    written = json.loads(settings.read_text())
    assert "hooks" in written
    assert "env" not in written


@pytest.mark.parametrize(("option", "is_on"), [("--telemetry", True), ("--no-telemetry", False)])
def test_telemetry_that_was_decided_is_not_asked_about(
    assent: Run, settings: Path, person: list[str], option: str, is_on: bool
) -> None:
    """One question less for those who know."""
    assent("install", option)
    assert person == ["Write this?"]
    assert ("env" in json.loads(settings.read_text())) is is_on


def test_install_declined_changes_nothing(assent: Run, settings: Path, paths: Paths, person: list[str]) -> None:
    """A no exits 1 and leaves no trace."""
    person.append("no")
    result = assent("install")
    assert (result.code, result.err) == (1, "assent: Nothing was changed.\n")
    assert settings.read_text() == BEFORE
    assert not paths.state.exists()


def test_install_without_a_terminal_needs_yes(assent: Run, settings: Path, paths: Paths) -> None:
    """A script that did not say --yes is refused with exit 2, not taken for a yes."""
    result = assent("install")
    assert result.code == 2
    assert result.err == (
        "assent: Nothing was changed: there is no terminal to ask on.\nhint: --yes goes ahead without being asked.\n"
    )
    assert settings.read_text() == BEFORE
    assert not paths.state.exists()


def test_second_install_has_nothing_to_do_and_asks_nothing(assent: Run, settings: Path) -> None:
    """Installing twice is installing once."""
    assent("install", "--yes")
    after = settings.read_text()
    result = assent("install")
    assert result.code == 0
    assert result.out.startswith(f"{settings} is as it should be. Nothing was changed.\n")
    assert settings.read_text() == after


def test_install_ends_the_silence_of_an_earlier_down(assent: Run, settings: Path, paths: Paths) -> None:
    """Who installs wants to be guarded: the stopped mark goes."""
    stopped.leave(paths, stopped.arm(paths))
    assent("install", "--yes")
    assert not stopped.is_left(paths)


def test_install_with_a_changing_port_uses_the_shim_alone(assent: Run, settings: Path, paths: Paths) -> None:
    """HTTP hooks would name a port that the next hub does not have."""
    paths.config_dir.mkdir(parents=True)
    paths.config.write_text("[hub]\nport = 0\n")
    result = assent("install", "--yes")
    assert "note: [hub] port = 0" in result.out
    assert '"http"' not in settings.read_text()


def test_install_with_a_wrong_config_points_at_the_line(assent: Run, settings: Path, paths: Paths) -> None:
    """The file, the line and a caret; nothing is changed."""
    paths.config_dir.mkdir(parents=True)
    paths.config.write_text("[hub]\nprot = 1\n")
    result = assent("install", "--yes")
    assert result.code == 2
    assert f"assent: {paths.config}:2: " in result.err
    assert "\n    prot = 1\n    ^\n" in result.err
    assert settings.read_text() == BEFORE


def test_install_refuses_settings_it_cannot_read(assent: Run, settings: Path) -> None:
    """Another program's broken file is not ours to repair."""
    settings.write_text('{"model": ')
    result = assent("install", "--yes")
    assert result.code == 1
    assert "Nothing was changed." in result.err
    assert settings.read_text() == '{"model": '


def test_uninstall_gives_every_byte_back(assent: Run, settings: Path, paths: Paths, person: list[str]) -> None:
    """A line a file, the question asked, the file as it was; hooks of open sessions stay silent."""
    assent("install", "--yes")
    result = assent("uninstall")
    assert result.code == 0
    assert person == ["Do this?"]
    assert f"{settings}: 29 entries of Assent go; the file is then byte for byte what it was before.\n" in result.out
    assert len(result.out.splitlines()) <= 5
    assert f"{settings}: 29 entries removed; the file is byte for byte what it was before Assent.\n" in result.out
    assert settings.read_text() == BEFORE
    assert stopped.is_left(paths)


def test_uninstall_finds_other_projects_by_its_own_record(
    assent: Run, paths: Paths, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was installed from another folder is taken out too, and the file we made goes."""
    assent("install", "--scope", "local", "--yes")
    written = project / ".claude" / "settings.local.json"
    assert written.exists()
    monkeypatch.chdir(tmp_path)
    assert f"{written}: removed, there was no such file before Assent.\n" in assent("uninstall", "--yes").out
    assert not written.parent.exists()


def test_uninstall_without_an_install_says_so(assent: Run, settings: Path) -> None:
    """Nothing to do is no failure."""
    result = assent("uninstall")
    assert (result.code, result.out) == (0, "Assent is not installed here. Nothing was changed.\n")


def test_uninstall_without_a_terminal_needs_yes(assent: Run, settings: Path) -> None:
    """The same rule as for installing."""
    assent("install", "--yes")
    after = settings.read_text()
    assert assent("uninstall").code == 2
    assert settings.read_text() == after


def test_purge_leaves_nothing(assent: Run, settings: Path, paths: Paths) -> None:
    """Journal, keys, backups, settings, sockets: all of it, and the folder they stood in."""
    assent("install", "--yes")
    paths.config_dir.mkdir(parents=True)
    paths.config.write_text("version = 1\n")
    paths.hook_socket.parent.mkdir(parents=True, exist_ok=True)
    result = assent("uninstall", "--purge", "--yes")
    assert result.code == 0
    assert f"files and folders of Assent in {paths.config_dir} and {paths.state}" in result.out
    assert f"files and folders of Assent were removed from {paths.config_dir} and {paths.state}" in result.out
    assert not paths.state.parent.exists()
    assert not paths.hook_socket.parent.exists()
    assert settings.read_text() == BEFORE


def test_purge_keeps_what_is_not_ours(assent: Run, settings: Path, paths: Paths) -> None:
    """A folder with other files in it stays."""
    assent("install", "--yes")
    other = paths.state.parent / "other.txt"
    other.write_text("mine")
    assert assent("uninstall", "--purge", "--yes").code == 0
    assert [entry.name for entry in paths.state.parent.iterdir()] == ["other.txt"]


def test_purge_removes_what_it_made_itself(assent: Run, settings: Path, paths: Paths) -> None:
    """Where our folders were deleted by hand, taking the entries out leaves none behind either."""
    assent("install", "--yes")
    shutil.rmtree(paths.state)
    assert assent("uninstall", "--purge", "--yes").code == 0
    assert "PreToolUse" not in settings.read_text()
    assert not paths.state.parent.exists()


def test_install_without_a_place_for_the_shim_changes_nothing(assent: Run, settings: Path, paths: Paths) -> None:
    """Settings never name a shim that is not there."""
    paths.state.parent.mkdir(parents=True)
    paths.state.write_text("in the way")
    result = assent("install", "--yes")
    assert result.code == 1
    assert result.err.startswith(f"assent: Cannot write to {paths.state}: File exists. Nothing was changed.\n")
    assert settings.read_text() == BEFORE


@pytest.mark.parametrize("verb", ["install", "uninstall", "doctor"])
def test_folder_that_is_gone_is_one_sentence(assent: Run, project: Path, verb: str) -> None:
    """A shell may stand in a folder that was deleted."""
    project.rmdir()
    result = assent(verb)
    assert result.code == 2
    assert result.err == (
        "assent: The folder you are in cannot be used (No such file or directory).\n"
        "hint: go to another folder and try again.\n"
    )
