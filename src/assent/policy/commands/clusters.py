"""Clusters: kubectl and oc. What reads is a question to a cluster the user is logged in to; secrets are not.

What runs in a pod is walked like a line here, only that its files are not these."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy import world
from assent.policy.commands._services import ITSELF, copied, in_production, is_production
from assent.policy.commands._web import address, shown
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, Takes, careful, dangerous, each, known, queries
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.paths import locate
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

MOST = 32_768

# May stand before and behind the verb.
_EVERYWHERE = (
    "-n: --namespace= --context= --cluster= --user= --kubeconfig= -s: --server= --token= --as= --as-group="
    " --as-uid= --cache-dir= --certificate-authority= --client-certificate= --client-key= --password="
    " --username= --profile= --profile-output= --request-timeout= --tls-server-name= --v= --vmodule="
    " --log-flush-frequency= --log-dir= --log-file= --insecure-skip-tls-verify? --match-server-version?"
    " --warnings-as-errors? --disable-compression? --help -h"
)
_ASKS = "It asks a cluster."
_CHANGES = "It changes what runs in a cluster."
_GONE = "It deletes something in a cluster, and that cannot be undone."
_RIGHTS = "It changes who may do what in a cluster."

_SECRETS = later(r"(?:.*,)?(?:secrets?)(?:\.[\w.]*)?(?:[/,].*)?", re.IGNORECASE)
_NAMES_ONLY = later(r"name|wide|")
_RULING = later(
    r"(?:cluster)?roles?(?:bindings?)?|clusterroles?|rolebindings?|clusterrolebindings?|serviceaccounts?|sa|token"
    r"|(?:mutating|validating)webhookconfigurations?|podsecuritypolicy|psp|customresourcedefinitions?|crds?|secrets?",
    re.IGNORECASE,
)
_DRY = later(r"client|server|true")
# In a manifest: what lets a pod out of its container, or changes who may do what.
_TELLING = later(
    r"\bkind\W{1,4}(?:(?:Cluster)?RoleBinding|ClusterRole|\w+WebhookConfiguration|CertificateSigningRequest)\b"
    r"|\b(?:privileged|hostPID|hostNetwork|hostIPC|allowPrivilegeEscalation)\W{1,4}true\b|\bhostPath\W"
    r"|SYS_ADMIN|docker\.sock"
)


def manifest(text: str) -> Iterator[Finding]:
    if _TELLING.search(text):
        yield danger("privilege", "What it brings in gives rights over the cluster or its machines.")


def _asks(options: str = "", also: str = "") -> Spec:
    return queries(_ASKS, f"* {_EVERYWHERE} {options}", also or "text*")


def _is_trial(it: Invocation) -> bool:
    value = it.value("--dry-run")
    return value is not None and _DRY.fullmatch(value.text or "client") is not None


def _files(it: Invocation) -> Iterator[Finding]:
    """Manifests: read where they lie in the project; unseen when they come from the network."""
    for value in it.all_values("-f", "--filename", "-k", "--kustomize"):
        text = value.text
        if text in ("-", "/dev/stdin", "/dev/fd/0"):
            yield Takes(manifest)
        elif "://" in text or text.startswith(("git@", "github.com/")):
            yield (care if _is_trial(it) else danger)(
                "fetch", "It brings in unread files from the network.", shown(value)
            )
        else:
            yield it.path("read", value)
            if it.place(value) in ("project", "temp"):
                yield from manifest(world.read_small(locate(value, it.setting, it.cwd).path, MOST) or "")


def _looks_through(it: Invocation) -> Iterator[Finding]:
    """``get``, ``describe``: everything but what is in secrets."""
    for value in it.all_values("--raw"):
        is_secret = "secret" in value.text.lower() or not value.known
        yield (danger if is_secret else care)("query", "It asks the cluster's machinery directly.", shown(value))
    output = it.value("-o", "--output") or Arg("")
    kinds = it.operands[0].text if it.operands else ""
    named = [word.text for word in it.operands if "/" in word.text]
    if HOLE in kinds:
        yield care("dynamic", "What it shows is known only when it runs.")
    if any(_SECRETS.fullmatch(text) for text in (kinds, *named)) and not _NAMES_ONLY.fullmatch(output.text):
        yield danger("secret", "It shows secrets of a cluster.")
    for value in it.all_values("-f", "--filename", "-k", "--kustomize"):
        if "://" in value.text:
            yield care("fetch", "It brings something in from the network.", shown(value))
        elif value.text != "-":
            yield it.path("read", value)


def _get(it: Invocation) -> Iterator[Finding]:
    yield Effect("query", Risk.LOOK, _ASKS)
    yield from _looks_through(it)


def _changes(it: Invocation) -> Iterator[Finding]:
    """``apply``, ``create``, ``patch`` …: care, and more where it rules the cluster."""
    yield from _files(it)
    if _is_trial(it):
        yield Effect("query", Risk.LOOK, "It only says what it would change.")
        return
    yield care("remote", _CHANGES)
    yield from in_production(it)
    if it.has("--force", "--prune", "--now", "--cascade") or it.has("--grace-period"):
        yield danger("remote", _GONE)
    kind = it.operands[0].text.partition("/")[0] if it.operands else ""
    if any(_RULING.fullmatch(each) for each in kind.split(",")) and kind.lower() not in ("secret", "secrets"):
        yield danger("privilege", _RIGHTS, kind)
    for value in it.all_values("--overrides", "-p", "--patch", "--env", "--from-literal", "--privileged"):
        yield from manifest(value.text)
    for value in it.all_values("--from-file", "--from-env-file", "--patch-file", "--key", "--cert"):
        effect = it.path("read", Arg(value.text.rpartition("=")[2]))
        if effect.risk is Risk.DANGER:
            yield care("secret", "It puts a file of secrets into a cluster.", effect.target)
    if any(value.text == "0" for value in it.all_values("--replicas")):
        yield danger("remote", "It stops everything that serves.")
    if any("true" in (value.text or "true") for value in it.all_values("--privileged")):
        yield danger("privilege", "It gives a pod all rights on its machine.")


def _create(it: Invocation) -> Iterator[Finding]:
    yield from _changes(it)
    if it.operands and it.operands[0].text == "token":
        yield danger("secret", "It makes a key to the cluster.")


def _gone(it: Invocation) -> Iterator[Finding]:
    if _is_trial(it):
        yield Effect("query", Risk.LOOK, "It only says what it would take away.")
    else:
        yield danger("remote", _GONE, " ".join(map(shown, it.operands[:3])))


def _exec(it: Invocation) -> Iterator[Finding]:
    pod = it.operands[0] if it.operands else None
    if it.has("--help"):
        yield nothing(ITSELF)
        return
    yield care("remote", "It runs a command in a pod.", shown(pod) if pod is not None else "")
    yield from in_production(Invocation(it.name, it.own, it.spec, it.setting, it.cwd))
    words = it.operands[1:]
    # Options may follow the pod, and a double dash ends them.
    inner = Invocation(it.name, tuple(words), it.spec, it.setting, it.cwd)
    yield from in_production(Invocation(it.name, inner.own, it.spec, it.setting, it.cwd))
    if inner.operands:
        yield Run(args=tuple(inner.operands), elsewhere="a pod")


def _run(it: Invocation) -> Iterator[Finding]:
    """``run``, ``debug``: a pod of one's own, with a command in it."""
    yield from _changes(it)
    if it.behind:
        yield Run(args=tuple(it.behind), elsewhere="a pod")
    if it.name.endswith("debug"):
        if any(word.text.startswith(("node/", "nodes/", "no/")) for word in it.operands):
            yield danger("privilege", "It works on a node of the cluster itself.")
        if any(value.text in ("sysadmin", "netadmin") for value in it.all_values("--profile")):
            yield danger("privilege", "It gives a pod rights over its machine.")


