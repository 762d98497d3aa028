"""The command line of Amazon's cloud. Its operations say by their first word what they do: describe, list, get ask;
delete, terminate, revoke take away; and whatever else there is changes something."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._services import (
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
from assent.policy.commands._web import address, shown
from assent.policy.commands.spec import Finding, Invocation, Run, Spec
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_PRIVATE = later(r"secret|token|session|key_id|access_key|password", re.IGNORECASE)
_PUBLIC = later(r"public-read(?:-write)?|authenticated-read|AllUsers|AuthenticatedUsers", re.IGNORECASE)
# They write what they get into a file that is named last.
_INTO_FILE = later(
    r"(?:get-object|get-object-torrent|get-export|get-sdk|get-job-output|get-media\S*|get-clip|get-thing-shadow"
    r"|invoke|synthesize-speech|select-object-content|get-raw-message-content|get-snapshot-block|get-profile"
    r"|get-configuration|get-work-unit-results|retrieve-\S+|get-archive-\S+)"
)

# What they keep is named like a path.
_NAMES_LIKE_PATHS = frozenset({"ssm", "logs", "secretsmanager", "iam", "cloudwatch"})

_RULES = (
    tells("help", "* help", "* * help", "configure list|list-profiles", "history list|show"),
    # --- secrets
    reveals("configure get|set|sso|sso-session|import|export-credentials|add-model", "configure"),
    reveals(
        "secretsmanager get-secret-value|batch-get-secret-value",
        "secretsmanager put-*|update-*|rotate-*|create-*|replicate-*",
        "sts get-session-token|get-federation-token|assume-role*|get-web-identity-token",
        "ecr|ecr-public get-login|get-login-password|get-authorization-token",
        "codeartifact login|get-authorization-token",
        "eks get-token",
        "ec2 get-password-data|create-key-pair|import-key-pair",
        "rds|dsql generate-*-auth-token",
        "lightsail get-instance-access-details|download-default-key-pair|create-key-pair"
        "|get-relational-database-master-*",
        "cognito-identity get-credentials-for-identity|get-open-id-token*",
        "cognito-idp admin-initiate-auth|initiate-auth|*-set-user-password",
        "sso get-role-credentials",
        "sso-oidc create-token*",
        "kms decrypt|generate-data-key*|re-encrypt|generate-mac|sign",
        "iot create-keys-and-certificate|create-provisioning-claim",
        "appconfigdata get-latest-configuration",
        "* get-*credentials*|get-*-token|get-*-password|get-access-key*|get-*-auth-token|get-*-access-token",
        "* create-api-key|create-access-key|create-login-profile|update-login-profile"
        "|create-service-specific-credential",
        "* create-*-credential*|reset-*-credential*|create-token|create-*-token|create-presigned-*",
        "s3 presign",
    ),
    # --- s3, where files go there and back
    asks("s3 ls"),
    ruins("s3 rm|rb|mv", why="It deletes files in the cloud, and that cannot be undone."),
    opens("s3 website", why="It makes files public."),
    makes("s3 mb", why="It makes a place in the cloud."),
    rule(nothing("It copies files."), "s3 cp|sync"),
    # --- running things there
    rule(
        danger("run", "It runs a command on machines in the cloud."),
        "ssm send-command|start-session|start-automation-execution|resume-session",
        "ec2-instance-connect *",
        "ecs execute-command",
        "* run-*-command",
        "lambda update-function-code|update-function-configuration|publish-layer-version|create-function-url-config",
    ),
    publishes("sns publish*", "ses|sesv2|pinpoint|pinpoint-sms-voice* send-*", "connect start-outbound-*"),
    # --- asking
    opens("organizations|account|iam|sso-admin|identitystore attach-*|detach-*|put-*|update-*|create-*|add-*|enable-*"),
    asks(
        "* describe-*|list-*|get-*|batch-get-*|batch-describe-*|search|search-*|lookup-*|head-*|filter-*|preview-*",
        "* estimate-*|simulate-*|validate-*|check-*|count-*|query|scan|select-*|view-*|wait|test-event-pattern"
        "|test-dns-answer|test-metric-filter",
        "* query-objects|decode-authorization-message|detect-*-drift*",
        "logs tail|start-query|start-live-tail|stop-query",
        "athena get-*",
        "cloudformation estimate-template-cost",
        "eks list-*",
    ),
    makes("eks update-kubeconfig", why="It writes down how to reach a cluster.", kind="write"),
    makes("sso login|logout", "login", "logout", why="It logs you in or out.", kind="remote"),
    # --- taking away, letting in
    ruins(
        "* delete-*|batch-delete-*|terminate-*|remove-*|deregister-*|purge-*|destroy-*|disable-*|stop-*|reboot-*"
        "|cancel-*"
        "|detach-*|disassociate-*|release-*|reset-*|unsubscribe*|deactivate-*|archive-*|abort-*|schedule-*-deletion"
        "|retire-*"
        "|withdraw-*|leave-*|decommission-*|untag-*|discard-*|evict-*|force-*|failover-*|restore-*|rollback-*"
        "|deprovision-*"
        "|expire-*"
        "|delete|terminate|change-resource-record-sets|batch-change-*|unarchive-*|close-*|unlink-*|transact-write-items"
        "|batch-write-item|modify-*-attribute|complete-*-replacement|*-force-delete|remove|delete*|empty-*|wipe-*"
    ),
    opens(
        "* put-*-policy|put-*-policies|put-*-acl|put-bucket-*|put-public-access-block|put-account-*|put-role-*"
        "|put-user-*"
        "|set-*-policy*|update-*-policy*|update-assume-role-*|attach-*-policy|attach-*-policies|add-*permission*"
        "|add-*-to-*"
        "|authorize-*|revoke-*|create-grant|put-key-policy|grant-*|create-policy*|create-role|create-user|create-*-user"
        "|admin-*|share-*|accept-*|enable-*-access|associate-iam-*|set-security-*|modify-*-security*|create-*-trust"
        "|update-access-key|put-resource-policy|put-permission*|update-*-access*|create-access-entry"
        "|associate-access-policy"
    ),
    makes(
        "* create-*|put-*|update-*|modify-*|start-*|run-*|register-*|tag-*|*", why="It changes something in the cloud."
    ),
)


def _more(it: Invocation) -> Iterator[Finding]:
    texts = [word.text for word in readings(it)[1]]
    for value in it.all_values("--endpoint-url"):
        to = address(value.text)
        yield (nothing if to.is_local else _elsewhere)(shown(value))
    for arg in it.handed_on:
        for scheme in ("fileb://", "file://"):
            _, separator, path = arg.text.partition(scheme)
            if separator:
                effect = it.path("read", Arg(path, arg.glob))
                yield (
                    danger("send", "It sends a file of secrets to the cloud.", effect.target)
                    if effect.risk is Risk.DANGER
                    else effect
                )
    if any(_PUBLIC.search(arg.text) for arg in it.handed_on) and texts[:1] != ["s3 ls"]:
        yield danger("publish", "It makes something public.")
    if texts[:1] == ["s3"]:
        yield from _s3(it, texts)
    elif len(texts) > 1:
        yield from _operation(it, texts)


def _elsewhere(target: str) -> Finding:
    return care("send", "It asks another address than the cloud's own.", target)


def _operation(it: Invocation, texts: list[str]) -> Iterator[Finding]:
    if texts[0] == "ssm" and texts[1].startswith("get-param"):
        if it.has("--with-decryption"):
            yield danger("secret", "It shows secrets that are kept in the cloud.")
        elif it.is_dynamic:
            yield care("secret", "It may show secrets that are kept in the cloud.")
    if texts[0] == "apigateway" and it.has("--include-value", "--include-values"):
        yield danger("secret", "It shows keys.")
    if any("userData" in arg.text for arg in it.handed_on) and texts[1].startswith("describe-"):
        yield care("secret", "What machines start with often holds secrets.")
    goal = readings(it)[1][-1]
    # A word behind an unknown option is its value.
    may_be_file = goal is it.handed_on[-1]
    is_path = goal.text.startswith(("/", "./", "../")) and texts[0] not in _NAMES_LIKE_PATHS
    if may_be_file and (_INTO_FILE.fullmatch(texts[1]) or (is_path and texts[1].startswith("get-"))):
        yield care("fetch", "It brings something in from the cloud.")
        yield it.path("write", goal)
    for value in it.all_values("--parameters"):
        _, separator, line = value.text.partition("commands=")
        if separator and texts[:2] == ["ssm", "send-command"]:
            yield Run(line=Arg(line.strip("[]\"'")), elsewhere="a machine in the cloud")


def _is_bucket(text: str) -> bool:
    return text.startswith(("s3://", "arn:aws:s3"))


def _s3(it: Invocation, texts: list[str]) -> Iterator[Finding]:
    words = [word for word in readings(it)[1] if word.text not in ("s3", texts[1] if len(texts) > 1 else "")]
    verb = texts[1] if len(texts) > 1 else ""
    if verb in ("cp", "sync", "mv"):
        if it.has("--dryrun"):
            return
        if len(words) < 2 or any(HOLE in word.text[:1] for word in words):
            yield care("dynamic", "What it copies is known only when it runs.")
        yield from copied(it, words[:2], _is_bucket, "the cloud")
        if it.has("--delete"):
            yield danger("remote", "It deletes what is there and not here.", shown(words[-1]) if words else "")
        if verb == "mv" and words and not _is_bucket(words[0].text):
            yield it.path("delete", words[0], recursive=it.has("--recursive"))


_OPTIONS = (
    "--profile= --region= --output= --query= --endpoint-url= --color= --ca-bundle=read --cli-read-timeout="
    " --cli-connect-timeout= --cli-binary-format= --debug --no-verify-ssl --no-paginate --no-sign-request --version"
    " --no-cli-pager --no-cli-auto-prompt --cli-auto-prompt --cli-input-json= --cli-input-yaml= --recursive --dryrun"
    " --delete --quiet --only-show-errors --acl= --exclude= --include= --sse? --storage-class= --follow-symlinks"
    " --no-progress --human-readable --summarize --force --page-size= --parameters= --grants= --content-type="
    " --cache-control= --metadata= --exact-timestamps --size-only --no-follow-symlinks --expires-in="
    " --with-decryption --dry-run --no-dry-run --max-items= --starting-token= --generate-cli-skeleton?"
)


def _sam(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("-t", "--template", "--template-file"):
        yield it.path("read", value)


COMMANDS: dict[str, Spec] = {
    "aws": service("Speaks with Amazon's cloud.", *_RULES, options=_OPTIONS, also=(), more=_more),
    "awslocal": service("Speaks with a cloud on this machine.", *_RULES, options=_OPTIONS, also=(), more=_more),
    "sam": service(
        "Builds and deploys serverless applications.",
        asks("list *", "logs", "validate", "traces"),
        ruins("delete"),
        makes("build|local|package|init", why="It runs the project's own code.", kind="project"),
        makes("deploy|sync|publish|remote|pipeline"),
        options="-t: --template= --template-file= --stack-name= --region= --profile= --config-file=read --config-env=",
        more=_sam,
    ),
    "eb": service(
        "Runs applications in Amazon's cloud.",
        asks("status|health|list|events|logs|appversion, platform show|list"),
        reveals("printenv|setenv"),
        ruins("terminate|abort|restore|swap"),
        makes("ssh", why="It works on another machine."),
        makes("deploy|create|scale|use|init|config|clone|upgrade|open|console|local|labs|tags"),
    ),
    "eksctl": service(
        "Makes clusters in Amazon's cloud.",
        asks("get *", "info", "version", "utils describe-*|schema|nodegroup-health"),
        ruins("delete *", "drain *", "utils *"),
        opens(
            "create iamidentitymapping|iamserviceaccount|accessentry|podidentityassociation",
            "associate|enable|disassociate *",
        ),
        makes("create|scale|upgrade|set|unset|update|register|deregister *"),
        options="-f:read --config-file=read --cluster= --region= --name= --profile= --nodegroup=",
    ),
    "amplify": service(
        "Builds applications in Amazon's cloud.",
        asks("status|diagnose|console, env list|get"),
        ruins("delete", "env remove"),
        makes("push|publish|pull|add|update|init|configure|import|mock|serve|run"),
    ),
    "cfn-lint": Spec("Checks templates.", "* -o:write --output-file=write -a:config --append-rules=config", "read*"),
}
