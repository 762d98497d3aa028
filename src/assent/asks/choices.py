"""Permitted answers: by scope and screen, with the confirmation a yes needs there."""

from assent.asks import approval
from assent.harnesses.base import Harness
from assent.protocol.bodies import AskKind, Choice
from assent.protocol.card import GRANTS, Card, Needs, Way
from assent.protocol.decision import Allow, Answered, Block, Deny, Filled, Prompt
from assent.protocol.events import Elicitation, Event, PermissionDenied, PreToolUse, Stop, SubagentStop
from assent.protocol.surfaces import Scope, Screen

CHOICES: dict[AskKind, tuple[Choice, ...]] = {
    "permission": (
        "deny",
        "deny_here",
        "deny_and_stop",
        "allow_edited",
        "allow",
        "allow_here",
        "allow_for",
        "allow_session",
        "allow_project",
        "allow_user",
        "hand_back",
    ),
    "question": ("deny", "answer", "hand_back"),
    "plan": ("revise", "approve", "hand_back"),
    "form": ("decline", "cancel", "submit", "hand_back"),
    "stop": ("let_stop", "keep_going"),
}
SCOPES: dict[Choice, Scope] = {
    "deny": Scope.DENY,
    "deny_and_stop": Scope.DENY,
    "hand_back": Scope.DENY,
    "decline": Scope.DENY,
    "cancel": Scope.DENY,
    "let_stop": Scope.DENY,
    "allow": Scope.ANSWER,
    "answer": Scope.ANSWER,
    "approve": Scope.ANSWER,
    "submit": Scope.ANSWER,
    "allow_edited": Scope.INSTRUCT,
    "revise": Scope.INSTRUCT,
    "keep_going": Scope.INSTRUCT,
    "allow_here": Scope.GRANT,
    "allow_for": Scope.GRANT,
    "deny_here": Scope.GRANT,
    "allow_session": Scope.GRANT,
    "allow_project": Scope.GRANT,
    "allow_user": Scope.GRANT,
}
# By these something happens that would not have happened by itself.
PERMITTING: frozenset[Choice] = frozenset(GRANTS) | {
    "allow",
    "allow_here",
    "allow_for",
    "allow_edited",
    "approve",
    "answer",
    "submit",
}
# Of these a yes to a tool call.
PERMITTING_CALLS: tuple[Choice, ...] = ("allow", "allow_here", "allow_for", "allow_edited", *GRANTS)
# What a chat has no room for: a file to edit, a whole plan, a form.
_NOT_IN_CHAT: frozenset[Choice] = frozenset(GRANTS) | {
    "allow_here",
    "allow_for",
    "deny_here",
    "allow_edited",
    "approve",
    "submit",
}
# What was not read to its end is allowed once or not at all.
_ONLY_IF_READ: frozenset[Choice] = frozenset(GRANTS) | {"allow_here", "allow_for", "allow_edited"}
_NEEDS: dict[str, Needs] = {"care": "confirm", "danger": "match"}


def ways(card: Card, scope: Scope, screen: Screen = "page", *, counts: bool = True) -> tuple[Way, ...]:
    """Choices that this scope may give there, in keyboard order. ``counts``: whether a yes of theirs is one of those
    that are needed."""
    result = []
    for choice in CHOICES[card.kind]:
        if SCOPES[choice] > scope or not _fits(card, choice, screen):
            continue
        if not _is_possible(card, choice) or (choice in PERMITTING and not counts):
            continue
        result.append(Way(choice, needs(card, choice)))
    return tuple(result)


def _fits(card: Card, choice: Choice, screen: Screen) -> bool:
    if screen == "glance":
        return SCOPES[choice] <= Scope.DENY
    if screen == "chat":
        return choice not in _NOT_IN_CHAT and not (card.risk.level == "danger" and choice in PERMITTING)
    return True


def needs(card: Card, choice: Choice) -> Needs:
    return _NEEDS.get(card.risk.level, "press") if choice in PERMITTING else "press"


