"""Code hosts: GitHub (gh, hub), GitLab (glab), Gitea (tea). Reading is free; what others see, or lose, is not."""

from collections.abc import Callable, Iterator

from assent.policy.commands import _web
from assent.policy.commands._services import WordRule, asks, makes, opens, reveals, ruins, rule, service, tells
from assent.policy.commands._web import sends_file
from assent.policy.commands.spec import Finding, Invocation, Run, SendsInput, Spec, findings
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_NAMES = "list|ls|view|show|status|search"
_SAYS = "It says or changes something on the code host under your name."


def _says(*patterns: str, why: str = _SAYS) -> WordRule:
    return rule(care("publish", why), *patterns)


def _obeys(*patterns: str, why: str) -> WordRule:
    return rule(danger("persist", why), *patterns)


def _saves(*patterns: str) -> WordRule:
    return rule(Effect("write", Risk.CHANGE, "It saves files from the code host here."), *patterns)


_GITHUB = (
    tells("help|version|completion|reference|environment|exit-codes|formatting|accessibility"),
    rule(nothing("It sends a request."), "api"),
    # --- who the user is
    reveals(
        "auth token|git-credential", "config get *token*|*oauth*|*password*", why="It shows the key to your account."
    ),
    asks("auth status", "config get|list|ls", "alias list|ls"),
    opens("auth *", why="It changes how you are logged in, or what that allows."),
    opens("ssh-key|gpg-key add|delete", "repo deploy-key add|delete", why="It changes who can get into your account."),
    _obeys("alias set|import", why="It makes a command that runs later under another name."),
    makes("alias delete", "config set|clear-cache", why="It changes settings of the tool.", kind="write"),
    asks("extension|extensions|ext list|ls|search|browse"),
    makes(
        "extension|extensions|ext install|upgrade|create", why="It installs a program from the network.", kind="install"
    ),
    makes("extension|extensions|ext exec", why="It runs a program that was installed.", kind="run"),
    makes("extension|extensions|ext remove", why="It takes a program away.", kind="write"),
    makes("copilot|agent-task|agent-tasks|agent", why="It starts another agent.", kind="agent"),
    # --- what is gone for others as well
    ruins(
        "repo delete|archive|unarchive|rename",
        "release delete|delete-asset",
        "issue delete",
        "run delete",
        "cache delete",
        "label delete",
        "project delete|item-delete|field-delete",
        "gist delete",
        "codespace|cs delete",
        "discussion delete",
    ),
    ruins(
        "secret set|delete|remove",
        "variable set|delete|remove",
        why="It changes what builds and deployments work with.",
    ),
    rule(danger("remote", "It runs commands on another machine of yours."), "codespace|cs ssh|cp|jupyter"),
    rule(danger("send", "It puts a text where anyone with the link can read it."), "gist create|edit"),
    # --- asking
    asks(
        f"pr|issue {_NAMES}|diff|checks",
        f"repo {_NAMES}|gitignore|license",
        f"release {_NAMES}|verify|verify-asset",
        f"run|workflow|cache|label|gist|org|ruleset|secret|variable|ssh-key|gpg-key|codespace|cs {_NAMES}",
        "run watch",
        "variable get",
        "ruleset|rs check",
        f"project {_NAMES}|field-list|item-list",
        f"discussion {_NAMES}",
        "repo deploy-key|autolink list|ls|view",
        "codespace|cs logs|ports",
        "search",
        "status",
        "browse",
        "attestation|at verify|trusted-root",
        "licenses",
        "preview",
    ),
    _saves("run|release|attestation|at download"),
    # --- code and work that comes in
    rule(care("fetch", "It brings code in and switches to it."), "pr checkout", "co"),
    rule(nothing("It makes a copy of a repository."), "repo|gist clone"),
    rule(Effect("write", Risk.CHANGE, "It notes which repository is meant."), "repo set-default"),
    # --- what others see
    _says(
        "pr create|new|comment|review|edit|ready|close|reopen|lock|unlock|merge|update-branch|revert",
        "issue create|new|comment|edit|close|reopen|pin|unpin|lock|unlock|transfer|develop",
        "repo create|new|fork|sync|edit",
        "repo autolink create|delete",
        "release create|new|edit|upload",
        "gist rename",
        "label create|edit|clone",
        "project *",
        "discussion *",
    ),
    makes("run rerun|cancel", "workflow run|enable|disable", why="It changes what runs on the code host."),
    makes("codespace|cs *", why="It changes a machine of yours."),
)


