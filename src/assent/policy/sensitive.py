"""Names of files that hold secrets, and of files that others obey: settings that run programs or instruct agents."""

import re


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
    | fish_history | \.histfile | consolehost_history\.txt
    | wallet\.dat | utc--.* | .*mnemonic.*\.txt | seed[-_]?phrase.*
    | login\.keychain(?:-db)? | login\ data
    | cookies\.(?:sqlite|binarycookies) | key[34]\.db | logins\.json | signons\.sqlite
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What a certificate goes by is shown to everybody who connects.
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
    "Library/Keychains",
    "Library/Messages",
    "Library/Mail",
    "Library/Cookies",
)

# Whatever is written here steers an agent, or whoever guards it.
_AGENT_FOLDERS = _set(
    ".claude .codex .gemini .cursor .opencode .qwen .windsurf .assent .continue .cline .clinerules .roo .kilocode"
    " .goose .amp"
    " .factory .kiro .augment .junie .trae .crush .openai-codex .agents .copilot .agentshield .nah .dcg .aider .kimi"
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
    ".github/instructions",
    ".github/prompts",
    ".github/chatmodes",
    ".github/agents",
    ".github/hooks",
    "etc/claude-code",
    "library/application support/claude",
    "library/application support/claudecode",
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
    " ld.so.preload"
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
    if names[-1] in _AGENT_NAMES or not _AGENT_FOLDERS.isdisjoint(names) or names[-1].startswith(".aider"):
        return True
    return _AGENT_BELOW.search(lowered) is not None


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
