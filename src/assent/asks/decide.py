"""A person's answer as what the agent is told."""

from collections.abc import Callable

from assent.protocol.bodies import Choice, Ending
from assent.protocol.card import GRANTS, AnswerRequest, Card, GrantScope
from assent.protocol.decision import Allow, Answered, Decision, Deny, Filled, NoOpinion, Proceed
from assent.protocol.events import Event, PreToolUse, ToolEvent
from assent.protocol.permission import Grant, SetMode

LONGEST_MESSAGE = 8_000
_BETWEEN = ", "
_NO = "Your user was asked and said no."
_NO_ANSWER = "Your user was asked and does not want to answer this."

# What can be said of the ask as soon as the agent has the answer, because no later event tells.
ENDINGS: dict[Choice, Ending] = {
    "deny": "denied",
    "deny_and_stop": "denied",
    "revise": "denied",
    "decline": "denied",
    "cancel": "denied",
    "hand_back": "handed_back",
    "submit": "ran",
    "keep_going": "ran",
    "let_stop": "ran",
}


class UnfitError(Exception):
    """The answer lacks something, or says what cannot be; the text is for the one who gave it."""


def decision(
    event: Event, card: Card, said: AnswerRequest, grant_of: Callable[[str, GrantScope], Grant]
) -> tuple[Decision, tuple[Grant, ...]]:
    """What the agent is told, and what is granted for longer. Raises UnfitError."""
    message = said.message.strip()
    if len(message) > LONGEST_MESSAGE:
        raise UnfitError(f"The message is longer than {LONGEST_MESSAGE} characters.")
    grants = _grants(said, grant_of)
    match said.choice:
        case "allow" | "allow_session" | "allow_project" | "allow_user":
            # Only here can the note go with the allow; elsewhere it waits for the call's result.
            context = message or None if isinstance(event, PreToolUse) else None
            return Allow(grants=grants, context=context), grants
        case "allow_edited":
            if said.edited is None:
                raise UnfitError("There is no changed input.")
            return Allow(updated_input=said.edited), ()
        case "deny" | "deny_and_stop":
            default = _NO if card.kind == "permission" else _NO_ANSWER
            return Deny(message or default, interrupt=said.choice == "deny_and_stop"), ()
        case "revise":
            if not message:
                raise UnfitError("Say what should change in the plan.")
            return Deny(message), ()
        case "approve":
            assert isinstance(event, ToolEvent)
            mode = () if said.mode == "default" else (SetMode(mode=said.mode, destination="session"),)
            return Allow(updated_input=event.tool_input, grants=mode), mode
        case "answer":
            return Answered(_answers(card, said)), ()
        case "submit":
            return Filled("accept", said.content or {}), ()
        case "decline":
            return Filled("decline"), ()
        case "cancel":
            return Filled("cancel"), ()
        case "keep_going":
            if not message:
                raise UnfitError("Say what the agent should do.")
            return Proceed(f"Your user says: {message}"), ()
        case "hand_back" | "let_stop":
            return NoOpinion("handed_back"), ()


def _grants(said: AnswerRequest, grant_of: Callable[[str, GrantScope], Grant]) -> tuple[Grant, ...]:
    if said.choice not in GRANTS:
        return ()
    if not said.grant:
        raise UnfitError("Say what is to be allowed from now on.")
    try:
        return (grant_of(said.grant, GRANTS[said.choice]),)
    except ValueError as error:
        raise UnfitError(str(error)) from None


def _answers(card: Card, said: AnswerRequest) -> dict[str, str]:
    asked = [each.question for each in card.view.questions]
    missing = [question for question in asked if not said.answers.get(question, "").strip()]
    if missing:
        raise UnfitError(f"Not answered yet: {missing[0]}")
    if len(said.answers) != len(asked):
        raise UnfitError("An answer is to a question that was not asked.")
    return {question: said.answers[question] for question in asked}


def has_words(card: Card, said: AnswerRequest) -> bool:
    """Whether somebody says more than what was offered to press."""
    if said.choice == "answer" and any(not _is_offered(card, *answer) for answer in said.answers.items()):
        return True
    return bool(said.message.strip())


def lasts(said: AnswerRequest) -> bool:
    """Whether a yes reaches further than what is asked about, without naming what it grants."""
    return said.choice == "approve" and said.mode != "default"


def _is_offered(card: Card, question: str, text: str) -> bool:
    """One of the labels, or several with commas between them. Labels may hold commas themselves."""
    labels = [option.label for each in card.view.questions if each.question == question for option in each.options]
    ends, tried = [0], {0}
    while ends:
        at = ends.pop()
        for label in labels:
            end = at + len(label)
            if not label or not text.startswith(label, at):
                continue
            if end == len(text):
                return True
            if text.startswith(_BETWEEN, end) and (then := end + len(_BETWEEN)) not in tried:
                tried.add(then)
                ends.append(then)
    return False
