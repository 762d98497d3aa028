"""What a container gets from this machine: folders, devices, rights. Through them it is not contained any more."""

from collections.abc import Callable, Iterator

from assent.expressions import later
from assent.policy.commands._services import ITSELF, in_production
from assent.policy.commands._web import shown, socket
from assent.policy.commands.spec import Finding, Invocation, Spec, careful, dangerous, each, known, queries
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.guarded import guarded
from assent.policy.own import LINKS
from assent.policy.shell.words import HOLE, Arg

_ASKS = "It asks about the project's containers."
_STARTS = "It starts or stops what the project's own file says."
_GONE = "It deletes data that containers keep, and that cannot be undone."
_OPTIONS = (
    "-f: --file= -p: --project-name= --profile= --env-file= --project-directory= --ansi= --progress= --parallel="
    " --workdir= --dry-run --compatibility --all-resources --verbose -v --version --help -H: --host= --context= -c:"
)
_ONE = (
    "* -d -i -t -T --detach --no-TTY --privileged -e: --env= -u: --user= -w: --workdir= --index= --rm --name= --no-deps"
    " -p: --publish= -P --service-ports --use-aliases -v: --volume= --entrypoint= -l: --label= --cap-add= --cap-drop="
    " --env-from-file= --quiet-pull --build --remove-orphans --pull= --interactive --tty -q --help"
)
Also = Callable[[Invocation], Iterator[Finding]]


def _up(it: Invocation) -> Iterator[Finding]:
    if it.has("-V", "--renew-anon-volumes"):
        yield danger("delete", _GONE)


def _down(it: Invocation) -> Iterator[Finding]:
    yield care("process", "It stops and removes the project's containers.")
    if it.has("-v", "--volumes") or any(value.text == "all" for value in it.all_values("--rmi")):
        yield danger("delete", _GONE, safer="without -v, the data stays")


def _rm(it: Invocation) -> Iterator[Finding]:
    yield care("process", "It removes the project's containers.")
    if it.has("-v", "--volumes"):
        yield danger("delete", _GONE)


def _config(it: Invocation) -> Iterator[Finding]:
    if it.has("--environment"):
        yield danger("secret", "It shows all variables, and secrets may be among them.")


def _waits(it: Invocation) -> Iterator[Finding]:
    if it.has("--down-project"):
        yield care("process", "It stops and removes the project's containers.")


def _files(it: Invocation) -> Iterator[Finding]:
    """Whose file it is that says what runs."""
    if it.has("--version", "-v") and not it.operands:
        yield nothing(ITSELF)
    for value in it.all_values("-f", "--file"):
        if "://" in value.text or value.text.startswith("git@"):
            yield danger("run", "It runs what a file from the network says.", shown(value))
        elif HOLE in value.text or it.place(value) not in ("project", "temp"):
            yield care("run", "A file outside the project says what runs.", shown(value))
    for value in it.all_values("-H", "--host", "--context", "-c"):
        yield care("remote", "It works with another machine's containers.", shown(value))
        yield from in_production(it)


def compose(inside: Also, run: Also) -> Spec:
    """``inside`` and ``run`` are what it means to work in a container, and to start one."""
    starts = careful("project", _STARTS)
    return Spec(
        "Works with the project's containers.",
        _OPTIONS,
        also=_files,
        helps=True,
        verbs={
            "": known("It shows its help."),
            **each("ps ls images logs top port events version stats volumes help", queries(_ASKS)),
            **each("config convert", Spec(_ASKS, "* -o:write --output=write --environment", also=_config)),
            "up": Spec(_STARTS, "* -V --renew-anon-volumes", does=(care("project", _STARTS),), also=_up),
            **each("start stop restart create build pull pause unpause kill scale watch attach commit", starts),
            "down": Spec(_STARTS, "* -v --volumes --rmi= -t: --timeout= --remove-orphans", also=_down),
            "rm": Spec(_STARTS, "* -f -s -v --force --stop --volumes -a", also=_rm),
            "exec": Spec("It runs a command in a container.", _ONE, "none*", also=inside, wraps=True),
            "run": Spec("It runs a command in a container.", _ONE, "none*", also=run, wraps=True),
            "wait": Spec(_ASKS, "* --down-project", also=_waits),
            "cp": careful("remote", "It copies files into or out of a container."),
            **each("push publish", dangerous("publish", "It publishes images.")),
            "export": Spec("It prints a container.", "* -o:write --output=write --index="),
        },
    )


_SYSTEM = later(
    r"/(?:etc|usr|bin|sbin|lib\w*|boot|var|proc|sys|dev|root|run|opt|snap|System|Library|private|Applications"
    r"|efi)(?:/|$)"
)
_SOCKET = later(r".*\.sock(?:et)?")
_HOST = frozenset({"host"})
# Rights that every container has anyway, or that reach nothing outside of it.
_USUAL = frozenset({"net_bind_service", "chown", "setuid", "setgid", "fowner", "kill", "mknod", "setfcap", "net_raw"})
_LOOSE = later(r"(?:seccomp|apparmor|systempaths)[=:]unconfined|label[=:]disable|no-new-privileges[=:]false|unmask=.*")

