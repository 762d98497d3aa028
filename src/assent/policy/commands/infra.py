"""Infrastructure written down as code, and tools that rule many machines: terraform, pulumi, ansible, vault, nomad."""

from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._services import (
    ITSELF,
    asks,
    in_production,
    makes,
    publishes,
    reveals,
    ruins,
    rule,
    service,
    tells,
)
from assent.policy.commands._web import address, shown
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, careful, dangerous, each, known, queries, reads
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# --- terraform, and those that took after it

_READS_STATE = "It shows the recorded state of the infrastructure."
_PLANS = "It asks clouds what would change, with the project's own providers."
_APPLIES = "It changes real infrastructure; what it replaces is gone."
_STATE = "It changes the recorded state of the infrastructure."


# What any of its commands is told by; names have one dash or two.
_OPTIONS = (
    "- * -out=none -generate-config-out=none -from-module=none -var= -var-file= -target= -replace= -state=write"
    " -state-out=write -backup=write -lock-timeout= -parallelism= -chdir=read -backend-config= -plugin-dir=config"
    " -json -raw -check -write= -migrate-state -force-copy -reconfigure -auto-approve -destroy"
)


def _plan(it: Invocation) -> Iterator[Finding]:
    yield care("project", _PLANS)
    for path in it.all_values("-out", "-generate-config-out"):
        yield it.path("write", path)


def _shows(it: Invocation) -> Iterator[Finding]:
    """Passwords lie in the state, hidden until they are asked for as raw text or JSON."""
    if it.has("-json", "-raw"):
        yield danger("secret", "It shows the recorded state of the infrastructure, passwords included.")
    elif it.name.endswith("output") and it.operands:
        yield care("secret", "It shows one value, which may be a password.")
    else:
        yield Effect("read", Risk.LOOK, _READS_STATE)


def _fmt(it: Invocation) -> Iterator[Finding]:
    writes = it.value("-write")
    if it.has("-check") or (writes is not None and writes.text == "false") or Arg("-") in it.operands:
        yield Effect("read", Risk.LOOK, "It says which files are not in shape.")
        return
    for word in it.operands or [Arg(".")]:
        effect = it.path("write", word)
        yield Effect("write", Risk.CHANGE, "It formats files.", effect.target) if it.is_project(word) else effect


def _init(it: Invocation) -> Iterator[Finding]:
    yield care("install", "It brings in the providers and modules that the project names.")
    if it.has("-migrate-state", "-force-copy", "-reconfigure"):
        yield danger("remote", _STATE)
    for value in it.all_values("-from-module"):
        yield danger("fetch", "It makes a module from the network the project, and takes its providers.", shown(value))


_STATES: dict[str, Spec] = {
    **each("list", queries(_READS_STATE)),
    "show": Spec(_READS_STATE, _OPTIONS, also=_shows),
    "pull": dangerous("secret", "It shows the recorded state of the infrastructure, passwords included."),
    **each("rm mv push replace-provider", dangerous("remote", _STATE)),
    "identities": queries(_READS_STATE),
}
_WORKSPACES: dict[str, Spec] = {
    **each("list show", queries(_READS_STATE)),
    **each("select new", careful("remote", "It changes which infrastructure is worked with.")),
    "delete": dangerous("remote", _STATE),
}
_ANSWERS = "It only tells about the project."
_TERRAFORM: dict[str, Spec] = {
    "": known("It shows its help."),
    **each("version help graph metadata modules", queries(_ANSWERS)),
    "validate": queries("It checks the project's files."),
    "providers": Spec(
        _ANSWERS,
        "*",
        verbs={
            "": queries(_ANSWERS),
            "schema": queries(_ANSWERS),
            **each("lock mirror", careful("fetch", "It brings in what the project names.")),
        },
        helps=True,
    ),
    "plan": Spec(_PLANS, _OPTIONS, also=_plan),
    **each("apply destroy", dangerous("remote", _APPLIES, "plan, and let a person apply it")),
    **each("refresh import untaint", careful("remote", _STATE)),
    **each("taint force-unlock", dangerous("remote", _STATE)),
    **each("show output", Spec(_READS_STATE, _OPTIONS, also=_shows)),
    "fmt": Spec("It formats files.", _OPTIONS, also=_fmt),
    "init": Spec("It prepares the project.", _OPTIONS, also=_init),
    "get": careful("fetch", "It brings in the modules that the project names."),
    "console": careful("secret", "It works out values, passwords among them."),
    "test": careful("project", "It runs the project's tests, which make real things."),
    "state": Spec("Works with the state.", "*", verbs=_STATES, helps=True),
    **each("workspace env", Spec("Works with workspaces.", "*", verbs=_WORKSPACES, helps=True)),
    **each("login logout", careful("secret", "It keeps or forgets a key.")),
    "stacks": careful("remote", _STATE),
}


