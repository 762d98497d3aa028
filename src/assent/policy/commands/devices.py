"""Commands for disks, volumes, file systems and firmware. What they destroy nothing brings back."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._either import either
from assent.policy.commands._sed import losses
from assent.policy.commands.spec import Finding, Invocation, Spec, dangerous, each, known
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import locate
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_ERASES = danger("device", "It erases or rebuilds a disk or a volume.")
_BOOTS = danger("device", "It changes how the machine starts.")
_MOUNTS = danger("device", "It mounts or unmounts disks or folders.")
_TELLS = "It tells about disks and volumes. It changes nothing."
_HARDWARE = "It tells about the hardware. It changes nothing."
_LARGE = later(r"(\d+)([kKMGTPE]?)")
_UNITS = {"": 1, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50, "E": 1 << 60}
_MOST = 1 << 30


def _dd(it: Invocation) -> Iterator[Finding]:
    values = {
        name: Arg(text, arg.glob, arg.splits) for arg in it.handed_on for name, _, text in [arg.text.partition("=")]
    }
    if "of" in values:
        target = locate(values["of"], it.setting, it.cwd)
        yield it.path("write", values["of"])
        is_kept = any(word in values.get("conv", Arg("")).text for word in ("notrunc",)) or "seek" in values
        if not is_kept and values.get("if", Arg("-")).text in ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"):
            yield from losses(it, (values["of"],), if_there=True)
        if target.place == "home":
            yield danger("write", "It overwrites a file outside the project, byte by byte.", values["of"].text)
        if values["of"].text and target.place not in ("sink", "device") and _is_endless(values):
            yield danger("write", "It writes until the disk is full.", values["of"].text)
    if "if" in values:
        source = values["if"].text
        if not re.fullmatch(r"/dev/(?:zero|u?random|null|stdin)", source):
            yield it.path("read", values["if"])
        if re.match(r"/dev/(?:k?mem|port)|/proc/kcore", source):
            yield danger("secret", "It reads the memory of the machine.", source)
    if "if" not in values and "of" not in values:
        yield Effect("nothing", Risk.LOOK, "It passes on what comes in.")


def _is_endless(values: dict[str, Arg]) -> bool:
    """Whether nothing but a full disk ends it, or much of one is taken."""
    source = values.get("if", Arg("-")).text
    if not re.fullmatch(r"/dev/(?:zero|u?random|full)", source):
        return False
    if "count" not in values:
        return True
    size, count = _LARGE.match(values.get("bs", Arg("512")).text), _LARGE.match(values["count"].text)
    if size is None or count is None:
        return True
    return int(size[1]) * _UNITS[size[2]] * int(count[1]) * _UNITS[count[2]] > _MOST


def _mount(it: Invocation) -> Iterator[Finding]:
    is_list = not it.operands and not it.has("-a", "--all", "-B", "--bind", "-M", "--move", "-R", "--rbind")
    yield Effect("query", Risk.LOOK, _TELLS) if is_list else _MOUNTS


COMMANDS: dict[str, Spec] = {
    "dd": Spec("Copies bytes.", "*", "none*", also=_dd),
    **each(
        "dcfldd ddrescue dc3dd",
        Spec("Copies bytes.", "*", "none*", also=_dd, does=(care("device", "It copies raw bytes."),)),
    ),
    **each(
        "mkfs mke2fs mkdosfs mkntfs mkswap"
        " newfs mkudffs bcachefs wipefs blkdiscard badblocks cfdisk gdisk cgdisk"
        " partprobe"
        " kpartx fsfreeze resize2fs e2image e4defrag xfs_repair xfs_growfs xfs_db xfs_admin btrfstune debugfs"
        " tune2fs e2fsck fsck dosfsck ntfsfix reiserfsck growfs fsck_apfs fsck_hfs"
        " diskpart Format-Volume Clear-Disk Initialize-Disk Remove-Partition",
        Spec("Works on raw disks.", "*", does=(_ERASES,)),
    ),
    "fdisk": either(r"(?:-l|--list)(?: [^-\s]\S*)*", _TELLS, _ERASES),
    "sfdisk": either(r"(?:-l|--list|-d|--dump|-s|--show-size|-J|--json)(?: [^-\s]\S*)*", _TELLS, _ERASES),
    "sgdisk": either(r"(?:-p|--print|-v|--verify|-i\s*\d+)(?: [^-\s]\S*)*", _TELLS, _ERASES),
    "parted": either(r"(?:-l|--list|(?:-s |--script )?\S+ print(?: (?:free|all|devices|list))?)", _TELLS, _ERASES),
    **each("lsblk lsscsi findmnt", known(_TELLS)),
    **each("lsusb lspci lscpu lsmem biosdecode", known(_HARDWARE)),
    "blkid": Spec("Tells what is on disks.", "* -c:write --cache-file=write -o: -s: -t: -p -u: -n:", "text*"),
    "lshw": Spec("Tells about the hardware.", "* -dump:write -C: -c: -class:", "text*"),
    "dmidecode": Spec("Tells about the hardware.", "* --dump-bin=write --from-dump=read -t: -s: -d:", "text*"),
    "hwinfo": Spec("Tells about the hardware.", "* --log=write --save-config=care --dump-db=care", "text*"),
    "inxi": either(r"-[FbxzCDGIMNPSAmrs]+", _HARDWARE, care("fetch", "It asks the network, or changes itself.")),
    "smartctl": either(r"(?:-[aixHAc]+|--(?:all|info|health|scan|xall)\S*)(?: -d \S+| [^-\s]\S*)*", _TELLS, _ERASES),
    "hdparm": either(r"-[IitTgvC]+(?: [^-\s]\S*)*", _TELLS, _ERASES),
    "nvme": either(r"(?:list\S*|smart-log|id-ctrl|id-ns|error-log|fw-log|version)(?: \S+)*", _TELLS, _ERASES),
    "mdadm": either(
        r"(?:--detail|-D|--examine|-E|--query|-Q|--detail-platform)(?: --scan| [^-\s]\S*)*", _TELLS, _ERASES
    ),
    **each("pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan", known(_TELLS)),
    **each(
        "lvremove vgremove pvremove lvreduce vgreduce lvresize lvextend lvcreate vgcreate pvcreate pvmove lvchange"
        " vgchange"
        " vgimport vgexport vgmerge vgsplit lvconvert lvrename vgrename pvresize pvchange vgcfgrestore dmsetup"
        " multipath",
        Spec("Works on volumes.", "*", does=(_ERASES,)),
    ),
    "lvm": either(r"(?:pvs|vgs|lvs|version|help|\w+display)(?: .*)?", _TELLS, _ERASES),
    "zpool": either(r"(?:list|status|get|iostat|history|events|version)(?: .*)?", _TELLS, _ERASES),
    "zfs": either(r"(?:list|get|diff|holds|version|userspace|groupspace)(?: .*)?", _TELLS, _ERASES),
    "btrfs": either(
        r"(?:(?:filesystem|fi) (?:show|df|du|usage)|(?:subvolume|sub) (?:list|show|get-default)|device (?:stats|usage)"
        r"|scrub status|balance status|version|inspect-internal .*)(?: .*)?",
        _TELLS,
        _ERASES,
    ),
    "cryptsetup": either(r"(?:status|isLuks|benchmark)(?: .*)?", _TELLS, _ERASES),
    **each(
        "veracrypt truecrypt tomb ecryptfs-setup-private fscryptctl",
        Spec("Works on locked volumes.", "*", does=(_ERASES,)),
    ),
    "losetup": either(r"(?:|-a|--all|-l|--list|-j \S+)", _TELLS, _ERASES),
    "swapon": either(r"(?:|-s|--summary|--show\S*(?: .*)?)", _TELLS, _MOUNTS),
    "swapoff": Spec("Takes memory away.", "*", does=(_MOUNTS,)),
    "mount": Spec(
        "Shows or changes what is mounted.",
        "-l -v -a -B -M -R --all --bind --move --rbind -t: -o: -O: -L: -U: -T: -n -r -w -f -i -s --types= --options="
        " --show-labels *",
        "none*",
        also=_mount,
    ),
    **each(
        "umount unmount mount.cifs mount.nfs mount.fuse fusermount fusermount3 udisksctl pmount autofs eject"
        " mount_smbfs",
        Spec("Changes what is mounted.", "*", does=(_MOUNTS,)),
    ),
    "efibootmgr": either(r"(?:|-v|--verbose)", _HARDWARE, _BOOTS),
    "bootctl": either(r"(?:|status|list)(?: .*)?", _HARDWARE, _BOOTS),
    "fwupdmgr": either(r"get-\S+(?: .*)?", _HARDWARE, _BOOTS),
    "mokutil": either(r"--(?:sb-state|list-\S+)", _HARDWARE, _BOOTS),
    "diskutil": either(r"(?:list|info|activity|listFilesystems|apfs list\S*|cs list)(?: .*)?", _TELLS, _ERASES),
    "hdiutil": either(r"(?:info|imageinfo|isencrypted|plugins)(?: .*)?", _TELLS, _ERASES),
    "tmutil": either(
        r"(?:list\S*|status|destinationinfo|latestbackup|compare|uniquesize)(?: .*)?",
        _TELLS,
        danger("delete", "It changes or deletes backups."),
    ),
    **each(
        "flashrom fwupdtool efivar grub-install grub2-install grub-mkconfig grub2-mkconfig"
        " update-grub grub-set-default grub-editenv grub-reboot"
        " dracut mkinitramfs update-initramfs mkinitcpio lilo syslinux extlinux kexec bcdedit bcdboot nvram"
        " bless sbsign nvflash fw_setenv ipmitool",
        Spec("Works on firmware and on how the machine starts.", "*", does=(_BOOTS,)),
    ),
    **each(
        "devmem devmem2 rdmsr wrmsr setpci i2cset flash_erase flashcp nandwrite mtd_debug sg_format sg_write_buffer"
        " sg_sanitize scsiformat tapeinfo mt",
        dangerous("device", "It writes to hardware."),
    ),
    **each(
        "esptool esptool.py avrdude openocd dfu-util st-flash fastboot heimdall rpi-imager balena etcher ventoy",
        dangerous("device", "It writes to a device that is plugged in."),
    ),
}
