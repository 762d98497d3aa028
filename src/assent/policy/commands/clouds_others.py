"""Smaller clouds, and services that run, host, watch or sell things. Each is known by what is special about it; verbs
that all of them have in common stand in _services.py."""

import itertools
from collections.abc import Iterator

from assent.policy.commands import _sql
from assent.policy.commands._services import asks, is_production, makes, opens, publishes, reveals, ruins, rule, service
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, careful, each
from assent.policy.effects import care, danger
from assent.policy.shell.words import Arg

_DEPLOYS = care("publish", "It puts the project on the web.")
_LIVE = danger("publish", "It puts the project on the web, where people use it.")


def _to_production(it: Invocation) -> Iterator[Finding]:
    """``vercel --prod``, ``netlify deploy --prod``"""
    if it.has("--prod", "--production", "-p") or Arg("production") in it.all_values("--target"):
        yield _LIVE


def _deploys_to(it: Invocation) -> Iterator[Finding]:
    """``wrangler deploy --env production``, ``firebase deploy -P shop-prod``"""
    is_deploy = bool(it.operands) and it.operands[0].text in ("deploy", "up", "publish", "pages", "versions")
    names = it.all_values("-e", "--env", "--environment", "-P", "--project", "-s", "--service", "--only", "--name")
    if is_deploy and any(is_production(name.text) for name in names):
        yield _LIVE


def _d1(it: Invocation) -> Iterator[Finding]:
    yield from _to_production(it)
    yield from _deploys_to(it)
    for value in it.all_values("--command"):
        yield from _sql.statements(it, value.text, "sqlite")
    for value in it.all_values("--file"):
        yield from _sql.file(it, value, "sqlite")


def _console(it: Invocation) -> Iterator[Finding]:
    """What runs over there: ``fly ssh console -C …``, ``heroku run …``."""
    words = it.operands
    if words and words[0].text == "pg:psql":
        for value in it.all_values("-c", "--command"):
            yield from _sql.statements(it, value.text, "postgres")
        return
    for value in it.all_values("-C", "--command"):
        yield Run(line=value, elsewhere="another machine")
    if words and words[0].text in ("run", "run:detached", "exec") and len(words) > 1:
        line = " ".join(word.text for word in words[1:])
        yield Run(line=Arg(line), elsewhere="another machine")


