"""Entries of harnesses whose modules look no closer at the settings themselves."""

from pathlib import Path

import pytest

from assent.harnesses.base import Place, SettingsError
from assent.install.doctor.client import _place


class Harness:
    """Stands in for a harness: which events its settings have, and what is wrong with them."""

    NAME = "toy"
    SUBSCRIPTIONS = ("One", "Two")

    def __init__(self, events: tuple[str, ...], how: str | None = None) -> None:
        self.events = events
        self.how = how
        self.asked: list[tuple[str, bool, bool]] = []

    def remove(self, _: bytes, __: bytes | None) -> "Harness":
        return self

    def disarmed(self, text: str, *, installed: bool, managed: bool) -> str | None:
        self.asked.append((text, installed, managed))
        return self.how


@pytest.mark.parametrize(
    ("events", "how", "content", "expected"),
    [
        (("One", "Two"), None, b"{}", [("hooks", "ok")]),
        (("One",), None, b"{}", [("hooks-incomplete", "problem")]),
        (("One",), "is off", b"{}", [("hooks-incomplete", "problem")]),
        (("One", "Two"), "is off", b"{}", [("hooks-disarmed", "problem")]),
        ((), "is off", b"{}", []),
        (("One", "Two"), None, b"", []),
        (("One", "Two"), None, None, []),
    ],
)
def test_entries_are_whole_and_not_disarmed(
    tmp_path: Path, events: tuple[str, ...], how: str | None, content: bytes | None, expected: list[tuple[str, str]]
) -> None:
    """A file without entries of ours is not looked at."""
    path = tmp_path / "settings.json"
    if content is not None:
        path.write_bytes(content)
    found = list(_place(Harness(events, how), Place("user", path)))  # type: ignore[arg-type]
    assert [(one.code, one.level) for one in found] == expected


@pytest.mark.parametrize(("scope", "managed"), [("user", False), ("managed", True)])
def test_managed_settings_are_asked_as_such(tmp_path: Path, scope: str, managed: bool) -> None:
    """They may shut out the hooks of users."""
    path = tmp_path / "settings.json"
    path.write_bytes(b"{\xff}")
    harness = Harness(("One", "Two"))
    list(_place(harness, Place(scope, path)))  # type: ignore[arg-type]
    assert harness.asked == [("{�}", True, managed)]


def test_settings_that_cannot_be_read_are_a_problem(tmp_path: Path) -> None:
    """With the place of the fault, or why the file is refused."""

    class Broken(Harness):
        def remove(self, _: bytes, __: bytes | None) -> "Harness":
            raise SettingsError("1:2 is odd")

    path = tmp_path / "settings.json"
    path.write_bytes(b"{}")
    broken, folder = Place("user", path), Place("user", tmp_path)
    for place in (broken, folder):
        (found,) = _place(Broken(()), place)  # type: ignore[arg-type]
        assert (found.code, found.level) == ("settings-broken", "problem")
        assert "Nothing was changed" not in found.text