def _github(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.operands[:2]]
    verb = " ".join(words)
    rest = it.operands[2:]
    if words[:1] == ["api"]:
        yield from _web.request(it, it.operands[1:])
        return
    yield from _texts(it, is_fields=verb == "workflow run")
    if verb == "auth status" and it.has("-t", "--show-token"):
        yield danger("secret", "It shows the key to your account.")
    elif verb == "config set" and any(
        word.text in ("editor", "pager", "browser", "http_unix_socket") for word in rest[:1]
    ):
        yield danger("persist", "From now on the tool runs this program.")
    elif verb in ("repo clone", "gist clone"):
        yield Run(
            args=(Arg("git"), Arg("clone"), *(_address(word) if not at else word for at, word in enumerate(rest)))
        )
    elif verb in ("gist create", "gist edit"):
        for file in [*(rest if verb == "gist create" else ()), *it.all_values("-a", "--add")]:
            yield sends_file(it, file, "gist.github.com", trusted=False)
    elif verb in ("release create", "release upload", "release new"):
        for file in rest[1:]:
            yield it.path("read", Arg(file.text.partition("#")[0], file.glob, file.splits))
    elif verb.endswith(" download"):
        for folder in it.all_values("-D", "--dir", "-O", "--output"):
            yield it.path("write", folder)
    for switch, grave in _SWITCHES:
        if verb in switch[0] and it.has(*switch[1]):
            yield grave


_SWITCHES = (
    ((("pr merge",), ("--admin",)), danger("privilege", "It merges past the rules of the repository.")),
    (
        (("repo edit",), ("--visibility", "--accept-visibility-change-consequences")),
        danger("publish", "It changes who can see the repository."),
    ),
    ((("repo sync",), ("--force",)), danger("history", "It overwrites a branch.")),
    ((("repo create", "repo new"), ("--public",)), danger("publish", "It makes a public repository.")),
)


def _address(word: Arg) -> Arg:
    """``owner/name`` stands for a repository on the host."""
    return word if ":" in word.text else Arg(f"https://github.com/{word.text}", word.glob, word.splits)


def _texts(it: Invocation, *, is_fields: bool) -> Iterator[Finding]:
    """Texts that others will see come from files, or from what comes in."""
    for file in it.all_values("--body-file", "--notes-file", "--env-file", "--recover", "-T"):
        yield SendsInput("the code host", trusted=True) if file.text == "-" else it.path("read", file)
    for given in it.all_values("-F"):
        file = Arg(given.text.partition("=@")[2], given.glob, given.splits) if is_fields else given
        if file.text:
            yield SendsInput("the code host", trusted=True) if file.text == "-" else it.path("read", file)


_GITLAB = (
    tells("help|version|completion|check-update"),
    rule(nothing("It sends a request."), "api"),
    reveals(
        "auth git-credential|docker-helper|dpop-gen",
        "config get *token*",
        "variable get|export",
        "securefile|sf download",
        "token create|rotate",
        "runner-controller token",
        why="It shows a secret that is kept on the host.",
    ),
    asks("auth status", "config get|list|ls", "alias list|ls"),
    opens(
        "auth *",
        "token revoke",
        "ssh-key|gpg-key|deploy-key add|delete",
        why="It changes who can get into your account.",
    ),
    _obeys("alias set|import", why="It makes a command that runs later under another name."),
    makes("alias delete", "config set|edit", why="It changes settings of the tool.", kind="write"),
    makes("duo|mcp", why="It starts another agent.", kind="agent"),
    ruins(
        "repo|project delete|archive|transfer",
        "ci|pipeline|pipe delete",
        "release delete",
        "issue|incident|mr delete",
        "label|milestone|iteration delete",
        "snippet delete",
        "schedule delete",
        "securefile|sf remove|delete",
        "stack delete",
    ),
    ruins("variable|var set|new|update|delete|remove|rm", why="It changes what builds and deployments work with."),
    rule(danger("send", "It puts a text where others can read it."), "snippet create|new"),
    asks(
        f"mr {_NAMES}|diff|issues|approvers|for",
        f"issue|incident {_NAMES}|board",
        f"repo|project {_NAMES}|contributors|users",
        f"ci|pipeline|pipe {_NAMES}|trace|get|lint|config",
        f"release|label|milestone|iteration|schedule|snippet {_NAMES}|get",
        "job list|view",
        "user events",
        "variable|var list|ls",
        "token list|ls",
        "ssh-key|gpg-key|deploy-key list|ls|get",
        "securefile|sf list|ls",
        "changelog generate",
        "cluster agent list",
        "work-items list",
        "events",
        "runner list",
    ),
    _saves("repo|project archive", "release download", "job artifact", "ci artifact"),
    rule(care("fetch", "It brings code in."), "mr checkout", "repo|project clone"),
    makes(
        "ci|pipeline|pipe run|retry|cancel|trigger|run-trig",
        "schedule create|run|update",
        "job *",
        why="It changes what runs on the code host.",
    ),
    _says(
        "mr|issue|incident"
        " create|new|note|comment|update|close|reopen|merge|approve|revoke|rebase|todo|subscribe|unsubscribe",
        "repo|project create|fork|update|mirror|publish",
        "release create|upload",
        "label|milestone|iteration create|edit",
        "stack *",
        "work-items create",
    ),
)


def _gitlab(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.operands[:2]]
    if words[:1] == ["api"]:
        yield from _web.request(it, it.operands[1:], reveals=True)
        return
    if words == ["auth", "status"] and it.has("-t", "--show-token"):
        yield danger("secret", "It shows the key to your account.")
    if words == ["config", "set"] and any(
        word.text in ("editor", "browser", "glamour_style") for word in it.operands[2:3]
    ):
        yield danger("persist", "From now on the tool runs this program.")
    if words[:1] in (["variable"], ["var"]) and any("json" in arg.text for arg in it.all_values("-F", "--output")):
        yield danger("secret", "It shows the values as well.")
    if words[1:] == ["create"] and it.has("--public"):
        yield danger("publish", "It makes something public.")
    for folder in it.all_values("--dir", "-D"):
        yield it.path("write", folder)


