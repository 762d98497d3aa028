"""The table of surfaces."""

import importlib
import importlib.util

import pytest

from assent.protocol import surfaces
from assent.protocol.surfaces import SURFACES, UnknownSurfaceError, connectable, screen_of


@pytest.mark.parametrize(
    ("name", "screen"),
    [
        ("page", "page"),
        ("team", "page"),
        ("desk", "terminal"),
        ("telegram", "chat"),
        ("slack", "chat"),
        ("ntfy", "chat"),
    ]
    + [(name, "glance") for name in ("push", "desktop", "webhook", "apprise")],
)
def test_each_surface_has_its_screen(name: str, screen: str) -> None:
    """What may be answered hangs on it, so it is written down for each."""
    assert screen_of(name) == screen


def test_the_screens_above_are_all_there_are() -> None:
    """A new surface has to be added to the test before."""
    assert len(SURFACES) == 10


def test_unregistered_surface_is_an_error() -> None:
    """It is not taken for a lock screen."""
    with pytest.raises(UnknownSurfaceError, match="pigeon"):
        screen_of("pigeon")


@pytest.mark.parametrize("name", connectable())
def test_module_of_a_surface_can_be_found(name: str) -> None:
    """And where its extra is installed, its kind has the name and title of the table."""
    entry = connectable()[name]
    assert importlib.util.find_spec(entry.module) is not None
    try:
        kind = importlib.import_module(entry.module).KIND
    except ImportError:
        assert entry.extra
        return
    assert (kind.name, kind.title) == (name, entry.title)


def test_every_step_is_a_surface_but_the_terminal() -> None:
    """The terminal shows asks to a person who looks; nothing is sent there."""
    assert set(surfaces.steps()) == set(SURFACES) - {"desk", "team"}
