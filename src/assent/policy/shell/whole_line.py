"""Effects of the commands of one line together."""

# ruff: noqa: PTH120 - paths here are text that an agent wrote
import os
import re
from collections.abc import Iterable, Iterator

from assent.policy import own, pids, production
from assent.policy.commands import agents
from assent.policy.effects import Effect, Kind, danger
from assent.policy.guarded import guarded
from assent.policy.shell import exfiltration, shadows
from assent.policy.shell.acts import Act, Ran
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import LOOK


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Where they name nothing, they are about files of the working folder.
_POURING = frozenset({"write", "delete"})
# They tell names, dates and sizes of what lies in a folder, or only that it is there.
_LISTERS = _set(
    "ls dir vdir stat du tree file test [ find gfind fd fdfind exa eza lsd realpath readlink namei ncdu dust getfacl"
    " lsattr gio mkdir cd pushd df findmnt mountpoint echo printf"
)
# What they are given is text, or a folder that is only made.
_SAYERS = _set("echo printf mkdir test [ export local declare true false :")
# What they do below a folder they are given is not looked at by itself.
_UNMODELLED = _set("svn hg fossil bzr detox convmv rename prename mmv qmv xattr chcon restorecon")
_INTERPRETER = re.compile(r"(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua)[0-9.]*")
# They work on the environment that they lie in.
_INSTALLER = re.compile(r"pip[0-9.]*|easy_install|ensurepip|uv|poetry|pdm|wheel|python3?-config")
# Where a path may begin inside a word: behind an option, an equals sign, a colon or a comma.
_INSIDE = re.compile(r"[=:,@]")
# A plain path below the working folder.
_INNER = re.compile(r"\w[\w.@+-]*(?:/[\w.@+-]+)*/?")
# What they are given is covered, or comes out from under what covers it.
_COVERS = re.compile(
    r"u?n?mount|(?:u?mount|mount)[._]\w+|fusermount3?|bindfs|sshfs|encfs|gocryptfs|unionfs\S*|fuse-\w+"
)


def neighbours(all_acts: list[Act], setting: Setting) -> None:
    """Adds to all acts of a line what they mean for the guard's own things together."""
    if setting.things.is_empty:
        return
    unsettled = []
    is_here = setting.things.is_at(setting.cwd)
    for act in all_acts:
        matters = False
        for effect in act.effects:
            if "…" in effect.target and _is_unsettled(effect):
                unsettled.append(act)
            matters = matters or effect.risk is not LOOK or effect.kind == "read"
        leads_out = False
        for ran in act.runs:
            if (name := _name(ran)) in pids.COMMANDS:
                act.effects += list(pids.named(name, [arg.text for arg in ran.args[1:]], setting))
            leads_out = leads_out or (matters and (is_here or ran.cwd != setting.cwd or _leads_out(ran)))
        if leads_out:
            act.effects += list(_named(act, setting))
    if unsettled and any(_is_near(ran, setting) for act in all_acts for ran in act.runs):
        for act in unsettled:
            is_change = any(
                effect.kind != "read" for effect in act.effects if "…" in effect.target and _is_unsettled(effect)
            )
            act.effects.append(danger("tamper", own.MAY_CHANGE if is_change else own.READS_AROUND))


def _leads_out(ran: Ran) -> bool:
    """Whether a word of it may be a path out of the working folder."""
    if "/" in ran.args[0].text:
        return True
    for arg in ran.args[1:]:
        text = arg.text
        if ("/" in text and _INNER.fullmatch(text) is None) or ".." in text:
            return True
    return False


def _is_unsettled(effect: Effect) -> bool:
    """Whether only the run tells which file it is about."""
    return effect.kind in ("read", "write", "delete", "mode") and effect.why not in own.ASKED


def _is_near(ran: Ran, setting: Setting) -> bool:
    """Whether it names a folder around ours, or what may be in one."""
    if _name(ran) in _SAYERS:
        return False
    words = [arg.text for arg in ran.args[1:] if arg.text[:1] != "-" and _may_lead(arg.text, ran, setting)]
    return any(guarded("read", Arg(word), setting, ran.cwd, recursive=True) is not None for word in words)


def _may_lead(text: str, ran: Ran, setting: Setting) -> bool:
    """Whether the word may be a path out of the working folder, or that folder is one of those that matter."""
    if not text.strip(HOLE):
        return False
    return "/" in text or text == ".." or ran.cwd is None or setting.things.is_at(ran.cwd)


def _name(ran: Ran) -> str:
    return ran.args[0].text.rpartition("/")[2]


