"""Commands that look at processes, and commands that end them."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy import pids
from assent.policy.commands._either import either
from assent.policy.commands._web import shown
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, dangerous, each, known
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.own import SIGNALS_HUB, SIGNALS_UNKNOWN
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# Agents, and those who guard them.
GUARDS = later(
    # The number is the hub's default port.
    r"assent|\b8717\b|claude|codex|gemini|cursor|opencode|aider|goose|copilot|qwen|\bamp\b|windsurf|\bnah\b|\bdcg\b|safety-net"
    r"|tool-gates|agentshield|rampart|dippy|warden|\bleash\b|parry|auditd|falco|osquery|crowdstrike|falcon|sentinel|defender",
    re.IGNORECASE,
)
# Ending all of these ends this session, the desktop or the machine: much else runs under these names.
_BROAD = later(
    r"systemd|init|launchd|sshd|ssh-agent|login|getty|dbus\S*|Xorg|X|wayland|gnome\S*|kwin\S*|plasma\S*|Finder|Dock|WindowServer"
    r"|bash|zsh|sh|fish|dash|tmux|screen|node|python[\d.]*|ruby|java|perl|docker\S*|containerd|kubelet|cron|rsyslogd"
    r"|NetworkManager|.{0,2}|\.[*+]|\S*\*",
)
# ``%1``, and what the shell has started last.
_JOB = later(r"%(?:\d+|[+%-])?|\$!")
_ENDS = "It ends a process."
UNKNOWN_PROCESS = "Which process it ends is known only when it runs."
# No signal at all: only whether one could be sent.
_PROBE = later(r"(?:-0|(?:-s|-n|--signal)[ =]?0)(?: |$)")


def _shows_variables(it: Invocation) -> Iterator[Finding]:
    """``ps axe`` shows every process with its variables."""
    skip = False
    for word in it.operands:
        is_letters = re.fullmatch(r"[A-Za-z]+", word.text) is not None
        if not skip and is_letters and "e" in word.text:
            yield danger("secret", "It shows the variables of all processes, secrets among them.")
        skip = not skip and re.fullmatch(r"[A-Za-z]*[oOpUtkCugG]", word.text) is not None
    if it.has("-E"):
        yield danger("secret", "It shows the variables of all processes, secrets among them.")


def _kill(it: Invocation) -> Iterator[Finding]:
    words = list(it.handed_on)
    if words and words[0].text in ("-l", "-L", "--list", "-t", "--table", "--version", "--help"):
        yield nothing("It lists signals.")
        return
    line = " ".join(word.text for word in words)
    if _PROBE.match(line):
        yield nothing("It asks whether a process is there.")
        return
    targets: list[Arg] = []
    # Only one word says which signal; what else begins with a dash is a group of processes.
    has_signal = False
    while words:
        word = words.pop(0)
        if word.text in ("-s", "-n", "-q", "--signal", "--queue", "--timeout"):
            words = words[1:]
            has_signal |= word.text in ("-s", "-n", "--signal")
        elif word.text == "--":
            targets += words
            break
        elif not has_signal and words and not targets and re.match(r"-[A-Za-z0-9]", word.text):
            has_signal = True
        elif not word.text.startswith("--"):
            targets.append(word)
    for target in targets:
        if _is_started_here(target.text, it):
            yield Effect("process", Risk.LOOK, "It ends what this line or session started.", target.text)
        else:
            yield pids.effect(target.text, it.setting) or _ends(target)
    if not targets:
        yield care("process", _ENDS)


def _is_started_here(text: str, it: Invocation) -> bool:
    """A job of this shell, or a process that descends from the session's."""
    return _JOB.fullmatch(text) is not None or pids.whose(text, it.setting) == "session"


def _ends(target: Arg) -> Effect:
    text = target.text
    if text in ("-1", "0", "1", "-0"):
        return danger("process", "It ends everything that runs here.", text)
    if not target.known:
        return care("process", UNKNOWN_PROCESS, shown(target))
    if re.fullmatch(r"-?\{\d+\.\.\d+(?:\.\.\d+)?\}", text):
        return danger("process", SIGNALS_UNKNOWN, text)
    if not re.fullmatch(r"-?\d+|%\S*", text):
        # Some shells take names here.
        return _ends_named(text)
    return care("process", _ENDS, text)


def _ends_named(name: str) -> Effect:
    if "assent" in name.lower():
        return danger("tamper", SIGNALS_HUB, name)
    if GUARDS.search(name):
        return danger("tamper", "It ends an agent or what guards it.", name)
    if HOLE in name or _BROAD.fullmatch(name.strip("^$")):
        return danger("process", "It ends everything of this name, perhaps this session.", name.replace(HOLE, "…"))
    return care("process", "It ends processes by their name.", name)