def _is_inside(text: str) -> bool:
    """``pod:path``, ``namespace/pod:path``"""
    head, colon, _ = text.partition(":")
    return bool(colon) and not head.startswith((".", "/", "~")) and head.count("/") < 2


def _cp(it: Invocation) -> Iterator[Finding]:
    yield from copied(it, it.operands, _is_inside, "a pod")
    if len(it.operands) < 2 or not any(_is_inside(word.text) for word in it.operands):
        yield care("dynamic", "What it copies is known only when it runs.")


def _opens(it: Invocation) -> Iterator[Finding]:
    yield care("fetch", "It opens a connection from this machine into a cluster.")
    for value in it.all_values("--address", "--accept-hosts"):
        if value.text not in ("localhost", "127.0.0.1", "::1"):
            yield danger("send", "It lets other machines into a cluster.", shown(value))


_ONLY_ASK = frozenset(
    {"get", "describe", "logs", "log", "top", "explain", "api-resources", "api-versions", "version", "events", "wait"}
    | {"options", "completion", "cluster-info", "diff", "kustomize", "auth", "config", "plugin", "status", "history"}
    | {"can-i", "whoami", "port-forward"}
)
_IN_PODS = frozenset({"exec", "rsh", "run", "debug"})


_WHOLE_LINE = Spec(
    "The options that stand anywhere.",
    "* --server=none -s:none --kubeconfig=none --cache-dir=none --profile-output=none --log-file=none --log-dir=none"
    " --insecure-skip-tls-verify --dry-run?none -n:none --namespace=none --context=none --cluster=none",
)


