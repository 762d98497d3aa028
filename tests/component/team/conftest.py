"""What tests of a team's people share."""

import pytest

from assent.team import provider, provider_keys, sign_in
from tests.waiting import HANG


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes its time; a test that is about a person's patience takes it away again."""
    monkeypatch.setattr(provider, "PATIENCE", HANG)
    monkeypatch.setattr(provider_keys, "PATIENCE", HANG)
    monkeypatch.setattr(sign_in, "PAGE_PATIENCE", HANG)