# Every option of ``docker run`` that takes a value; without them the image cannot be told from a value.
RUN = (
    "* -a: --attach= --add-host= --annotation= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop="
    " --cgroup-parent= --cgroupns= --cidfile=write --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c:"
    " --cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --detach-keys= --device= --device-cgroup-rule="
    " --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option="
    " --dns-search="
    " --domainname= --entrypoint= -e: --env= --env-file= --expose= --gpus= --group-add= --health-cmd="
    " --health-interval="
    " --health-retries= --health-start-period= --health-timeout= --health-start-interval= -h: --hostname= --ip= --ip6="
    " --ipc= --isolation= --kernel-memory= -l: --label= --label-file=read --link= --link-local-ip= --log-driver="
    " --log-opt= --mac-address= -m: --memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount="
    " --name="
    " --network= --net= --network-alias= --net-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p: --publish="
    " --pull? --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl="
    " --tmpfs= --ulimit= -u: --user= --userns= --uts= -v: --volume= --volume-driver= --volumes-from= -w: --workdir="
    " --arch= --os= --variant= --pod= --pod-id-file=write --secret= --requires= --sdnotify= --systemd? --timeout= --tz="
    " --umask= --uidmap= --gidmap= --subuidname= --subgidname= --authfile= --conmon-pidfile=write --pidfile=write"
    " --decryption-key= --env-merge= --hosttz= --image-volume= --init-path= --passwd-entry= --personality="
    " --preserve-fd= --preserve-fds= --rootfs --seccomp-policy= --unsetenv= --chrootdirs= --hostuser= --detach -d -i -t"
    " --rm --privileged --init -P --publish-all --read-only --tty --interactive --sig-proxy? -q --quiet --help"
    " --no-healthcheck --oom-kill-disable --disable-content-trust? --replace --use-api-socket"
)


def gets(it: Invocation) -> Iterator[Finding]:
    """What ``docker run`` and its kin hand over to the container."""
    if it.has("--privileged"):
        yield danger("privilege", "It gives a container all rights on this machine.")
    if it.has("--use-api-socket"):
        yield danger("privilege", "It lets a container start others on this machine.")
    for value in it.all_values("--pid", "--ipc", "--userns", "--uts", "--cgroupns", "--net", "--network"):
        if value.text in _HOST:
            yield danger("privilege", "It lets a container see this machine's own processes or network.", value.text)
    for value in it.all_values("--cap-add"):
        if not value.known or value.text.lower().removeprefix("cap_") not in _USUAL:
            yield danger("privilege", "It gives a container rights over this machine.", shown(value))
    for value in it.all_values("--security-opt"):
        if _LOOSE.fullmatch(value.text) or not value.known:
            yield danger("privilege", "It takes away what holds a container back.", shown(value))
    for value in it.all_values("--device", "--device-cgroup-rule"):
        yield danger("device", "It gives a container a device of this machine.", shown(value))
    for value in it.all_values("--env-file"):
        yield _environment(it, value)
    for value in it.all_values("-v", "--volume"):
        source, colon, rest = value.text.partition(":")
        if colon and _is_path(source):
            yield mounted(
                it, Arg(source, value.glob), is_read_only=rest.rpartition(":")[2] in ("ro", "ro,z", "ro,Z", "z,ro")
            )
        elif HOLE in source:
            yield care("dynamic", "Which folder a container gets is known only when it runs.")
    for value in it.all_values("--mount"):
        yield from _mount(it, value)


def _is_path(text: str) -> bool:
    return text.startswith(("/", ".", "~", HOLE)) or "/" in text


def _mount(it: Invocation, value: Arg) -> Iterator[Finding]:
    fields = dict(field.partition("=")[::2] for field in value.text.split(","))
    source = fields.get("source", fields.get("src", ""))
    if fields.get("type", "volume") == "bind" or _is_path(source):
        yield mounted(it, Arg(source), is_read_only="readonly" in fields or "ro" in fields)


def mounted(it: Invocation, source: Arg, *, is_read_only: bool) -> Effect:
    """A folder of this machine in a container, where it is written to as root."""
    target = shown(source)
    if _SOCKET.fullmatch(source.text):
        return socket(it, source)
    if guarded("write", source, it.setting, it.cwd, recursive=True) is not None:
        return danger("tamper", LINKS, target)
    place = it.place(source)
    if place == "whole" and it.is_project(source):
        return care("run", "It gives a container the project.", target)
    if place in ("whole", "secret", "assent", "others", "device", "obeyed"):
        return danger("privilege", "It gives a container files that rule this machine, or secrets.", target)
    if place == "system" and _SYSTEM.match(source.text):
        is_one_file = is_read_only and "/" in source.text[1:].rstrip("/")
        return (care if is_one_file else danger)("privilege", "It gives a container files of the system.", target)
    if place == "unknown":
        return care("dynamic", "Which folder a container gets is known only when it runs.", target)
    return care("run", "It gives a container files of yours.", target)


def _environment(it: Invocation, value: Arg) -> Effect:
    """Secrets for the program they belong to, if they are the project's own."""
    effect = it.path("read", value)
    if effect.kind == "secret" and not value.text.startswith(("/", "~", "..")) and HOLE not in value.text:
        return care("secret", "It gives a container the project's secrets.", effect.target)
    return effect