def _by_name(it: Invocation) -> Iterator[Finding]:
    if it.has("-l", "--list") and not it.operands:
        yield nothing("It lists signals.")
        return
    if it.name == "killall5":
        yield danger("process", "It ends everything that runs here.")
    if it.name == "killall" and it.has("-u", "--user"):
        yield danger("process", "It ends everything of a user.")
    elif it.name != "killall" and it.has(
        "-u", "-U", "--euid", "--uid", "--user", "-G", "-g", "--pgroup", "--session", "-s", "-t", "--terminal", "-v"
    ):
        yield danger("process", "It ends everything of a user, a group or a terminal.")
    names = [arg for arg in it.operands if not re.fullmatch(r"-(?:[A-Z]+\d?|\d+)", arg.text)]
    for name in names:
        yield _ends_named(name.text)
    parents = it.all_values("-P", "--parent")
    if not names and it.name == "pkill" and parents and all(parent.text in ("$$", "$!") for parent in parents):
        yield Effect("process", Risk.LOOK, "It ends what this line started.")
    elif not names:
        yield care("process", _ENDS)


def _finds(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        if GUARDS.search(arg.text):
            # Its number is asked for to end it.
            yield danger("tamper", "It looks for the process of an agent or of what guards it.", shown(arg))
    yield nothing("It finds processes by their name.")


def _pidstat(it: Invocation) -> Iterator[Finding]:
    yield nothing("It shows how busy processes are.")
    for words in it.commands:
        yield Run(args=words)


def _fuser(it: Invocation) -> Iterator[Finding]:
    if it.has("-k", "--kill"):
        yield danger("process", "It ends whatever uses these files or ports.", " ".join(map(shown, it.operands)))
    else:
        yield nothing("It says which processes use a file.")


def _sockets(it: Invocation) -> Iterator[Finding]:
    if it.has("-K", "--kill"):
        yield danger("process", "It cuts connections.")
    else:
        yield nothing("It lists connections.")


def _renice(it: Invocation) -> Iterator[Finding]:
    if it.has("-u", "--user"):
        yield danger("process", "It changes how much of the machine everything of a user gets.")
    yield care("process", "It changes how much of the machine a process gets.")


_PKILL = (
    "* -u: -U: --euid= --uid= -g: -G: --pgroup= --group= -s: --session= -t: --terminal= -P: --parent= -F:read"
    " --pidfile=read --signal= -r: --runstates= --ns= --nslist= -d: --delimiter="
)
_LOOKS = known("Shows what runs. It changes nothing.")

COMMANDS: dict[str, Spec] = {
    "ps": Spec(
        "Lists processes. No option of it changes anything.",
        "* -o: -O: -p: -C: -u: -U: -g: -G: -t: -q: -s: --sort= --pid= --ppid= --format= --user= --User= --group="
        " --Group= --tty= --sid= --cols= -k: -E",
        "none*",
        also=_shows_variables,
    ),
    **each("top htop btop gtop bashtop bottom btm procs nvtop iotop", _LOOKS),
    **each("pstree vmstat iostat mpstat free tload slabtop lsof ipcs lsipc lsns lslocks pwdx ptree", _LOOKS),
    "atop": Spec("Shows what runs.", "* -w:write -r:read", "text*"),
    **each("glances iftop nethogs bmon", Spec("Shows what runs.", "*", does=(care("fetch", "It watches or serves."),))),
    "powertop": dangerous("device", "It measures and changes what uses power."),
    "pidstat": Spec("Shows how busy processes are.", "* -e;none -p: -C: -G: -T: -U?", "none*", also=_pidstat),
    "sar": Spec("Shows how busy the machine is.", "* -o:write -f:read", "text*"),
    "pmap": Spec("Shows the memory of a process.", "*", does=(care("secret", "It shows where a process keeps what."),)),
    **each("pgrep pidof pidwait", Spec("Finds processes by their name.", _PKILL, "none*", also=_finds)),
    "kill": Spec("Ends processes.", "*", "none*", also=_kill),
    **each(
        "pkill skill snice xkill killall5",
        Spec("Ends processes by name.", _PKILL, "none*", also=_by_name),
    ),
    "killall": Spec(
        "Ends processes by name.",
        "* -n: --ns= -u: --user= -s: --signal= -o: --older-than= -y: --younger-than= -Z: --context= -t: -c:",
        "none*",
        also=_by_name,
    ),
    **each("fkill kill-port npkill", Spec("Ends processes.", "*", does=(care("process", _ENDS),))),
    "fuser": Spec("Says who uses a file.", "* -n: --namespace=", "none*", also=_fuser),
    "ss": Spec("Lists connections.", "* -D:write --diag=write -F:read --filter=read", "none*", also=_sockets),
    **each("netstat lsfd", known("Lists connections. It changes nothing.")),
    "renice": Spec("Changes priorities.", "* -n: --priority=", "none*", also=_renice),
    **each(
        "gcore procdump py-spy rbspy eu-stack gstack pstack jmap jstack",
        dangerous("secret", "It looks into a running process."),
    ),
    **each(
        "perf bpftrace bpftool sysdig dtrace dtruss opensnoop execsnoop stap trace-cmd",
        dangerous("privilege", "It traces everything that runs."),
    ),
    **each("ipcrm ipcmk", dangerous("process", "It changes memory that processes share.")),
    **each("reptyr conspy writevt ttyecho injcode", dangerous("typing", "It takes over another terminal.")),
    "nvidia-smi": either(
        r"(?!.*(?:-f|--filename))(?:|-L|-q.*|--query\S*.*|-l\s*\d*|--list-gpus|topo .*|dmon.*|pmon.*)",
        "It shows what the graphics cards do.",
        danger("device", "It changes the graphics cards."),
    ),
}
