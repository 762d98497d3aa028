"""Commands that start another command and change how it runs: its time, its priority, its variables, its terminal.

What they start is judged as if it stood alone; what they add to it stands here."""

from collections.abc import Callable, Iterator

from assent.expressions import later
from assent.policy.commands.spec import Finding, Flows, Invocation, Run, RunsInput, Spec
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell import variables
from assent.policy.shell.words import HOLE, Arg

_ASSIGNMENT = later(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_ITSELF = "It only tells about itself."

Also = Callable[[Invocation], Iterator[Finding]]


def starts(skip: int = 0, *, empty: Finding | None = None, cwd: tuple[str, ...] = ()) -> Also:
    """What follows ``skip`` operands is the command; ``empty`` is what it does without one."""

    def found(it: Invocation) -> Iterator[Finding]:
        rest = it.operands[skip:]
        if skip and rest:
            # ``timeout 5 -- ls``, ``setarch x86_64 -R ls``: options may stand behind the operand, too.
            rest = Invocation(it.name, tuple(rest), it.spec, it.setting, it.cwd).operands
        if rest:
            yield from command(rest, cwd=it.value(*cwd) if cwd else None)
        elif empty is not None:
            yield empty

    return found


def command(words: list[Arg], cwd: Arg | None = None) -> Iterator[Finding]:
    """Variables before the command, then the command."""
    while words and _ASSIGNMENT.match(words[0].text):
        yield from assigned(words[0])
        words = words[1:]
    if words:
        yield Run(args=tuple(words), cwd=cwd)


def assigned(word: Arg) -> list[Effect]:
    name, _, value = word.text.partition("=")
    return variables.assigned(name.rstrip("+"), [value])


def wrapper(
    why: str, options: str = "", skip: int = 0, *does: Effect, empty: Finding | None = None, cwd: tuple[str, ...] = ()
) -> Spec:
    return Spec(why, options, "none*", does=does, also=starts(skip, empty=empty, cwd=cwd), wraps=True)


def _joined(words: list[Arg]) -> Arg:
    return Arg(" ".join(word.text for word in words))


def _env(it: Invocation) -> Iterator[Finding]:
    words = list(it.operands)
    split = it.value("-S", "--split-string", "-vS")
    if split is not None:
        # Its text may hold options, variables and the beginning of the command.
        yield Run(line=_joined([Arg("env"), split, *words]))
        return
    if it.has("--version", "--help"):
        yield nothing(_ITSELF)
        return
    while words and (_ASSIGNMENT.match(words[0].text) or words[0].text in ("-", "--")):
        yield from assigned(words[0])
        name, _, value = words[0].text.partition("=")
        it.setting.line.chooses(name, [value])
        words = words[1:]
    if words and words[0].text[:1] == "-":
        # ``env X=1 -i ls`` is not what env understands.
        yield care("unknown", f"Assent does not know the option {words[0].text} of env here.")
    if words:
        yield Run(args=tuple(words), cwd=it.value("-C", "--chdir"))
    elif it.has("-i", "--ignore-environment") or (it.operands and it.operands[0].text == "-"):
        yield nothing("It prints the variables it was given.")
    else:
        yield Flows("environment")


def _flock(it: Invocation) -> Iterator[Finding]:
    if not it.operands:
        yield nothing(_ITSELF)
        return
    lock, *rest = it.operands
    if not lock.text.isdigit():
        yield it.path("write", lock)
    line = it.value("-c", "--command")
    if line is None and rest and rest[0].text in ("-c", "--command"):
        line, rest = (rest[1] if len(rest) > 1 else None), []
    if line is not None:
        yield Run(line=line)
    elif rest:
        yield Run(args=tuple(rest))


def _of_process(skip: int) -> Also:
    """``-p``: not a command but a process that runs already."""

    def found(it: Invocation) -> Iterator[Finding]:
        if it.has("-p", "--pid", "-P", "--pgid", "-u", "--uid"):
            if len(it.operands) > 1 or it.name == "ionice":
                yield care("process", "It changes how a running process is treated.")
            else:
                yield nothing("It tells how a running process is treated.")
        else:
            yield from starts(skip, empty=nothing(_ITSELF))(it)

    return found


def _traced(it: Invocation) -> Iterator[Finding]:
    output = it.value("-o", "--output")
    if output is not None:
        if output.text[:1] in ("|", "!"):
            yield Run(line=Arg(output.text[1:]), fed=True)
        else:
            yield it.path("write", output)
    for arg in it.all_values("-E", "--env"):
        yield from assigned(arg)
    if it.has("-p", "--attach"):
        yield danger("secret", "It looks into a running process, whatever that holds.")
    yield from starts(empty=nothing(_ITSELF))(it)


def _script(it: Invocation) -> Iterator[Finding]:
    line = it.value("-c", "--command")
    file, *rest = it.operands or [Arg("typescript")]
    yield it.path("write", file)
    if line is not None:
        yield Run(line=line)
    elif rest:
        yield Run(args=tuple(rest))
    else:
        yield RunsInput("sh")


def _watch(it: Invocation) -> Iterator[Finding]:
    if not it.operands:
        yield nothing(_ITSELF)
    elif it.has("-x", "--exec"):
        yield Run(args=tuple(it.operands))
    else:
        yield Run(line=_joined(it.operands))


def _entr(it: Invocation) -> Iterator[Finding]:
    if it.has("-s"):
        yield Run(line=it.operands[0] if it.operands else Arg(HOLE))
    elif it.operands:
        yield Run(args=tuple(Arg(HOLE) if arg.text == "/_" else arg for arg in it.operands))


def _watchexec(it: Invocation) -> Iterator[Finding]:
    if it.operands:
        yield Run(line=_joined(it.operands))


def _hyperfine(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        yield Run(line=arg)


def _dotenv(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    if words and words[0].text in ("get", "list", "decrypt", "keypair"):
        yield danger("secret", "It prints what .env holds.")
    elif words and words[0].text in ("set", "unset", "encrypt"):
        yield danger("secret", "It overwrites a file of secrets.")
    elif words:
        words = words[1:] if words[0].text == "run" else words
        yield from command(words[1:] if words and words[0].text == "--" else words)


_TIMES = "It runs a command and says how long it took."
_LATER = care("process", "What it starts goes on when the session ends.")
_TRACE = (
    "-cCdDfFhiknqrtTvVwxyYzZ -o:none --output=none -e: -p:none --attach=none -s: -a: -b: -E:none --env=none -u: -P: -I:"
    " -O: -S: -U: -X: --trace= --follow-forks --string-limit= --summary --summary-only --output-append-mode --version"
    " --help --seccomp-bpf --output-separately --decode-fds? --stack-traces? --relative-timestamps?"
    " --absolute-timestamps? --syscall-times? --quiet? --user= --columns= --abbrev= --verbose= --raw= --signal="
    " --status= --read= --write= --fault= --inject= --kvm= --trace-path= --const-print-style= --tips? -A -l: -n: -x:"
)

COMMANDS: dict[str, Spec] = {
    "env": Spec(
        "It sets variables for the command behind it.",
        "-i0v -u: --unset= -C:none --chdir=none -S:none --split-string=none -a: --argv0= --ignore-environment --null"
        " --debug --block-signal? --default-signal? --ignore-signal? --list-signal-handling --version --help -P:",
        "none*",
        also=_env,
        wraps=True,
    ),
    **dict.fromkeys(
        ("nice", "gnice"),
        wrapper(
            "It lowers the priority.", "-n: --adjustment= -# --version --help", empty=nothing("It prints a number.")
        ),
    ),
    "ionice": Spec(
        "It changes how much a command may use the disk.",
        "-c: -n: -t -p -P -u --class= --classdata= --ignore --pid --pgid --uid --version --help -V -h",
        "none*",
        also=_of_process(0),
        wraps=True,
    ),
    "chrt": Spec(
        "It changes when a command gets its turn.",
        "-abdfimoprRv -T: -P: -D: --all-tasks --batch --deadline --fifo --idle --max --other --pid --rr --verbose"
        " --reset-on-fork --sched-runtime= --sched-period= --sched-deadline= --version --help -V -h",
        "none*",
        also=_of_process(1),
        wraps=True,
    ),
    "taskset": Spec(
        "It ties a command to processors.",
        "-acph -V --all-tasks --cpu-list --pid --version --help",
        "none*",
        also=_of_process(1),
        wraps=True,
    ),
    "numactl": wrapper(
        "It ties a command to processors and memory.",
        "-i: -m: -N: -C: -p: -P: -w: -lsHa --interleave= --membind= --cpunodebind= --physcpubind= --preferred="
        " --localalloc --show --hardware --all --balancing --weighted-interleave= --version --help",
        empty=nothing("It tells about processors and memory."),
    ),
    **dict.fromkeys(("nohup", "gnohup"), wrapper("It outlives the session.", "--version --help", 0, _LATER)),
    "setsid": wrapper("It outlives the session.", "-cfwhV --ctty --fork --wait --version --help", 0, _LATER),
    "daemonize": wrapper("It outlives the session.", "-av -c: -e:write -o:write -p:write -l:write -u: -E:", 0, _LATER),
    **dict.fromkeys(
        ("timeout", "gtimeout"),
        wrapper(
            "It ends a command that takes too long.",
            "-k: -s: --kill-after= --signal= --foreground --preserve-status -v -f -p --verbose --version --help",
            1,
        ),
    ),
    **dict.fromkeys(
        ("time", "gtime"),
        Spec(
            _TIMES,
            "-f: -o:write --output=write --format= -apvqVlh --append --portability --verbose --quiet --version --help",
            "none*",
            also=starts(empty=nothing(_ITSELF)),
            wraps=True,
        ),
    ),
    "hyperfine": Spec(
        _TIMES,
        "-w: --warmup= -m: --min-runs= -M: --max-runs= -r: --runs= -s:line --setup=line -p:line --prepare=line -c:line"
        " --cleanup=line --conclude=line -C:line --reference=line -P: --parameter-scan= -L: --parameter-list= -D:"
        " --parameter-step-size= -S:run --shell=run -N -i --ignore-failure --style= --sort= -u: --time-unit="
        " --export-json=write --export-csv=write --export-markdown=write --export-asciidoc=write --export-orgmode=write"
        " --show-output --output= --input=read -n: --command-name= --version --help -h -V",
        "none*",
        also=_hyperfine,
    ),
    **dict.fromkeys(
        ("stdbuf", "gstdbuf"),
        wrapper("It changes how output is gathered.", "-i: -o: -e: --input= --output= --error= --version --help"),
    ),
    "unbuffer": wrapper("It gives a command a terminal.", "-p"),
    "rlwrap": wrapper(
        "It lets a person edit what a command reads.",
        "-aAcCdDeEfgGhHiIlmMnNoOpPqrRsStTUvwWXz * -H:write -f:read -l:write",
    ),
    "flock": Spec(
        "It waits for a file lock.",
        "-sxeunoFvhV -w: -E: -c:none --command=none --shared --exclusive --unlock --nonblock --nb --close --no-fork"
        " --verbose --timeout= --wait= --conflict-exit-code= --version --help --fcntl",
        "none*",
        also=_flock,
        wraps=True,
    ),
    "strace": Spec("It says what a command asks the system.", _TRACE, "none*", also=_traced, wraps=True),
    "ltrace": Spec("It says which libraries a command uses.", f"{_TRACE} -F:config", "none*", also=_traced, wraps=True),
    "valgrind": wrapper(
        "It runs a command and watches what it does with memory.",
        "* -q -v --log-file=write --xml-file=write --suppressions=read",
    ),
    "catchsegv": wrapper("It says where a command crashed."),
    "script": Spec(
        "It keeps a copy of a terminal session.",
        "-aefqrkpt -c:none --command=none -I:write -O:write -B:write -T:write --log-in=write --log-out=write"
        " --log-io=write --log-timing=write --append --flush --quiet --return --force --echo= -E: -m: -o:"
        " --output-limit= --logging-format= --version --help -V -h",
        "none*",
        also=_script,
    ),
    "watch": Spec(
        "It runs a command again and again.",
        "-bcegtwxrpCvh -d? -n: -q: -s: --interval= --differences? --beep --color --errexit --chgexit --equexit="
        " --no-title --no-wrap --no-rerun --precise --exec --no-color --version --help",
        "none*",
        also=_watch,
        wraps=True,
    ),
    "entr": Spec("It runs a command when files change.", "-acdnprsxz", "none*", also=_entr, wraps=True),
    "watchexec": Spec(
        "It runs a command when files change.",
        "-w: --watch= -e: --exts= -f: --filter= -i: --ignore= -o: --on-busy-update= -s: --signal= -d: --debounce="
        " -crnpN"
        " -1 --restart --clear? --postpone --notify --no-vcs-ignore --no-project-ignore --no-default-ignore"
        " --shell=run"
        " --env= -E: --workdir= --project-origin= --stop-signal= --stop-timeout= --delay-run= --poll? --version --help",
        "none*",
        also=_watchexec,
        wraps=True,
    ),
    "caffeinate": wrapper("It keeps the machine awake.", "-dimsu -t: -w:", empty=nothing("It waits.")),
    "systemd-inhibit": wrapper("It keeps the machine awake.", "--what= --who= --why= --mode= --list --version --help"),
    "arch": wrapper(
        "It runs a command for another kind of processor.", "* -arch: -e: -d: -c", empty=nothing("It prints a name.")
    ),
    **dict.fromkeys(
        ("linux32", "linux64", "i386", "i686", "x86_64", "uname26"),
        wrapper("It runs a command for another kind of processor.", "-BFILRSTXZv3h -p: *"),
    ),
    "setarch": wrapper("It runs a command for another kind of processor.", "-BFILRSTXZv3h *", 1),
    "faketime": wrapper("It tells a command another time.", "-mfp -p: --exclude-monotonic --version --help", 1),
    "xvfb-run": wrapper(
        "It gives a command a virtual screen.",
        "-adlh -e:write -f:write -n: -p: -s: -w: --auto-servernum --auto-display --error-file=write --auth-file=write"
        " --listen-tcp --server-num= --xauth-protocol= --server-args= --wait= --help",
    ),
    "dbus-run-session": wrapper(
        "It gives a command a bus of its own.", "--config-file=config --dbus-daemon=run --version --help"
    ),
    "dbus-launch": wrapper(
        "It gives a command a bus of its own.",
        "--exit-with-session --exit-with-x11 --sh-syntax --csh-syntax --auto-syntax --binary-syntax --close-stderr"
        " --config-file=config --autolaunch= --version --help",
    ),
    "cgexec": wrapper("It limits what a command may use.", "-g: --sticky --cancel-sticky -h --help"),
    "prlimit": wrapper("It limits what a command may use.", "* -p: -o: -P:", empty=nothing("It prints limits.")),
    "softlimit": wrapper("It limits what a command may use.", "-a: -c: -d: -f: -l: -m: -o: -p: -r: -s: -t:"),
    "cpulimit": wrapper("It limits what a command may use.", "-bizvqmfh -l: -p: -e: -c: --limit= --pid= --exe="),
    "choom": wrapper(
        "It says which command is ended first when memory runs out.", "-n: -p: --adjust= --pid= --version --help"
    ),
    "trickle": wrapper("It slows a command's connections down.", "-shvV -d: -u: -w: -t: -l: -L: -P: -n:"),
    "eatmydata": wrapper("It lets a command go on before its files are on the disk."),
    "fakeroot": wrapper(
        "It lets a command believe that it is the administrator.",
        "-uhv -l:file -f:file -s:write -i:read -b: --lib=file --faked=file --unknown-is-real",
        empty=RunsInput("sh"),
    ),
    "chronic": wrapper("It shows what a command prints only if that fails.", "-ev"),
    "ifne": wrapper("It runs a command if something comes in.", "-n"),
    "mispipe": Spec("It runs two lines.", "", "line line"),
    **dict.fromkeys(
        ("tini", "dumb-init", "catatonit"),
        wrapper("It looks after a command and its children.", "-svwgclV -e: -p: -r: --version --help --rewrite="),
    ),
    "wait-for-it": wrapper(
        "It waits until another machine answers.", "-qs -h: -p: -t: --strict --quiet --timeout= *", 1
    ),
    "direnv": Spec(
        "It sets a project's variables for a command.",
        "--version --help",
        verbs={
            "exec": wrapper("It runs a project's .envrc, then the command.", "", 1, care("project", "It runs .envrc.")),
            "version": Spec(_ITSELF),
            "status": Spec("It tells which .envrc holds here.", "--json"),
            "hook": Spec("It prints what a shell needs to know of it."),
            "allow": Spec(
                "", "", does=(care("persist", "From now on this folder's .envrc runs whenever it is entered."),)
            ),
        },
    ),
    **dict.fromkeys(
        ("dotenv", "dotenvx", "dotenv-cli"),
        Spec(
            "It sets variables from .env for a command.",
            "-f: -e: -c -o -p: -v: -q: --file= --quote= --override --no-override --env-file= --quiet --debug --version",
            "none*",
            also=_dotenv,
            wraps=True,
        ),
    ),
    "envdir": wrapper("It sets variables from files for a command.", "", 1),
}
