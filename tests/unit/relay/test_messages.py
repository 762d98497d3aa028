"""What a relay refuses to carry."""

import pytest

from assent.relay.messages import check, check_name, check_size
from assent.webapi.endpoint import ProblemError


@pytest.mark.parametrize("name", ["", "a b", "a\n", "é", "x" * 101])
def test_name_that_is_not_well_formed_is_refused(name: str) -> None:
    """It would stand in logs and in tables."""
    with pytest.raises(ProblemError) as refused:
        check_name(name)
    assert refused.value.status == 400


def test_text_is_measured_in_bytes() -> None:
    """As many as the tables take, whatever characters they are."""
    check_size("é" * 512, 1_024)
    with pytest.raises(ProblemError) as refused:
        check_size("é" * 513, 1_024)
    assert (refused.value.status, refused.value.message) == (413, "The text is larger than 1 KiB.")


def test_message_that_is_not_carried_says_why() -> None:
    """For the log of the hub that sent it."""
    check(True, "all is well")
    with pytest.raises(ProblemError, match="not carried: an id is wrong"):
        check(False, "an id is wrong")