def _named(act: Act, setting: Setting) -> Iterator[Effect]:
    kinds: set[Kind] = set()
    is_harmless, pours = True, False
    for effect in act.effects:
        if effect.why in own.GUARDED:
            return
        kinds.add(effect.kind)
        is_harmless = is_harmless and effect.risk is LOOK
        pours = pours or (effect.kind in _POURING and not effect.target)
    is_unknown, reads = "unknown" in kinds, "read" in kinds
    for ran in act.runs:
        name = _name(ran)
        runs_module = _INTERPRETER.fullmatch(name) is not None and any(arg.text == "-m" for arg in ran.args)
        if runs_module and not is_harmless and _is_ours(ran, setting):
            yield danger("tamper", own.NAMES, ran.args[0].text)
            return
        if name in _SAYERS or (_INTERPRETER.fullmatch(name) and not runs_module):
            continue
        if _INSTALLER.fullmatch(name) and not is_harmless and _is_ours(ran, setting):
            yield danger("tamper", own.NAMES, ran.args[0].text)
            return
        if _COVERS.fullmatch(name) and _mentioned(ran, setting, takes_along=True):
            yield danger("tamper", own.TAKES_ALONG)
            return
        if reads and name not in _LISTERS and _is_near(ran, setting):
            yield danger("tamper", own.READS_AROUND)
            return
        if pours and guarded("write", Arg("."), setting, ran.cwd, recursive=True) is not None:
            yield danger("tamper", own.POURS)
            return
        if not is_harmless and (
            mentioned := _mentioned(ran, setting, is_unknown=is_unknown or runs_module or name in _UNMODELLED)
        ):
            yield danger("tamper", own.NAMES, mentioned)
            return


def _is_ours(ran: Ran, setting: Setting) -> bool:
    """Whether the program lies in the environment that Assent runs from, and so works on that one."""
    folder = os.path.dirname(ran.args[0].text)
    return bool(folder) and guarded("write", Arg(folder), setting, ran.cwd) is not None


def _mentioned(ran: Ran, setting: Setting, *, is_unknown: bool = False, takes_along: bool = False) -> str:
    for arg in ran.args[1:]:
        text = arg.text
        if setting.things.named_in(text):
            return text[:200]
        for part in _parts(text) if _may_lead(text, ran, setting) else ():
            kind: Kind = "delete" if takes_along else "write"
            effect = guarded(kind, Arg(part), setting, ran.cwd, recursive=is_unknown)
            if effect is not None and (effect.why in own.FLOOR or is_unknown):
                return effect.target
    return ""


def _parts(text: str) -> Iterable[str]:
    """The word, and what in it may be a path of its own."""
    if "/" not in text and text[:1] == "-":
        return ()
    if text[:1] == "-":
        return (part for part in _INSIDE.split(text)[1:] if part)
    return (text, *(part for part in _INSIDE.split(text)[1:] if "/" in part))


