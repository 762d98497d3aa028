"""Settings that screens let people change."""

import msgspec
import pytest

from assent.config import Config
from assent.hub.api.settings import CHANGEABLE
from assent.text.settings import PICKED, QUIET, TYPED


def test_hub_lets_every_one_of_them_be_changed() -> None:
    """On the page and in the terminal the same are offered."""
    assert {*PICKED, *TYPED, QUIET[0]} <= CHANGEABLE


@pytest.mark.parametrize("name", PICKED)
def test_value_that_holds_by_itself_is_one_of_those_offered(name: str) -> None:
    value = msgspec.to_builtins(Config(), enc_hook=str)
    for key in name.split("."):
        value = value[key]
    assert value in PICKED[name][1]
