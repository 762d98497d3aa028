"""Trust in a provider of the tests, and how it is refused."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from assent.team.keys import HubKey
from assent.team.trust import Trust, UntrustedError
from tests.services.oidc_provider import Provider

ADA = "ada@example.org"
KEY = HubKey.create()
NOW = time.time_ns() // 1_000_000
DISCOVERY = "/.well-known/openid-configuration"
JSON = {"Content-Type": "application/json"}


def then() -> float:
    """The provider's clock: what it says is of ``NOW``, however long the tests before took."""
    return NOW / 1000


@asynccontextmanager
async def trusting(provider: Provider, folder: Path | None = None, **settings: Any) -> AsyncIterator[Trust]:
    trust = Trust(provider.issuer, provider.client_id, folder=folder, **settings)
    try:
        yield trust
    finally:
        await trust.close()


async def refused(trust: Trust, provider: Provider, now_ms: int = NOW, **changes: Any) -> UntrustedError:
    with pytest.raises(UntrustedError) as error:
        await trust.identity(provider.proof(ADA, KEY, **changes), now_ms)
    return error.value
