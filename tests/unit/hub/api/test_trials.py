"""Judging for a program at the desk."""

import asyncio
from typing import cast

import pytest
from starlette.requests import Request

from assent import paths as locations
from assent.hub.api.trials import TrialApi
from assent.hub.pipeline.pipeline import Pipeline
from assent.webapi.endpoint import ProblemError


def test_only_the_desk_is_judged_for() -> None:
    """Over TCP nobody can be in the surroundings of this process."""
    api = TrialApi(locations.find(), cast("Pipeline", None))
    request = Request({"type": "http", "headers": [], "method": "POST", "path": "/api/try/here", "state": {}})
    with pytest.raises(ProblemError, match="desk socket") as refused:
        asyncio.run(api.hold_here(request))
    assert refused.value.status == 403
