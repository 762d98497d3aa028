"""Commands for what runs by itself: services, timers, and the machine's own settings.

Asking is Look. Whatever makes something run later or unasked is Danger: it outlives the session."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._either import either
from assent.policy.commands.processes import GUARDS
from assent.policy.commands.spec import Finding, Flows, Invocation, RunsInput, Spec, dangerous, each, known
from assent.policy.effects import Effect, care, danger, nothing
from assent.protocol.decision import Risk

_SERVICE = danger("process", "It starts, stops or changes a service of the system.")
_LATER = danger("persist", "It makes something run later by itself.")
_LISTS = "It tells about services. It changes nothing."

# --- systemd

_TELLS = frozenset(
    {"status", "show", "cat", "list-units", "list-unit-files", "list-timers", "list-sockets", "list-dependencies"}
    | {"list-jobs", "list-machines", "list-paths", "list-automounts", "is-active", "is-enabled", "is-failed"}
    | {"is-system-running", "get-default", "help", "whoami", "list", ""}
)
_RUNS_ONCE = frozenset(
    {"start", "stop", "restart", "reload", "try-restart", "reload-or-restart", "reset-failed", "kill"}
)
_POWER = frozenset(
    {"poweroff", "reboot", "halt", "suspend", "hibernate", "kexec", "soft-reboot", "rescue", "emergency"}
)


# Units that hold others, or stand for what was started by hand; and patterns.
_MANY = later(r"\.(?:slice|scope|target)$|[*?\[]")


def _systemctl(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    if it.has("--version", "--help", "-h") or verb in _TELLS:
        yield Effect("query", Risk.LOOK, _LISTS)
    elif verb == "show-environment":
        yield Flows("environment")
    elif verb in _POWER:
        yield danger("process", "It shuts the machine down, or restarts it.")
    elif verb in _RUNS_ONCE and any(GUARDS.search(arg.text) for arg in it.operands[1:]):
        yield danger("tamper", "It starts or stops an agent or what guards it.")
    elif verb in _RUNS_ONCE and any(_MANY.search(arg.text) for arg in it.operands[1:]):
        yield danger("process", "It starts or stops many programs at once.")
    elif verb in _RUNS_ONCE and it.has("--user") and not it.has("-H", "--host", "-M", "--machine"):
        yield care("process", "It starts or stops a service of yours.")
    elif verb in _RUNS_ONCE:
        yield _SERVICE
    else:
        yield danger("persist", "It changes which services run, now and later.")


def _crontab(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--version", "-h", "--help", "-T") or (it.has("-l") and not it.operands):
        yield Effect("read", Risk.LOOK, "It shows scheduled jobs.")
    elif it.has("-r"):
        yield danger("delete", "It deletes all scheduled jobs.")
    else:
        yield _LATER


def _at(it: Invocation) -> Iterator[Finding]:
    if it.has("-l", "-c", "-V"):
        yield Effect("query", Risk.LOOK, "It shows what runs later.")
    elif it.has("-r", "-d"):
        yield care("process", "It takes back what was to run later.")
    else:
        yield _LATER
        yield RunsInput("sh")


# --- journals


_THROWS_AWAY = (
    "--vacuum-size",
    "--vacuum-files",
    "--vacuum-time",
    "--rotate",
    "--flush",
    "--relinquish-var",
    "--smart-relinquish-var",
    "--setup-keys",
    "--update-catalog",
)
_SILENCES = (
    "--clear",
    "--read-clear",
    "--console-off",
    "--console-on",
    "--console-level",
    "-C",
    "-c",
    "-D",
    "-E",
    "-n",
)


def _journalctl(it: Invocation) -> Iterator[Finding]:
    if it.has(*_THROWS_AWAY):
        yield danger("delete", "It throws records of the system away.")
    else:
        yield nothing("It shows what the system noted.")


def _dmesg(it: Invocation) -> Iterator[Finding]:
    if it.has(*_SILENCES):
        yield danger("delete", "It deletes or silences the kernel's log.")
    else:
        yield nothing("It shows what the kernel noted.")


_CONTROL = either(
    r"(?:|status|show\S*|list-\S+|timesync-status|show-timesync|hostname|icon-name|chassis|deployment|location|"
    r"(?:session|user|seat)-status)(?: [\w@.-]+)*",
    "It tells about the machine.",
    danger("privilege", "It changes settings of the machine."),
)

COMMANDS: dict[str, Spec] = {
    "systemctl": Spec(
        "Works with services.",
        "* -H:host --host=host -M: --machine= -t: --type= -p: --property= -P: -n: --lines= -o: --output= -s: --signal="
        " --root="
        " --state= --job-mode= --kill-whom= --user --version --help -h",
        "none*",
        also=_systemctl,
    ),
    **each(
        "journalctl",
        Spec(
            "Shows what the system noted.",
            "* -u: -n: -p: -t: -o: -S: -U: -b? --unit= --since= --until= --cursor-file=write --vacuum-size="
            " --vacuum-files= --vacuum-time= --rotate --flush --relinquish-var --smart-relinquish-var --setup-keys"
            " --update-catalog",
            "none*",
            also=_journalctl,
        ),
    ),
    "dmesg": Spec(
        "Shows what the kernel noted.",
        "* -F:read --file=read -f: -l: -s: -n: --level= --facility="
        " --clear --read-clear --console-off --console-on --console-level=",
        also=_dmesg,
    ),
    **each("hostnamectl timedatectl localectl loginctl", _CONTROL),
    **each(
        "systemd-cgls systemd-cgtop systemd-path systemd-detect-virt systemd-escape systemd-id128",
        known(_LISTS),
    ),
    **each(
        "systemd-tmpfiles systemd-sysusers systemd-firstboot machinectl portablectl homectl",
        dangerous("privilege", "It changes settings of the machine."),
    ),
    "service": either(r"--status-all|\S+ status", _LISTS, _SERVICE),
    "rc-service": either(r"(?:-l|--list|\S+ (?:status|describe))", _LISTS, _SERVICE),
    "systemd-analyze": either(
        r"(?:|time|blame|critical-chain|plot|dot|dump|unit-paths|calendar|timespan|timestamp|condition|security|cat-config)"
        r"(?: .*)?",
        _LISTS,
        _SERVICE,
    ),
    "rc-status": known(_LISTS),
    "sv": either(r"(?:status|s) .*", _LISTS, _SERVICE),
    "initctl": either(r"(?:list|status|show-config|version)(?: \S+)*", _LISTS, _SERVICE),
    "svcs": known(_LISTS),
    **each(
        "svcadm svccfg rc-update chkconfig update-rc.d insserv runit s6-rc anacron run-parts fcron fcrontab",
        dangerous("persist", "It changes what runs by itself."),
    ),
    "supervisorctl": either(
        r"(?:status|avail|pid|tail|version)(?: [^;]*)?", _LISTS, care("process", "It starts or stops a program.")
    ),
    "monit": either(r"(?:status|summary|report)(?: \S+)*", _LISTS, _SERVICE),
    "pm2": either(
        r"(?:list|ls|l|status|ps|show|describe|info|logs?|monit|id|pid|report|ping)(?: .*)?",
        _LISTS,
        care("run", "It starts, stops or changes programs that go on by themselves."),
    ),
    "launchctl": either(
        r"(?:list|print\S*|blame|dumpstate|hostinfo|managername|manageruid|managerpid|procinfo|resolveport|version"
        r"|error)(?: .*)?",
        _LISTS,
        danger("persist", "It changes what runs by itself."),
    ),
    "crontab": Spec("Works with what runs by the clock.", "-lreinV -u: -s -T:read -c:", "none*", also=_crontab),
    "at": Spec("Runs something later.", "-mMlbvVr -c -d -f:file -q: -t:", "none*", also=_at),
    "atq": known("Lists what runs later."),
    "atrm": Spec("Takes back what was to run later.", does=(care("process", "It takes back what was to run later."),)),
    "batch": Spec("Runs something later.", "*", "none*", also=_at),
    **each(
        "shutdown reboot halt poweroff telinit init pm-suspend",
        dangerous("process", "It shuts the machine down, or restarts it."),
    ),
    "schtasks": either(r"(?i:/query.*)", _LISTS, _LATER),
    "sc.exe": either(r"(?i:query.*)", _LISTS, _SERVICE),
    **each(
        "dbus-send busctl gdbus qdbus qdbus6",
        either(
            r"(?:list|status|tree|introspect|introspect .*|tree .*|status .*)",
            "It tells who listens to messages on this machine.",
            danger("privilege", "It sends commands to services of the system or of the desktop."),
        ),
    ),
    "dbus-monitor": dangerous("secret", "It listens to what programs tell each other."),
}
