"""The machine as a whole."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "getent passwd me",
        "getent group docker",
        "chage -l me",
        "csrutil status",
        "spctl --status",
        "dkms status",
        "firewall-cmd --zone=public --list-ports",
        "plutil -p Info.plist",
        "hwclock --show",
        "last -n 5",
        "ip a",
        "ip addr show dev eth0",
        "ip -br link",
        "ip route get 1.1.1.1",
        "ip a s",
        "ifconfig",
        "ifconfig eth0",
        "route -n",
        "iptables -L -n -v",
        "iptables -t nat -S",
        "nft list ruleset",
        "ufw status verbose",
        "firewall-cmd --list-all",
        "sysctl -a",
        "sysctl net.ipv4.ip_forward",
        "lsmod",
        "getcap x",
        "ldconfig -p",
        "nmcli device status",
        "sw_vers",
        "defaults --help",
        "patchelf --print-needed x",
        "gsettings get a b",
    ],
)
def test_machine_that_tells_looks(line: str) -> None:
    """Accounts, connections, settings, as they are."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "getent shadow",
        "getent hosts $(id -u).example.org",
        "useradd x",
        "usermod -aG docker me",
        "passwd me",
        "chsh -s /bin/zsh",
        "visudo",
        "ip link set eth0 down",
        "ip l s eth0 up",
        "ip route add default via 1.2.3.4",
        "ip -b x",
        'ip "$x" "$y"',
        "ifconfig eth0 down",
        "route add default gw 1.2.3.4",
        "nmcli --show-secrets connection show x",
        "nmcli -s con show x",
        "nmcli con down x",
        "iptables -F",
        "iptables -t nat -A PREROUTING -j x",
        "iptables -L -Z",
        "nft flush ruleset",
        "ufw disable",
        "firewall-cmd --add-port=22/tcp",
        "sysctl -w a.b=1",
        "sysctl a.b=1",
        "sysctl -p /tmp/x",
        "sysctl --write a.b=1",
        "modprobe x",
        "insmod x.ko",
        "setenforce 0",
        "setcap cap_setuid+ep x",
        "csrutil disable",
        "spctl --master-disable",
        "apparmor_parser -R x",
        "auditctl -D",
        "update-ca-certificates",
        "ldconfig /tmp",
        "patchelf --set-rpath /tmp x",
        "install_name_tool -add_rpath /tmp x",
        "defaults write com.x y z",
        "gsettings set a b c",
        "logrotate -f x",
        "hwclock --set",
        "nft 'list ruleset; flush ruleset'",
        "firewall-cmd --list-all --add-port=1/tcp",
        "lastlog -C -u me",
        "chage -E 0 me",
        "dscl . -create /Users/x",
        "tc qdisc add dev eth0 x",
        "plutil -p ~/.netrc",
    ],
)
def test_machine_that_is_changed_is_danger(line: str) -> None:
    """It lasts, and it reaches beyond the project."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "defaults read com.apple.dock",
        "logger hello",
        "getent hosts example.org",
        "plutil -convert xml1 Info.plist",
        "xattr -d com.apple.quarantine x",
        "ldd ./x",
    ],
)
def test_machine_settings_take_care(line: str) -> None:
    """Small things that programs keep."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)
