"""A place to install into: a home, a project and a state folder of its own."""

from pathlib import Path

import pytest

from assent.harnesses.claude_code.settings import own_file
from assent.harnesses.site import Site, find


@pytest.fixture
def site(home: Path, tmp_path: Path) -> Site:
    (home / ".claude").mkdir()
    project = tmp_path / "project"
    project.mkdir()
    return find({"HOME": str(home)}, project)


@pytest.fixture
def settings(site: Site) -> Path:
    """Where the user's settings stand; not written yet."""
    return own_file(site, "user")
