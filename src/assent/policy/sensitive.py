"""Names of files that hold secrets, and of files that others obey: settings that run programs or instruct agents."""

import fnmatch
import re
from functools import lru_cache

from assent.redact.vendors import LONG_RUN, PREFIXED, Hints

# Settings of agents that hold hooks, and those of them that come with a repository.
HOOK_SETTINGS = re.compile(
    r"/(?:\.claude|claude-code)/(?:.*/)?(?:managed-)?settings[\w.-]*\.json$|/\.claude\.json$", re.IGNORECASE
)
SHARED_SETTINGS = re.compile(r"/\.claude/settings[\w.-]*\.json$")
# Where an administrator keeps an agent's settings, below /etc.
MANAGED_FOLDER = "claude-code"
# Folders of the home in which an agent keeps its settings and its keys.
AGENT_FOLDERS = (".claude",)
# Variables that an agent sets for its commands: its project, and files of the home that later commands obey.
PROJECT_VARIABLES = frozenset({"CLAUDE_PROJECT_DIR"})
OBEYED_VARIABLES = {"CLAUDE_ENV_FILE": ".claude/session-env"}

_PRIVATE_KEY = re.compile(r"-----BEGIN[A-Z0-9 ]{0,30} PRIVATE KEY(?: BLOCK)?-----\s*(?:\\n)?[A-Za-z0-9+/=\s\\]{40}")
# What documentation and tests write where a key would stand.
_PLACEHOLDER = re.compile(
    r"example|placeholder|dummy|fake|sample|your[-_]|x{4}|\.{3}|0{6}|1234|abcd|test_|redacted", re.IGNORECASE
)
_FEWEST_CHARACTERS = 8
_TOKENS = Hints(PREFIXED)
LONGEST_LOOK = 1 << 18


def kind_of_secret(text: str) -> str | None:
    """What kind of secret stands in the text, the first that is found; None if none does."""
    text = text[:LONGEST_LOOK]
    if "PRIVATE KEY" in text and (match := _PRIVATE_KEY.search(text)) and not _is_made_up(match[0]):
        return "private key"
    if not LONG_RUN.search(text):
        return None
    for form in _TOKENS.likely(text.lower()):
        for match in form.pattern.finditer(text):
            if not _is_made_up(match[0]):
                return form.kind
    return None


def _is_made_up(text: str) -> bool:
    return _PLACEHOLDER.search(text) is not None or len(set(text)) < _FEWEST_CHARACTERS


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _below(*folders: str) -> re.Pattern[str]:
    """Fits a path in small letters that leads into one of these folders, or is one of these files."""
    return re.compile(f"(?:^|/)(?:{'|'.join(re.escape(folder.lower()) for folder in folders)})(?:/|$)")


