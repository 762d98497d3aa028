"""Which answers may be given: by whom, where, and how much a yes must cost there."""

from typing import Literal

from assent.protocol.bodies import AskKind, Choice
from assent.protocol.card import GRANTS, Card, Needs, Way
from assent.protocol.scope import Scope

# "page" and "terminal" show all of it and take anything; "chat" shows it as a message, where nothing lasting is granted
# and nothing dangerous agreed to; "glance" is a lock screen, or any view that masks or cuts.
Screen = Literal["page", "terminal", "chat", "glance"]
# By the name of the surface; one that is not known here is a glance.
SCREENS: dict[str, Screen] = {"page": "page", "desk": "terminal", "telegram": "chat", "slack": "chat", "ntfy": "chat"}

CHOICES: dict[AskKind, tuple[Choice, ...]] = {
    "permission": (
        "deny",
        "deny_and_stop",
        "allow_edited",
        "allow",
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
    "allow_session": Scope.GRANT,
    "allow_project": Scope.GRANT,
    "allow_user": Scope.GRANT,
}
# By these something happens that would not have happened by itself.
PERMITTING: frozenset[Choice] = frozenset(GRANTS) | {"allow", "allow_edited", "approve", "answer", "submit"}
# What a chat has no room for: a file to edit, a whole plan, a form.
_NOT_IN_CHAT: frozenset[Choice] = frozenset(GRANTS) | {"allow_edited", "approve", "submit"}
# What was not read to its end is allowed once or not at all.
_ONLY_IF_READ: frozenset[Choice] = frozenset(GRANTS) | {"allow_edited"}
_NEEDS: dict[str, Needs] = {"care": "confirm", "danger": "match"}


def ways(card: Card, scope: Scope, screen: Screen = "page") -> tuple[Way, ...]:
    """What somebody with this scope may answer there, in the order in which a keyboard reaches it."""
    found = []
    for choice in CHOICES[card.kind]:
        if SCOPES[choice] > scope or not _fits(card, choice, screen):
            continue
        if not _is_possible(card, choice):
            continue
        found.append(Way(choice, needs(card, choice)))
    return tuple(found)


def _fits(card: Card, choice: Choice, screen: Screen) -> bool:
    if screen == "glance":
        return SCOPES[choice] <= Scope.DENY
    if screen == "chat":
        return choice not in _NOT_IN_CHAT and not (card.risk.level == "danger" and choice in PERMITTING)
    return True


def needs(card: Card, choice: Choice) -> Needs:
    return _NEEDS.get(card.risk.level, "press") if choice in PERMITTING else "press"


def _is_possible(card: Card, choice: Choice) -> bool:
    if "unread" in card.flags and choice in _ONLY_IF_READ:
        return False
    if choice == "submit":
        return card.view.form is not None and not card.view.form.trouble
    if choice == "approve":
        # A plan that cannot be read cannot be agreed to.
        return bool(card.view.markdown.strip())
    if choice == "answer":
        return bool(card.view.questions)
    return True


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
    if not _fits(card, choice, screen):
        return "This is answered on the page or in a terminal, where all of it is shown."
    if "unread" in card.flags and choice in _ONLY_IF_READ:
        return "It could not be read to its end, so it is allowed once or not at all."
    if not _is_possible(card, choice):
        return "What would be agreed to cannot be shown, so it cannot be agreed to."
    return None
