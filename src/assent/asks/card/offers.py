"""Lasting permissions that can go with an allow: what the agent's client suggests, and rules of our own, in words.

An answer names one as an offer does: ``rule:`` and a rule as it stands in a settings file, or several with commas
between them; or ``mode:``, or ``directory:``."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import structs

from assent.asks.card import names, rule_offers
from assent.protocol import modes
from assent.protocol.card import Card, Denial, GrantScope, Offer
from assent.protocol.events import PermissionRequest, Suggestion, ToolEvent
from assent.protocol.permission import (
    AddDirectories,
    AddRules,
    Destination,
    Grant,
    PermissionRule,
    ReplaceRules,
    SetMode,
    ToolAlwaysAllow,
)
from assent.protocol.rule_words import EDITS, FETCH, MCP, READS, SHELL, SKILL, WEB_SEARCH


def words(rule: PermissionRule, folder: str = "") -> str:
    tool, content = rule.tool_name, rule.rule_content
    if content is None:
        return _whole_tool(tool)
    if tool == SHELL:
        return _command(content)
    if tool in READS or tool in EDITS:
        return f"{'Reading' if tool in READS else 'Edits of'} {_place(content, folder)}."
    if tool == FETCH and content.startswith("domain:"):
        return f"Fetching pages from {content.removeprefix('domain:')}."
    if tool == SKILL:
        return f"The skill {content.removesuffix(':*')}{', with any words' if content.endswith(':*') else ''}."
    return f"Uses of {tool} that fit {content}."


def leaves(rules: Sequence[PermissionRule]) -> str:
    """What is still asked about."""
    rule = rules[0]
    tool, content = rule.tool_name, rule.rule_content
    if content is None:
        server = tool.split("__")[1] if tool.startswith(MCP) and tool.count("__") > 1 else ""
        return f"Other tools of {server}." if server else "Other tools."
    if tool == SHELL and (beginning := _beginning(content)) is not None:
        other = f"{beginning.split()[0]} with other words" if " " in beginning else "Other programs"
        return f"{other}, and whatever else stands on the same line."
    if tool == SHELL:
        return "The same command with anything added or changed."
    if tool == FETCH:
        return "Any other host."
    if tool in READS | EDITS:
        return "Anything elsewhere." if content.endswith("*") else "Any other file."
    return "Anything else."


def _whole_tool(tool: str) -> str:
    if tool.startswith(MCP):
        server, _, name = tool.removeprefix(MCP).partition("__")
        return f"Every use of {name} of the server {server}." if name else f"Every tool of the server {server}."
    return "Every search of the web." if tool == WEB_SEARCH else f"Every use of {tool}, whatever it does."


def _command(content: str) -> str:
    beginning = _beginning(content)
    if beginning is not None:
        return f"Every command that begins with “{beginning}”." if beginning else "Every command."
    if "*" in content:
        return f"Every command that fits “{content}”, where * is any text."
    return f"The command “{content}”, exactly as it stands."


def _beginning(content: str) -> str | None:
    for ending in (" *", ":*"):
        if content.endswith(ending) and "*" not in content[: -len(ending)]:
            return content[: -len(ending)]
    return None if content.strip() != "*" else ""


def _place(content: str, folder: str) -> str:
    path = content.removesuffix("/**")
    if path.startswith("//"):
        path = path[1:]
    shown = path.removeprefix(f"{folder}/") if folder and names.is_below(path, folder) else path
    return f"anything in {shown or '/'}" if content.endswith("/**") else shown


Covered = Callable[[str], Sequence[str]]

MOST_COVERED = 3
MODES: dict[str, str] = {modes.ACCEPT_EDITS: "Edits of files in the project, all of them, until the session ends."}
_DESTINATIONS: dict[GrantScope, Destination] = {
    "session": "session",
    "project": "localSettings",
    "user": "userSettings",
}
EVERYWHERE: tuple[GrantScope, ...] = ("session", "project", "user")
_HERE: tuple[GrantScope, ...] = ("session", "project")
_STAR = re.compile(r"(?<!\\)\*")


def offers(
    event: PermissionRequest,
    card: Card,
    settings_files: Mapping[GrantScope, str],
    covered: Covered,
    reads: Sequence[str] = (),
) -> tuple[Offer, ...]:
    """Narrow ones first. What is Danger gets exact rules and nothing else. ``reads``: folders that would be enough."""
    if "unread" in card.flags:
        return ()
    is_danger = card.risk.level == "danger"
    by_grant: dict[str, Offer] = {}
    made = [rule_offers.exact(event, card)]
    for rules in made if is_danger else [*made, rule_offers.wider(event, card)]:
        if rules:
            _add(by_grant, _of_rules(rules, event.cwd, covered, suggested=False), settings_files)
    for folder in () if is_danger else reads:
        _add(by_grant, _of_directory(folder, suggested=False), settings_files)
    for suggestion in event.permission_suggestions:
        for offer in _suggested(suggestion, event.cwd, covered):
            if not is_danger or _is_exact(offer.grant, by_grant):
                _add(by_grant, offer, settings_files)
    return tuple(by_grant.values())


def own(event: ToolEvent, card: Card) -> list[tuple[PermissionRule, ...]]:
    """What Assent could remember by itself: the narrowest first, and whether it is enough is for others to say. Nothing
    of Danger, and nothing in which a secret stands."""
    if card.kind != "permission" or card.risk.level == "danger" or not {"unread", "redacted"}.isdisjoint(card.flags):
        return []
    made = (
        rule_offers.exact(event, card),
        rule_offers.exact(event, card, every_part=True),
        rule_offers.wider(event, card),
    )
    return [*dict.fromkeys(rules for rules in made if rules)]


def of_own(rules: Sequence[PermissionRule], folder: str, scopes: tuple[GrantScope, ...]) -> Offer:
    offer = _of_rules(rules, folder, lambda _: (), suggested=False)
    left = f"{offer.leaves} Other agents, and whatever is dangerous."
    return structs.replace(offer, scopes=scopes, leaves=left, keeper="assent")


def denials(event: ToolEvent, card: Card) -> tuple[Denial, ...]:
    """The rules of Assent's that would deny this from now on, the narrowest first."""
    rules = rule_offers.denials(event, card)
    return tuple(Denial(f"rule:{rule.written}", words(rule, event.cwd)) for rule in rules)


