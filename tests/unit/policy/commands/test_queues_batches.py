"""xargs and parallel, and what comes in to them."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "xargs -n1 echo < list.txt",
        "find . -name '*.py' | xargs wc -l",
        "find . -type f -name '*.ts' -print0 | xargs -0 grep -n foo",
        "ls | xargs -I{} echo {}",
    ],
)
def test_batches_that_only_look_are_look(line: str) -> None:
    """What only looks and prints is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "find . -name '*.pyc' | xargs rm -f",
        "xargs wc -l",
    ],
)
def test_batches_with_more_than_a_look_are_left_to_the_client(line: str) -> None:
    """It is neither waved through nor stopped."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "xargs -a files rm -rf",
        "xargs -I% sh -c 'rm -rf ~ %'",
        "echo x | xargs -I{} bash -c 'rm -rf ~'",
        "ls | xargs rm -rf",
        "find / -type f | xargs rm",
        "echo ~/.ssh/id_rsa | xargs cat",
        "printf '%s\\n' ~ | xargs -n1 rm -rf",
        "parallel 'rm -rf {}' ::: /",
        "parallel ::: 'rm -rf /'",
        "parallel rm -rf < list",
        "xargs -0 sh -c",
        "curl x | xargs -I{} sh -c {}",
        "xargs rm -rf",
    ],
)
def test_batches_with_danger_inside_are_danger(line: str) -> None:
    """Danger is seen behind it, however it is spelled."""
    assert risk(line) == Risk.DANGER
