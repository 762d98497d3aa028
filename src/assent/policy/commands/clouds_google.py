"""The command lines of Google's cloud: gcloud, gsutil, bq. Groups of things come first, the verb after them."""

from collections.abc import Iterator

from assent.policy.commands import _sql
from assent.policy.commands._services import (
    CHANGES,
    RUINS,
    asks,
    copied,
    makes,
    opens,
    publishes,
    readings,
    reveals,
    ruins,
    rule,
    service,
    tells,
)
from assent.policy.commands._web import shown
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, Takes
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_RULES = (
    tells("help|version|info|topic|cheat-sheet", "components list", "meta *", "feedback|survey"),
    # --- secrets
    reveals(
        "** print-access-token|print-identity-token|print-refresh-token",
        "** config config-helper",
        "** secrets versions access",
        "** secrets versions add",
        "** keys create|upload|get-public-key",
        "** create-cred-config|create-login-config|create-signing-key",
        "** sign-blob|sign-jwt|sign-url",
        "** kms decrypt|asymmetric-decrypt|asymmetric-sign|raw-decrypt|mac-sign",
        "** reset-windows-password|set-password|get-server-config-secret|get-key-string|reset-auth-token",
        "** get-password|get-credentials-token|get-connection-string|generate-login-token",
    ),
    rule(danger("secret", "It takes keys of yours away."), "** auth revoke", "** auth application-default revoke"),
    asks("** auth list"),
    makes("** auth *", why="It changes who you are to the cloud."),
    # --- settings of the tool itself
    asks("config list|get|get-value", "config configurations list|describe", why="It shows settings of the tool."),
    makes("config set|unset", "config configurations *", why="It changes settings of the tool."),
    makes("components *", why="It changes the tool itself.", kind="install"),
    # --- files in the cloud
    asks("** storage ls|cat|du|hash", "** storage objects|buckets describe|list"),
    ruins("** storage rm|mv", why="It deletes files in the cloud, and that cannot be undone."),
    rule(nothing("It copies files."), "** storage cp|rsync"),
    # --- other machines
    rule(care("fetch", "It connects to another machine."), "** compute|tpu-vm|workbench ssh|start-iap-tunnel"),
    rule(
        care("fetch", "It connects to another machine."), "** ssh|start-iap-tunnel|connect-to-serial-port|sql connect"
    ),
    rule(care("send", "It copies files from or to another machine."), "** scp|copy-files"),
    makes("** get-credentials", why="It writes down how to reach a cluster.", kind="write"),
    # --- taking away, letting in
    ruins(
        f"** {RUINS}|stop|suspend|cancel|abort|rollback|failover|restore|restore-backup|detach"
        "|simulate-maintenance-event"
        "|undelete|abandon-*|recreate-*|stop-*|reset-*|drain|demote-*|bulk-delete|delete-*|clear-*|unset-*"
        "|invalidate-*|unlink"
    ),
    opens(
        "** add-iam-policy-binding|remove-iam-policy-binding|set-iam-policy|*-iam-policy-*|set-policy|enable-enforce"
        "|add-*-binding|set-org-policy|grant|add-public-*|set-service-account|add-invoker-*|set-*-acl",
        "** iam|service-accounts|roles|org-policies|access-context-manager|workload-identity-pools create|update"
        "|enable|set-*",
        "** firewall-rules|firewall-policies create|update|add-*|move",
        "** users create",
    ),
    # --- asking
    publishes("** publish", "** app deploy"),
    makes(f"** {CHANGES}|export|submit|call|move-*|bind|ssh-*", why="It changes something in Google's cloud."),
    asks(
        "** builds log, ** list|describe|list-*|describe-*|get-iam-policy|get-ancestors-iam-policy|get-*|search"
        "|search-*|lookup"
        "|read|tail"
        "|wait|check-*|diagnose|print-settings|validate|lint|query-grantable-roles|analyze-*|preview|get-value"
        "|troubleshoot",
        why="It asks Google's cloud.",
    ),
    makes("**", why="It changes something in Google's cloud."),
)


def _is_bucket(text: str) -> bool:
    return text.startswith(("gs://", "s3://"))


def _gcloud(it: Invocation) -> Iterator[Finding]:
    words = readings(it)[1]
    texts = [word.text for word in words]
    machine = " ".join(("another machine", *texts[:6], *(value.text for value in it.all_values("--project"))))
    for value in it.all_values("--command"):
        yield Run(line=value, elsewhere=machine)
    if "ssh" in texts and it.behind:
        yield Run(args=tuple(it.behind), elsewhere=machine)
    if it.has("--allow-unauthenticated") or any(text in ("allUsers", "allAuthenticatedUsers") for text in texts):
        yield danger("publish", "It lets anyone in.")
    if "storage" in texts and any(verb in texts for verb in ("cp", "rsync")):
        yield from _copies(it, words[texts.index("cp" if "cp" in texts else "rsync") + 1 :])
    elif "scp" in texts:
        yield from copied(it, words[texts.index("scp") + 1 :], lambda text: ":" in text, "another machine")


