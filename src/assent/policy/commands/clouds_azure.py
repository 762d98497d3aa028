"""The command line of Microsoft's cloud. Groups of things come first, the verb last."""

from collections.abc import Iterator

from assent.policy.commands._services import (
    CHANGES,
    RUINS,
    asks,
    copied,
    makes,
    opens,
    readings,
    reveals,
    ruins,
    rule,
    service,
    tells,
)
from assent.policy.commands.spec import Finding, Invocation, Run, Spec
from assent.policy.effects import care, danger
from assent.policy.shell.words import Arg

_RULES = (
    tells("version|help|find|feedback|survey"),
    # --- secrets
    reveals(
        "account get-access-token",
        "** keyvault secret|key|certificate show|download|backup|set|create|import|decrypt|sign|restore|recover",
        "** keyvault key decrypt",
        "** keys|key list|show|renew|regenerate|create|set|rotate|list-keys",
        "** list-keys|list-key|show-keys|show-connection-string|list-connection-strings|list-credentials|list-secrets"
        "|list-publishing-credentials|list-publishing-profiles|generate-sas|show-secret|list-query-key|regenerate-*"
        "|renew-key"
        "|reset-credential|reset-credentials|list-admin-key|list-user-keys|get-access-token|create-sas|renew-keys"
        "|renew-credential",
        "** credential|credentials show|list|reset|renew",
        "** connection-string show|list",
        "ad sp|app credential|create-for-rbac",
        "ad sp create-for-rbac",
        "** token create|show|list|credential",
        "** user reset-password|set-password|reset-access",
        "** authorization-key|authkey|admin-key|primarykey *",
    ),
    rule(
        care("secret", "It shows settings, and secrets may be among them."), "** appsettings|env-var|envvars list|show"
    ),
    # --- running things there
    rule(
        danger("run", "It runs a command on machines in the cloud."), "** run-command *", "** command invoke", "** exec"
    ),
    rule(care("fetch", "It connects to another machine."), "** ssh|tunnel|bastion", "** remote-connection *"),
    makes("** get-credentials", why="It writes down how to reach a cluster.", kind="write"),
    # --- taking away, letting in
    ruins(
        f"** {RUINS}|stop|deallocate|restart|reimage|redeploy|failover|swap|untag|cancel|abort|detach|undelete"
        "|power-off"
    ),
    opens(
        "role|policy|lock|ad|identity ** create|update|add|assign|set",
        "** role|policy|lock|identity|access-policy|firewall-rule|network-rule|rule|set-policy create|update|add"
        "|assign",
        "** set-policy|assign|set-permission|update-access|make-public|add-owner|invite",
        "** set-legal-hold",
    ),
    rule(
        care("send", "It copies files to the cloud, or from it."),
        "** upload|upload-batch|download|download-batch|sync|copy",
    ),
    asks("extension list|show|list-available, config get, cloud list|show", why="It shows settings of the tool."),
    makes("account set|clear", why="It changes which part of the cloud is worked with."),
    makes("login|logout|configure|init|extension|upgrade|config", why="It changes the tool itself, or who you are."),
    makes(
        f"** {CHANGES}|start|submit|invoke-action|run|deploy|import|export",
        why="It changes something in Microsoft's cloud.",
    ),
    asks(
        "** list|show|list-*|show-*|get-*|get|exists|wait|check-*|describe|query|validate|what-if|tail|log|browse"
        "|search|logs",
        why="It asks Microsoft's cloud.",
    ),
)


def _az(it: Invocation) -> Iterator[Finding]:
    words = readings(it)[1]
    texts = [word.text for word in words]
    if texts[:1] == ["rest"]:
        method = (it.value("--method", "-m") or Arg("get")).text.lower()
        yield (danger if method in ("delete", "put", "patch") else care)("remote", "It speaks to the cloud directly.")
    for value in it.all_values("--scripts", "--script", "--command"):
        if not value.text.startswith("@"):
            yield Run(line=value, elsewhere="a machine in the cloud")
    for value in it.all_values("--file", "-f", "--source", "-s"):
        if any(text.startswith("upload") for text in texts) and value.known:
            yield from copied(it, [value, Arg("cloud://there")], lambda text: "://" in text, "the cloud")
    for value in it.all_values("--file", "-f", "--destination", "-d"):
        if any(text.startswith("download") for text in texts):
            yield it.path("write", value)
    for arg in it.handed_on:
        if arg.text.startswith("@") and len(arg.text) > 1:
            yield it.path("read", Arg(arg.text[1:]))
    if any(value.text.lower() in ("blob", "container") for value in it.all_values("--public-access")):
        yield danger("publish", "It makes files public.")


_OPTIONS = (
    "-o: --output= --query= --subscription= --only-show-errors --verbose --debug -h --help -g: --resource-group= -n:"
    " --name= -l: --location= --method= -m: --scripts= --script= --command= --file= -f: --source= -s: --destination="
    " -d: --project= --org= --organization= --account-name= --container-name= -c: --vault-name= --yes -y --no-wait"
    " --ids= --filter= --tag= --tags= --top= --detect? --public-access= -u: --username= -p: --password="
    " --service-principal"
    " --tenant= --role="
    " --assignee="
    " --scope= --url= --uri= --body= --headers= -a: --all --pattern= --version"
)


def _azcopy(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    if words and words[0].text in ("copy", "cp", "c", "sync"):
        yield from copied(it, words[1:3], lambda text: "://" in text, "the cloud")
    for value in it.all_values("--delete-destination"):
        if value.text != "false":
            yield danger("remote", "It deletes what is there and not here.")


COMMANDS: dict[str, Spec] = {
    "az": service("Speaks with Microsoft's cloud.", *_RULES, options=_OPTIONS, also=(), more=_az),
    "azd": service(
        "Runs applications in Microsoft's cloud.",
        ruins("down"),
        reveals("env get-values|get-value, auth token"),
        asks("show|monitor|version, env list, config show|list, template list|show"),
        makes("up|provision|deploy|package|restore|init|pipeline|hooks|auth|env|config"),
    ),
    "azcopy": service(
        "Copies files to and from Microsoft's cloud.",
        ruins("remove|rm", why="It deletes files in the cloud."),
        asks("list|ls|jobs|env|doc"),
        rule(care("send", "It copies files to the cloud, or from it."), "copy|cp|c|sync|bench|make|mk|login|logout"),
        options="--delete-destination= --recursive? --include-pattern= --exclude-pattern= --overwrite= --from-to=",
        also=(),
        more=_azcopy,
    ),
    "func": service(
        "Runs functions in Microsoft's cloud.",
        reveals("azure functionapp fetch-app-settings, settings decrypt|list, azure storage fetch-connection-string"),
        asks("azure functionapp list-functions|logstream, templates list"),
        makes("start|init|new|host|extensions|pack|run", kind="project", why="It runs the project's code."),
        makes("azure *|deploy|durable|kubernetes"),
    ),
}
