"""What it takes to make the surface, and the app's manifest."""

from pathlib import Path
from typing import Any

import pytest

import assent
from assent.surfaces.base import BadSettingsError
from assent.surfaces.registry import Tools, load
from assent.surfaces.slack import KIND
from assent.surfaces.slack.api import TokenError
from assent.surfaces.slack.surface import MANIFEST
from tests.services.inbox import FakeInbox
from tests.services.slack import APP, APP_TOKEN, BOT_TOKEN

DOCS = Path(assent.__file__).parents[2] / "docs"
SECRETS = {"app_token": APP_TOKEN, "bot_token": BOT_TOKEN}


def made(settings: dict[str, Any], secrets: dict[str, str] | None = None) -> Any:
    return KIND.made(settings, secrets or SECRETS, Tools(FakeInbox(), b"k"))


def test_it_is_made_from_its_settings() -> None:
    """The app is known by a part of its token."""
    assert load("slack") is KIND
    surface = made({"users": ["U0ADA", "U0ADA", "W012ABC"], "privacy": "masked", "scope": "answer"})
    assert (surface.users, surface.bot_id) == (("U0ADA", "W012ABC"), APP)
    assert (surface.is_masked, surface.can_tell, surface.traits.shows_all) == (True, False, False)


@pytest.mark.parametrize(
    "settings",
    [{"users": "U0ADA"}, {"users": ["ada"]}, {"users": [7]}, {"users": ["C0GENERAL"]}, {"privacy": "some"}, {"x": 1}],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    """In a sentence that names the setting."""
    with pytest.raises(BadSettingsError, match=r"surface\.slack"):
        made(settings)


@pytest.mark.parametrize(
    "secrets",
    [
        {},
        {"app_token": BOT_TOKEN, "bot_token": APP_TOKEN},
        {"app_token": APP_TOKEN, "bot_token": "xoxp-1-2-3"},
        {"app_token": f"{APP_TOKEN}\r\nX: y", "bot_token": BOT_TOKEN},
    ],
)
def test_what_is_no_token_goes_nowhere(secrets: dict[str, str]) -> None:
    """And is not repeated."""
    with pytest.raises(TokenError) as refused:
        made({}, secrets or {"app_token": ""})
    assert not any(secret in refused.value.message for secret in secrets.values())


def test_the_manifest_asks_for_little_and_stands_in_the_docs() -> None:
    """Direct messages of the app and nothing else; no address that could be called."""
    assert "url" not in MANIFEST
    for scope in ("channels:", "groups:", "users:", "files:", "commands", "chat:write.public"):
        assert scope not in MANIFEST
    assert MANIFEST in (DOCS / "slack.md").read_text()
    assert MANIFEST in KIND.guide
