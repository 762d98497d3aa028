"""Lasting permissions that can go with an allow: what the agent's client suggests, and rules of our own, in words.

An answer names one as an offer does: ``rule:`` and a rule as it stands in a settings file, or several with commas
between them; or ``mode:``, or ``directory:``."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from assent.asks import own_rules, rule_words
from assent.protocol.card import Card, GrantScope, Offer
from assent.protocol.events import PermissionRequest, Suggestion
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

Covered = Callable[[str], Sequence[str]]

MOST_COVERED = 3
MODES = {"acceptEdits": "Edits of files in the project, all of them, until the session ends."}
_DESTINATIONS: dict[GrantScope, Destination] = {
    "session": "session",
    "project": "localSettings",
    "user": "userSettings",
}
_EVERYWHERE: tuple[GrantScope, ...] = ("session", "project", "user")
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
    found: dict[str, Offer] = {}
    made = [own_rules.exact(event, card)]
    for rules in made if is_danger else [*made, own_rules.wider(event, card)]:
        if rules:
            _add(found, _of_rules(rules, event.cwd, covered, suggested=False), settings_files)
    for folder in () if is_danger else reads:
        _add(found, _of_directory(folder, suggested=False), settings_files)
    for suggestion in event.permission_suggestions:
        for offer in _suggested(suggestion, event.cwd, covered):
            if not is_danger or _is_exact(offer.grant, found):
                _add(found, offer, settings_files)
    return tuple(found.values())


def grant_of(text: str, scope: GrantScope) -> Grant:
    """What is sent to the client. Raises ValueError with a sentence. Whether it may be sent is for others to say."""
    destination = _DESTINATIONS[scope]
    kind, _, rest = text.strip().partition(":")
    if kind == "rule":
        return AddRules(rules=PermissionRule.read_all(rest), behavior="allow", destination=destination)
    if kind == "mode":
        if rest not in MODES:
            raise ValueError(f"The mode “{rest}” is not granted. Only acceptEdits is.")
        if scope != "session":
            raise ValueError("A mode is granted for the session only.")
        return SetMode(mode=rest, destination=destination)
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
        case SetMode(mode=mode) if mode in MODES:
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
        " ".join(rule_words.words(rule, folder) for rule in rules),
        _EVERYWHERE,
        suggested=suggested,
        covers=tuple(past)[:MOST_COVERED],
        leaves=rule_words.leaves(rules),
    )


def _add(found: dict[str, Offer], offer: Offer, files: Mapping[GrantScope, str]) -> None:
    """The same thing suggested again is said to be suggested, and not said twice."""
    known = found.get(offer.grant)
    if known is not None and not offer.suggested:
        return
    named: dict[GrantScope, str] = {each: files[each] for each in offer.scopes if each in files and each != "session"}
    found[offer.grant] = Offer(
        offer.grant, offer.words, offer.scopes, named, offer.suggested, offer.covers, offer.leaves
    )


def _is_exact(grant: str, found: Mapping[str, Offer]) -> bool:
    """A command written out, or what was found to be exact before."""
    if grant in found:
        return True
    rules = PermissionRule.read_all(grant.removeprefix("rule:")) if grant.startswith("rule:") else ()
    return bool(rules) and all(rule.tool_name == "Bash" and _is_spelled_out(rule.rule_content) for rule in rules)


def _is_spelled_out(content: str | None) -> bool:
    return content is not None and _STAR.search(content) is None
