"""Is the program in place?"""

import pytest

from assent.harnesses.site import Situation
from assent.install.doctor.client import FILES
from assent.install.doctor.client import shim as check
from tests.unit.install.doctor.situations import texts, wrong


def test_placed_shim_is_fine(healthy: Situation) -> None:
    """What the installer places, the doctor accepts."""
    assert wrong(check, healthy) == []


@pytest.mark.parametrize("name", FILES)
def test_missing_file_is_a_problem(healthy: Situation, name: str) -> None:
    """Each of them is needed, and named."""
    (healthy.paths.shim / name).unlink()
    assert wrong(check, healthy) == [("shim-missing", "problem")]
    assert name in texts(check(healthy))


@pytest.mark.parametrize("name", FILES)
def test_changed_file_is_a_warning(healthy: Situation, name: str) -> None:
    """Of another version, or tampered with."""
    path = healthy.paths.shim / name
    path.write_bytes(path.read_bytes() + b"\n# more\n")
    assert wrong(check, healthy) == [("shim-old", "warning")]
