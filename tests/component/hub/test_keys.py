"""What a hub does about keys that others could read or write, before it uses one."""

import stat

from tests.component.hub_process import HubProcess


def test_keys_are_mended_before_the_hub_uses_them(idle_hub: HubProcess) -> None:
    """One that others could read is made private, one that they could write is replaced; the log says so."""
    folder = idle_hub.paths.keys
    folder.mkdir(parents=True)
    planted = "p" * 43
    for name, mode in (("cookie.key", 0o644), ("post.token", 0o666)):
        (folder / name).write_text(planted)
        (folder / name).chmod(mode)
    folder.chmod(0o777)
    idle_hub.start()
    assert (folder / "cookie.key").read_text() == planted
    assert (folder / "post.token").read_text() != planted
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    log = idle_hub.paths.log.read_text()
    assert f"{folder}/cookie.key could be read by others (mode 644)" in log
    assert f"{folder}/post.token could be written by others (mode 666)" in log
    assert planted not in log
