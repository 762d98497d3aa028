"""Agents that are started so that the hooks of this user do not apply: another home, no environment, a copied program.

Seen over the whole line: what sets an agent apart stands before it, around it, or in the command before."""

import re
from collections.abc import Iterator

from assent.policy.commands import agents
from assent.policy.effects import Effect, danger
from assent.policy.runs import Act, Ran

WHY = "It starts an agent apart from its user's settings, so that the hooks there do not apply."
COPIES = "It copies the program of an agent: under another name, nobody sees that an agent starts."
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


def look(found: list[Act]) -> None:
    """Add to all acts of one line what their combination means."""
    for act in found:
        for ran in act.runs:
            name = ran.args[0].text
            if "/" in name or name in _TELLING:
                act.effects += _copied(act)
                act.effects += _as_a_file(ran)
    starts = [act for act in found if any(effect.kind == "agent" for effect in act.effects)]
    if starts and any(_sets_apart(act) for act in found):
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
