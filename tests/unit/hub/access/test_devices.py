"""Devices are kept, limited while they are new, and shut out for good."""

import stat
from pathlib import Path

import pytest

from assent.hub.access.devices import (
    FORGOTTEN_AFTER_MS,
    MOST_DEVICES,
    PROBATION_MS,
    Device,
    Devices,
    Kind,
    clean_name,
    hashed,
)
from assent.protocol.surfaces import Scope
from assent.webapi.endpoint import ProblemError

NOW = 1_800_000_000_000


@pytest.fixture
def devices(tmp_path: Path) -> Devices:
    return Devices(tmp_path / "devices.json")


def device(name: str = "ab12", kind: Kind = "phone", *, active_from: int = 0) -> Device:
    return Device(id=name, name="phone", kind=kind, scope="answer", created_at=NOW, active_from=active_from)


def test_devices_outlive_the_hub(devices: Devices) -> None:
    """What was let in is still in after a restart, in a private file."""
    devices.add(device(), NOW)
    assert stat.S_IMODE(devices.path.stat().st_mode) == 0o600
    assert Devices(devices.path).by_id == {"ab12": device()}


def test_new_device_may_only_deny() -> None:
    """For ten minutes; then what its scope says."""
    new = device(active_from=NOW + PROBATION_MS)
    assert new.may(NOW + PROBATION_MS - 1) is Scope.DENY
    assert new.may(NOW + PROBATION_MS) is Scope.ANSWER


def test_new_device_that_may_only_watch_does_not_get_more() -> None:
    """The limit lowers, it never lifts."""
    new = Device(id="a", name="a", kind="phone", scope="watch", created_at=NOW, active_from=NOW + 1)
    assert new.may(NOW) is Scope.WATCH


def test_revoked_device_may_nothing(devices: Devices) -> None:
    """At once and after a restart."""
    devices.add(device(), NOW)
    assert devices.revoke("ab12", NOW).may(NOW) is Scope.NONE
    assert Devices(devices.path).by_id["ab12"].may(NOW) is Scope.NONE
    with pytest.raises(ProblemError, match="no device"):
        devices.known("ab12")


def test_revoked_key_is_not_recognised(devices: Devices) -> None:
    """A device that is let in again starts anew."""
    devices.add(Device(id="a", name="a", kind="desk", scope="admin", created_at=NOW, key="k"), NOW)
    assert devices.with_key("k", "desk") is not None
    assert devices.with_key("k", "phone") is None
    devices.revoke("a", NOW)
    assert devices.with_key("k", "desk") is None


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"version":2}', b'{"devices":[{"id":1}]}', b"\xff", b"[" * 9999]
)
def test_broken_file_lets_no_device_in(tmp_path: Path, content: bytes) -> None:
    """And does not keep the hub from starting."""
    path = tmp_path / "devices.json"
    path.write_bytes(content)
    assert Devices(path).by_id == {}


def test_device_that_cannot_be_kept_is_not_let_in(devices: Devices) -> None:
    """A full disk is told, and half a device does not exist."""
    broken = Devices(devices.path.parent / "missing" / "devices.json")
    with pytest.raises(ProblemError, match="could not be written"):
        broken.add(device(), NOW)
    assert broken.by_id == {}


def test_unused_browsers_are_forgotten(devices: Devices) -> None:
    """Links are opened in many private windows; phones stay until they are shut out."""
    devices.add(device("desk", "desk"), NOW)
    devices.add(device("phone"), NOW)
    devices.add(device("gone"), NOW)
    devices.revoke("gone", NOW)
    devices.add(device("new", "desk"), NOW + FORGOTTEN_AFTER_MS)
    assert set(devices.by_id) == {"phone", "new"}


def test_devices_are_not_without_number(devices: Devices) -> None:
    """A script that claims links all day finds an end."""
    for number in range(MOST_DEVICES):
        devices.add(device(str(number)), NOW)
    with pytest.raises(ProblemError, match="devices are known"):
        devices.add(device("more"), NOW)
    assert len(devices.by_id) == MOST_DEVICES


def test_new_devices_are_told_for_ten_minutes(devices: Devices) -> None:
    """Then there was time to notice."""
    devices.add(device(), NOW)
    assert [d.id for d in devices.new(NOW + PROBATION_MS - 1)] == ["ab12"]
    assert devices.new(NOW + PROBATION_MS) == []


