"""Containers on this machine: docker, podman and their kin.

What runs in a container is walked like a line here, only that its files are not these. What a container gets from this
machine stands in _mounts.py."""

from collections.abc import Iterator

from assent.policy.commands._mounts import RUN, compose, gets
from assent.policy.commands._services import (
    COMMON,
    ITSELF,
    asks,
    copied,
    in_production,
    is_production,
    makes,
    ruins,
    service,
)
from assent.policy.commands._web import address, shown
from assent.policy.commands.spec import (
    A_CONTAINER,
    Finding,
    Invocation,
    Run,
    Spec,
    Takes,
    careful,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_ASKS = "It asks about containers and images."
_GONE = "It deletes containers, images or data, and that cannot be undone."
_PULLS = "It brings an image in."
_PUSHES = "It publishes an image."
_STARTS = "It starts or stops containers."


def _asks(options: str = "*") -> Spec:
    return queries(_ASKS, options)


def _gone(why: str = _GONE) -> Spec:
    return dangerous("delete", why)


def _inspects(it: Invocation) -> Iterator[Finding]:
    """Variables of containers often hold passwords; who asks for them gets them."""
    if any(".Env" in arg.text for arg in it.handed_on):
        yield danger("secret", "It shows variables of a container, and secrets may be among them.")


_INSPECT = Spec(_ASKS, "*", does=(Effect("query", Risk.LOOK, _ASKS),), also=_inspects)


def _context(it: Invocation) -> Iterator[Finding]:
    yield care("remote", "It changes which machine's containers are worked with.")
    yield from in_production(it)


# --- running


def _run(it: Invocation) -> Iterator[Finding]:
    if it.has("--help"):
        yield nothing(ITSELF)
        return
    yield care("run", "It runs an image in a container.", shown(it.operands[0]) if it.operands else "")
    yield from gets(it)
    words = it.operands[1:]
    if entry := it.all_values("--entrypoint"):
        words = [*entry[-1:], *words]
    if words and words[0].text:
        yield Run(args=tuple(words), elsewhere=A_CONTAINER)


def _exec(it: Invocation) -> Iterator[Finding]:
    if it.has("--help"):
        yield nothing(ITSELF)
        return
    yield care("remote", "It runs a command in a container.", shown(it.operands[0]) if it.operands else "")
    if it.operands and (it.has("--privileged") or any(True for _ in in_production(_only(it, it.operands[0])))):
        yield danger("remote", "It works in a container of production, or with all rights.", shown(it.operands[0]))
    if it.operands[1:]:
        yield Run(args=tuple(it.operands[1:]), elsewhere=A_CONTAINER)


def _only(it: Invocation, arg: Arg) -> Invocation:
    return Invocation(it.name, (arg,), Spec(""), it.setting, it.cwd)


_EXEC = (
    "-d -i -t -l --detach --interactive --tty --privileged -e: --env= --env-file= -u: --user= -w: --workdir= --help"
    " --latest --cidfile=read --preserve-fds= --detach-keys="
)


def _is_inside(text: str) -> bool:
    """``container:path``"""
    head, colon, _ = text.partition(":")
    return bool(colon) and "/" not in head and head != ""


def _cp(it: Invocation) -> Iterator[Finding]:
    if len(it.operands) < 2 or not any(_is_inside(word.text) for word in it.operands):
        yield care("dynamic", "What it copies is known only when it runs.")
    yield from copied(it, it.operands, _is_inside, "a container")


# --- images


def _build(it: Invocation) -> Iterator[Finding]:
    yield care("project", "It runs what the project's Dockerfile says, in a container.")
    if it.has("--push"):
        yield danger("publish", _PUSHES)
    for value in it.all_values("--allow", "--security-opt", "--cap-add", "--device", "--isolation"):
        yield danger("privilege", "It gives a build rights over this machine.", shown(value))
    for value in it.all_values("--network", "--net"):
        if value.text == "host":
            yield care("privilege", "It lets a build see this machine's network.")
    for value in it.all_values("-v", "--volume"):
        yield from gets(it)
        yield care("run", "It gives a build files of yours.", shown(value))
    for value in it.all_values("--secret", "--ssh"):
        yield care("secret", "It gives a build secrets.", shown(value))
    for value in it.all_values("-o", "--output"):
        target = dict(field.partition("=")[::2] for field in value.text.split(",")).get("dest", "")
        if target or "=" not in value.text:
            yield it.path("write", Arg(target or value.text))
    for word in it.operands:
        if word.text == "-":
            yield Takes(lambda text: iter((care("project", "It builds what comes in.", text[:60]),)))
        elif "://" in word.text or word.text.startswith(("git@", "github.com/")):
            yield danger("run", "It builds what it downloads, unseen.", shown(word))
        elif it.place(word) in ("whole", "secret", "system", "others") and not it.is_project(word):
            yield danger("read", "It hands a whole folder to a build.", shown(word))


_BUILD = (
    "* -f: --file= -t: --tag= --build-arg= --build-context= --cache-from= --cache-to= --target= --platform= --label="
    " --iidfile=write --metadata-file=write --network= --net= --progress= --secret= --ssh= -o: --output= --add-host="
    " --allow= --attest= --builder= --cgroup-parent= --shm-size= --ulimit= --annotation= --security-opt= --cap-add="
    " --device= --isolation= -v: --volume= --no-cache-filter= --provenance? --sbom? --call? --memory= -m: --cpu-shares="
    " --push --load --pull --no-cache -q --quiet --rm --force-rm --squash --check --print"
)


def _load(it: Invocation) -> Iterator[Finding]:
    yield care("run", _PULLS)
    if not it.has("-i", "--input") and (not it.operands or it.operands[0].text == "-"):
        yield Takes(lambda _: iter(()))
    for word in it.operands[:1]:
        if "://" in word.text:
            yield danger("run", "It takes in an image from the network.", shown(word))
        elif word.text != "-":
            yield it.path("read", word)


def _remove(it: Invocation) -> Iterator[Finding]:
    """One that has stopped, by its name; all that are, by force, are another thing."""
    if it.has("-f", "--force", "-v", "--volumes", "-a", "--all", "--rm") or any(arg.splits for arg in it.operands):
        yield danger("delete", _GONE)
    else:
        yield care("delete", "It deletes containers or images that are not in use.")
    if any(True for _ in in_production(it)):
        yield danger("delete", "It deletes something of production.")


_RM = Spec(_GONE, "* -f -v -a -l --force --volumes --all --link -t: --time= -i", also=_remove)
_START = careful("process", _STARTS)
_RUN = Spec("It runs an image in a container.", RUN, "none*", also=_run, wraps=True)
_IN = Spec("It runs a command in a container.", _EXEC, "none*", also=_exec, wraps=True)
_COPY = Spec("It copies files into or out of a container.", "* -a -L -q", "none*", also=_cp)
_BUILDS = Spec("It builds an image.", _BUILD, "none*", also=_build)
_PULL = careful("fetch", _PULLS)
_PUSH = dangerous("publish", _PUSHES)
_LOAD = Spec(
    "It takes in an image.", "* -i:read --input=read -c: --change= -m: --message= --platform=", "none*", also=_load
)
_SAVE = Spec(
    "It prints an image or a container.", "* -o:write --output=write --format= --platform=", also=lambda _: iter(())
)
_LOGIN = careful("secret", "It logs you in to a registry, and keeps the password.")
_MAKE = careful("process", "It makes something that containers use.")


def _shows(it: Invocation) -> Iterator[Finding]:
    if it.has("--showsecret"):
        yield danger("secret", "It shows secrets.")


_CONTAINER: dict[str, Spec] = {
    "inspect": _INSPECT,
    **each("ls list ps logs stats top diff port wait exists", _asks()),
    **each("start stop restart pause unpause rename update attach kill init commit resize checkpoint restore", _START),
    **each("run create", _RUN),
    "exec": _IN,
    "cp": _COPY,
    "export": _SAVE,
    **each("rm remove", _RM),
    **each("prune cleanup clone runlabel", _gone()),
}
_IMAGE: dict[str, Spec] = {
    **each("ls list inspect history exists tree search diff", _asks()),
    "build": _BUILDS,
    "pull": _PULL,
    "push": _PUSH,
    **each("load import", _LOAD),
    "save": _SAVE,
    **each("rm remove", _RM),
    "prune": _gone(),
    **each("tag untag sign scp", careful("process", "It names images.")),
}
_NETWORK: dict[str, Spec] = {
    **each("ls list inspect exists", _asks()),
    **each("create connect disconnect update reload", _MAKE),
    **each("rm remove", _RM),
    "prune": _gone(),
}
_VOLUME: dict[str, Spec] = {
    **each("ls list inspect exists", _asks()),
    **each("create update import mount unmount reload", _MAKE),
    "export": _SAVE,
    **each("rm remove prune", _gone("It deletes data that containers keep, and that cannot be undone.")),
}
_SYSTEM: dict[str, Spec] = {
    **each("df info events version", _asks()),
    **each("prune reset migrate renumber", _gone()),
    **each("connection service", dangerous("privilege", "It lets others rule the containers of this machine.")),
}
_CONTEXT: dict[str, Spec] = {
    **each("ls list inspect show", _asks()),
    **each("create use update import", Spec("It changes which machine is worked with.", "*", also=_context)),
    "export": dangerous("secret", "It writes down how to rule another machine, keys and all."),
    **each("rm remove", _gone("It forgets how to reach other machines.")),
}
_SWARM_THINGS: dict[str, Spec] = {
    **each("ls list inspect ps logs services config", _asks()),
    **each("create deploy up update scale promote", careful("remote", "It changes what runs in a cluster.")),
    **each("rm remove down rollback demote prune", dangerous("remote", "It deletes what runs in a cluster.")),
}
_SECRET: dict[str, Spec] = {
    **each("ls list inspect exists", Spec(_ASKS, "* --showsecret", also=_shows)),
    "create": careful("secret", "It keeps a secret for containers."),
    **each("rm remove", dangerous("secret", "It deletes a secret.")),
}
_BUILDX: dict[str, Spec] = {
    **each("ls du inspect version", _asks()),
    "imagetools": Spec("Works with what images are made of.", "*", verbs={"inspect": _asks(), "create": _PUSH}),
    "history": Spec("Works with past builds.", "*", verbs=each("ls inspect logs", _asks())),
    **each("build b", _BUILDS),
    "bake": Spec("It builds images.", _BUILD, "text*", also=_build),
    **each("create use install uninstall debug dap dial-stdio stop", _MAKE),
    **each("rm prune", _gone("It deletes what builds are kept for.")),
}


def _verbs(why: str, verbs: dict[str, Spec]) -> Spec:
    return Spec(why, "--help", verbs={**verbs, "": known("It shows its help."), "help": known(ITSELF)}, helps=True)


_PLUGIN: dict[str, Spec] = {
    **each("ls list inspect", _asks()),
    **each("install enable create upgrade set", dangerous("run", "It adds code that rules this machine's containers.")),
    **each("rm disable", _gone("It takes away what containers may need.")),
    "push": _PUSH,
}
_DOCKER: dict[str, Spec] = {
    "inspect": _INSPECT,
    **each("ps images logs stats version info history port diff events top wait help --help", _asks()),
    **{verb: _CONTAINER[verb] for verb in ("run", "create", "exec", "cp", "export", "rm")},
    **each("start stop restart pause unpause rename update attach kill commit init", _START),
    **{verb: _IMAGE[verb] for verb in ("build", "pull", "push", "load", "import", "save")},
    "tag": careful("process", "It names an image."),
    "rmi": _RM,
    "untag": _RM,
    "search": careful("fetch", "It searches for images in a registry."),
    **each("login logout", _LOGIN),
    "container": _verbs("Works with containers.", _CONTAINER),
    "image": _verbs("Works with images.", _IMAGE),
    "network": _verbs("Works with networks of containers.", _NETWORK),
    "volume": _verbs("Works with data of containers.", _VOLUME),
    "system": _verbs("Works with all there is.", _SYSTEM),
    "context": _verbs("Works with other machines.", _CONTEXT),
    **each("service stack node config", _verbs("Works with a cluster.", _SWARM_THINGS)),
    "secret": _verbs("Works with secrets.", _SECRET),
    "swarm": _verbs(
        "Works with a cluster.",
        {
            **each("init join update", careful("remote", "It makes this machine part of a cluster.")),
            **each(
                "leave ca unlock", dangerous("remote", "It takes this machine out of a cluster, or changes its keys.")
            ),
            **each("join-token unlock-key", dangerous("secret", "It shows who may join a cluster.")),
        },
    ),
    "buildx": _verbs("Builds images.", _BUILDX),
    "builder": _verbs("Builds images.", _BUILDX),
    "bake": _BUILDX["bake"],
    "manifest": _verbs(
        "Works with what images are made of.",
        {"inspect": _asks(), "push": _PUSH, **each("create annotate add exists", _MAKE), "rm": _RM},
    ),
    "compose": compose(_exec, _run),
    "plugin": _verbs("Works with plugins.", _PLUGIN),
    "trust": _verbs(
        "Works with signatures.",
        {
            "inspect": _asks(),
            **each("sign key signer revoke", dangerous("secret", "It changes whose images are trusted.")),
        },
    ),
    **each("scout sbom", careful("send", "It sends what is in an image to a service.")),
    "checkpoint": _verbs("Keeps the state of containers.", {"ls": _asks(), "create": _START, "rm": _RM}),
    "pod": _verbs(
        "Works with groups of containers.",
        {
            **each("ls list ps inspect logs stats top exists", _asks()),
            **each("create start stop restart pause unpause kill clone", _START),
            **each("rm prune", _gone()),
        },
    ),
    **each("generate kube play", careful("run", "It starts containers, or writes down how.")),
    **each("machine", careful("process", "It works with the machine that containers run in.")),
    **each("unshare mount umount", dangerous("privilege", "It works in the container's place on this machine.")),
}


def _only_asks(words: list[Arg]) -> bool:
    spec: Spec | None = _ENGINE
    for word in words:
        spec = (spec.verbs or {}).get(word.text) if spec is not None else None
        if spec is None or spec.verbs is None:
            break
    return spec is not None and bool(spec.does) and spec.does[0].kind == "query"


def _daemon(it: Invocation) -> Iterator[Finding]:
    """Which machine's containers are worked with."""
    if it.has("--version", "-v") and not it.operands:
        yield nothing(ITSELF)
    for value in it.all_values("-H", "--host", "--url"):
        if value.text.startswith(("unix://", "npipe://", "fd://")):
            continue
        to = address(value.text)
        yield care("remote", "It works with another machine's containers.", shown(value))
        if not to.is_local and it.operands:
            yield from in_production(it)
    for value in it.all_values("--context", "-c", "--connection"):
        if is_production(value.text) and not _only_asks(it.operands):
            yield danger("remote", "It works with the containers of production.", shown(value))
    for value in it.all_values("--config"):
        yield care("run", "Its settings come from elsewhere, and may name programs.", shown(value))


_OPTIONS = (
    "-H: --host= --context= --config= -D --debug -l: --log-level= --tls --tlscacert=read --tlscert= --tlskey="
    " --tlsverify -v --version --help -c: --connection= --url= --identity= --root=care --runroot=care --storage-driver="
    " --storage-opt= --namespace= -n: --address= -a: --cgroup-manager= --runtime=run --remote -r --noout --syslog"
)
_ENGINE = Spec(
    "Works with containers.", _OPTIONS, verbs={**_DOCKER, "": known("It shows its help.")}, also=_daemon, helps=True
)


def _skopeo(it: Invocation) -> Iterator[Finding]:
    goal = it.operands[-1].text if it.operands else ""
    if goal.startswith(("docker://", "oci+")) or "://" in goal:
        yield danger("publish", _PUSHES, goal)
    else:
        yield care("fetch", _PULLS, goal)


def _in_machine(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    if len(words) > 1 and words[0].text in ("exec", "shell", "ssh"):
        yield Run(args=tuple(it.behind or words[2:]), elsewhere=shown(words[1]))


COMMANDS: dict[str, Spec] = {
    **each("docker podman nerdctl finch", _ENGINE),
    **each("docker-compose podman-compose", compose(_exec, _run)),
    "docker-buildx": _verbs("Builds images.", _BUILDX),
    "buildctl": service("Builds images.", asks("du|debug"), makes("build", kind="project"), ruins("prune")),
    "buildah": Spec(
        "Builds images.",
        "--help --version --root= --runroot= --storage-driver= --log-level= --registries-conf=config",
        verbs={
            **each("images containers ps inspect version info ls", _asks()),
            **each("bud build build-using-dockerfile", _BUILDS),
            "run": Spec(_STARTS, RUN, "none*", also=_run, wraps=True),
            **each("from pull config commit copy add tag rename", careful("process", "It makes an image.")),
            **each("push manifest", _PUSH),
            **each("rm rmi prune delete", _RM),
            **each(
                "mount unshare umount", dangerous("privilege", "It works in the container's place on this machine.")
            ),
            **each("login logout", _LOGIN),
        },
    ),
    "skopeo": Spec(
        "Works with images in registries.",
        "--help --version --debug --policy=read --insecure-policy --registries.d=config --override-os="
        " --override-arch=",
        verbs={
            **each("inspect list-tags manifest-digest standalone-verify", _asks("* --creds= --authfile= --format=")),
            **each("copy sync", Spec("It copies images.", "* --src= --dest=", "none*", also=_skopeo)),
            "delete": _gone(),
            **each("login logout", _LOGIN),
        },
    ),
    "crictl": Spec(
        "Works with containers of a cluster.",
        "-r: --runtime-endpoint= -i: --image-endpoint= -t: --timeout= -D --debug -c:config --config=config --help"
        " --version",
        verbs={
            **each(
                "ps pods images inspect inspecti inspectp info version logs stats statsp imagefsinfo events", _asks()
            ),
            "exec": _IN,
            **each("run runp create start stop stopp update pull checkpoint attach port-forward", _START),
            **each("rm rmi rmp", _gone()),
        },
    ),
    "ctr": service(
        "Works with containers.",
        ruins("** rm|remove|del|delete|prune|kill"),
        asks("** ls|list|info|check|metrics|version"),
        makes("** run|exec|start|pull|import|export|mount|push|tag|create"),
        options="-n: --namespace= -a: --address= --timeout= --connect-timeout= --debug",
    ),
    "dive": careful("fetch", "It brings an image in, and shows what is in it."),
    "vagrant": service(
        "Works with virtual machines.",
        asks("status|global-status|version|port|validate|list-commands", "box|plugin|snapshot|cloud list"),
        ruins("destroy", "box|snapshot remove|delete|prune|restore|pop"),
        makes(
            "up|halt|reload|provision|suspend|resume|ssh|rsync|package|init",
            kind="process",
            why="It works with machines.",
        ),
        makes("plugin install|update", kind="install"),
        options="-c:line --command=line",
    ),
    **each(
        "multipass colima limactl lima lxc incus lxd tart orb orbctl VBoxManage virsh prlctl vmrun",
        service(
            "Works with virtual machines.",
            asks(
                "list|ls|info|status|version|find|get|networks|aliases, config show, image|storage list",
                "list* *|showvminfo",
            ),
            ruins("** delete|purge|destroy|rm|undefine|prune|factory-reset|unregistervm"),
            makes("shell|exec|transfer|mount", why="It works in a virtual machine.", kind="process"),
            makes("launch|start|stop|restart|suspend|create|edit|set|copy|cp|snapshot|restart", kind="process"),
            also=COMMON,
            more=_in_machine,
        ),
    ),
    "devcontainer": service(
        "Works in a container made for the project.",
        asks("read-configuration|outdated, features info"),
        makes(
            "up|build|exec|run-user-commands|set-up|upgrade|templates",
            kind="project",
            why="It runs the project in a container.",
        ),
    ),
}