_WHOLE_LINE = Spec("The options that stand anywhere.", _OPTIONS)


def _terraform(it: Invocation) -> Iterator[Finding]:
    whole = Invocation(it.name, it.handed_on, _WHOLE_LINE, it.setting, it.cwd)
    if not it.operands:
        yield nothing(ITSELF)
    elif whole.has("-auto-approve", "-destroy"):
        verb = it.operands[0].text
        if verb != "plan":
            yield danger("remote", _APPLIES)


def _terragrunt(it: Invocation) -> Iterator[Finding]:
    yield care("project", "It runs what the project's files say before and after.")
    words = [word.text for word in it.operands]
    while words and words[0] in ("run-all", "run", "stack", "exec", "--"):
        words = words[1:]
    yield Run(args=(Arg("terraform"), *map(Arg, words))) if words else nothing(ITSELF)


# --- ansible

_ASKING_MODULES = frozenset({"ping", "setup", "debug", "stat", "gather_facts", "service_facts", "package_facts"})
_ANSIBLE = (
    "* -m: --module-name= -a: --args= -i: --inventory= -u: --user= -l: --limit= -e: --extra-vars= -f: --forks= -b"
    " --become -K -k -C --check -c: --connection= --private-key= --vault-password-file= --vault-id= -t: -M:care"
    " --module-path=care --playbook-dir= --become-user= --become-method= --list-hosts --version -o -v -T: -B: -P:"
    " --ssh-common-args=care --ssh-extra-args=care --scp-extra-args=care --tags= --skip-tags= --start-at-task= --step"
    " --syntax-check --list-tasks --list-tags -D --diff --flush-cache --force-handlers --task-timeout="
)


