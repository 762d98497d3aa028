"""A team for the tests of this folder."""

from collections.abc import AsyncIterator

import pytest

from tests.component import postgres
from tests.component.relay.team import Team, team


@pytest.fixture
async def here() -> AsyncIterator[Team]:
    """Without relays yet, on an empty database."""
    async with team(postgres.emptied()) as made:
        yield made
