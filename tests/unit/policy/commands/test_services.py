"""What runs by itself."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "systemctl status nginx",
        "systemctl --user list-timers --all",
        "systemctl is-active x",
        "systemctl cat nginx.service",
        "service nginx status",
        "journalctl -u nginx -n 50 --no-pager",
        "journalctl --since today",
        "dmesg",
        "dmesg -T --level=err",
        "systemd-analyze blame",
        "crontab -l",
        "atq",
        "at -l",
        "hostnamectl",
        "timedatectl status",
        "launchctl list",
        "pm2 list",
        "supervisorctl status",
        "busctl list",
    ],
)
def test_services_that_tell_look(line: str) -> None:
    """Status, lists, journals."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "systemctl --user restart app",
        "systemctl --user stop app",
        "pm2 restart app",
        "supervisorctl restart app",
        "atrm 3",
    ],
)
def test_services_of_the_user_take_care(line: str) -> None:
    """Started and stopped, not made to last."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "systemctl restart nginx",
        "systemctl enable x",
        "systemctl --user enable --now x",
        "systemctl --user link /tmp/x.service",
        "systemctl daemon-reload",
        "systemctl mask auditd",
        "systemctl poweroff",
        'systemctl "$verb" x',
        "systemctl --user -H web1 restart x",
        "service nginx restart",
        "crontab x",
        "crontab -e",
        "crontab -r",
        "crontab - <<< '* * * * * x'",
        "crontab -u root -l x",
        "at now + 1 minute <<< 'rm -rf /'",
        "at -f x.sh midnight",
        "batch < x",
        "launchctl load ~/Library/LaunchAgents/x.plist",
        "launchctl bootstrap gui/501 x.plist",
        "journalctl --vacuum-time=1s",
        "journalctl --vac 1s",
        "journalctl --rotate",
        "dmesg -C",
        "dmesg --cle",
        "shutdown -h now",
        "reboot",
        "init 6",
        "timedatectl set-time 12:00",
        "hostnamectl set-hostname x",
        "dbus-send --system --dest=x / y.z",
        "busctl call a b c d",
        "launchctl limit maxfiles 1 2",
        "systemd-analyze log-level debug",
        "launchctl setenv PATH x",
    ],
)
def test_services_that_last_are_danger(line: str) -> None:
    """Those of the system, and whatever runs later."""
    assert risk(line) == Risk.DANGER