def _ansible(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-h") and not it.operands:
        yield nothing(ITSELF)
        return
    if it.has("--list-hosts"):
        yield care("run", "It runs what the inventory says, and lists machines.")
        return
    module = (it.value("-m", "--module-name") or Arg("command")).text.rpartition(".")[2]
    line = it.value("-a", "--args") or Arg("")
    if module in _ASKING_MODULES:
        yield care("query", "It asks other machines.")
    else:
        yield danger("remote", "It changes other machines, all at once.", module.replace(HOLE, "…"))
    if module in ("shell", "command", "raw", "script", "win_shell"):
        yield Run(line=line, elsewhere="other machines")


def _playbook(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-h") and not it.operands:
        yield nothing(ITSELF)
        return
    for word in it.operands:
        yield it.path("read", word)
    if it.has("--syntax-check", "--list-tasks", "--list-tags", "--list-hosts"):
        yield care("project", "It reads what the project says about machines.")
        return
    if it.has("-C", "--check"):
        yield care("query", "It asks other machines what would change there.")
        return
    yield care("remote", "It changes other machines as the project says.")
    yield from in_production(it)


# --- vault, consul, nomad

_HASHI = (
    "-address= --address= -http-addr= --http-addr= -agent-address= -namespace= -tls-skip-verify? -ca-cert="
    " -client-cert= -client-key= -format= -field= -mount= -version?"
    " -wrap-ttl= -output-policy? -token= -datacenter= -region= -http-token= -token-file= -ca-file="
    " -ca-path= -client-ca-path= -tls-server-name= -recurse? -versions= -force? -f? -detach? -help? -h?"
)
_SHOWS_SECRET = "It shows secrets that are kept apart."  # noqa: S105 - a sentence
_VAULT = (
    tells("version|-version|--version|path-help|help"),
    asks(
        "status, list, kv list, secrets|auth|audit|plugin|policy list, policy read, token capabilities, namespace list"
    ),
    asks("kv metadata get, version-history, operator members, lease lookup"),
    reveals("read|unwrap|print, kv get, token create|lookup|renew, kv export, transit *", why=_SHOWS_SECRET),
    ruins("delete, kv delete|destroy|undelete|rollback, kv metadata delete|put|patch, lease revoke, token revoke"),
    ruins("secrets|auth|audit disable|move|tune|enable, operator *, namespace delete|create|patch, plugin *, policy *"),
    rule(danger("secret", "It changes secrets that are kept apart."), "write|patch, kv put|patch"),
    makes(
        "login|agent|proxy|server|ssh|debug|monitor|events|hcp|pki", why="It works with secrets that are kept apart."
    ),
)
_CONSUL = (
    asks("members|info|monitor|validate|version|catalog|rtt, operator raft list-peers, kv get|export, services export"),
    ruins("kv delete, leave|force-leave|maint, snapshot restore, ** delete|deregister, operator *"),
    rule(danger("run", "It runs a command on other machines."), "exec|watch|lock, watch *"),
    reveals("acl *, keygen|keyring, tls *, connect ca"),
    makes("kv put|import, services register, event|config|intention|agent|join|login|logout|debug|snapshot|connect"),
)


def _server(it: Invocation) -> Iterator[Finding]:
    """Who asks another server shows it the key."""
    for value in it.all_values("-address", "--address", "-http-addr", "--http-addr", "-agent-address"):
        if not address(value.text).is_local:
            yield danger("secret", "It shows your key to another server.", shown(value))


def _nomad(it: Invocation) -> Iterator[Finding]:
    yield from _server(it)
    words = [word.text for word in it.operands]
    if words[:2] == ["alloc", "exec"] or words[:1] == ["exec"]:
        skip = 2 if words[0] == "alloc" else 1
        yield Run(args=tuple(it.operands[skip + 1 :]), elsewhere="a machine")


_NOMAD = (
    asks(
        "status|logs|inspect|ui|version|agent-info, server members, node status, job status|inspect|history|plan"
        "|validate"
    ),
    asks("alloc status|logs|fs, deployment list|status, namespace list|status, volume status, var list, eval status"),
    reveals("var get, acl *, operator *, login"),
    ruins("stop|system, ** stop|purge|delete|deregister|revert|drain|eligibility|force-*|scale|gc, node *"),
    makes("exec|run|plan, alloc exec|restart|signal, job run|dispatch|promote|restart|periodic, var put, deployment *"),
)

# --- pulumi, cdk


def _pulumi(it: Invocation) -> Iterator[Finding]:
    if it.has("--show-secrets"):
        yield danger("secret", "It shows secrets of the infrastructure.")


def _deploys(it: Invocation) -> Iterator[Finding]:
    if any(value.text == "never" for value in it.all_values("--require-approval")) and it.operands[:1] == [
        Arg("deploy")
    ]:
        yield danger("remote", "It changes real infrastructure without asking.")


def _salt(it: Invocation) -> Iterator[Finding]:
    words = it.operands if it.name == "salt-call" else it.operands[1:]
    function = words[0].text if words else ""
    if function in ("test.ping", "test.version", "grains.items", "sys.doc") or not function:
        yield care("query", "It asks other machines.")
    else:
        yield danger("remote", "It changes other machines, all at once.", function.replace(HOLE, "…"))
    if function.startswith("cmd.") and len(words) > 1:
        yield Run(line=words[1], elsewhere="other machines")


# --- tasks of the project that work on other machines

_TASK = care("project", "It runs a task of the project.")
_TASK_THERE = "It runs a task of the project on other machines."
_STAGE = later(r"prod\w*|staging|stage|live|qa|uat|test|dev\w*|demo|preview")


def _fab(it: Invocation) -> Iterator[Finding]:
    if it.has("-l", "--list", "-V", "--version", "-h", "--help"):
        yield nothing("It lists tasks.")
        return
    yield _TASK
    for value in it.all_values("-H", "--hosts"):
        yield care("remote", _TASK_THERE, shown(value))
        if it.behind:
            yield Run(args=tuple(it.behind), elsewhere=shown(value))


def _cap(it: Invocation) -> Iterator[Finding]:
    """Capistrano's words begin with the machines; Capacitor, of the same name, builds an app."""
    if it.has("-T", "--tasks", "-V", "--version", "-h", "--help") and len(it.operands) < 2:
        yield nothing("It lists tasks.")
        return
    yield _TASK
    if it.operands and _STAGE.fullmatch(it.operands[0].text):
        yield care("remote", _TASK_THERE, shown(it.operands[0]))


COMMANDS: dict[str, Spec] = {
    "fab": Spec("Runs tasks of the project.", "* -H: --hosts= -i: -c: -r: -f: -l --list -V --version", also=_fab),
    **each("cap mina", Spec("Runs tasks of the project.", "* -s: -S: -f: -T --tasks -V --version", also=_cap)),
    **each(
        "kamal mrsk",
        service(
            "Runs applications on servers.",
            asks(
                "details|audit|version|help|docs",
                "app|accessory|proxy|server logs|details|images|containers|version",
            ),
            ruins("remove|rollback|prune, ** remove|prune|stop"),
            reveals("secrets *, config"),
            makes("**", why="It changes what runs on servers."),
            options="-d: --destination= -c:read --config-file=read -h: --hosts= -r: --roles= -p -q -v --version=",
        ),
    ),
    **each("terraform tofu", Spec("Makes infrastructure.", _OPTIONS, verbs=_TERRAFORM, also=_terraform, helps=True)),
    "terragrunt": Spec("Makes infrastructure.", "*", "none*", also=_terragrunt),
    "tflint": known("Checks infrastructure code.", "* --fix=care --config=config -c:config --init=care --chdir="),
    **each(
        "tfsec checkov terrascan",
        known("Checks infrastructure code.", "* -o: --external-checks-git=danger --external-checks-dir=danger"),
    ),
    "terraform-docs": known("Describes infrastructure code.", "* --output-file=write -c:config --config=config"),
    "infracost": careful("send", "It sends what the infrastructure is to a service."),
    "pulumi": service(
        "Makes infrastructure.",
        asks("stack ls|history|graph, stack tag ls|get, version|about|whoami|logs, plugin|org|policy|schema ls|get"),
        rule(
            care("project", "It runs the project's code, and asks clouds what would change."),
            "preview|pre|refresh|watch|test",
        ),
        rule(
            danger("remote", _APPLIES, safer="preview, and let a person run it"),
            "up|update|destroy|down|dn|cancel|import, state *, stack rm|rename|import",
        ),
        reveals("config get, stack export|change-secrets-provider"),
        makes("config set|set-all|rm|rm-all|cp|refresh"),
        rule(care("secret", "It shows settings, and secrets may be among them."), "config, stack output, stack"),
        makes("stack select|init, new|login|logout|install|convert|env, plugin install"),
        options="-s: --stack= -C: --cwd= --color= -v: --config-file=read -y -f -j --json --yes --show-secrets",
        more=_pulumi,
    ),
    "cdk": service(
        "Makes infrastructure.",
        tells("doctor|docs|version|--version|acknowledge|notices|context"),
        rule(
            care("project", "It runs the project's code."),
            "ls|list|synth|synthesize|diff|metadata|drift|watch|import|init",
        ),
        ruins("destroy|gc|rollback|migrate|refactor"),
        makes("deploy|bootstrap"),
        options="-a:line --app=line -c: --context= -o:write --output=write --profile= --require-approval=",
        more=_deploys,
    ),
    **each(
        "cdktf sst",
        service(
            "Makes infrastructure.", ruins("destroy|remove|unlock"), makes("deploy|dev|synth|diff|plan|apply|get|init")
        ),
    ),
    **each(
        "serverless sls",
        service(
            "Runs functions in a cloud.",
            ruins("remove|rollback"),
            asks("info|logs|metrics, deploy list"),
            makes("deploy|invoke|package|offline|dev|config|plugin|login|create"),
            options="-s: --stage= -r: --region= -f: --function= --aws-profile= -c: --config=",
        ),
    ),
    "packer": service(
        "Makes images of machines.",
        asks("validate|inspect|version|fmt, plugins installed|required"),
        makes(
            "build|init|console|hcl2_upgrade, plugins *",
            kind="project",
            why="It runs what the project says about an image.",
        ),
        options="-var= -var-file= -only= -except=",
    ),
    "ansible": Spec("Rules other machines.", _ANSIBLE, "none*", also=_ansible),
    "ansible-playbook": Spec("Changes other machines.", _ANSIBLE, "none*", also=_playbook),
    "ansible-console": careful("remote", "It opens a way to rule other machines."),
    "ansible-pull": dangerous("run", "It brings in code from the network and runs it."),
    "ansible-inventory": careful("run", "It runs what the inventory says, and shows what is known of machines."),
    **each(
        "ansible-doc ansible-config",
        known(
            "It shows what is known of modules and settings.",
            "* -M:care --module-path=care --playbook-dir=care -t: --type= -e: -r:read --roles-path=read",
        ),
    ),
    "ansible-lint": careful("project", "It loads what the project says about machines."),
    "ansible-galaxy": service(
        "Brings in roles.",
        asks("** list|search|info|verify"),
        makes(
            "** install|download|init|build|setup|import|login",
            kind="install",
            why="It brings in code from the network.",
        ),
        publishes("** publish"),
        ruins("** delete|remove"),
        options="-p: --roles-path= -r:read --role-file=read -s: --server= --token= --api-key=",
    ),
    "ansible-vault": service(
        "Hides secrets in files.",
        reveals("view|decrypt|edit|rekey", why="It shows secrets."),
        makes("encrypt|encrypt_string|create", kind="secret", why="It hides secrets."),
        options="--vault-password-file= --vault-id= -J --ask-vault-pass --output=write --new-vault-password-file=",
        also=(),
    ),
    "vault": service("Keeps secrets.", *_VAULT, options=_HASHI, also=(), more=_server),
    "bao": service("Keeps secrets.", *_VAULT, options=_HASHI, also=(), more=_server),
    "consul": service("Looks after services.", *_CONSUL, options=_HASHI, more=_server),
    "nomad": service("Looks after what runs on machines.", *_NOMAD, options=_HASHI, more=_nomad),
    "boundary": service("Lets people into machines."),
    **each("salt salt-ssh salt-call salt-run", Spec("Rules other machines.", "*", "none*", also=_salt)),
    "salt-key": service(
        "Lets machines in.", asks("-L|list"), also=(), bare=danger("privilege", "It changes which machines are let in.")
    ),
    "knife": service(
        "Rules other machines.",
        rule(danger("run", "It runs a command on other machines."), "ssh|exec|winrm|bootstrap"),
        asks("** list|show|search|diff|status"),
    ),
    **each("chef-client chef-solo chef-apply", dangerous("privilege", "It changes this machine as other files say.")),
    "puppet": service(
        "Changes machines.",
        asks("parser|lookup|facts|config|help|describe|resource, module list"),
        rule(danger("privilege", "It changes this machine as other files say."), "apply|agent|device|node|cert|ssl"),
    ),
    "hiera": reads("Looks up settings.", "* -c:config --config=config", "text*"),
}
