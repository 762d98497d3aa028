"""Disks, volumes, firmware."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "lsblk -f",
        "blkid",
        "mount",
        "mount -l -t ext4",
        "findmnt",
        "fdisk -l",
        "parted -l",
        "lvs",
        "zpool status",
        "btrfs filesystem show",
        "diskutil list",
        "swapon --show",
        "smartctl -a /dev/sda",
        "cryptsetup status x",
        "losetup -a",
    ],
)
def test_devices_that_tell_look(line: str) -> None:
    """Lists and states."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "dd if=/dev/zero of=disk.img bs=1M count=10",
        "dd if=disk.img of=copy.img",
        "dd if=/dev/urandom of=x.bin bs=1k count=1",
    ],
)
def test_devices_made_of_files_change(line: str) -> None:
    """A file of the project is one more file."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "dd of=/dev/sda if=x.iso",
        "dd if=/dev/zero of=/dev/nvme0n1",
        "dd if=/dev/zero of=fill",
        "dd if=/dev/zero of=fill bs=1G count=100",
        "dd if=/dev/zero of=~/x count=1",
        "dd if=~/.ssh/id_rsa of=copy",
        "dd if=/dev/mem of=x count=1",
        "cat x.iso > /dev/sdb",
        "mkfs.ext4 /dev/sda1",
        "mkfs -t xfs x",
        "/sbin/mkswap /dev/sda2",
        "fdisk /dev/sda",
        "sgdisk --zap-all /dev/sda",
        "parted /dev/sda mklabel gpt",
        "wipefs -a /dev/sda",
        "mount -o remount,rw /",
        "mount --bind / /mnt",
        "umount /home",
        "lvremove -f vg/root",
        "zfs destroy -r tank",
        "zpool destroy tank",
        "btrfs subvolume delete /home",
        "cryptsetup luksErase /dev/sda",
        "losetup -d /dev/loop0",
        "hdparm --security-erase x /dev/sda",
        "nvme format /dev/nvme0",
        "efibootmgr -B -b 0",
        "flashrom -w x",
        "grub-install /dev/sda",
        "diskutil eraseDisk JHFS+ x disk2",
        "tmutil delete x",
        "echo b > /proc/sysrq-trigger",
        "echo 1 > /sys/class/x",
        "sgdisk -p -Z /dev/sda",
        "parted /dev/sda print rm 1",
        "smartctl -a -s off /dev/sda",
        "lshw -dump ~/.bashrc",
        "blkid -c ~/.bashrc",
    ],
)
def test_devices_that_are_written_are_danger(line: str) -> None:
    """Nothing brings back what was there."""
    assert risk(line) == Risk.DANGER
