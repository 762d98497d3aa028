"""A court with rules written for one test."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent import paths as locations
from assent.config import Config
from assent.learn.replayer import Court

MakeCourt = Callable[[str], Court]


@pytest.fixture
def court(tmp_path: Path) -> MakeCourt:
    """Floor, these rules, and the stance *balanced*."""
    paths = locations.find({"ASSENT_HOME": str(tmp_path / "assent")})
    made = iter(range(100))

    def make(rules: str = "") -> Court:
        file = tmp_path / f"rules{next(made)}.toml"
        file.write_text(rules)
        return Court(paths, Config(), file)

    return make
