"""A team whose hubs end with the test."""

from collections.abc import AsyncIterator

import pytest

from tests.unit.hub.team.machines import Team


@pytest.fixture
async def team() -> AsyncIterator[Team]:
    team = Team()
    yield team
    await team.close()
