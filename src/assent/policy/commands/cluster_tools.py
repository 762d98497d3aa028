"""What works beside kubectl: helm, and tools that make, watch and look after clusters."""

from collections.abc import Iterator

from assent.policy.commands._services import (
    ITSELF,
    asks,
    in_production,
    makes,
    opens,
    reveals,
    ruins,
    rule,
    service,
    tells,
)
from assent.policy.commands._web import shown
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    Spec,
    careful,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_ASKS = "It asks a cluster."
_SETTINGS = "Its settings come from a file, and may name programs."

# --- helm

_EVERYWHERE = (
    "-n: --namespace= --kube-context= --kubeconfig=config --kube-apiserver=danger --kube-token= --kube-as-user="
    " --kube-as-group= --kube-ca-file= --kube-tls-server-name= --registry-config=config --repository-cache="
    " --repository-config=config --burst-limit= --qps= --debug --kube-insecure-skip-tls-verify --help -h"
)
_VALUES = (
    "-f: --values= --set= --set-string= --set-file= --set-json= --set-literal= --version= --repo= --ca-file="
    " --cert-file="
    " --key-file= --keyring= --username= --password= --post-renderer=run --post-renderer-args= --timeout="
    " --description="
    " --output-dir=write -s: --show-only= -a: --api-versions= --kube-version= --name-template= --dry-run? -o: --output="
    " --wait? --force --install -i --atomic --create-namespace --reset-values --reuse-values --devel --include-crds"
    " --is-upgrade --no-hooks --skip-crds --skip-tests --validate --verify -g --generate-name --history-max= -l:"
    " --render-subchart-notes --dependency-update?care --pass-credentials --insecure-skip-tls-verify --max= --revision="
    " -q -A"
)