def _anywhere(it: Invocation) -> Iterator[Finding]:
    """Options that may stand before or behind the verb: who is asked, as whom, by whose settings."""
    verbs = [word.text for word in it.operands[:2]]
    whole = Invocation(it.name, it.handed_on, _WHOLE_LINE, it.setting, it.cwd)
    for server in whole.all_values("--server", *(("-s",) if not _IN_PODS.intersection(verbs) else ())):
        if not address(server.text).is_local:
            yield danger("secret", "It shows your key to another server.", shown(server))
    for settings in whole.all_values("--kubeconfig"):
        yield care("run", "Its settings come from a file, and may name programs.", shown(settings))
    for file in whole.all_values("--cache-dir", "--profile-output", "--log-file", "--log-dir"):
        yield it.path("write", file)
    if whole.has("--insecure-skip-tls-verify"):
        yield care("fetch", "It does not check who answers.")
    trial = whole.value("--dry-run")
    is_asking = not verbs or verbs[-1] in _ONLY_ASK or verbs[0] in _ONLY_ASK
    for target in whole.all_values("-n", "--namespace", "--context", "--cluster"):
        if is_production(target.text) and not is_asking and (trial is None or trial.text == "none"):
            yield danger("remote", "It changes something in production.", shown(target))


def _config_view(it: Invocation) -> Iterator[Finding]:
    yield Effect("query", Risk.LOOK, "It shows which clusters are known.")
    if it.has("--raw"):
        yield danger("secret", "It shows keys to clusters.")


def _use(it: Invocation) -> Iterator[Finding]:
    yield care("write", "It changes which cluster is worked with.")
    if it.has("--exec-command"):
        yield danger("persist", "It makes kubectl run a program.")
    if any(is_production(word.text) for word in it.operands) and it.name.endswith("use-context"):
        yield danger("remote", "From then on it works with production.")


def _remote_folders(it: Invocation) -> Iterator[Finding]:
    for word in it.operands:
        if "://" in word.text or "?ref=" in word.text or word.text.startswith(("git@", "github.com/")):
            yield care("fetch", "It brings something in from the network.", shown(word))


