"""Conversion of a person's answer into the decision for the agent."""

from collections.abc import Callable

from assent.protocol import modes
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
    "deny_here": "denied",
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
    event: Event,
    card: Card,
    answer: AnswerRequest,
    grant_of: Callable[[str, GrantScope], Grant] | None,
    lasting: tuple[Grant, ...] = (),
) -> tuple[Decision, tuple[Grant, ...]]:
    """What the agent is told, and what it is granted for longer. Raises UnfitError.

    ``grant_of`` is None where Assent remembers what is granted, and the agent is told nothing of it. ``lasting`` is
    what the agent's own settings get where Assent remembers the answer."""
    message = answer.message.strip()
    if len(message) > LONGEST_MESSAGE:
        raise UnfitError(f"The message is longer than {LONGEST_MESSAGE} characters.")
    grants = _grants(answer, grant_of) or lasting
    match answer.choice:
        case "allow" | "allow_here" | "allow_for" | "allow_session" | "allow_project" | "allow_user":
            # Only here can the note go with the allow; elsewhere it waits for the call's result.
            context = message or None if isinstance(event, PreToolUse) else None
            return Allow(grants=grants, context=context), grants
        case "allow_edited":
            if answer.edited is None:
                raise UnfitError("There is no changed input.")
            return Allow(updated_input=answer.edited), ()
        case "deny" | "deny_here" | "deny_and_stop":
            default = _NO if card.kind == "permission" else _NO_ANSWER
            return Deny(message or default, interrupt=answer.choice == "deny_and_stop"), ()
        case "revise":
            if not message:
                raise UnfitError("Say what should change in the plan.")
            return Deny(message), ()
        case "approve":
            assert isinstance(event, ToolEvent)
            wanted = modes.canonical(answer.mode)
            mode = () if wanted == modes.DEFAULT else (SetMode(mode=wanted, destination="session"),)
            return Allow(updated_input=event.tool_input, grants=mode), mode
        case "answer":
            return Answered(_answers(card, answer)), ()
        case "submit":
            return Filled("accept", answer.content or {}), ()
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


def _grants(answer: AnswerRequest, grant_of: Callable[[str, GrantScope], Grant] | None) -> tuple[Grant, ...]:
    if answer.choice not in GRANTS:
        return ()
    if not answer.grant:
        raise UnfitError("Say what is to be allowed from now on.")
    if grant_of is None:
        return ()
    try:
        return (grant_of(answer.grant, GRANTS[answer.choice]),)
    except ValueError as error:
        raise UnfitError(str(error)) from None


def _answers(card: Card, answer: AnswerRequest) -> dict[str, str]:
    asked = [each.question for each in card.view.questions]
    missing = [question for question in asked if not answer.answers.get(question, "").strip()]
    if missing:
        raise UnfitError(f"Not answered yet: {missing[0]}")
    if len(answer.answers) != len(asked):
        raise UnfitError("An answer is to a question that was not asked.")
    return {question: answer.answers[question] for question in asked}


def has_words(card: Card, request: AnswerRequest) -> bool:
    """Whether the answer holds more than one of the offered choices."""
    if request.choice == "answer" and any(not _is_offered(card, *answer) for answer in request.answers.items()):
        return True
    return bool(request.message.strip())


def lasts(answer: AnswerRequest) -> bool:
    """Whether a yes reaches further than what is asked about, without naming what it grants."""
    return answer.choice == "approve" and answer.mode != modes.DEFAULT


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
