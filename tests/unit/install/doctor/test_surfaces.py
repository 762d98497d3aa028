"""What the doctor says about surfaces."""

from dataclasses import replace
from typing import Any

import pytest

from assent.config import Config
from assent.harnesses.site import Situation
from assent.install.doctor import surfaces
from tests.unit.install.doctor.situations import texts, wrong


def connected(healthy: Situation, *found: dict[str, Any] | None) -> Situation:
    """With these in the settings; None stands for a hub that was not asked."""
    known = [one for one in found if one is not None]
    config = Config(surface={name: {} for name in (*(one["name"] for one in known), *([] if known else ["telegram"]))})
    return replace(healthy, config=config, surfaces=known or None)


def telegram(**changes: Any) -> dict[str, Any]:
    return {
        "name": "telegram",
        "title": "Telegram",
        "state": "connected",
        "words": "Connected to 1 person.",
        "after": [20.0],
        "why": "",
        "said": "@my_bot answers.",
        "is_asked": True,
        "is_linked": True,
    } | changes


def test_nothing_is_said_where_nothing_is_connected(healthy: Situation) -> None:
    """The page is enough for many; settings of its notifications are no surface."""
    assert list(surfaces.surfaces(healthy)) == []
    assert list(surfaces.surfaces(replace(healthy, config=Config(surface={"push": {"contact": "mailto:a@b.c"}})))) == []


def test_surface_that_works_is_ok_in_its_own_words(healthy: Situation) -> None:
    """What the service said, and who is connected."""
    (found,) = surfaces.surfaces(connected(healthy, telegram()))
    assert (found.level, found.text) == ("ok", "Telegram works: @my_bot answers. Connected to 1 person.")


def test_surface_whose_service_cannot_be_asked_is_not_said_to_work(healthy: Situation) -> None:
    """It is set up, and how to prove more is told."""
    (found,) = surfaces.surfaces(connected(healthy, telegram(is_asked=False, said="")))
    assert found.level == "ok"
    assert "is set up. Only a message can prove that it works: `assent connect telegram --test`" in found.text


@pytest.mark.parametrize(
    ("changes", "level", "words"),
    [
        ({"why": "The token was revoked."}, "problem", "Telegram does not work: the token was revoked."),
        ({"state": "trouble", "words": "Nobody is there."}, "problem", "Telegram does not work: nobody is there."),
        ({"state": "waiting", "words": "Waiting for the code."}, "warning", "waiting for the code."),
        ({"after": []}, "warning", "no step of the ladder names it"),
        ({"state": "off", "words": "Turned off in the settings."}, "note", "turned off in the settings."),
        ({"is_linked": False}, "note", "Messages have no link to the page"),
    ],
)
def test_each_trouble_has_words_and_a_level(
    healthy: Situation, changes: dict[str, Any], level: str, words: str
) -> None:
    """A surface that reaches no person is a problem; one that could do more is a note."""
    situation = connected(healthy, telegram(**changes))
    assert [found for _, found in wrong(surfaces.surfaces, situation)] == [level]
    assert words in texts(surfaces.surfaces(situation))


def test_without_a_hub_nothing_is_claimed(healthy: Situation) -> None:
    """Only a hub can ask a service."""
    assert wrong(surfaces.surfaces, connected(healthy, None)) == [("surfaces-unchecked", "note")]


def test_table_of_no_surface_is_a_slip(healthy: Situation) -> None:
    """It would do nothing, without a message."""
    config = Config(surface={"telegran": {}})
    assert wrong(surfaces.surfaces, replace(healthy, config=config, surfaces=[])) == [("surface-unknown", "warning")]
