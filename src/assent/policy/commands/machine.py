"""Commands for the machine as a whole: accounts, networks, firewalls, the kernel, security, settings of the desktop.

Asking is Look; changing any of it needs a person, because it lasts and reaches beyond the project."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._either import either
from assent.policy.commands._web import looks_up
from assent.policy.commands.spec import Finding, Invocation, Spec, dangerous, each, known
from assent.policy.effects import Effect, care, danger, nothing
from assent.protocol.decision import Risk

_TELLS = "It tells about the machine. It changes nothing."
_ACCOUNTS = danger("privilege", "It changes accounts, groups or passwords.")
_NETWORK = danger("privilege", "It changes how this machine is connected.")
_WALL = danger("privilege", "It changes what the firewall lets through.")
_KERNEL = danger("device", "It changes the running kernel.")
_SECURITY = danger("privilege", "It changes what programs are allowed to do on this machine.")
_SETTINGS = danger("persist", "It changes settings of the system that last.")


_IP_SHOWS = frozenset({"show", "sho", "sh", "list", "lst", "lis", "ls", "l", "get", "monitor", "help"})
# Where one letter stands for show; elsewhere it stands for set.
_IP_S = later(r"a\w*|r\w*|n|ne\w*")


def _ip(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.operands]
    verb = words[1] if len(words) > 1 else "show"
    shows = verb in _IP_SHOWS or (verb == "s" and _IP_S.fullmatch(words[0]))
    if shows and not any(option.startswith("-b") and not option.startswith("-br") for option, _ in it.values):
        yield Effect("query", Risk.LOOK, "It shows how this machine is connected.")
    else:
        yield _NETWORK


def _ifconfig(it: Invocation) -> Iterator[Finding]:
    yield _NETWORK if len(it.operands) > 1 else Effect("query", Risk.LOOK, "It shows how this machine is connected.")


def _sysctl(it: Invocation) -> Iterator[Finding]:
    is_change = it.has("-w", "--write", "-p", "--load", "--system", "-f") or any("=" in arg.text for arg in it.operands)
    yield _KERNEL if is_change else Effect("query", Risk.LOOK, "It shows settings of the kernel.")


def _getent(it: Invocation) -> Iterator[Finding]:
    if any(arg.text in ("shadow", "gshadow") or not arg.known for arg in it.operands[:1]):
        yield danger("secret", "It shows the password hashes of this machine.")
    elif it.operands and it.operands[0].text in ("hosts", "ahosts", "ahostsv4", "ahostsv6"):
        yield from looks_up(it.operands[1:])
    else:
        yield Effect("query", Risk.LOOK, "It looks up users, groups and hosts.")


def _plists(it: Invocation) -> Iterator[Finding]:
    commands = [value.text for value in it.all_values("-c")]
    is_shown = it.has("-p", "-lint", "-type", "-help") or it.is_bare or (bool(commands) and set(commands) == {"Print"})
    is_shown = is_shown and not it.has("-o", "-e", "-s", "-convert", "-insert", "-replace", "-remove")
    for arg in it.operands[-1:]:
        yield it.path("read" if is_shown else "write", arg)
    yield nothing("It shows settings.") if is_shown else care("write", "It changes settings in a file.")


def _patches(it: Invocation) -> Iterator[Finding]:
    """A program or library is made to load something else."""
    if any(option.startswith(("--print", "--version", "--help")) for option, _ in it.values) and len(it.values) == 1:
        yield nothing(_TELLS)
        return
    for arg in it.operands:
        yield it.path("write", arg)
    yield danger("run", "It changes what a program loads when it starts.")


def _reads_defaults(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.operands if arg.text not in ("-currentHost", "-host")]
    if words[:1] in (["read"], ["domains"], ["find"], ["read-type"], ["help"]):
        yield care("read", "It shows settings of programs, and keys may be among them.")
    else:
        yield _SETTINGS


COMMANDS: dict[str, Spec] = {
    # Who
    "getent": Spec("Looks up users and hosts.", "*", "none*", also=_getent),
    **each(
        "last lastb pinky lslogins getcap lsmod modinfo getenforce sestatus aa-status",
        known(_TELLS),
    ),
    **each(
        "useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup gpasswd chpasswd"
        " chgpasswd newusers"
        " vipw vigr pwconv pwunconv visudo chsh chfn faillock pam_tally2 pam-auth-update authconfig authselect"
        " realm"
        " samba-tool smbpasswd pdbedit kadmin kadmin.local dseditgroup sysadminctl pwpolicy createhomedir",
        Spec("Changes accounts.", "*", does=(_ACCOUNTS,)),
    ),
    "passwd": either(r"(?:-S|--status)(?: \S+)?", _TELLS, _ACCOUNTS),
    "lastlog": either(r"(?:|-[btu] \S+)", _TELLS, danger("delete", "It changes what is noted about logins.")),
    "utmpdump": Spec("Shows what is noted about logins.", "* -o:write --output=write", "read*"),
    "finger": Spec(
        "Tells about users.", "*", does=(care("fetch", "It tells about users, here or on another machine."),)
    ),
    "chage": either(r"-l \S+", _TELLS, _ACCOUNTS),
    "dscl": either(r"(?:\S+ )?(?:-list|-read|-search|list|read|search)(?: .*)?", _TELLS, _ACCOUNTS),
    # Networks
    "netplan": either(r"(?:get|status|info)(?: .*)?", _TELLS, _NETWORK),
    **each("brctl bridge tc ovs-vsctl", either(r"(?:-s |-d |-j )*(?:\w+ )?(?:show|list|ls)(?: .*)?", _TELLS, _NETWORK)),
    "wpa_cli": either(r"(?:-i \S+ )?(?:status|scan_results)", _TELLS, _NETWORK),
    "ip": Spec(
        "Shows or changes connections.",
        "- * -n: -netns: -f: -family: -l: -loops: -b:care -batch:care",
        "none*",
        also=_ip,
    ),
    "ifconfig": Spec("Shows or changes connections.", "*", "none*", also=_ifconfig),
    "route": either(r"(?:|-n|-e|-ne|-en|get \S+|-n get \S+|print.*)", "It shows routes.", _NETWORK),
    "arp": either(r"(?:|-a|-n|-an|-e|-v)(?: \S+)?", "It shows neighbours.", _NETWORK),
    "ethtool": either(r"(?:[\w.-]+|-[iSkgaclmPTd] [\w.-]+)", _TELLS, _NETWORK),
    **each(
        "iw iwconfig iwlist", either(r"(?:|dev|list|\S+ (?:scan|info|link)|dev \S+ (?:info|link))", _TELLS, _NETWORK)
    ),
    "nmcli": either(
        r"(?:|(?:device|dev|d|general|g|radio|connection|con|c)(?: (?:status|show|list))?(?: [\w.-]+)?)",
        "It shows how this machine is connected.",
        danger("privilege", "It changes connections, or shows their passwords."),
    ),
    "networksetup": either(r"-(?:list|get|show|print|version|is)\S*(?: .*)?", _TELLS, _NETWORK),
    "scutil": either(r"(?:--dns|--proxy|--nwi|--get \S+|-r .*)", _TELLS, _NETWORK),
    **each(
        "dhclient dhcpcd udhcpc ifup ifdown wpa_supplicant iwctl hostapd macchanger"
        " ipvsadm"
        " resolvconf vconfig tunctl airport netsh ovs-vsctl",
        Spec("Changes connections.", "*", does=(_NETWORK,)),
    ),
    # Walls
    **each(
        "iptables ip6tables ebtables arptables iptables-legacy iptables-nft",
        either(
            r"(?:-t \w+ )?(?:-[nvx]+ )*(?:-[nvx]*[LS][nvx]*|--list|--list-rules)"
            r"(?: (?:[A-Z]\w*|-[nvx]+|--line-numbers))*",
            "It shows what the firewall lets through.",
            _WALL,
        ),
    ),
    **each(
        "iptables-save ip6tables-save",
        known("Shows what the firewall lets through.", "* -f:write --file=write -M:run --modprobe=run"),
    ),
    **each(
        "iptables-restore ip6tables-restore ipset ipfw shorewall fail2ban-client csf",
        Spec("Changes the firewall.", "*", does=(_WALL,)),
    ),
    "nft": either(r"(?:-[anj]+ )*list [^;]*", "It shows what the firewall lets through.", _WALL),
    "ufw": either(r"(?:status(?: \w+)?|show \w+|app (?:list|info \S+)|version)", "It shows the firewall.", _WALL),
    "firewall-cmd": either(
        r"(?:--zone=\S+ |--permanent )*--(?:state|list-\S+|get-\S+|query-\S+|info-\S+)(?: --zone=\S+)?",
        "It shows the firewall.",
        _WALL,
    ),
    "pfctl": either(r"-s ?\w+", "It shows the firewall.", _WALL),
    # Kernel and security
    "dkms": either(r"status(?: .*)?", _TELLS, _KERNEL),
    "auditctl": either(r"-[ls]", _TELLS, _SECURITY),
    "csrutil": either(r"status", _TELLS, _SECURITY),
    "spctl": either(r"--(?:status|assess)(?: .*)?", _TELLS, _SECURITY),
    "fdesetup": either(r"(?:status|isactive|list)", _TELLS, _SECURITY),
    "profiles": either(r"(?:list|status|show)(?: .*)?", _TELLS, _SECURITY),
    "systemextensionsctl": either(r"list", _TELLS, _SECURITY),
    "sysctl": Spec(
        "Shows or changes settings of the kernel.",
        "-aAbdeNnqwXx -p? -f? --all --write --load? --system --pattern= -r: --values --names",
        "none*",
        also=_sysctl,
    ),
    **each(
        "modprobe insmod rmmod depmod kmod kldload kldunload kextload kextunload kmutil akmods livepatch kpatch criu",
        Spec("Changes the kernel.", "*", does=(_KERNEL,)),
    ),
    **each(
        "setenforce semanage semodule setsebool restorecon fixfiles chcon load_policy apparmor_parser aa-enforce"
        " aa-complain"
        " aa-disable aa-teardown augenrules setcap tccutil"
        " DevToolsSecurity pkcheck pkttyagent usbguard",
        Spec("Changes security.", "*", does=(_SECURITY,)),
    ),
    **each("ausearch aureport", known("Shows what was noted for security.")),
    **each("logrotate bleachbit", dangerous("delete", "It throws records of the system away.")),
    "logger": Spec(
        "Notes a line in the system's journal.",
        "* -f:read --file=read -n:send --server=send -u:care --socket=care -P: -p: -t:",
        does=(care("write", "It writes into the system's journal."),),
    ),
    # Settings
    "chronyc": either(r"(?:tracking|sources|sourcestats|activity)(?: -v)?", _TELLS, _SETTINGS),
    "hwclock": either(r"(?:|-r|--show|--get|-v)", _TELLS, _SETTINGS),
    **each("plutil PlistBuddy", Spec("Shows or changes settings of macOS.", "- * -c:none", "none*", also=_plists)),
    "mdls": Spec("Tells what is known about a file.", "*", "names*"),
    "ldd": Spec("Shows what a program loads.", "*", "file*"),
    "ldconfig": either(r"-p|--print-cache", _TELLS, _SETTINGS),
    **each(
        "update-alternatives alternatives",
        either(r"--(?:display|list|query|get-selections)(?: \S+)*", _TELLS, _SETTINGS),
    ),
    **each(
        "dpkg-divert dpkg-statoverride dpkg-reconfigure locale-gen localedef update-locale update-binfmts tzselect"
        " ntpdate adjtimex",
        Spec("Changes settings.", "*", does=(_SETTINGS,)),
    ),
    **each(
        "patchelf install_name_tool elfedit chrpath",
        Spec(
            "Changes programs.",
            "* --set-rpath= --add-rpath= --add-needed= --remove-needed= --set-interpreter= --set-soname="
            " --output=write --replace-needed=",
            "none*",
            also=_patches,
        ),
    ),
    **each("objcopy strip", Spec("Changes programs.", "*", "write*")),
    "defaults": Spec("Settings of macOS.", "*", "none*", also=_reads_defaults),
    **each(
        "gsettings dconf",
        either(
            r"(?:get|list\S*|read|range|describe|writable|dump|monitor|watch)(?: .*)?",
            "It shows settings of the desktop.",
            _SETTINGS,
        ),
    ),
    **each(
        "xdg-settings xdg-mime xdg-desktop-menu update-desktop-database kwriteconfig5 kwriteconfig6 xfconf-query"
        " lsregister duti",
        either(r"(?:get|query|check)(?: .*)?", "It shows settings of the desktop.", _SETTINGS),
    ),
    **each(
        "pmset systemsetup softwareupdate installer xcode-select scselect jamf mdmclient",
        either(r"(?:-g(?: .*)?|-get\S*|--list|-l|-p|--print-path|-pkginfo.*)", _TELLS, _SETTINGS),
    ),
    **each(
        "sw_vers system_profiler ioreg vm_stat hostinfo lsappinfo sensors acpi upower neofetch fastfetch screenfetch"
        " lsb_release",
        known(_TELLS),
    ),
    **each(
        "reg regedit wmic bcdedit.exe Set-ExecutionPolicy Set-MpPreference", either(r"(?i:query .*)", _TELLS, _SETTINGS)
    ),
    **each(
        "setfattr xattr attr",
        Spec(
            "Changes attributes of files.",
            "* -n: -v: -x: -d: -w -s:",
            does=(care("mode", "It shows or changes attributes of files."),),
        ),
    ),
    **each("getfattr", known("Shows attributes of files.")),
}
