"""Variables of the environment that decide what other programs run, and those that hold secrets."""

import re

from assent.policy.effects import Effect, care, danger

# Commands that show what they are given.
PRINTERS = frozenset({"echo", "printf", "cat", "tee", "logger", "xxd", "od", "base64", "hexdump"})

_SECRET = re.compile(
    r"(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|API_KEY|ACCESS_KEY(?:_ID)?|PRIVATE_KEY|SECRET_KEY|AUTH)"
    r"(?:$|_(?!FILE|PATH|NAME|ID$|TYPE|URL|COUNT|LIMIT))|_KEY$|^PGPASSWORD$|^DATABASE_URL$|PASSWORD$|TOKEN$|SECRET$",
    re.IGNORECASE,
)
# Loaded into, or run by, programs that look harmless.
_LOADS = re.compile(
    r"LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|PS[014]|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT)|PERL5(?:LIB|OPT|DB)"
    r"|PERLLIB|RUBY(?:LIB|OPT)|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|CLASSPATH"
    r"|GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|CONFIG\w*|DIR|EXEC_PATH|TEMPLATE_DIR|WORK_TREE)"
    r"|(?:MAN|SYSTEMD_|AWS_|GH_|DELTA_|BAT_)?PAGER|LESS(?:OPEN|CLOSE)|EDITOR|VISUAL|BROWSER|SUDO_(?:ASKPASS|EDITOR)|SSH_ASKPASS|RIPGREP_CONFIG_PATH"
    r"|TAR_OPTIONS|MAKEFLAGS|RUSTC(?:_WRAPPER|_WORKSPACE_WRAPPER)?|CARGO_BUILD_RUSTC_WRAPPER|CC|CXX|LD|GOFLAGS|npm_config_\w+|PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST)"
    r"|UV_(?:INDEX_URL|DEFAULT_INDEX)|HOSTALIASES|GCONV_PATH|TERMINFO|ZDOTDIR|FZF_DEFAULT_\w+|SHELL|IFS|GLOBIGNORE|BASH_FUNC_\w+|BASH_LOADABLES_PATH|INPUTRC"
    r"|OPENSSL_(?:CONF|ENGINES|MODULES)|CURL_HOME|WGETRC|SSH_SK_PROVIDER|LUA_(?:INIT|PATH|CPATH)\w*|VIMINIT|EXINIT|MYVIMRC"
)
_GUARD = re.compile(
    r"ASSENT_\w+|CLAUDE_(?:CODE_DISABLE|CODE_HOOK|CONFIG_DIR|SETTINGS)\w*|CODEX_HOME|CLAUDE_CODE_SKIP\w*|DISABLE_HOOKS"
    r"|(?:DCG|NAH|CC_SAFETY_NET|SAFETY_NET|TOOL_GATES|AGENTSHIELD|RAMPART|DIPPY|WARDEN|LEASH|PARRY)_\w+"
    r"|\w+_BYPASS|BYPASS_\w+|GOOSE_MODE|AIDER_YES\w*|GEMINI_SANDBOX|IS_SANDBOX"
)
# What is typed is kept for people to look at; these turn that off, or send it elsewhere.
_HISTORY = re.compile(r"HIST(?:FILE|CONTROL|IGNORE|SIZE|FILESIZE)|SAVEHIST|LESSHISTFILE")
_CHECKS = re.compile(r"SKIP|HUSKY(?:_SKIP\w*)?|PRE_COMMIT_ALLOW_NO_CONFIG|LEFTHOOK|SKIP_\w*(?:HOOK|CHECK)\w*")
_PROXY = re.compile(r"(?:https?|all|ftp|rsync)_proxy", re.IGNORECASE)
_LOCAL = re.compile(r"(?:\w+://)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?/?|")
# Anybody may put programs there.
_OPEN_PATH = re.compile(r"(?:^|:)(?:\.{0,2}|/tmp\b[^:]*|/var/tmp\b[^:]*|/dev/shm\b[^:]*)(?=:|$)")
_HARMLESS = {
    "PAGER": ("cat", "less", "more", "", "head"),
    "EDITOR": ("true", ":", "cat", "vim", "vi", "nano"),
    "VISUAL": ("true", ":", "cat", "vim", "vi", "nano"),
    "IFS": None,
    "CC": ("gcc", "clang", "cc"),
    "CXX": ("g++", "clang++", "c++"),
    "SHELL": ("/bin/bash", "/bin/sh", "/bin/zsh", "bash", "sh", "zsh"),
}


def is_secret(name: str) -> bool:
    return _SECRET.search(name) is not None


def forgotten(name: str) -> list[Effect]:
    """What unsetting a variable does."""
    if _GUARD.fullmatch(name):
        return [danger("tamper", f"{name} steers the agent or its guard.", name)]
    return _history(name, [""]) if _HISTORY.fullmatch(name) else []


def _history(name: str, values: list[str]) -> list[Effect]:
    keeps = name in ("HISTSIZE", "HISTFILESIZE", "SAVEHIST") and all(
        value.lstrip("-").isdigit() and int(value) for value in values
    )
    return [] if keeps else [danger("tamper", "It hides what is typed from the shell's history.", name)]


def assigned(name: str, values: list[str]) -> list[Effect]:
    """What setting a variable does to the programs that run with it."""
    if _GUARD.fullmatch(name):
        return [danger("tamper", f"{name} steers the agent or its guard.", name)]
    if _HISTORY.fullmatch(name):
        return _history(name, values)
    if _CHECKS.fullmatch(name):
        return [care("tamper", f"{name} switches checks of the project off.", name)]
    if _PROXY.fullmatch(name) and not all(_LOCAL.fullmatch(value) for value in values):
        return [care("send", f"{name} leads connections through another machine.", name)]
    if name == "BASH_XTRACEFD":
        return [danger("secret", "It writes down every command of the shell, secrets included.", name)]
    if name == "SSH_AUTH_SOCK":
        return [care("secret", "It uses the keys that another agent for keys holds.", name)]
    if name == "PATH" and any(_OPEN_PATH.search(value) for value in values):
        return [danger("run", "It lets programs be found where anybody may put them.", name)]
    if name == "PATH":
        return [care("run", "It changes where programs are found.", name)]
    if not _LOADS.fullmatch(name):
        return []
    harmless = _HARMLESS.get(name.removeprefix("GIT_").removeprefix("MAN").removeprefix("GH_").removeprefix("AWS_"), ())
    if harmless is None or (harmless and all(value in harmless for value in values)):
        return []
    return [danger("run", f"{name} makes other programs load or run something.", name)]