_FLY = service(
    "Runs applications in a cloud.",
    reveals("secrets set|import|unset|deploy|keys, auth token|docker, tokens *, ssh issue|establish, redis proxy"),
    asks(
        "secrets list|ls, auth whoami, config show|validate, version, logs|status|releases|history|checks|platform"
        "|doctor"
    ),
    ruins("apps|machine|machines|volumes|volume|postgres|redis|app|m destroy|delete|stop|kill|remove|suspend"),
    rule(care("remote", "It works on another machine."), "ssh console|sftp|log, console, machine|machines exec|run"),
    makes("deploy|launch|scale|restart|open|proxy|wireguard|autoscale, postgres connect|attach"),
    options="-a: --app= -c: --config=read -C: --command= -r: --region= -y --yes -o: --org= -t: --access-token= -s: -q",
    more=_console,
)
_HEROKU = service(
    "Runs applications in a cloud.",
    reveals("config|config:get|config:edit, auth:token|authorizations|authorizations:*, pg:credentials*, keys:add"),
    ruins(
        "pg:reset|pg:kill*|pg:killall|ps:stop|ps:kill|maintenance:on|pg:promote|pg:copy|pg:push|pg:unfollow"
        "|pg:backups:restore"
        "|config:set|config:unset|releases:rollback|rollback|repo:reset|drains:remove|domains:clear|apps:transfer"
        "|container:rm"
    ),
    opens("access:add|access:update|access:remove|keys|keys:*|members:*|teams:*"),
    asks(
        "apps|addons|ps|releases|logs|status|domains|features|pipelines|buildpacks|drains|regions|auth:whoami"
        "|access|certs"
        "|pg:info|pg:ps|pg:locks|pg:diagnose|pg:bloat|pg:outliers|pg:settings|pg:backups|redis:info|stack|spaces"
        "|teams|webhooks"
        "|labs|apps:errors|notifications|webhooks|version|help|dyno:type|ps:type|container|sessions"
    ),
    makes(
        "run|run:detached|ps:exec|pg:psql|pg:pull|ps:scale|ps:restart|scale|restart|local|open|git:remote"
        "|container:*|pg:*"
    ),
    options="-a: --app= -r: --remote= -t --tail -n: --num= --json --confirm= -s: --source= -d: --dyno= -c: --command=",
    more=_console,
)
_VERCEL = service(
    "Puts a project on the web.",
    reveals("env pull|add|update|run, env pull *, tokens *", why="It brings secrets into a file, or changes them."),
    asks("ls|list|inspect|logs|whoami, env ls|list"),
    asks("teams|domains|projects|project|certs|alias|dns|secrets|webhooks|integration ls|list|inspect"),
    ruins("remove|rm|rollback|rolling-release|promote|redeploy|bisect"),
    rule(_DEPLOYS, "deploy"),
    makes(
        "dev|build|link|unlink|pull|login|logout|switch|init|git|alias|open|curl",
        kind="project",
        why="It works on a project.",
    ),
    options="-S: --scope= -t: --token= -A: --local-config= -Q: --global-config= --cwd= -d -e: --env= -b: --target=",
    bare=_DEPLOYS,
    more=_to_production,
)
_NETLIFY = service(
    "Puts a project on the web.",
    reveals("env:get|env:set|env:import|env:clone|env:unset|env:list"),
    asks("status|sites:list|functions:list|logs|watch|blobs:list|recipes:list"),
    rule(_DEPLOYS, "deploy"),
    makes("dev|build|link|unlink|init|login|logout|open|serve|switch|functions:*|sites:create*|blobs:*|api"),
    options="-s: --site= -d: --dir= -m: --message= --auth= --alias= -f: --functions= --filter= --context=",
    more=_to_production,
)
_WRANGLER = service(
    "Runs functions in a cloud.",
    reveals("secret put|bulk|delete, secret:bulk, secrets-store *, login"),
    asks(
        "whoami|tail|deployments|versions|types|docs|check, secret list, kv:key|kv:namespace list|get, kv key"
        "|namespace list|get"
    ),
    ruins("delete|rollback"),
    ruins("d1 delete, d1 time-travel *"),
    rule(_DEPLOYS, "deploy|publish|pages, versions deploy|upload"),
    makes("dev|init|generate|triggers", why="It changes something in a cloud."),
    options="-c:read --config=read -e: --env= --name= --namespace-id= --binding= --command= --file= --local --remote",
    more=_d1,
)
_FIREBASE = service(
    "Runs applications in a cloud.",
    reveals(
        "login:ci|functions:secrets:access|functions:secrets:set|auth:export|functions:config:get|apps:sdkconfig"
        "|auth:import"
    ),
    asks(
        "projects:list|apps:list|functions:list|functions:log|hosting:sites:list|hosting:channel:list"
        "|firestore:indexes|use"
    ),
    ruins(
        "firestore:delete|database:remove|database:set|database:update|hosting:disable|functions:delete|projects:delete"
    ),
    rule(_DEPLOYS, "deploy|hosting:channel:deploy|hosting:clone"),
    makes(
        "emulators:start|emulators:exec|serve|init|login|logout|open|experiments:*|appdistribution:*|ext:*|target:*"
        "|setup:*"
    ),
    options="-P: --project= --only= --except= --token= -m: --message= --config=read -f --force --json -y",
    more=_deploys_to,
)
_SUPABASE = service(
    "Keeps data in a cloud.",
    ruins(
        "db reset|remote, projects|branches|functions|secrets|domains delete|unset, stop, migration down|repair|squash"
    ),
    reveals("secrets set, projects api-keys, status, postgres-config *, encryption *"),
    asks("** list|diff|lint|get"),
    makes("start|init|link|login|gen|db|functions|migration|test|seed|services|storage|branches|inspect|sso|domains"),
    options="--project-ref= --db-url= --schema= --linked --local --workdir= --file=",
)
_RAILWAY = service(
    "Runs applications in a cloud.",
    reveals("variables|variable|vars|environment"),
    asks("status|logs|whoami|list|docs|version|domain"),
    ruins("down|delete|volume|redeploy|unlink"),
    rule(_DEPLOYS, "up|deploy"),
    makes("run|shell|connect|ssh|link|init|add|login|logout|open|service"),
    options="-s: --service= -e: --environment= -p: --project= -d -y --json",
    more=lambda it: itertools.chain(_console(it), _deploys_to(it)),
)
_VARIABLES = reveals(
    "** env|envs|env-vars|environment list|ls|get|pull|export|show, env:pull|env:export|env:get",
    why="It shows variables of an application, and secrets are among them.",
)
_PLAIN = (
    "linode-cli hcloud scw ibmcloud oci vultr-cli upctl exo civo openstack ovhai yc aliyun tccli gandi dnscontrol koyeb"
    " render northflank upsun platform clever dokku deta edgectl fastly akamai stackit infomaniak aiven avn"
)
_SERVICES = (
    "stripe circleci buildkite bk travis drone jenkins-cli datadog-ci newrelic sentry-cli ldcli flipt unleash pd"
    " grafana grafana-cli grafanactl logcli promtool amtool algolia apigeecli deck kong twilio sendgrid mailgun"
    " auth0 okta"
    " clerk snyk jf jfrog atlas mongocli confluent ccloud ably pscale turso neonctl neon xata planetscale"
    " contentful sanity shopify hubspot checkly honeybadger rollbar pagerduty opsgenie statuspage launchdarkly eas expo"
    " convex nhost appwrite hasura directus strapi workos gitlab-runner gitpod coder spacectl env0 scalr tfctl ionosctl"
)

COMMANDS: dict[str, Spec] = {
    **each("fly flyctl", _FLY),
    "heroku": _HEROKU,
    **each("vercel vc", _VERCEL),
    **each("netlify ntl", _NETLIFY),
    "wrangler": _WRANGLER,
    "firebase": _FIREBASE,
    "supabase": _SUPABASE,
    "railway": _RAILWAY,
    "doctl": service(
        "Speaks with a cloud.",
        reveals(
            "auth token|init, databases connection|get-ca, registry docker-config"
            "|kubernetes-manifest, compute ssh-key import"
        ),
        opens("compute firewall *, databases firewalls|user *, projects *"),
        ruins("compute droplet-action *, apps|databases|kubernetes ** delete"),
        makes(
            "kubernetes cluster kubeconfig *, compute ssh", why="It writes down how to reach a cluster, or goes there."
        ),
        options="-t: --access-token= --context= -o: --output= --format= -f --force -v --no-header -c: --config=read",
    ),
    **each(_PLAIN, service("Speaks with a cloud.", _VARIABLES)),
    **each(
        _SERVICES,
        service(
            "Speaks with a service.",
            reveals("** api_keys|api-keys|apikeys|login|auth *", why="It works with keys to a service."),
            _VARIABLES,
            publishes("** publish|send|promote"),
        ),
    ),
    **each("surge now", service("Puts a project on the web.", bare=_DEPLOYS)),
    "sonar-scanner": careful("send", "It sends the project's code to a service."),
    "gitlab-rake": service("Looks after a server.", ruins("**", why="It changes a server and its data."), also=()),
}