def test_secret_is_kept_as_a_hash(devices: Devices) -> None:
    """Who reads the file cannot speak for the phone."""
    known = Device(id="a", name="a", kind="phone", scope="deny", created_at=NOW, secret=hashed("s3cret"))
    devices.add(known, NOW)
    assert b"s3cret" not in devices.path.read_bytes()
    assert known.has_secret("s3cret")
    assert not known.has_secret("")
    assert not device().has_secret("")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Anna's iPhone", "Anna's iPhone"),
        ("  two\n lines\t", "two lines"),
        ("\x1b[31mred", "[31mred"),
        ("a\u202eb\u200bc", "a b c"),
        ("", "phone"),
        ("\u2066", "phone"),
        ("x" * 500, "x" * 40),
    ],
)
def test_names_are_one_plain_line(given: str, kept: str) -> None:
    """They are typed elsewhere and shown everywhere."""
    assert clean_name(given, "phone") == kept


def test_only_a_known_device_that_was_not_revoked_is_let_in(devices: Devices) -> None:
    """One that was never added is not, nor one that was shut out."""
    devices.add(device(), NOW)
    assert devices.is_let_in("ab12")
    assert not devices.is_let_in("other")
    devices.revoke("ab12", NOW)
    assert not devices.is_let_in("ab12")


def test_device_comes_back_with_its_own_key_and_kind(devices: Devices) -> None:
    """Not with another key, as another kind, or after it was shut out."""
    known = device()
    known.key = "k"
    devices.add(known, NOW)
    assert devices.with_key("k", "phone") is known
    assert devices.with_key("other", "phone") is None
    assert devices.with_key("k", "desk") is None
    devices.revoke("ab12", NOW)
    assert devices.with_key("k", "phone") is None


def keyed(name: str, key: str, kind: Kind = "desk") -> Device:
    return Device(id=name, name="Chrome on Linux", kind=kind, scope="answer", created_at=NOW, key=key)


def test_no_two_devices_have_the_same_name(devices: Devices) -> None:
    """What a record or a receipt names is one device."""
    added = [devices.add(keyed(name, name), NOW).name for name in ("a", "b", "c")]
    assert added == ["Chrome on Linux", "Chrome on Linux 2", "Chrome on Linux 3"]


def test_names_of_an_older_file_are_told_apart(devices: Devices) -> None:
    """Devices that were let in before names were unique get a number, too."""
    devices.by_id = {name: keyed(name, name) for name in ("a", "b")}
    devices.save(NOW)
    assert [each.name for each in Devices(devices.path).by_id.values()] == ["Chrome on Linux", "Chrome on Linux 2"]


def test_name_of_a_device_that_is_out_is_free(devices: Devices) -> None:
    """Only those that are in are told apart."""
    devices.add(keyed("a", "a"), NOW)
    devices.revoke("a", NOW)
    assert devices.add(keyed("b", "b"), NOW).name == "Chrome on Linux"


def test_device_in_place_of_another_shuts_that_one_out(devices: Devices) -> None:
    """One row for one browser, and the key it had counts no more, after a restart neither."""
    first = devices.add(keyed("a", "old"), NOW)
    assert devices.add(keyed("b", "new"), NOW, instead_of=first).name == "Chrome on Linux"
    assert set(Devices(devices.path).by_id) == {"b"}
    assert devices.with_key("old", "desk") is None


def test_device_is_renamed_but_not_to_the_name_of_another(devices: Devices) -> None:
    """Case does not tell names apart."""
    devices.add(keyed("a", "a"), NOW)
    other = devices.add(keyed("b", "b"), NOW)
    devices.rename(other, "  Kitchen\u202e tablet ")
    assert other.name == "Kitchen tablet"
    with pytest.raises(ProblemError, match="Another device is called"):
        devices.rename(other, "chrome on linux")
    assert other.name == "Kitchen tablet"


def test_shutting_out_shuts_out_all_that_its_key_let_in(devices: Devices) -> None:
    """The same key as a browser of the desk and as a phone: both are out."""
    devices.add(keyed("a", "same"), NOW)
    devices.add(keyed("b", "same", "phone"), NOW)
    devices.add(keyed("c", ""), NOW)
    devices.add(keyed("d", ""), NOW)
    devices.revoke("a", NOW)
    devices.revoke("c", NOW)
    assert [name for name, each in devices.by_id.items() if each.revoked is None] == ["d"]
