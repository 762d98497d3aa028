"""New keys, and the settings files that hold the token."""

from pathlib import Path

from assent import keys
from assent.harnesses.site import Site
from assent.install.apply import apply
from assent.install.plan import plan_install
from assent.install.rotation import rotate


def test_new_token_is_written_to_the_settings(site: Site, settings: Path) -> None:
    """The hooks of this file would be refused with the old one."""
    apply(plan_install(site), site.paths)
    old = keys.post_token(site.paths)
    rotated = rotate(site, [keys.POST])
    assert rotated.settings == (settings,)
    assert old not in settings.read_text()
    assert keys.post_token(site.paths) in settings.read_text()


def test_another_key_leaves_the_settings_alone(site: Site, settings: Path) -> None:
    """They hold the token only."""
    apply(plan_install(site), site.paths)
    before = settings.read_bytes()
    rotated = rotate(site, [keys.BY_NAME["cookie.key"]])
    assert rotated.settings == ()
    assert settings.read_bytes() == before
