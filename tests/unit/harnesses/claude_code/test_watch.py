"""What the hub watches of the client; tests/unit/hub/upkeep/test_ungated.py has the alarms that follow from it."""

from pathlib import Path

import msgspec
import pytest

from assent import keys
from assent.harnesses.base import Transcripts
from assent.harnesses.claude_code import telemetry
from assent.harnesses.claude_code.watch import disarmed, powers, reads, session_of, transcripts, watched
from assent.paths import Paths

SESSION = "21f9823f-bc2d-42f4-8635-f1cf51b4d6ce"


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(config_dir=tmp_path / "config", state=tmp_path / "state")


def test_watched_files_are_read_as_settings() -> None:
    """What is watched in a folder is known by its name later, too."""
    assert all(map(reads, watched("/src/shop")))
    assert not reads("/src/shop/package.json")


@pytest.mark.parametrize(
    ("name", "session"), [(f"{SESSION}.jsonl", SESSION), (f"{SESSION}.json", None), ("notes.jsonl", None), ("x", None)]
)
def test_transcript_names_its_session(name: str, session: str | None) -> None:
    """Other files in the same folder are none."""
    assert session_of(f"/home/dev/.claude/projects/p/{name}") == session


def test_transcripts_of_a_project_lie_in_one_folder() -> None:
    """Those of all projects lie beside the user's settings."""
    assert transcripts("/home/dev/.claude/settings.json", "user") == Transcripts(
        Path("/home/dev/.claude/projects"), depth=1
    )
    assert transcripts("/src/my.shop/.claude/settings.local.json", "local").folder.name == "-src-my-shop"


def test_managed_file_disarms_by_shutting_out_hooks_of_users() -> None:
    """Unless our hooks stand in it."""
    only = '{"allowManagedHooksOnly": true}'
    assert disarmed(only, installed=False, managed=True) is not None
    assert disarmed(only, installed=False, managed=False) is None
    assert disarmed("{}", installed=False, managed=True) is None


def test_variables_are_powers_where_they_decide_what_is_loaded(paths: Paths) -> None:
    """Which ones do is for the policy to say; servers always count, and switches of the client never."""
    text = '{"env": {"LD_PRELOAD": "x.so", "TZ": "UTC", "ANTHROPIC_BASE_URL": "http://x", "EDITOR": "vi"}}'
    held = powers(text, paths, lambda name, _: name in ("LD_PRELOAD", "EDITOR"))
    assert held is not None
    assert set(held) == {"env LD_PRELOAD=x.so", "env ANTHROPIC_BASE_URL=http://x"}


def test_telemetry_to_this_hub_is_no_power(paths: Paths) -> None:
    """``assent install`` wrote it, by the hub's own token; under any other it tells somebody else."""
    token = keys.post_token(paths)

    def held(port_of: str = "http://127.0.0.1:8717", by: str = token) -> bool:
        env = telemetry.variables(8717, by) | {telemetry.ENDPOINT: port_of}
        text = msgspec.json.encode({"env": env}).decode()
        return bool(powers(text, paths, lambda name, _: name == telemetry.ENDPOINT))

    assert not held()
    assert held(by="another")
    assert held("http://collector.example:4318")


@pytest.mark.parametrize("text", [None, "", "[]", "{", '"x"'])
def test_what_is_no_settings_has_no_powers(paths: Paths, text: str | None) -> None:
    """It is told from settings that give none."""
    assert powers(text, paths, lambda *_: True) is None
    assert powers("{}", paths, lambda *_: True) == {}
