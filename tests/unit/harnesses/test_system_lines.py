"""Lines in files of the system that keep a repository from switching hooks off."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from assent.harnesses import site as sites
from assent.harnesses import system_lines
from assent.harnesses.base import SettingsError
from assent.harnesses.site import Site
from assent.harnesses.system_lines import LINES

# What may stand there already.
FOREIGN = {
    ".json": (b'{"model": "opus"}', b'{\n  "hooksConfig": {\n    "notifications": false\n  }\n}\n', b"{}"),
    ".toml": (b"# ours\n[features]\nshell = true\n\n[other]\na = 1\n", b'model = "o"\n', b""),
}
CASES = [(name, before) for name, lines in LINES.items() for before in FOREIGN[Path(lines.file).suffix]]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return replace(sites.find({"HOME": str(tmp_path / "home")}, tmp_path), root=tmp_path / "root")


def values(name: str, content: bytes) -> dict[str, object]:
    text = content.decode()
    parsed: dict[str, object] = tomllib.loads(text) if LINES[name].file.endswith(".toml") else json.loads(text)
    return parsed


@pytest.mark.parametrize("name", LINES)
def test_lines_stand_once_they_are_written(site: Site, name: str) -> None:
    """Not before, and not where another value stands there."""
    path = system_lines.path(name, site)
    assert path is not None
    assert not system_lines.stands(name, site)
    path.parent.mkdir(parents=True)
    path.write_bytes(system_lines.plan(name, None).after)
    assert system_lines.stands(name, site)
    path.write_bytes(path.read_bytes().replace(b"true", b"1").replace(b"false", b"true"))
    assert not system_lines.stands(name, site)


@pytest.mark.parametrize(("name", "before"), CASES)
def test_lines_are_taken_out_again_byte_for_byte(name: str, before: bytes) -> None:
    """Whatever else stands in the file."""
    change = system_lines.plan(name, before)
    assert values(name, change.after) != values(name, before)
    bare = system_lines.remove(name, change.after, None)
    assert values(name, bare.after) == values(name, before or b"")
    assert bare.events == change.events
    assert bare.is_empty == (not values(name, before))


@pytest.mark.parametrize("name", LINES)
def test_writing_twice_changes_nothing(name: str) -> None:
    """The second run finds everything in place."""
    once = system_lines.plan(name, None).after
    assert system_lines.plan(name, once).after == once


def test_line_of_the_administrator_stays() -> None:
    """It stood there before us."""
    original = b'{"disableAllHooks": false}'
    assert system_lines.remove("claude-code", original, original).after == original


@pytest.mark.parametrize("name", LINES)
def test_broken_file_is_refused(name: str) -> None:
    """Nothing is guessed in a file that counts for every user of the machine."""
    with pytest.raises(SettingsError):
        system_lines.plan(name, b"{ not settings")
    with pytest.raises(SettingsError):
        system_lines.remove(name, b"{ not settings", None)


def test_client_without_such_a_file_has_none(site: Site) -> None:
    """It is not asked about."""
    assert system_lines.path("copilot", site) is None
    assert not system_lines.stands("copilot", site)
