"""Validation of lasting permissions sent to Claude Code.

One entry its validation refuses voids the whole answer, the allow included, so each entry is checked here first.
Entries that would grant more than a person can oversee are refused here too.
"""

import posixpath
import re

import msgspec

from assent.protocol import modes
from assent.protocol.permission import (
    AddDirectories,
    Grant,
    PermissionRule,
    PermissionUpdate,
    RemoveDirectories,
    RemoveRules,
    ReplaceRules,
    SetMode,
)

# Those that never ask are never granted; a mode that is not known would void the answer.
MODES: dict[str, str] = {modes.DEFAULT: "default", modes.ACCEPT_EDITS: "acceptEdits", modes.PLAN: "plan"}

# Tools that run any command: a rule for the whole tool is a rule for everything.
_RUNS_ANYTHING = frozenset({"Bash", "Monitor", "PowerShell"})

# Programs whose arguments are, or name, code to run. "<name> *" allows everything, whatever the words in between.
_RUNNERS = frozenset(
    name
    for names in (
        # shells, also on other machines
        "sh bash zsh fish dash ksh csh tcsh ash pwsh powershell cmd busybox ssh mosh telnet nc ncat netcat socat",
        # interpreters, and tools with one inside
        "python pypy ipython node nodejs deno ruby irb perl php lua luajit Rscript R julia java jshell osascript tclsh",
        "expect groovy scala kotlin ghci runghc erl elixir iex swift ts-node tsx awk gawk mawk nawk sqlite3 psql mysql",
        "gdb vi vim nvim ex ed emacs find",
        # programs that start the program they are given
        "sudo doas su runuser env xargs nohup nice ionice timeout time command exec eval builtin source . setsid",
        "stdbuf unshare chroot nsenter script watch parallel strace ltrace flock at batch crontab systemd-run tmux",
        "screen entr",
        # builds and task runners: the file they read is the program
        "make gmake cmake ninja just task rake gradle gradlew mvn mvnw ant bazel bazelisk tox nox invoke fab ansible",
        "ansible-playbook npx pnpx bunx uvx pipx",
        # other agents, and ourselves
        "claude codex gemini opencode aider assent",
    )
    for name in names.split()
)

# Programs that run code under some of their subcommands, so "<name> *" is too wide but "<name> <other> *" is not.
_RUN_SUBCOMMANDS: dict[str, frozenset[str]] = {
    name: frozenset(verbs.split())
    for names, verbs in (
        ("npm pnpm yarn bun", "exec x dlx create init"),
        ("docker podman nerdctl", "run exec compose buildx"),
        ("kubectl oc", "run exec debug"),
        ("uv poetry pipenv pdm hatch rye conda mamba pixi", "run tool shell exec"),
        ("cargo", "run"),
        ("go", "run generate"),
        ("dotnet", "run exec"),
        ("bundle", "exec"),
        ("nix", "run shell develop"),
        ("git", "bisect submodule filter-branch rebase config"),
        ("gh", "extension alias codespace"),
    )
    for name in names.split()
}
# "npm run build *" names its script, "npm run *" does not.
_NAMED_SCRIPTS = frozenset({"run", "run-script"})

_TOOL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_MATCHES_EVERYTHING = re.compile(r"(?:domain:)?[\s*/~:.]*")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_VERSION = re.compile(r"[\d.]+$")
# Shell syntax and quoting hide which program a pattern covers.
_SHELL_SYNTAX = re.compile(r"[;&|`$()<>\"'\\{}\[\]!#]")


# Where a grant lives no longer than the session.
IN_MEMORY = frozenset({"session", "cliArg"})


def fault(grant: PermissionUpdate) -> str | None:
    """Why this entry must not be sent, or None when it may."""
    if not isinstance(grant, Grant) or not _fits_its_type(grant):
        return "Claude Code would not understand it, and would void the whole answer"
    match grant:
        case SetMode():
            return None if modes.canonical(grant.mode) in MODES else "this mode is never granted"
        case AddDirectories() | RemoveDirectories():
            return _directories_fault(grant.directories)
        case RemoveRules() | ReplaceRules() if grant.behavior != "allow":
            return "it would take away rules that refuse or ask"
        case ReplaceRules() if grant.destination not in IN_MEMORY:
            return "Claude Code would empty the list in that file instead of replacing it"
    widens = grant.behavior == "allow" and not isinstance(grant, RemoveRules)
    if not grant.rules:
        return "it holds no rule"
    for rule in grant.rules:
        if why := _spelling_fault(rule) or (_width_fault(rule) if widens else None):
            return why
    return None


def written(grant: Grant) -> Grant:
    """The grant as the client spells it."""
    if not isinstance(grant, SetMode):
        return grant
    mode = modes.canonical(grant.mode)
    return msgspec.structs.replace(grant, mode=MODES.get(mode, mode))


def _fits_its_type(grant: Grant) -> bool:
    # Structs check their fields when read, not when made.
    try:
        msgspec.convert(msgspec.to_builtins(grant), type(grant))
    except (msgspec.ValidationError, TypeError, ValueError):
        return False
    return True


def _directories_fault(directories: tuple[str, ...]) -> str | None:
    if not directories:
        return "it names no directory"
    for directory in directories:
        if not directory.startswith("/") or not directory.isprintable():
            return "a directory must be an absolute path"
        if not posixpath.normpath(directory).strip("/"):
            return "the whole disk is never granted"
    return None


def _spelling_fault(rule: PermissionRule) -> str | None:
    if not _TOOL_NAME.fullmatch(rule.tool_name):
        return "a rule's tool name is not a plain name"
    if rule.rule_content is not None and not (rule.rule_content.strip() and rule.rule_content.isprintable()):
        return "a rule's content is blank or holds control characters"
    return None


def _width_fault(rule: PermissionRule) -> str | None:
    if rule.rule_content is None:
        return f"a rule for all of {rule.tool_name} allows everything" if rule.tool_name in _RUNS_ANYTHING else None
    if _MATCHES_EVERYTHING.fullmatch(rule.rule_content):
        return "this pattern matches everything"
    if rule.tool_name in _RUNS_ANYTHING and "*" in rule.rule_content:
        return _command_fault(rule.rule_content)
    return None


def _command_fault(pattern: str) -> str | None:
    """Why a command pattern with a wildcard covers too much."""
    if _SHELL_SYNTAX.search(pattern):
        return "a wildcard beside shell syntax cannot be overseen"
    words = pattern.replace(":*", " *").split()
    while words and _ASSIGNMENT.match(words[0]):
        words = words[1:]
    if not words or "*" in words[0]:
        return "a wildcard in the program's name allows any program"
    program = words[0].rstrip("/").rpartition("/")[2]
    plain = _VERSION.sub("", program) or program
    if program in _RUNNERS or plain in _RUNNERS:
        return f"with a wildcard, {plain} runs anything"
    verbs = _RUN_SUBCOMMANDS.get(program)
    if verbs is None:
        return None
    verb = words[1] if len(words) > 1 else "*"
    names_script = verb in _NAMED_SCRIPTS and verb not in verbs
    subject = words[2] if names_script and len(words) > 2 else verb
    if "*" in subject or subject.startswith("-") or verb in verbs:
        return f"with a wildcard there, {program} runs anything"
    return None