_TRIAL = "--dry-run?"
_FILES = "-f: --filename= -k: --kustomize="
_ALL = f"* {_EVERYWHERE} {_TRIAL} {_FILES} -o: --output= -l: --selector="
_MORE = (
    f"{_ALL} --force? --prune? --now? --cascade? --grace-period= --overrides= -p: --patch= --patch-file= --env="
    " --from-literal= --from-file= --from-env-file= --replicas= --current-replicas= --image= --type= --privileged?"
    " --field-manager= --timeout= --raw= --key= --cert= --labels= --port= --restart= --target= --copy-to= -c:"
    " --container= --profile= --overwrite? --all? -A --all-namespaces? --server-side? --record? -i -t -q --rm? --stdin?"
    " --tty? --attach? --command? --quiet? --namespace= --clusterrole= --role= --serviceaccount= --group= --verb="
    " --resource= --min= --max= --cpu-percent= --name= --target-port= --protocol= --validate?"
)
_EXECS = (
    f"{_EVERYWHERE} -c: --container= -i -t --stdin? --tty? -q --quiet? -f: --filename= --pod-running-timeout= --shell="
)
_CONFIG: dict[str, Spec] = {
    "": known("It shows its help."),
    "view": Spec(_ASKS, f"* {_EVERYWHERE} --raw? --minify? --flatten? -o: --output=", also=_config_view),
    **each("current-context get-contexts get-clusters get-users", _asks()),
    **each(
        "use-context use set-context set-cluster set-credentials set rename-context",
        Spec("Changes which clusters are known.", f"* {_EVERYWHERE} --exec-command=", also=_use),
    ),
    **each(
        "delete-context delete-cluster delete-user unset", dangerous("delete", "It forgets how to reach a cluster.")
    ),
}
_ROLLOUT: dict[str, Spec] = {
    **each("status history", _asks()),
    "undo": Spec("Goes back.", _MORE, also=_gone),
    **each("restart pause resume", Spec("Starts anew.", _MORE, also=_changes)),
}
_AUTH: dict[str, Spec] = {
    **each("can-i whoami", _asks()),
    "reconcile": dangerous("privilege", _RIGHTS),
}
_CHANGE = Spec(_CHANGES, _MORE, also=_changes)
_DELETE = Spec(_GONE, _MORE, also=_gone)
_KUBECTL: dict[str, Spec] = {
    **each("help options", known(ITSELF)),
    "": known("It shows its help."),
    "get": Spec(
        _ASKS,
        f"* {_EVERYWHERE} {_FILES} -o: --output= --raw= -l: --selector= --field-selector= --sort-by= -L:"
        " --label-columns="
        " --template= --chunk-size= --subresource= -w -A --show-labels? --no-headers? --watch? --all-namespaces?",
        also=_get,
    ),
    "describe": Spec(_ASKS, f"* {_EVERYWHERE} {_FILES} -l: --selector= --chunk-size= -A"),
    **each(
        "logs log top explain api-resources api-versions version events wait completion",
        _asks("-l: --selector= -c: --container= --since= --tail= -o: --output= --for="),
    ),
    "cluster-info": _asks("--output-directory=write -o: --output="),
    "diff": Spec(_ASKS, f"* {_EVERYWHERE} {_FILES}", also=_files),
    "kustomize": Spec(
        "It prints what a folder of manifests comes to.",
        "* -o:write --output=write --enable-exec=danger --enable-alpha-plugins=danger --enable-helm=care"
        " --helm-command=run -e: --env= --load-restrictor=care --network=care --mount=care",
        "read*",
        also=_remote_folders,
    ),
    "auth": Spec("Works with rights.", _EVERYWHERE, verbs=_AUTH, helps=True),
    "config": Spec("Works with what is known of clusters.", _EVERYWHERE, verbs=_CONFIG, helps=True),
    "rollout": Spec("Works with versions.", _EVERYWHERE, verbs=_ROLLOUT, helps=True),
    "plugin": Spec("Works with plugins.", "", verbs={"list": known(ITSELF), "": known(ITSELF)}),
    "create": Spec(_CHANGES, _MORE, also=_create),
    **each("apply replace patch edit label annotate set expose autoscale scale uncordon attach", _CHANGE),
    **each("run debug", Spec(_CHANGES, _MORE, also=_run)),
    **each("delete drain cordon taint evict", _DELETE),
    "certificate": dangerous("privilege", _RIGHTS),
    "exec": Spec("It runs a command in a pod.", _EXECS, "none*", also=_exec, wraps=True),
    "cp": Spec(
        "It copies files into or out of a pod.", f"* {_EVERYWHERE} -c: --container= --retries=", "none*", also=_cp
    ),
    **each(
        "port-forward proxy",
        Spec("Opens a way.", f"* {_EVERYWHERE} --address= --accept-hosts= -p: --port= -w: --www=read", also=_opens),
    ),
}


def _whoami(it: Invocation) -> Iterator[Finding]:
    yield Effect("query", Risk.LOOK, _ASKS)
    if it.has("-t", "--show-token"):
        yield danger("secret", "It shows your key to the cluster.")


_OC: dict[str, Spec] = {
    **_KUBECTL,
    **each("status projects process help", _asks()),
    "whoami": Spec(_ASKS, f"* {_EVERYWHERE} -t --show-token -c --show-context", also=_whoami),
    **each("project login logout", careful("remote", "It changes which cluster is worked with.")),
    **each("new-app new-project new-build start-build import-image tag rsync expose observe", _CHANGE),
    "rsh": Spec("It runs a command in a pod.", _EXECS, "none*", also=_exec, wraps=True),
    **each("adm policy rollback cancel-build", dangerous("privilege", _RIGHTS)),
    **each("extract serviceaccounts sa registry", dangerous("secret", "It shows secrets of a cluster.")),
}

COMMANDS: dict[str, Spec] = {
    **each(
        "kubectl k kubecolor microk8s.kubectl",
        Spec("Works with a cluster.", _EVERYWHERE, verbs=_KUBECTL, also=_anywhere, helps=True),
    ),
    "oc": Spec("Works with a cluster.", _EVERYWHERE, verbs=_OC, also=_anywhere, helps=True),
}