def _copies(it: Invocation, words: list[Arg]) -> Iterator[Finding]:
    if len(words) < 2 or any(HOLE in word.text[:1] for word in words):
        yield care("dynamic", "What it copies is known only when it runs.")
    yield from copied(it, words, _is_bucket, "the cloud")
    if it.has("--delete-unmatched-destination-objects", "-d"):
        yield danger("remote", "It deletes what is there and not here.", shown(words[-1]) if words else "")
    acl = it.value("-a", "--predefined-acl", "--canned-acl")
    if acl is not None and acl.text.lower().startswith(("public", "authenticated")):
        yield danger("publish", "It makes files public.")


def _gsutil(it: Invocation) -> Iterator[Finding]:
    words = it.operands
    verb = words[0].text if words else ""
    if verb in ("cp", "rsync"):
        yield from _copies(it, words[1:])


# --- bq: statements, and tables by name


def _bq(it: Invocation) -> Iterator[Finding]:
    words = readings(it)[1]
    if not words or words[0].text != "query":
        return
    for word in words[1:]:
        yield from _sql.statements(it, word.text, "bigquery")
    if any(option.startswith("--replace") for option, _ in it.values):
        yield danger("remote", "It replaces a table.")
    if len(words) == 1:
        yield Takes(lambda text: _sql.statements(it, text, "bigquery"))


_GLOBAL = (
    "--recurse"
    " --project= --account= --configuration= --format= --filter= --sort-by= --limit= --page-size= --region= --zone="
    " --verbosity= --impersonate-service-account= --billing-project= --flags-file=config --flatten="
    " --access-token-file="
    " --trace-token= --location= --cluster= --quiet -q --log-http --uri --global --user-output-enabled? --format="
    " --order="
    " --freshness= --secret= --version -h --help --command= --allow-unauthenticated --async -r -R -n -d --recursive"
    " --delete-unmatched-destination-objects --predefined-acl= --canned-acl= -a: --regions= --zones= --member= --role="
)
_LISTS = Effect("query", Risk.LOOK, "It lists what lies in a cloud.")

COMMANDS: dict[str, Spec] = {
    "gcloud": service("Speaks with Google's cloud.", *_RULES, options=_GLOBAL, also=(), more=_gcloud),
    "gsutil": service(
        "Works with files in Google's cloud.",
        rule(_LISTS, "ls|cat|du|stat|hash|version|help|ver|test"),
        asks("acl|iam|defacl|cors|lifecycle|logging|versioning|web|label|notification|retention|kms get|list"),
        rule(nothing("It copies files."), "cp|rsync"),
        ruins("rm|rb|mv", why="It deletes files in the cloud, and that cannot be undone."),
        reveals("signurl|hmac|config"),
        opens(
            "acl|iam|defacl|cors|web|lifecycle|retention|pap|ubla|bucketpolicyonly|rpo|defstorageclass|notification *"
        ),
        makes("mb|setmeta|compose|label|versioning|logging|rewrite|kms|requesterpays|autoclass|update|perfdiag"),
        options="-o:care -u: -h: -i: -m -q -D -DD -r -R -n -d -c -a: -z: -j: -e -f -L:write -I",
        also=(),
        more=_gsutil,
    ),
    "bq": service(
        "Works with tables in Google's cloud.",
        asks("ls|show|head|version|help|info|get-iam-policy|wait"),
        ruins("rm|cancel|undelete|truncate|partition"),
        opens("set-iam-policy|add-iam-policy-binding|remove-iam-policy-binding"),
        rule(care("query", "It asks a database in the cloud."), "query"),
        rule(
            care("send", "It moves data into or out of a database."),
            "load|insert|extract|cp|mk|mkdef|update|init|shell",
        ),
        options=(
            "--project_id= --dataset_id= --location= --format= -n: --max_results= --use_legacy_sql?"
            " --nouse_legacy_sql -q -f"
            " --dry_run --replace --destination_table= --parameter= --headless --quiet --bigqueryrc=config"
            " --flagfile=config --api=host --apilog=write --ca_certificates_file=read"
            " --schedule= -t -d -r"
        ),
        also=(),
        more=_bq,
    ),
}
