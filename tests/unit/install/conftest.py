"""A place to install into: a home, a project and a state folder of its own."""

from pathlib import Path

import pytest

from assent.install.site import Site, find


@pytest.fixture
def site(home: Path, tmp_path: Path) -> Site:
    (home / ".claude").mkdir()
    project = tmp_path / "project"
    project.mkdir()
    return find({"HOME": str(home)}, project)


@pytest.fixture
def settings(site: Site) -> Path:
    """Where the user's settings stand; not written yet."""
    return site.settings("user")