def _values(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("-f", "--values"):
        if "://" in value.text:
            yield care("fetch", "It brings settings in from the network.", shown(value))
        elif value.text != "-":
            yield it.path("read", value)
    for value in it.all_values("--set-file"):
        yield it.path("read", Arg(value.text.rpartition("=")[2]))
    for word in it.operands:
        if "://" in word.text:
            yield care("fetch", "It brings a chart in from the network.", shown(word))
    if it.has("--repo"):
        yield care("fetch", "It brings a chart in from the network.")


def _template(it: Invocation) -> Iterator[Finding]:
    yield Effect("read", Risk.LOOK, "It prints what a chart comes to.")
    yield from _values(it)


def _install(it: Invocation) -> Iterator[Finding]:
    yield from _values(it)
    trial = it.value("--dry-run")
    if trial is not None and trial.text in ("", "client", "server", "true"):
        yield Effect("query", Risk.LOOK, "It only says what it would change.")
        return
    yield care("remote", "It changes what runs in a cluster.")
    yield from in_production(it)
    if any(word.text.startswith(("http://", "https://")) for word in it.operands):
        yield danger("remote", "It runs in a cluster what it downloads, unseen.")
    if it.has("--force"):
        yield danger("remote", "It replaces what runs in a cluster by force.")


def _one(why: str, verbs: dict[str, Spec]) -> Spec:
    return Spec(why, _EVERYWHERE, verbs={**verbs, "": known("It shows its help.")}, helps=True)


def _q(options: str = "") -> Spec:
    return queries(_ASKS, f"* {_EVERYWHERE} {options}")


_GONE = dangerous("remote", "It deletes something in a cluster, and that cannot be undone.")
_HELM: dict[str, Spec] = {
    "": known("It shows its help."),
    **each(
        "list ls status history hist get env version completion help", _q("--template= -o: --output= -l: --revision=")
    ),
    **each("show inspect", Spec("It shows a chart.", f"* {_EVERYWHERE} {_VALUES}", "none*", also=_template)),
    **each("template lint", Spec("It prints a chart.", f"* {_EVERYWHERE} {_VALUES}", "none*", also=_template)),
    "verify": Spec("It checks a chart.", f"* {_EVERYWHERE} --keyring=read", "read*"),
    **each("install upgrade", Spec("It changes a cluster.", f"* {_EVERYWHERE} {_VALUES}", "none*", also=_install)),
    **each("uninstall delete del un rollback", _GONE),
    "test": careful("remote", "It runs tests in a cluster."),
    **each("pull fetch", Spec("It brings a chart in.", f"* -d:write --destination=write {_VALUES}", "fetch*")),
    "push": dangerous("publish", "It publishes a chart."),
    "package": Spec(
        "It packs a chart.", "* -d:write --destination=write --key= --keyring= --passphrase-file= --sign", "read*"
    ),
    "create": Spec("It makes a chart.", "* -p: --starter=", "write"),
    "search": _one(
        "Searches for charts.", {"repo": _q(), "hub": careful("fetch", "It searches for charts on the network.")}
    ),
    "repo": _one(
        "Works with where charts come from.",
        {
            **each("list ls", _q()),
            **each("add update up index", careful("fetch", "It changes where charts come from.")),
            **each("remove rm", careful("write", "It forgets where charts come from.")),
        },
    ),
    **each(
        "dependency dep dependencies",
        _one(
            "Works with what a chart needs.",
            {**each("list ls", _q()), **each("update up build", careful("fetch", "It brings charts in."))},
        ),
    ),
    "registry": _one(
        "Works with registries.", each("login logout", careful("secret", "It keeps or forgets a password."))
    ),
    "plugin": _one(
        "Works with plugins.",
        {
            **each("list ls", _q()),
            **each("install add update up", dangerous("run", "It brings in code and runs it.")),
            **each("uninstall remove rm", careful("write", "It takes a plugin away.")),
        },
    ),
    "diff": Spec("It compares what runs with what would.", f"* {_EVERYWHERE} {_VALUES}", "none*", also=_template),
}


# --- kustomize


def _kustomize(it: Invocation) -> Iterator[Finding]:
    for word in it.operands:
        if "://" in word.text or "?ref=" in word.text or word.text.startswith(("git@", "github.com/")):
            yield care("fetch", "It brings something in from the network.", shown(word))


_CHANGE = Effect("write", Risk.CHANGE, "It changes manifests of the project.")


def _switches(it: Invocation) -> Iterator[Finding]:
    if not it.operands or it.has("-c", "--current", "-h", "--help"):
        yield nothing("It lists clusters.")
    elif any(True for _ in in_production(it)):
        yield danger("remote", "From then on it works with production.")
    else:
        yield care("write", "It changes which cluster is worked with.")


# --- making clusters


def _minikube(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    if words and words[0].text in ("kubectl", "ssh") and len(words) > 1:
        rest = tuple(words[1:])
        yield Run(args=(Arg("kubectl"), *rest)) if words[0].text == "kubectl" else Run(args=rest, elsewhere="a machine")


_HERE = "It works with a cluster on this machine."
_LOCAL = (
    ruins("** delete|rm|remove|reset|uninstall|purge|prune", why="It deletes a cluster with everything in it."),
    makes(
        "** start|stop|create|pause|unpause|load|export|build|mount|tunnel|dashboard|cp|ssh|import|edit|add|enable"
        "|disable"
        "|set|use|apply|upgrade|join|install|kubectl|update-context|service|docker-env|podman-env",
        why=_HERE,
        kind="process",
    ),
    asks("** list|ls|status|get|info|logs|ip|update-check|view|inspect|profiles"),
    tells("help|version|completion|options"),
    makes("addons|node|image|cluster|kubeconfig|cache|config|registry|profile", why=_HERE, kind="process"),
)


def _argo(*asking: str) -> Spec:
    return service(
        "Looks after what runs in a cluster.",
        reveals("admin initial-password", "account generate-token", "repo|cluster add", "login"),
        ruins(
            "** delete|rm|remove|rollback|terminate-op|uninstall|suspend|patch-resource|delete-resource|unset"
            "|terminate|stop"
        ),
        opens("proj *-role*|add-*|remove-*|create", "account update-password|delete-token"),
        makes("** sync|create|set|update|patch|refresh|resume|submit|retry|resubmit|reconcile|edit|add"),
        asks("** list|get|diff|history|logs|resources|manifests|wait|can-i|get-user-info|version|context", *asking),
        options="--server= --auth-token= --core --grpc-web --insecure --config=config -n: --namespace= -o: --output=",
    )


COMMANDS: dict[str, Spec] = {
    "helm": Spec("Works with what runs in a cluster.", _EVERYWHERE, verbs=_HELM, helps=True),
    "helmfile": service(
        "Works with what runs in a cluster.",
        asks("list|diff|lint|template|status|build|show-dag|version|fetch"),
        ruins("destroy|delete"),
        makes("apply|sync|deps|repos|test|charts|write-values|cache|init"),
        options="-f:config --file=config -e: --environment= -l: --selector= -b:run --helm-binary=run",
    ),
    "kustomize": Spec(
        "Works with manifests.",
        "--help -h --stack-trace",
        verbs={
            "": known("It shows its help."),
            **each("version completion help", known(ITSELF)),
            **each(
                "build cfg",
                Spec(
                    "It prints what a folder of manifests comes to.",
                    "* -o:write --output=write --enable-exec=danger --enable-alpha-plugins=danger --enable-helm=care"
                    " --helm-command=run -e: --env= --load-restrictor=care --network=care --mount=care",
                    "read*",
                    also=_kustomize,
                ),
            ),
            **each("edit create localize", Spec("It changes manifests.", "*", does=(_CHANGE,))),
            "fn": careful("run", "It runs functions over manifests."),
        },
        helps=True,
    ),
    **each(
        "kubectx kubens kctx kns",
        Spec(
            "Shows or changes which cluster is worked with.",
            "-c -u --current --unset -h --help -d:danger",
            also=_switches,
        ),
    ),
    "stern": known("Shows logs of a cluster.", "* --kubeconfig=config --config=config -T:read --template-file=read"),
    "kail": known("Shows logs of a cluster.", "* --kubeconfig=config"),
    **each(
        "kubeval kubeconform kube-linter kube-score pluto kubent",
        queries("Checks manifests.", "* --schema-location=fetch --config=read -f:read"),
    ),
    "k9s": service(
        "Works with a cluster.",
        tells("version|info|help"),
        also=(),
        bare=care("typing", "It opens a screen to work with a cluster."),
    ),
    **each("argocd argo argo-rollouts", _argo("admin *|app resources")),
    "flux": service(
        "Looks after what runs in a cluster.",
        ruins("uninstall", "delete *", "suspend *"),
        asks("get|logs|events|stats|check|tree|trace|diff|version|export|debug *", "check"),
        makes("bootstrap|install|create|reconcile|resume|pull|push|tag|build *", "install|bootstrap"),
    ),
    "istioctl": service(
        "Looks after a mesh.",
        ruins("uninstall", "** remove|delete"),
        asks(
            "analyze|version|proxy-status|ps|proxy-config|pc|validate|verify-install|describe"
            "|profile, manifest generate|diff|versions, tag list"
        ),
        makes("install|upgrade|operator|kube-inject|dashboard|admin|tag|create-remote-secret"),
    ),
    **each(
        "linkerd cilium hubble",
        service(
            "Looks after a mesh.", ruins("uninstall"), asks("check|status|stat|tap|top|observe|version, config view")
        ),
    ),
    **each(
        "kind k3d minikube microk8s ctlptl k0s", service("Makes clusters on this machine.", *_LOCAL, more=_minikube)
    ),
    **each(
        "kubeadm k3s rke rke2 kops talosctl",
        service(
            "Makes clusters.",
            reveals("token *", "kubeconfig", "config view", "export kubeconfig", "init phase certs"),
            ruins("reset|drain|bootstrap|wipe|etcd|certs|certificate|upgrade *", "reset|shutdown|reboot|upgrade"),
        ),
    ),
    **each(
        "k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh",
        dangerous("delete", "It deletes a cluster with everything in it."),
    ),
    "velero": service(
        "Keeps copies of clusters.",
        ruins("** delete|uninstall", "restore create"),
        asks("** get|describe|logs|version"),
    ),
    "etcdctl": service(
        "Works with the memory of a cluster.",
        ruins("del|rm|rmdir|compaction|defrag|move-leader|txn|auth|downgrade, snapshot restore, member remove|update"),
        opens("user|role *"),
        rule(
            danger("secret", "It shows what a cluster keeps, secrets among it."),
            "get|ls|watch|export|check, snapshot save",
        ),
        asks("endpoint|alarm|version, snapshot status, member list"),
        makes("put|set|mk|mkdir|lease|lock|elect"),
        options="--endpoints= --cacert= --cert= --key= --user= --password= --dial-timeout= -w: --write-out= --prefix",
        also=(),
    ),
    "kubeseal": known(
        "Hides secrets for a cluster.",
        "* -o: --cert=read --kubeconfig=config -w:write --sealed-secret-file=write -f:read --recovery-unseal=danger"
        " --re-encrypt=care",
    ),
    **each(
        "skaffold tilt devspace garden okteto",
        service(
            "Builds a project and runs it in a cluster.",
            ruins("delete|down|purge"),
            asks("version|diagnose|schema|get|describe|logs, config list"),
            makes(
                "dev|run|build|deploy|debug|test|render|up|ci|apply",
                kind="project",
                why="It builds the project and runs it in a cluster.",
            ),
        ),
    ),
    **each("tkn kn knative rancher kubevirt virtctl crossplane", service("Works with a cluster.")),
}
