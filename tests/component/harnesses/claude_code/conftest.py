"""Each test gets a healthy machine."""

from pathlib import Path

import pytest

from assent.harnesses.site import Situation
from tests.unit.install.doctor import situations


@pytest.fixture
def healthy(home: Path, tmp_path: Path) -> Situation:
    return situations.healthy(home, tmp_path)