def grant_of(text: str, scope: GrantScope) -> Grant:
    """What is sent to the client. Raises ValueError with a sentence. Whether it may be sent is for others to say."""
    destination = _DESTINATIONS[scope]
    kind, _, rest = text.strip().partition(":")
    if kind == "rule":
        return AddRules(rules=PermissionRule.read_all(rest), behavior="allow", destination=destination)
    if kind == "mode":
        mode = modes.canonical(rest)
        if mode not in MODES:
            raise ValueError(f"The mode “{rest}” is not granted. Only {modes.ACCEPT_EDITS} is.")
        if scope != "session":
            raise ValueError("A mode is granted for the session only.")
        return SetMode(mode=mode, destination=destination)
    if kind == "directory":
        if not rest.startswith("/"):
            raise ValueError("A directory is named by its whole path.")
        if scope == "user":
            raise ValueError("A directory is granted for the session or the project only.")
        return AddDirectories(directories=(rest,), destination=destination)
    raise ValueError("What is granted is a rule, a mode or a directory, such as “rule:Bash(npm test *)”.")


def _suggested(suggestion: Suggestion, folder: str, covered: Covered) -> Iterator[Offer]:
    match suggestion:
        case AddRules(behavior="allow", rules=rules) | ReplaceRules(behavior="allow", rules=rules) if rules:
            yield _of_rules(rules, folder, covered, suggested=True)
        case ToolAlwaysAllow(tool=tool):
            yield _of_rules((PermissionRule(tool),), folder, covered, suggested=True)
        case SetMode(mode=word) if (mode := modes.canonical(word)) in MODES:
            yield Offer(f"mode:{mode}", MODES[mode], ("session",), suggested=True, leaves="Commands ask as before.")
        case AddDirectories(directories=directories):
            for each in directories:
                yield _of_directory(each, suggested=True)


def _of_directory(folder: str, *, suggested: bool) -> Offer:
    words = f"Reading files in {folder}, and editing them as in the project."
    return Offer(f"directory:{folder}", words, _HERE, suggested=suggested, leaves="Any other folder.")


def _of_rules(rules: Sequence[PermissionRule], folder: str, covered: Covered, *, suggested: bool) -> Offer:
    written = [rule.written for rule in rules]
    past = dict.fromkeys(call for rule in written for call in covered(rule))
    return Offer(
        f"rule:{', '.join(written)}",
        " ".join(words(rule, folder) for rule in rules),
        EVERYWHERE,
        suggested=suggested,
        covers=tuple(past)[:MOST_COVERED],
        leaves=leaves(rules),
    )


def _add(by_grant: dict[str, Offer], offer: Offer, files: Mapping[GrantScope, str]) -> None:
    """The same thing suggested again is said to be suggested, and not said twice."""
    earlier = by_grant.get(offer.grant)
    if earlier is not None and not offer.suggested:
        return
    named: dict[GrantScope, str] = {each: files[each] for each in offer.scopes if each in files and each != "session"}
    by_grant[offer.grant] = structs.replace(offer, files=named)


def _is_exact(grant: str, by_grant: Mapping[str, Offer]) -> bool:
    """A command written out, or what was found to be exact before."""
    if grant in by_grant:
        return True
    rules = PermissionRule.read_all(grant.removeprefix("rule:")) if grant.startswith("rule:") else ()
    return bool(rules) and all(rule.tool_name == SHELL and _is_spelled_out(rule.rule_content) for rule in rules)


def _is_spelled_out(content: str | None) -> bool:
    return content is not None and _STAR.search(content) is None
