"""Other coding agents, and programs that guard agents.

An agent that is started here works with its own rules, out of sight: Care. With asking switched off, or with other
settings, it is Danger: that is a way around what guards this session."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands._either import either
from assent.policy.commands.spec import Finding, Invocation, Spec, each
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE
from assent.protocol.decision import Risk

STARTS = care("agent", "It starts another agent, which works by its own rules.")
_UNASKED = danger("agent", "It starts an agent that never asks.")
_SETTINGS = danger("tamper", "It changes the settings of an agent.")
_GUARD = danger("tamper", "It is Assent's own command: a person runs it, not an agent.")
_TELLS = "It only tells about itself."

# Words that switch asking off in any agent.
_BYPASS = later(
    r"--(?:allow-)?dangerously\S*|--yolo|--full-auto|--force|--yes(?:-always)?|--trust-all\S*|--allow-all\S*|--skip-permissions\S*"
    r"|--auto-approve\S*|--approve-\S*|--no-sandbox|--bypass\S*|--auto-accept\S*|--no-confirm\S*|--unsafe\S*|--accept-all\S*"
    r"|--(?:permission-mode|approval-mode|approval-policy|ask-for-approval|sandbox|auto|mode|permission-prompt-tool)"
    r"(?:=(?!plan$|default$|read-only$|suggest$|workspace-write$).*)?"
    r"|--(?:allowed-?tools|allow-tool|allow-command|tools)(?:=.*)?|--(?:add-dir)(?:=.*)?",
    re.IGNORECASE,
)
_TAKES_MODE = later(r"--(?:permission-mode|approval-mode|approval-policy|ask-for-approval|sandbox|auto|mode)|-[as]")
_TAME_MODES = frozenset(
    {"plan", "default", "read-only", "suggest", "workspace-write", "untrusted", "on-request", "low"}
)
_LOADS = later(
    r"--(?:settings|setting-sources|mcp-config|plugin-dir|agents|append-system-prompt\S*|system-prompt\S*|config\S*|hooks?\S*"
    r"|strict-mcp-config|disable(?:-hooks)?|enable|no-hooks|no-verify|load|read|extensions?|bare|profile"
    r"|additional-mcp-config"
    # Without hooks, plugins or the user's settings.
    r"|safe-mode|simple|pure|no-(?:extensions?|plugins?|settings|config)|restricted|(?:experimental-)?acp)(?:=.*)?|-ne"
)
_VERBS_LOOK = later(
    r"(?:mcp|plugins?|extensions?|config|auth|agents?|models?|sessions?|skills|hooks)"
    r"(?: (?:list|ls|get|status|show|--help|help|marketplace list)(?: [\w@./-]+)*)?"
)
_VERBS_CHANGE = frozenset(
    {"config", "mcp", "plugin", "plugins", "extension", "extensions", "login", "logout", "auth", "setup-token", "hooks"}
    | {
        "install",
        "uninstall",
        "serve",
        "server",
        "web",
        "acp",
        "remote-control",
        "settings",
        "skills",
        "skill",
        "configure",
    }
    | {"migrate-installer", "setup", "init", "trust", "update", "upgrade", "cloud", "apply", "github", "marketplace"}
)


def _agent(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.handed_on]
    line = " ".join(words)
    if re.fullmatch(r"(?:-v|-V|--version|-h|--help|help|version|doctor|stats|usage)", line):
        yield nothing(_TELLS)
        return
    if HOLE not in line and _VERBS_LOOK.fullmatch(line):
        yield Effect("query", Risk.LOOK, "It tells about the settings of an agent.")
        return
    first = next((word for word in words if not word.startswith("-")), "")
    if first in _VERBS_CHANGE:
        yield _SETTINGS
    yield STARTS
    yield from switches(it.name, words)
    if it.is_dynamic:
        yield danger("dynamic", "How the agent is started is known only when it runs.")


def switches(name: str, words: list[str]) -> Iterator[Effect]:
    """What the options of an agent do to those who guard it."""
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        if _TAKES_MODE.fullmatch(word):
            if following not in _TAME_MODES and (word.startswith("--") or name == "codex"):
                yield _UNASKED
        elif _BYPASS.fullmatch(word) or (word in ("-y", "-f", "-A") and name not in ("codex", "claude", "aider")):
            yield _UNASKED
        elif _LOADS.fullmatch(word):
            yield _SETTINGS
        elif (
            word.startswith("-c")
            and name == "codex"
            and re.search(r"approval|sandbox|mcp|notify|hook|trust", word + following)
        ):
            yield _UNASKED
        elif word.startswith(("--test-cmd", "--lint-cmd", "--notifications-command")):
            yield danger("run", "It tells an agent which program to run.", following)


_HARMLESS_ASSENT = later(r"(?:--version|--help|-h|status(?: --json)?|statusline(?: .*)?)")


def _assent(it: Invocation) -> Iterator[Finding]:
    line = " ".join(arg.text for arg in it.handed_on)
    is_harmless = HOLE not in line and _HARMLESS_ASSENT.fullmatch(line)
    yield nothing("It tells how Assent is doing.") if is_harmless else _GUARD


COMMANDS: dict[str, Spec] = {
    **each(
        "claude codex gemini cursor-agent opencode copilot aider goose qwen amp crush droid kiro-cli cline kilocode"
        " kilo grok pi kimi-cli kimi-code"
        " plandex pdx"
        " auggie devin codebuff cn openhands forge gptme mentat sweep roo vibe kimi iflow codebuddy qodo tabnine cody"
        " claude-code openclaw nanocoder rovodev acli-rovodev interpreter gpt-engineer gpt-pilot smol swe-agent",
        Spec("Starts a coding agent.", "*", "none*", also=_agent),
    ),
    **each("assent assent-hook", Spec("Guards this session.", "*", "none*", also=_assent)),
    **each(
        "nah dcg cc-safety-net tool-gates bash-gates agentshield rampart dippy claude-warden leash parry-guard parry",
        either(
            r"(?:list|status|doctor|--version|version|help|explain .*|test .*|check .*)",
            "It tells about the guard of an agent.",
            danger("tamper", "It changes the guard of an agent."),
        ),
    ),
    "ollama": either(
        r"(?:list|ls|ps|show .*)", "It tells about models.", care("run", "It loads, runs or fetches a model.")
    ),
    **each(
        "llm mods sgpt aichat chatgpt tgpt fabric",
        Spec("Asks a model.", "*", does=(care("send", "It sends text to a model elsewhere."),)),
    ),
}
