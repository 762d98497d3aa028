"""The frame around every verb: help, suggestions, exit codes, crash files."""

import subprocess
import sys
from typing import Any

import pytest

from assent._version import __version__
from assent.cli import main
from assent.cli.main import SECTIONS, VERBS
from assent.errors import AssentError, HubUnreachableError, UsageError
from assent.paths import Paths
from tests.unit.cli.conftest import Run


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make every verb end in this error."""

    def explode(*_: Any) -> None:
        raise error

    monkeypatch.setattr("click.Group.invoke", explode)


def test_help_lists_every_verb_once_under_its_section(assent: Run) -> None:
    """Help shows the sections in order and each verb with its sentence."""
    result = assent("--help")
    assert result.code == 0
    places = [result.out.index(f"\n{section}:\n") for section in SECTIONS]
    assert places == sorted(places)
    for verb in VERBS:
        assert result.out.count(f"  {verb.name.ljust(10)}  {verb.help}\n") == 1


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_verb_help_teaches_by_example(assent: Run, verb: str) -> None:
    """Each verb exists, explains itself and shows an example."""
    result = assent(verb, "--help")
    assert result.code == 0
    assert f"Usage: assent {verb}" in result.out
    assert "Example" in result.out
    assert f"assent {verb}" in result.out.partition("Example")[2]


def test_version_is_one_line(assent: Run) -> None:
    """--version prints name and version."""
    assert assent("--version").out == f"assent {__version__}\n"


def test_unknown_command_is_usage_and_suggests(assent: Run) -> None:
    """A misspelt verb exits 2 and names the one that was meant."""
    result = assent("sesions")
    assert result.code == 2
    assert result.err == (
        "assent: There is no command 'sesions'. Did you mean 'sessions' or 'session'?\n"
        "hint: `assent --help` explains it.\n"
    )


def test_unknown_command_far_from_any_suggests_nothing(assent: Run) -> None:
    """No wild guesses."""
    result = assent("xyzzy")
    assert result.code == 2
    assert result.err == "assent: There is no command 'xyzzy'.\nhint: `assent --help` explains it.\n"


def test_unknown_option_is_usage(assent: Run) -> None:
    """An unknown option exits 2."""
    result = assent("--wat")
    assert result.code == 2
    assert result.err.startswith("assent: No such option")


def test_wrong_use_of_a_verb_is_told_as_every_error(assent: Run) -> None:
    """One sentence, and where it is explained."""
    result = assent("session")
    assert (result.code, result.out) == (2, "")
    assert result.err == "assent: Missing argument 'ID'.\nhint: `assent session --help` explains it.\n"


@pytest.mark.parametrize(
    ("error", "code", "shown"),
    [
        (AssentError("No.", hint="ask again."), 1, "assent: No.\nhint: ask again.\n"),
        (UsageError("Wrong."), 2, "assent: Wrong.\n"),
        (HubUnreachableError("No hub is running.", hint="x"), 4, "assent: No hub is running.\nhint: x\n"),
        (KeyboardInterrupt(), 130, "\n"),
    ],
)
def test_errors_become_messages_and_exit_codes(
    assent: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, shown: str
) -> None:
    """Expected errors are one sentence and a hint on stderr, with their own exit code and no traceback."""
    raising(monkeypatch, error)
    result = assent("status")
    assert (result.code, result.out, result.err) == (code, "", shown)


def test_bug_leaves_a_crash_file_without_its_words(assent: Run, monkeypatch: pytest.MonkeyPatch, paths: Paths) -> None:
    """Anything unexpected exits 3, says where the crash file is, and keeps no text of the error in it."""
    raising(monkeypatch, KeyError("sk-secret"))
    result = assent("status")
    assert result.code == 3
    (crash,) = paths.state.glob("crash-*.txt")
    assert result.err == f"assent: This is a bug in Assent: KeyError: 'sk-secret'; where it happened is in {crash}.\n"
    text = crash.read_text()
    assert "KeyError" in text
    assert "explode" in text
    assert "sk-secret" not in text
    assert crash.stat().st_mode & 0o777 == 0o600


def test_bug_without_a_place_for_its_file_still_says_so(
    assent: Run, monkeypatch: pytest.MonkeyPatch, paths: Paths
) -> None:
    """A state folder that cannot be made does not hide the bug."""
    paths.state.parent.write_text("in the way")
    raising(monkeypatch, ValueError("boom"))
    result = assent("status")
    assert result.code == 3
    assert result.err == (
        "assent: This is a bug in Assent: ValueError: boom; no crash file could be written (Not a directory).\n"
    )


def test_errors_are_red_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Colour needs a terminal, and NO_COLOR takes it away even there."""
    monkeypatch.setattr("click._compat.isatty", lambda _: True)
    raising(monkeypatch, AssentError("No."))
    main.run(["status"])
    assert capsys.readouterr().err == "\x1b[31massent:\x1b[0m No.\n"
    monkeypatch.setenv("NO_COLOR", "1")
    main.run(["status"])
    assert capsys.readouterr().err == "assent: No.\n"


def loaded_after(*argv: str) -> set[str]:
    code = (
        "import sys; from assent.cli.main import run\nrun(sys.argv[1:]); print(chr(10).join(['LOADED', *sys.modules]))"
    )
    shown = subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, text=True, check=True).stdout
    return set(shown.partition("LOADED\n")[2].split())


def test_help_imports_no_verb() -> None:
    """Listing the verbs costs nothing of theirs."""
    loaded = loaded_after("--help")
    assert not loaded & {verb.module for verb in VERBS}
    assert "http.client" not in loaded


def test_status_imports_no_server() -> None:
    """A verb that only talks to the hub does not pay for being one."""
    loaded = loaded_after("status")
    assert "assent.cli.status" in loaded
    assert not {name.partition(".")[0] for name in loaded} & {"uvicorn", "starlette", "asyncio", "sqlite3"}


def test_completion_of_verbs_imports_none() -> None:
    """Pressing TAB stays fast: names and help come from the table."""
    code = (
        "import sys; from assent.cli.main import cli; import click\n"
        "ctx = click.Context(cli, info_name='assent')\n"
        "print([item.value for item in cli.shell_complete(ctx, 'sess')])\n"
        "print([name for name in sys.modules if name == 'assent.cli.session'])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "['sessions', 'session']\n[]\n"