WHY = "It starts an agent apart from its user's settings, so that the hooks there do not apply."
COPIES = "It copies the program of an agent: under another name, it is not seen that an agent starts."
# From here programs take their settings.
_HOMES = re.compile(r"HOME|XDG_CONFIG_HOME|XDG_DATA_HOME|XDG_CONFIG_DIRS|USERPROFILE|APPDATA")
_AGENTS = (
    r"claude(?:-code)?|codex|gemini|cursor-agent|opencode|copilot|qwen|grok|kimi(?:-c(?:li|ode))?|vibe|pi|cline|crush"
    r"|droid|auggie|amp|goose|aider|kilo|kilocode|kiro-cli"
)
_PROGRAM = re.compile(
    rf"(?:.*/)?(?:bin|local|versions/[^/]+)/(?:{_AGENTS})|.*/claude/versions/[\d.]+|.*/(?:{_AGENTS})/bin/\w+"
)
_NAMED = re.compile(rf"(?:.*/)?(?:{_AGENTS})")
# The same programs as packages and scripts, run by npx, node, uvx, pipx …
_PACKAGE = re.compile(
    r"(?:@anthropic-ai/claude-code|@openai/codex|@google/gemini-cli|@qwen-code/qwen-code|opencode-ai|@github/copilot"
    r"|@moonshot-ai/kimi-code|@mariozechner/pi-coding-agent|@kilocode/cli|@sourcegraph/amp|@ampcode/cli|mistral-vibe"
    r"|@augmentcode/auggie|cline)(?:@[\w.^~-]+)?"
    r"|.*/(?:claude-code|codex|gemini-cli|qwen-code|copilot|kimi-code|pi-coding-agent)/.*\.[cm]?js"
)
_STARTERS = frozenset(
    {"npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "node", "nodejs", "deno", "uvx", "uv", "pipx", "tsx"}
)
_RUNS_AT_ONCE = _STARTERS - {"npm", "pnpm", "yarn", "bun", "uv", "pipx"}
# In the project or among temporary files.
_ANYWHERE = re.compile(r"\.{1,2}/|[^/~]|/(?:private/)?(?:tmp|var/tmp|dev/shm)/")
_COPIERS = frozenset({"cp", "mv", "ln", "install", "rsync", "dd", "link", "gcp", "ditto"})
_TELLING = _COPIERS | _STARTERS
_FINDERS = frozenset({"which", "command", "type", "whereis", "readlink", "realpath"})
_CLEARED = re.compile(r"-[a-zA-Z0]*i[a-zA-Z0]*|--ignore-e[a-z]*|-")
_UNSET = re.compile(rf"(?:-u|--u[a-z]*=?)?(?:{_HOMES.pattern})")


def parts_together(acts: list[Act]) -> None:
    """Add to all acts of one line what their combination means."""
    for act in acts:
        for ran in act.runs:
            name = ran.args[0].text
            if "/" in name or name in _TELLING:
                act.effects += _copied(act)
                act.effects += _as_a_file(ran)
    starts = [act for act in acts if "agent" in [effect.kind for effect in act.effects]]
    if starts and any(_sets_apart(act) for act in acts):
        for act in starts:
            act.effects.append(danger("agent", WHY))


def _sets_apart(act: Act) -> bool:
    if any(effect.kind == "run" and _HOMES.fullmatch(effect.target) for effect in act.effects):
        return True
    return any(_clears(ran) for ran in act.runs)


def _clears(ran: Ran) -> bool:
    """``env -i``, ``env -u HOME``, ``unset HOME``, ``exec -c``."""
    name = ran.args[0].text.rpartition("/")[2]
    words = [arg.text for arg in ran.args[1:8]]
    match name:
        case "env" | "genv":
            return any(_CLEARED.fullmatch(word) or _UNSET.fullmatch(word) for word in words)
        case "unset":
            return any(_HOMES.fullmatch(word) for word in words)
        case "exec":
            return any(re.fullmatch(r"-[la]*c[la]*", word) for word in words[:2])
    return False


def _copied(act: Act) -> Iterator[Effect]:
    for ran in act.runs:
        name = ran.args[0].text.rpartition("/")[2]
        if name not in _COPIERS:
            continue
        sources = [arg.text.removeprefix("if=") for arg in ran.args[1:]][:20]
        is_found = any(
            inner.args[0].text in _FINDERS and any(_NAMED.fullmatch(arg.text) for arg in inner.args[1:])
            for child in act.children[: act.inside]
            for each in child.all()
            for inner in each.runs
        )
        if is_found or any(_PROGRAM.fullmatch(source) for source in sources):
            yield danger("agent", COPIES)


def _as_a_file(ran: Ran) -> Iterator[Effect]:
    """An agent that is started from an unusual folder, or as a package."""
    name = ran.args[0].text
    if "/" in name:
        if _NAMED.fullmatch(name) and _ANYWHERE.match(name) and "/node_modules/.bin/" not in f"/{name}":
            yield danger("agent", "It starts a copy of an agent.", name)
        return
    if name not in _STARTERS:
        return
    words = [arg.text for arg in ran.args]
    at = next((place for place, word in enumerate(words[:6]) if _PACKAGE.fullmatch(word)), None)
    if at is not None and ("exec" in words[:at] or "run" in words[:at] or "dlx" in words[:at] or name in _RUNS_AT_ONCE):
        yield agents.STARTS
        yield from agents.switches("", words[at + 1 :])


_TOGETHER = frozenset({"process", "secret", "publish"})
_ELSEWHERE = frozenset({"remote", "publish", "send"})


def look(acts: list[Act], setting: Setting) -> None:
    """Adds to the acts what follows from others of the same line."""
    everything = [each for act in acts for each in act.all()]
    # Most lines do nothing that another of their commands could make worse.
    kinds = {effect.kind for act in everything for effect in act.effects}
    if kinds & _TOGETHER:
        exfiltration.together(everything)
    if setting.line.production or kinds & _ELSEWHERE:
        production.look(everything, setting.line.production)
    parts_together(everything)
    neighbours(everything, setting)
    if "write" in kinds:
        shadows.look(everything)