def untold(event: Event, harness: Harness) -> tuple[Choice, ...]:
    """The answers to this event that its client cannot be told."""
    honoured, facts = harness.HONOURED.get(type(event), frozenset()), harness.FACTS
    if facts.allows_in is not None and event.permission_mode not in facts.allows_in:
        honoured -= {Allow}
    can: dict[Choice, bool] = {
        **dict.fromkeys(("allow", "allow_here", "allow_for"), Allow in honoured),
        # Where the client cannot be told to remember, Assent does, as far as there is something it could.
        **dict.fromkeys(GRANTS, Allow in honoured),
        "allow_edited": Allow in honoured and type(event).__name__ in facts.changes_input,
        "approve": Allow in honoured and facts.approves_plans,
        **dict.fromkeys(("deny", "deny_here", "revise"), Deny in honoured),
        "deny_and_stop": Deny in honoured and facts.stops_with_deny,
        "answer": Answered in honoured,
        **dict.fromkeys(("submit", "decline", "cancel"), Filled in honoured),
        "keep_going": Block in honoured,
        # Handed back, a call that needs a person is prompted for.
        "hand_back": not isinstance(event, PreToolUse) or Prompt in honoured,
    }
    if isinstance(event, PermissionDenied):
        # It is over: a yes lets the same call run when it is made again, and nothing else can be said.
        can |= dict.fromkeys((*GRANTS, "allow_edited", "deny_and_stop"), False)
    kind = _KINDS.get(type(event))
    return tuple(choice for choice in (CHOICES[kind] if kind else _OF_TOOLS) if not can.get(choice, True))


def _is_possible(card: Card, choice: Choice) -> bool:
    if choice in card.untold or _is_elsewhere_only(card, choice):
        return False
    if card.approval is not None and choice not in approval.CHOICES:
        return False
    if "unread" in card.flags and choice in _ONLY_IF_READ:
        return False
    if choice == "allow_here":
        return bool(card.stays)
    if choice == "allow_for":
        return bool(card.timed)
    if choice == "deny_here":
        return bool(card.view.tool)
    if choice == "submit":
        return card.view.form is not None and not card.view.form.trouble
    if choice == "approve":
        # A plan that cannot be read cannot be agreed to.
        return bool(card.view.markdown.strip())
    if choice == "answer":
        return bool(card.view.questions)
    return True


def _is_elsewhere_only(card: Card, choice: Choice) -> bool:
    return "read_only" in card.flags or ("shortened" in card.flags and choice in PERMITTING)


_KINDS: dict[type[Event], AskKind] = {Elicitation: "form", Stop: "stop", SubagentStop: "stop"}
_OF_TOOLS = tuple(dict.fromkeys(choice for kind in ("permission", "question", "plan") for choice in CHOICES[kind]))


def refusal(
    card: Card, choice: Choice, scope: Scope, *, has_words: bool, lasts: bool = False, screen: Screen = "page"
) -> str | None:
    """Why this answer is not theirs to give, or not one to this ask; None where it is."""
    if choice not in CHOICES[card.kind]:
        return f"A {card.kind} is not answered that way."
    if SCOPES[choice] > scope:
        return f"This needs the scope “{SCOPES[choice].word}”, and you have “{scope.word}”."
    if has_words and scope < Scope.INSTRUCT:
        return f"Words of your own need the scope “{Scope.INSTRUCT.word}”, and you have “{scope.word}”."
    if lasts and scope < Scope.GRANT:
        return f"A mode that lasts needs the scope “{Scope.GRANT.word}”, and you have “{scope.word}”: ask before edits."
    if "read_only" in card.flags:
        return "This is shown to be read; others answer it."
    if _is_elsewhere_only(card, choice):
        return "It is too long to be shown whole here, so a yes is given at the machine where the agent runs."
    if choice in card.untold and "new_machine" in card.flags:
        return "This machine just joined the team: for ten minutes it may only deny."
    if choice in card.untold and card.subject.machine:
        return "This answer is given at the machine where the agent runs."
    if not _fits(card, choice, screen):
        return "This is answered on the page or in a terminal, where all of it is shown."
    if card.approval is not None and choice not in approval.CHOICES:
        return "This needs an approval: it is allowed once or denied, and nothing else can be said to it."
    if "unread" in card.flags and choice in _ONLY_IF_READ:
        return "It could not be read to its end, so it is allowed once or not at all."
    if (choice == "allow_here" and not card.stays) or (choice == "allow_for" and not card.timed):
        return "This has no shape that could be remembered: it is allowed once or not at all."
    if choice in card.untold and choice in GRANTS:
        return "There is nothing of this that could be remembered: it is allowed once or not at all."
    if choice in card.untold:
        return "The agent's client cannot be told this."
    if not _is_possible(card, choice):
        return "What would be agreed to cannot be shown, so it cannot be agreed to."
    return None
