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
    r"|UV_(?:INDEX_URL|DEFAULT_INDEX)|HOSTALIASES|GCONV_PATH|TERMINFO|ZDOTDIR|FZF_DEFAULT_\w+|SHELL|IFS|GLOBIGNORE|BASH_FUNC_\w+|BASH_LOADABLES_PATH"
)
_GUARD = re.compile(
    r"ASSENT_\w+|CLAUDE_(?:CODE_DISABLE|CODE_HOOK|CONFIG_DIR|SETTINGS)\w*|CODEX_HOME|CLAUDE_CODE_SKIP\w*|DISABLE_HOOKS"
)
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


def assigned(name: str, values: list[str]) -> list[Effect]:
    """What setting a variable does to the programs that run with it."""
    if _GUARD.fullmatch(name):
        return [danger("tamper", f"{name} steers the agent or its guard.", name)]
    if name == "PATH":
        return [care("run", "It changes where programs are found.", name)]
    if not _LOADS.fullmatch(name):
        return []
    harmless = _HARMLESS.get(name.removeprefix("GIT_").removeprefix("MAN").removeprefix("GH_").removeprefix("AWS_"), ())
    if harmless is None or (harmless and all(value in harmless for value in values)):
        return []
    return [danger("run", f"{name} makes other programs load or run something.", name)]