_GITEA = (
    tells("help|version|autocomplete|shellcompletion|man"),
    reveals("login|logins|l helper", why="It shows the key to your account."),
    asks("login|logins list|ls|default", "whoami", "notifications|notification|n"),
    opens("login|logins|logout *", "logout", why="It changes how you are logged in."),
    ruins(
        "repo|repos delete|rm",
        "release|releases|r delete|rm|assets",
        "label|labels delete|rm",
        "milestone|milestones|ms delete|rm",
        "branch|branches|b delete|unprotect|protect",
        "webhook|webhooks *",
        "actions secrets|variables create|delete|set",
        "admin *",
        "org|organizations delete|rm",
    ),
    rule(care("fetch", "It brings code in."), "pull|pulls|pr checkout|co|clean", "clone"),
    _says(
        "issue|issues|i create|c|edit|e|close|reopen|open",
        "pull|pulls|pr create|c|close|reopen|merge|m|review|approve|lgtm|reject",
        "comment|c",
        "release|releases|r create|c|edit",
        "label|labels create|c|update",
        "milestone|milestones|ms create|c|close|reopen",
        "repo|repos create|c|fork|migrate|create-from-template",
        "times|time *",
        "org|organizations create",
    ),
    asks(
        "issue|issues|i",
        "pull|pulls|pr",
        "release|releases|r",
        "label|labels",
        "milestone|milestones|ms",
        "repo|repos",
        "branch|branches|b",
        "org|organizations",
        "times|time",
        "open|o",
        "actions",
    ),
)
_HUB_RULES = (
    tells("help|version|alias"),
    rule(nothing("It sends a request."), "api"),
    ruins("delete", "release delete"),
    rule(danger("send", "It puts a text where anyone with the link can read it."), "gist create"),
    _says("pull-request", "issue create|update|labels", "create", "fork", "release create|edit"),
    asks(
        "pr list|show",
        "issue show",
        "issue",
        "ci-status",
        "browse",
        "compare",
        "release show",
        "release",
        "gist show",
        "gist",
    ),
    _saves("release download"),
    rule(care("fetch", "It brings code in."), "pr checkout|merge", "sync"),
)
_HUB_VERBS = frozenset(
    {
        "alias",
        "api",
        "browse",
        "ci-status",
        "compare",
        "create",
        "delete",
        "fork",
        "gist",
        "issue",
        "pr",
        "pull-request",
    }
    | {"release", "sync"}
)


def _hub_api(it: Invocation) -> Iterator[Finding]:
    if it.operands[0].text == "api":
        yield from _web.request(it, it.operands[1:])


_HUB = service("It works with GitHub under your name.", *_HUB_RULES, options=_web.OPTIONS, also=(), more=_hub_api)


def _hub(it: Invocation) -> Iterator[Finding]:
    """Git with more commands."""
    if it.operands and it.operands[0].text in _HUB_VERBS:
        yield from findings("hub", it.handed_on, _HUB, it.setting, it.cwd)
    else:
        yield Run(args=(Arg("git"), *it.handed_on))


_More = Callable[[Invocation], Iterator[Finding]]


def _host(why: str, rules: tuple[WordRule, ...], more: _More, options: str) -> Spec:
    return service(why, *rules, options=f"{_web.OPTIONS} {options}", also=(), more=more)


COMMANDS: dict[str, Spec] = {
    "gh": _host(
        "It works with GitHub under your name.",
        _GITHUB,
        _github,
        "-R: --repo= -b: --body= -F:none --body-file=none --notes-file=none --env-file=none --recover=none -T:none -L:"
        " --limit="
        " -l: --label= -a:none --add=none -A: --author= -s: --state= --search= -S: --json= -m: --milestone= -B:"
        " --base= --head="
        " --title= -n: --notes= -D:none --dir=none -O:none --output=none --pattern= -e: --env= -o: --org= -u: --user="
        " -g:"
        " --visibility= -w --web --watch --admin --show-token --force --public --private -c: -r: --ref= -i:"
        " --interval= --log"
        " --log-failed --comments --paginate --slurp",
    ),
    "glab": _host(
        "It works with GitLab under your name.",
        _GITLAB,
        _gitlab,
        "-R: --repo= -g: --group= -P: --per-page= -p: --page= -F: --output= -a: --assignee= -l: --label= --author= -t"
        " -w"
        " --show-token -m: --message= -d: --description= --title= -s: -b: --branch= --dir=none -D:none --public",
    ),
    "tea": service(
        "It works with Gitea under your name.",
        *_GITEA,
        options="-r: --repo= -l: --login= -R: --remote= -o: --output=",
        also=(),
    ),
    "hub": Spec("It is git, with GitHub.", "*", "none*", also=_hub, wraps=True),
}