_SECRET_NAMES = re.compile(
    r"""
    \.env(?:\.(?!example$|sample$|template$|dist$|defaults?$).*)? | .*\.env
    | .*\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|mobileprovision|wallet|agekey)
    | id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[-_.](?!pub$).*)?
    | credentials(?:\..*)? | .*[-_.]credentials(?:\.(?:json|ya?ml|toml|xml))?
    | client_secret.*\.json | service[-_]account.*\.json
    | secrets?\.(?:json|ya?ml|toml|xml|ini|txt|env) | .*\.tfstate(?:\..*)? | .*\.tfvars(?:\.json)? | \.terraformrc
    | [._]netrc | \.pgpass | \.my(?:login)?\.cnf | \.npmrc | \.yarnrc\.yml | \.pypirc | \.git-credentials
    | \.htpasswd | \.dockercfg | \.vault-token | \.boto | \.s3cfg | \.gem_credentials | \.databrickscfg | \.snowsql
    | \.(?:msmtp|fetchmail|offlineimap|mbsync|getmail)rc | \.smbcredentials
    | oauth_creds\.json | auth\.(?:json|toml) | krb5cc_.* | .*\.keytab | \.vault[-_]pass(?:word)?(?:\..*)?
    | kubeconfig | authorized_keys2? | shadow-? | gshadow-? | sudoers | opasswd
    | \.(?:bash|zsh|sh|ksh|python|psql|mysql|sqlite|node_repl|irb|rediscli|mongo|dbshell|lua|scala|julia)_?history
    | \.[\w.-]+_hist(?:ory)? | \w*_repl_history | \.viminfo | \.lesshst | main\.shada | history\.sqlite
    | fish_history | \.histfile | consolehost_history\.txt
    | wallet\.dat | utc--.* | .*mnemonic.*\.txt | seed[-_]?phrase.*
    | login\.keychain(?:-db)? | login\ data
    | cookies\.(?:sqlite|binarycookies) | key[34]\.db | logins\.json | signons\.sqlite
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Certificates are shown to every client that connects.
_PUBLIC = re.compile(
    r".*\.pub|(?:ca|cacert|cert|certs|chain|fullchain|roots?|public|pubkey|ca[-_]?(?:cert|certs|bundle|root|chain)"
    r"|.*[-_.](?:cert|chain|ca|pub|public|crt))\.pem",
    re.IGNORECASE,
)
_SECRET_FOLDERS = _set(
    ".ssh .aws .gnupg .kube .azure .gcloud .password-store .terraform.d .sops .near-credentials .electrum .bitcoin .oci"
    " .bluemix .minio .ngrok2 .step .wireguard .purple .keychain .authy .chamber .subversion"
)
_SECRET_BELOW = _below(
    ".docker/config.json",
    ".config/gh",
    ".config/hub",
    ".config/gcloud",
    ".config/glab-cli",
    ".config/github-copilot",
    ".config/helm/registry",
    ".config/keepassxc",
    ".config/1Password",
    ".config/Bitwarden",
    ".config/Bitwarden CLI",
    ".config/age",
    ".config/sops",
    ".config/op",
    ".config/doctl",
    ".config/rclone",
    ".config/ngrok",
    ".config/stripe",
    ".config/netlify",
    ".config/configstore",
    ".config/hcloud",
    ".config/scw",
    ".config/linode-cli",
    ".config/containers",
    ".config/solana",
    ".config/Signal",
    ".config/Slack",
    ".config/discord",
    ".fly/config.yml",
    ".circleci/cli.yml",
    ".gradle/gradle.properties",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".cargo/credentials",
    ".nuget/nuget.config",
    ".bundle/config",
    ".ethereum/keystore",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".local/share/fish/fish_history",
    ".local/share/atuin",
    "Library/Keychains",
    "Library/Messages",
    "Library/Mail",
    "Library/Cookies",
)

# Whatever is written here steers an agent, or the program that guards it.
_AGENT_FOLDERS = _set(
    ".claude .codex .gemini .cursor .opencode .qwen .windsurf .assent .continue .cline .clinerules .roo .kilocode"
    " .goose .amp"
    " .factory .kiro .augment .junie .trae .crush .openai-codex .agents .copilot .agentshield .nah .dcg .aider .kimi"
    " .kimi-code .grok .vibe .pi .devin .codebuddy .tabnine .iflow .openhands .rovodev"
)
_AGENT_NAMES = _set(
    ".mcp.json mcp.json .claude.json claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md"
    " .cursorrules .cursorignore .clinerules .windsurfrules .goosehints .roomodes .rules .aider.conf.yml .aiderignore"
    " .aider.model.settings.yml crush.json .crush.json opencode.json opencode.jsonc copilot-instructions.md"
    " claude_desktop_config.json .claudeignore .geminiignore managed-settings.json managed-mcp.json"
)
_AGENT_BELOW = _below(
    ".config/opencode",
    ".config/claude",
    ".config/gemini",
    ".config/codex",
    ".config/goose",
    ".config/amp",
    ".config/crush",
    ".config/assent",
    ".config/qwen",
    ".config/github-copilot/hooks",
    ".github/copilot",
    ".github/instructions",
    ".github/prompts",
    ".github/chatmodes",
    ".github/agents",
    ".github/hooks",
    "etc/claude-code",
    "etc/codex",
    "etc/gemini-cli",
    "etc/qwen-code",
    "etc/grok",
    "etc/opencode",
    "etc/cursor",
    "etc/windsurf",
    ".codeium/windsurf",
    ".config/cursor",
    ".config/code/user/settings.json",
    ".config/code/user/mcp.json",
    "library/application support/code/user/settings.json",
    "library/application support/code/user/mcp.json",
    "library/application support/cursor",
    "library/application support/geminicli",
    "library/application support/qwencode",
    "documents/cline/hooks",
    "library/application support/claude",
    "library/application support/claudecode",
)
# What agents write down for themselves: no agent takes instructions or permissions from it.
_AGENT_DATA = re.compile(
    r"/\.(?:"
    r"claude/(?:todos|debug|statsig|telemetry|logs|file-history|paste-cache|usage-data|stats-cache\.json|history\.jsonl)"
    r"|claude/projects/(?:[^/]+/?)?(?:[^/]+\.jsonl)?$"
    r"|codex/(?:sessions|archived_sessions|log|history\.jsonl)"
    r"|gemini/(?:tmp|history)|qwen/(?:tmp|debug|todos)|qwen/projects/[^/]+/chats"
    r"|copilot/(?:logs|session-state|history-session-state)"
    r"|grok/(?:logs|sessions)|kimi(?:-code)?/(?:logs|sessions|user-history)|vibe/logs|pi/agent/sessions"
    r"|cline/data/(?:logs|tasks|sessions)|continue/(?:sessions|logs|dev_data|index)|cursor/(?:chats|logs)"
    r"|factory/(?:logs|sessions)|augment/(?:logs|sessions)"
    r"|claude/tasks|claude/projects/[^/]+/[^/]+/(?:subagents|tool-results)|cursor/projects/[^/]+/agent-transcripts"
    r")(?:/|$)"
    # What programs write down line by line, beside what they obey.
    r"|/\.(?!assent/)[\w-]+/(?!(?:.*/)?(?:hooks|skills|commands|agents|plugins|extensions|rules|memory|prompts)/).*\.(?:log|jsonl|ndjson)$"
)
_AIDER_DATA = re.compile(r"\.aider\.(?:chat|input|llm)\.history(?:\.md)?|\.aider\.tags\.cache.*")
# Below an agent's folder: text that models read, beside the settings that programs obey.
_PROSE = re.compile(r"\.(?:md|mdc|txt|rst)$|/(?:skills|commands|agents|output-styles|prompts|chatmodes)(?:/|$)")
# Files that are obeyed in any folder of an agent, whatever the folder is called.
_SETTINGS_NAMES = _set(
    "settings.json settings.local.json managed-settings.json hooks.json hooks.toml config.toml config.json mcp.json"
    " requirements.toml cli-config.json permissions.json trusted_hooks.json trusted_folders.toml"
)
# Whatever is written here runs later and unasked.
_OBEYED_FOLDERS = _set(
    ".git .git-templates .git-template .gittemplates .husky .githooks .lefthook .circleci .buildkite .devcontainer"
    " .vscode .idea .direnv .zed .gitea .forgejo"
    " .woodpecker .tekton .semaphore"
)
_OBEYED_NAMES = _set(
    ".gitconfig .gitmodules .gitattributes .envrc .pre-commit-config.yaml .gitlab-ci.yml"
    " .travis.yml azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile .drone.yml .woodpecker.yml appveyor.yml"
    " lefthook.yml .lefthook.yml .cirrus.yml cloudbuild.yaml buildspec.yml .builds.yml"
    " .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc .zshenv .zprofile"
    " .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .xinitrc .xprofile .xsession .xsessionrc"
    " .pam_environment .environment .inputrc .editrc config.fish crontab .tmux.conf .screenrc .vimrc .gvimrc .exrc"
    " .nvimrc"
    " init.vim .emacs .gdbinit .lldbinit .irbrc .pryrc .pythonrc .pythonrc.py .pythonstartup .rprofile .renviron"
    " .perldb"
    " .sqliterc .psqlrc .curlrc .wgetrc .lesskey .lessfilter .mailcap .forward .procmailrc .rhosts .shosts hosts.equiv"
    " .gemrc"
    " .yarnrc .condarc .direnvrc .bazelrc .hgrc .netrwhist .wezterm.lua sitecustomize.py usercustomize.py pip.conf"
    " ld.so.preload release_agent"
)
_OBEYED_BELOW = _below(
    ".github/workflows",
    ".github/actions",
    ".config/git",
    ".config/fish",
    ".config/zsh",
    ".config/nushell",
    ".config/systemd",
    ".local/share/systemd",
    ".config/autostart",
    ".config/environment.d",
    ".config/plasma-workspace",
    ".config/nvim",
    ".config/tmux",
    ".config/direnv",
    ".config/pip",
    ".config/containers/systemd",
    ".pip",
    ".cargo/config",
    ".cargo/config.toml",
    ".gradle/init.gradle",
    ".gradle/init.d",
    ".ipython/profile_default/startup",
    ".jupyter",
    ".local/share/applications",
    ".local/share/jupyter/kernels",
    ".emacs.d",
    ".vim/plugin",
    ".oh-my-zsh",
    "library/launchagents",
    "library/launchdaemons",
    "library/startupitems",
)
_LONGEST_NAME = 255
_UNPLACED = frozenset({"settings.json", "settings.local.json"})
# What lies directly in a project or a home: folders of agents, and files.
_ROOTS = (
    *sorted(_AGENT_FOLDERS),
    *sorted(name for name in _AGENT_NAMES if not name.endswith((".md", "rules", "ignore"))),
    ".github/hooks",
    ".github/copilot",
    ".config/opencode",
)
_TELLING = (*sorted(_AGENT_FOLDERS), *sorted(_AGENT_NAMES - {"managed-settings.json", "managed-mcp.json"}))
# In folders that others use as well.
_BELOW_KNOWN = {
    ".github": ("copilot", "hooks", "instructions", "prompts", "chatmodes", "agents", "copilot-instructions.md"),
    ".config": ("opencode", "claude", "gemini", "codex", "goose", "amp", "crush", "assent", "qwen"),
}
_ALTERNATIVES = re.compile(r"[@+?*!]\(([^)|]*)[^)]*\)")
_PLAN = re.compile(r"/\.claude/plans/[^/]+\.md$")
# Agents check out whole projects here; what is in them is as good as anywhere.
_WORKTREE = re.compile(r"/\.claude/worktrees/[^/]+(?=/)")


def is_secret(path: str) -> bool:
    """Whether the name of the file, or of a folder around it, is one that secrets go by."""
    lowered = path.lower()
    names = lowered.split("/")
    if _PUBLIC.fullmatch(names[-1]):
        # The half of a key that is meant for others.
        return False
    if _SECRET_NAMES.fullmatch(names[-1]) or not _SECRET_FOLDERS.isdisjoint(names):
        return True
    return _SECRET_BELOW.search(lowered) is not None


def is_plan(path: str) -> bool:
    """Whether it is where Claude Code itself writes down the plan it will show to a person."""
    return _PLAN.search(path) is not None


def is_agents(path: str) -> bool:
    """Whether it instructs agents, or says what they may do."""
    lowered = _WORKTREE.sub("", path.lower())
    names = lowered.split("/")
    if names[-1] in _AGENT_NAMES or (names[-1].startswith(".aider") and not _AIDER_DATA.fullmatch(names[-1])):
        return True
    if not _AGENT_FOLDERS.isdisjoint(names):
        return _AGENT_DATA.search(lowered) is None
    return _AGENT_BELOW.search(lowered) is not None


def is_agents_data(path: str) -> bool:
    """Whether an agent wrote it down for itself: chats, logs, lists of what is to do."""
    return _AGENT_DATA.search(path.lower()) is not None and not is_agents(path)


def is_deciding(path: str) -> bool:
    """Whether it says which programs an agent starts, what it may do, or who guards it: instructions left aside."""
    return is_agents(path) and _PROSE.search(_WORKTREE.sub("", path.lower())) is None


def deciding_roots() -> tuple[str, ...]:
    """The names under which such files lie directly in a project or a home."""
    return _ROOTS


@lru_cache(maxsize=512)
def may_be_agents(pattern: str) -> bool:
    """Whether a pattern fits such a file, and is not simply one for everything: ``.cla*/settings.json``."""
    parts = pattern.lower().split("/")
    if parts[-1] in _UNPLACED and "**" in parts:
        return True
    for place, part in enumerate(parts):
        if not any(mark in part for mark in "*?[("):
            continue
        above, below = parts[:place], parts[place + 1 :]
        names = _BELOW_KNOWN.get(above[-1], _TELLING) if above else _TELLING
        # Where a settings file is named behind it, any hidden folder may be an agent's.
        is_named = not _SETTINGS_NAMES.isdisjoint(below)
        for name in _fitting(part, names, is_named=is_named, is_found="**" in parts):
            # What is below may be data that the agent keeps for itself.
            if is_agents("/".join((*above, name, *below))):
                return True
    return False


def may_be_in_an_agents_folder(name: str) -> bool:
    """Whether a file by this name, in a folder that is not known, may be settings of an agent."""
    return name.rpartition("/")[2].lower() in _UNPLACED


def _fitting(part: str, names: tuple[str, ...], *, is_named: bool, is_found: bool) -> list[str]:
    """Those of the names that a pattern fits which says more than next to nothing."""
    bare = _ALTERNATIVES.sub(r"\1", re.sub(r"\[([^]!^-])\]", r"\1", part))
    if not any(mark in bare for mark in "*?[("):
        return [bare] if bare in names else []
    match = re.match(r"[^*?[(]*", bare)
    start = match[0] if match else ""
    if bare[0] == "*" and not is_found:
        # A shell's star fits no hidden name.
        names = tuple(name for name in names if name[0] != ".")
    letters = len(re.sub(r"\[[^]]*\]|[*?]|\.\w+$", "", bare) if start != "." else start)
    is_hidden = start.startswith(".") or (is_named and bare[0] in "?[")
    if len(part) > _LONGEST_NAME or letters < (1 if is_named and is_hidden else 2 if is_hidden else 3):
        return []
    candidates = [name for name in names if name.startswith(start)]
    return [name for name in candidates if fnmatch.fnmatchcase(name, bare)]


def is_obeyed(path: str) -> bool:
    """Whether programs or agents act on what this file says."""
    lowered = _WORKTREE.sub("", path.lower())
    names = lowered.split("/")
    if names[-1].endswith(".pth") and "-packages/" in lowered:
        # Python runs what these say, at every start.
        return True
    if names[-1] in _OBEYED_NAMES or not _OBEYED_FOLDERS.isdisjoint(names) or is_agents(path):
        return True
    return _OBEYED_BELOW.search(lowered) is not None
