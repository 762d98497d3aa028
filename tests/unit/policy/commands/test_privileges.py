"""Commands that run others as another user or in another environment."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "sudo ls",
        "sudo -u root -E FOO=1 rm -rf /",
        "sudo --user=root -- sh -c 'rm -rf /'",
        "doas rm x",
        "pkexec bash",
        "su -c 'rm -rf /'",
        "su root --command='rm -rf /'",
        "runuser -l bob -c 'ls'",
        "chroot /x rm",
        "busybox rm -rf /",
        "busybox sh -c 'rm -rf /'",
        "setpriv --reuid=0 ls",
        "unshare -r rm -rf /",
        "systemd-run --user --on-active=10 ls",
        "firejail --quiet rm -rf /",
        "sg docker -c 'rm -rf /'",
        "proot -r / rm -rf /",
    ],
)
def test_privileges_with_danger_inside_are_danger(line: str) -> None:
    """Danger is seen behind it, however it is spelled."""
    assert risk(line) == Risk.DANGER
