"""Our own settings file, changed for its owner."""

import pytest

from assent.harnesses.site import Site
from assent.install import settings_file
from assent.toml.document import ConfigError


def test_change_keeps_what_stands_there(site: Site) -> None:
    """Comments and other tables stay, and a copy of the file is kept."""
    paths = site.paths
    paths.config_dir.mkdir(parents=True)
    paths.config.write_text('# mine\nversion = 1\nstance = "strict"\n')
    settings_file.change(paths, {"remote.bind": "192.168.1.20"})
    assert paths.config.read_text() == ('# mine\nversion = 1\nstance = "strict"\n\n[remote]\nbind = "192.168.1.20"\n')
    (backup,) = paths.backup.iterdir()
    assert "remote" not in backup.read_text()


def test_change_that_does_not_hold_is_not_written(site: Site) -> None:
    """All of it or nothing."""
    with pytest.raises(ConfigError):
        settings_file.change(site.paths, {"stance": "strict", "remote.bind": 7})
    assert not site.paths.config.exists()


def test_table_comes_and_goes(site: Site) -> None:
    """With everything in it."""
    settings_file.keep(site.paths, "surface.desktop", {"scope": "deny"})
    assert "[surface.desktop]" in site.paths.config.read_text()
    settings_file.forget(site.paths, "surface.desktop")
    assert "desktop" not in site.paths.config.read_text()
