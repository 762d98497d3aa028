"""Commands that run others as another user, or in another environment: other root, namespaces, a sandbox."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands.spec import Finding, Invocation, Run, RunsInput, Spec
from assent.policy.commands.wrappers import command, wrapper
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import Arg

_ADMINISTRATOR = danger("privilege", "It runs as the administrator.")
_SOMEBODY = danger("privilege", "It runs as another user.")
_WORLD = danger("privilege", "It runs outside this session: under another root directory or in other namespaces.")
_BOXED = care("unknown", "It runs in a sandbox of its own, and which files it sees there is not known.")


def _sudo(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--version", "--help") or (it.has("-h") and not it.operands):
        yield nothing("It only tells about itself.")
        return
    if it.has("-l", "--list", "-v", "--validate", "-k", "--reset-timestamp", "-K", "--remove-timestamp") and not (
        it.operands and not it.has("-l", "--list")
    ):
        yield care("privilege", "It asks what this user may do as the administrator.")
        return
    yield _ADMINISTRATOR
    if it.has("-e", "--edit"):
        for arg in it.operands:
            yield it.path("write", arg)
    elif it.operands:
        yield from command(it.operands, cwd=it.value("-D", "--chdir"))
    elif it.has("-s", "-i", "--shell", "--login"):
        yield RunsInput("sh")


def _su(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--version", "-h", "--help"):
        yield nothing("It only tells about itself.")
        return
    yield _SOMEBODY
    operands = [arg for arg in it.operands if arg.text != "-"]
    lines = it.all_values("-c", "--command", "--session-command")
    if it.has("-u", "--user") and operands:
        yield Run(args=tuple(operands))
    for line in lines:
        yield Run(line=line)
    if not lines and not it.has("-u", "--user"):
        yield RunsInput("sh")


# Verbs and options of the one; the other takes the name of a group and a command.
_SEARCHES = later(
    r"(?:(?:run|scan)(?=.* (?:-[prl]|--(?:pattern|rule|inline-rules|lang|json|filter))\b)|scan$"
    r"|(?:-p|--(?:pattern|lang))\b|--(?:help|version)$)(?!.* -c\b)"
)


def _sg(it: Invocation) -> Iterator[Finding]:
    """The tool that searches code goes by the same name as the one that changes the group."""
    if _SEARCHES.match(" ".join(arg.text for arg in it.handed_on)):
        yield Run(args=(Arg("ast-grep"), *it.handed_on))
        return
    yield _SOMEBODY
    words = [arg for arg in it.operands[1:] if arg.text not in ("-c", "-")]
    if words:
        yield Run(line=words[0])


def _systemd_run(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-h"):
        yield nothing("It only tells about itself.")
        return
    if any(option.startswith(("--on-", "--timer-", "--path-", "--socket-")) for option, _ in it.values):
        yield danger("persist", "It starts a command later by itself.")
    if not it.has("--user"):
        yield _ADMINISTRATOR
    else:
        yield care("process", "What it starts goes on outside of this session.")
    if it.operands:
        yield from command(it.operands, cwd=it.value("--working-directory"))
    elif it.has("-S", "--shell"):
        yield RunsInput("sh")


def _busybox(it: Invocation) -> Iterator[Finding]:
    if it.has("--install"):
        yield danger("write", "It puts its own commands in the place of the system's.")
    elif it.operands:
        yield Run(args=tuple(it.operands))
    else:
        yield nothing("It lists its commands.")


def _firejail(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "--list", "--tree", "--top"):
        yield nothing("It only tells about itself.")
        return
    if it.has("--noprofile", "--join", "--shutdown") or any(option.startswith("--join") for option, _ in it.values):
        yield _WORLD
    if it.operands:
        yield from command(it.operands)
    else:
        yield RunsInput("sh")


_BWRAP = (
    "* --bind::none --bind-try::none --dev-bind::none --dev-bind-try::none --ro-bind::text --ro-bind-try::text"
    " --bind-fd::text --ro-bind-fd::text --symlink::text --setenv::text --file::text --bind-data::text"
    " --ro-bind-data::text --chmod::text --overlay-src= --overlay::care --proc= --dev= --tmpfs= --mqueue= --dir="
    " --chdir= --unsetenv= --hostname= --uid= --gid= --seccomp= --add-seccomp-fd= --lock-file= --sync-fd= --exec-label="
    " --file-label= --cap-add= --cap-drop= --perms= --size= --args=care --info-fd= --userns= --userns2= --pidns="
    " --block-fd= --userns-block-fd= --json-status-fd= --remount-ro= --argv0="
)


def _bwrap(it: Invocation) -> Iterator[Finding]:
    yield _BOXED
    # Each is followed by two folders: of this machine, and in the sandbox.
    for folder in it.all_values("--bind", "--bind-try", "--dev-bind", "--dev-bind-try")[::2]:
        yield it.path("write", folder)
    if it.operands:
        yield Run(args=tuple(it.operands))


_SUDO_OPTIONS = (
    "-AbBEeHhiKklnNPSsVv -C: -D:none -g: -p: -R: -r: -t: -T: -u: -U: --askpass --background --bell --close-from="
    " --chdir=none --preserve-env? --edit --group= --set-home --help --host= --login --remove-timestamp"
    " --reset-timestamp --list --non-interactive --no-update --preserve-groups --prompt= --chroot= --role= --stdin"
    " --shell --type= --command-timeout= --other-user= --user= --version --validate"
)
_SU_OPTIONS = (
    "-lmpPfThV -c:none --command=none --session-command=none -s:run --shell=run -g: --group= -G:"
    " --supp-group= -u:none"
    " --user=none -w: --whitelist-environment= --login --preserve-environment --pty --no-pty --fast --version --help"
)

COMMANDS: dict[str, Spec] = {
    "sudo": Spec("It runs a command as the administrator.", _SUDO_OPTIONS, "none*", also=_sudo, wraps=True),
    "sudoedit": Spec("It edits files as the administrator.", _SUDO_OPTIONS, "write*", does=(_ADMINISTRATOR,)),
    "doas": Spec("It runs a command as the administrator.", "-Lns -C:config -u:", "none*", also=_sudo, wraps=True),
    "pkexec": Spec(
        "It runs a command as the administrator.",
        "--user= --disable-internal-agent --keep-cwd --version --help -u:",
        "none*",
        also=_sudo,
        wraps=True,
    ),
    "run0": Spec(
        "It runs a command as the administrator.",
        "-u: --user= -g: --group= -D:none --chdir=none --unit= --property= --description= --slice= --slice-inherit"
        " --nice= --setenv= --background= --machine= --no-ask-password --version --help",
        "none*",
        also=_sudo,
        wraps=True,
    ),
    **dict.fromkeys(
        ("gksu", "gksudo", "kdesu", "kdesudo", "sudo-rs", "please", "sux", "calife"),
        wrapper("It runs a command as the administrator.", "*", 0, _ADMINISTRATOR),
    ),
    "su": Spec("It becomes another user.", _SU_OPTIONS, "none*", also=_su),
    "runuser": Spec("It becomes another user.", _SU_OPTIONS, "none*", also=_su, wraps=True),
    "sg": Spec("It runs a line as another group.", "*", "none*", also=_sg, wraps=True),
    "newgrp": Spec("It becomes another group.", "*", does=(_SOMEBODY,), also=lambda _: iter((RunsInput("sh"),))),
    **dict.fromkeys(
        ("gosu", "su-exec", "setuidgid", "s6-setuidgid"),
        wrapper("It runs a command as another user.", "", 1, _SOMEBODY),
    ),
    "chpst": wrapper(
        "It runs a command as another user or with limits.",
        "-vP012 -u: -U: -b: -e: -/: -n: -l: -L: -m: -d: -o: -p: -f: -c: -r: -t:",
        0,
        _SOMEBODY,
    ),
    "setpriv": wrapper(
        "It changes what a command may do.",
        "-dhV --clear-groups --groups= --inh-caps= --ambient-caps= --bounding-set= --init-groups --keep-groups"
        " --list-caps"
        " --no-new-privs --rgid= --regid= --egid= --ruid= --reuid= --euid= --securebits= --pdeathsig= --selinux-label="
        " --apparmor-profile= --landlock-access= --landlock-rule= --seccomp-filter= --ptracer= --reset-env --dump",
        0,
        _SOMEBODY,
    ),
    "capsh": Spec(
        "It changes what a command may do.",
        "* --print --decode=",
        does=(),
        also=lambda it: iter((_SOMEBODY,) if not it.has("--print") and not it.is_bare else ()),
    ),
    "runcon": wrapper(
        "It runs a command in another security context.",
        "-c -t: -u: -r: -l: --compute --type= --user= --role= --range= --version --help",
        1,
        _SOMEBODY,
    ),
    "chroot": wrapper(
        "It runs a command under another root.",
        "--userspec= --groups= --skip-chdir -u: -g: -G: -n --version --help",
        1,
        _WORLD,
    ),
    "unshare": wrapper(
        "It runs a command in a world of its own.",
        "-imnpuUCTfrcVh -R: --root= -w: --wd= -S: --setuid= -G: --setgid= --setgroups= --mount? --uts? --ipc?"
        " --net? --pid?"
        " --user? --cgroup? --time? --fork --map-root-user --map-current-user --map-auto --map-user= --map-group="
        " --map-users= --map-groups= --kill-child? --mount-proc? --propagation= --keep-caps --monotonic= --boottime=",
        0,
        _WORLD,
        empty=RunsInput("sh"),
    ),
    "nsenter": wrapper(
        "It runs a command in the world of another process.",
        "-aFZVhec -m? -u? -i? -n? -p? -U? -C? -T? -r? -w? -W: -t: -S: -G: --target= --all --mount? --uts? --ipc? --net?"
        " --pid? --user? --cgroup? --time? --setuid= --setgid= --preserve-credentials --root? --wd? --wdns= --no-fork"
        " --env --join-cgroup --keep-caps --follow-context",
        0,
        _WORLD,
        empty=RunsInput("sh"),
    ),
    "systemd-nspawn": wrapper("It runs a command in a container.", "* -D: -M: -u: -i: -b", 0, _WORLD),
    "proot": wrapper("It runs a command under another root.", "* -r: -b: -w: -R: -S: -m: -q: -0", 0, _BOXED),
    "systemd-run": Spec(
        "It hands a command to the system to run.",
        "-tPqdGSrh -p: --property= -E: --setenv= -u: --unit= -H: -M: --host= --machine= --user --system --scope"
        " --slice="
        " --slice-inherit --description= --working-directory=none --wait --pipe --pty --shell --collect --quiet"
        " --no-block"
        " --remain-after-exit --send-sighup --service-type= --uid= --gid= --nice= --same-dir --expand-environment="
        " --on-active= --on-boot= --on-startup= --on-unit-active= --on-unit-inactive= --on-calendar= --on-clock-change"
        " --on-timezone-change --timer-property= --path-property= --socket-property= --background= --version --help",
        "none*",
        also=_systemd_run,
        wraps=True,
    ),
    "start-stop-daemon": Spec(
        "It starts or ends a service.", "*", does=(danger("process", "It starts or ends a service of the system."),)
    ),
    **dict.fromkeys(
        ("busybox", "toybox"),
        Spec(
            "It is many commands in one.", "--list --list-full --help --install -s", "none*", also=_busybox, wraps=True
        ),
    ),
    "firejail": Spec("It runs a command in a sandbox.", "*", "none*", also=_firejail, wraps=True),
    "bwrap": Spec("It runs a command in a sandbox.", _BWRAP, "none*", also=_bwrap, wraps=True),
}
