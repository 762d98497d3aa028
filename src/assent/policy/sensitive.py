"""Names of files that hold secrets, and of files that others obey: settings that run programs or instruct agents."""

import re


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_SECRET_NAMES = re.compile(
    r"""
    \.env(?:\.(?!example$|sample$|template$|dist$|defaults?$).*)? | .*\.env
    | .*\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|mobileprovision)
    | id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[-_.](?!pub$).*)?
    | credentials(?:\..*)? | .*[-_.]credentials(?:\.(?:json|ya?ml|toml|xml))?
    | client_secret.*\.json | service[-_]account.*\.json
    | secrets?\.(?:json|ya?ml|toml|xml|ini|txt|env) | .*\.tfstate(?:\..*)? | .*\.tfvars
    | [._]netrc | \.pgpass | \.my\.cnf | \.npmrc | \.yarnrc\.yml | \.pypirc | \.git-credentials
    | \.htpasswd | \.dockercfg | \.vault-token | \.boto | \.s3cfg | \.gem_credentials
    | oauth_creds\.json | auth\.(?:json|toml) | krb5cc_.* | .*\.keytab | \.vault[-_]pass(?:word)?(?:\..*)?
    | kubeconfig | authorized_keys | shadow | gshadow | sudoers
    | \.(?:bash|zsh|python|psql|mysql|node_repl)_history
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SECRET_FOLDERS = _set(".ssh .aws .gnupg .kube .azure .gcloud .password-store .terraform.d .sops")
_SECRET_BELOW = (
    ".docker/config.json",
    ".config/gh",
    ".config/gcloud",
    ".config/glab-cli",
    ".config/helm/registry",
    ".config/keepassxc",
    ".config/age",
    ".config/sops",
    ".config/op",
    ".config/doctl",
    ".config/rclone",
    ".circleci/cli.yml",
    ".gradle/gradle.properties",
    ".m2/settings.xml",
    ".cargo/credentials",
    ".local/share/keyrings",
    "Library/Keychains",
)

# Whatever is written here runs, or steers an agent, later and unasked.
_OBEYED_FOLDERS = _set(
    ".git .claude .codex .gemini .cursor .opencode .qwen .windsurf .assent .husky .githooks .circleci .buildkite"
    " .devcontainer .vscode .idea .direnv .zed"
)
_OBEYED_NAMES = _set(
    ".gitconfig .gitmodules .gitattributes .mcp.json .claude.json .envrc .pre-commit-config.yaml .gitlab-ci.yml"
    " .travis.yml azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile .drone.yml .woodpecker.yml appveyor.yml"
    " claude.md claude.local.md agents.md gemini.md .cursorrules .clinerules"
    " .bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .zlogin .inputrc config.fish crontab"
    " .tmux.conf .vimrc .pythonstartup sitecustomize.py usercustomize.py"
)
_OBEYED_BELOW = (
    ".github/workflows",
    ".github/actions",
    ".config/git",
    ".config/fish",
    ".config/systemd",
    ".config/autostart",
    ".config/opencode",
    ".config/claude",
    "library/launchagents",
    "library/launchdaemons",
)
_PLAN = re.compile(r"/\.claude/plans/[^/]+\.md$")


def is_secret(path: str) -> bool:
    """Whether the name of the file, or of a folder around it, is one that secrets go by."""
    names = path.split("/")
    if names[-1].endswith(".pub"):
        # The half of a key that is meant for others.
        return False
    if _SECRET_NAMES.fullmatch(names[-1]) or not _SECRET_FOLDERS.isdisjoint(name.lower() for name in names):
        return True
    return any(f"/{below}/" in f"/{path}/" for below in _SECRET_BELOW)


def is_plan(path: str) -> bool:
    """Whether it is where Claude Code itself writes down the plan it will show to a person."""
    return _PLAN.search(path) is not None


def is_obeyed(path: str) -> bool:
    """Whether programs or agents act on what this file says."""
    lowered = path.lower()
    names = lowered.split("/")
    if names[-1].endswith(".pth") and "-packages/" in lowered:
        # Python runs what these say, at every start.
        return True
    if names[-1] in _OBEYED_NAMES or not _OBEYED_FOLDERS.isdisjoint(names):
        return True
    return any(f"/{below}/" in f"/{lowered}/" for below in _OBEYED_BELOW)
