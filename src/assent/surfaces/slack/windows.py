"""Windows that Slack opens over the chat: for words, for answers to questions, and for the second step of a yes."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from assent.protocol.card import QuestionView, ShownAsk
from assent.surfaces import ask_text
from assent.surfaces.ask_text import both_ends
from assent.surfaces.slack import card as cards
from assent.surfaces.slack.card import Block, plain, preformatted, rich, section, sentence, words
from assent.surfaces.slack.envelopes import Given
from assent.text import wording
from assent.text.safe import chat_line

LONGEST_WORDS = 3_000
LONGEST_OPTION = 75
# So many are shown beneath each other; more become a list to open, and the rest is for one's own words.
MOST_SHOWN, MOST_LISTED = 10, 100
SHORT = 2_000
TELL = "tell"
_ASKED = {
    "t": (wording.TELLING["deny"].removesuffix("…"), wording.offer("deny"), "What should it do instead?"),
    "n": ("Notes on the plan", "Send", "What should change in the plan?"),
    "k": (wording.offer("keep_going"), "Send", "What should it do next?"),
    "q": ("What next", "Queue", "What should it do next? It is told when it next stops."),
}
_PICK = "Pick at least one, or answer in your own words."


class Origin(Struct, frozen=True, array_like=True):
    """What a window carries: the sealed wish, and the message it was opened from."""

    value: str
    channel: str
    message: str

    @property
    def text(self) -> str:
        return msgspec.json.encode(self).decode()


def origin(metadata: str) -> Origin | None:
    try:
        return msgspec.json.decode(metadata, type=Origin)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None


def telling(act: str, of: Origin, ask: ShownAsk | None) -> Block:
    title, send, asked = _ASKED[act]
    about = [rich(section(*cards.head(ask)))] if ask is not None else []
    return _window(of, title, send, [*about, _words(TELL, asked, is_needed=True)])


def sure(of: Origin, ask: ShownAsk) -> Block:
    """The question before a yes that takes two steps, with all it is about once more."""
    text = both_ends(ask_text.text(ask), SHORT)
    why = sentence(ask.risk.reason, 500)
    blocks = [rich(section(*cards.head(ask)))]
    if text.strip("\n"):
        blocks.append(rich(preformatted(text)))
    if why:
        blocks.append(rich(section(words("Why:", "bold"), words(" "), *why)))
    return _window(of, f"Allow {chat_line(ask.id, 10)}?", "Yes, allow", blocks)


def questions(of: Origin, ask: ShownAsk, *, can_tell: bool) -> Block:
    blocks: list[Block] = [rich(section(*cards.head(ask)))]
    for at, one in enumerate(ask.view.questions):
        blocks += _question(at, one, can_tell=can_tell)
    return _window(of, "Answer", "Send", blocks)


def answers(ask: ShownAsk, given: Mapping[str, Given]) -> dict[str, str]:
    """Question to answer, of those that have one."""
    by_question = {}
    for at, one in enumerate(ask.view.questions):
        picked = [_label(one, value) for value in given.get(_picking(at), Given()).picked]
        own = given.get(_writing(at), Given()).text.strip()
        if answer := ", ".join(filter(None, (*picked, own))):
            by_question[one.question] = answer
    return by_question


def lacking(ask: ShownAsk, given: Mapping[str, Given]) -> dict[str, str]:
    """What to say beneath which input, where a question has no answer."""
    given_answers = answers(ask, given)
    errors = {}
    for at, one in enumerate(ask.view.questions):
        if one.question not in given_answers:
            errors[_writing(at) if _writing(at) in given or not one.options else _picking(at)] = _PICK
    return errors


def _question(at: int, one: QuestionView, *, can_tell: bool) -> list[Block]:
    asked = chat_line(one.question, 300) or f"Question {at + 1}"
    blocks = [_picker(at, one, asked)] if one.options else []
    if can_tell or not one.options:
        blocks.append(_words(_writing(at), "In your own words" if one.options else asked, is_needed=False))
    return blocks


def _picker(at: int, one: QuestionView, asked: str) -> Block:
    options = [
        {"text": plain(f"{number + 1} · {option.label}", LONGEST_OPTION), "value": str(number)}
        for number, option in enumerate(one.options[:MOST_LISTED])
    ]
    if len(options) > MOST_SHOWN:
        kind, more = ("multi_static_select" if one.multi else "static_select"), {"placeholder": plain("Pick", 20)}
    else:
        kind, more = ("checkboxes" if one.multi else "radio_buttons"), {}
    element = {"type": kind, "action_id": "pick", "options": options, **more}
    return {"type": "input", "block_id": _picking(at), "optional": True, "label": plain(asked, 2_000)} | {
        "element": element
    }


def _words(block: str, asked: str, *, is_needed: bool) -> Block:
    element = {"type": "plain_text_input", "action_id": "words", "multiline": True, "max_length": LONGEST_WORDS}
    return {
        "type": "input",
        "block_id": block,
        "optional": not is_needed,
        "label": plain(asked, 2_000),
        "element": element,
    }


def _window(of: Origin, title: str, send: str, blocks: Sequence[Block]) -> Block:
    return {
        "type": "modal",
        "title": plain(title, 24),
        "submit": plain(send, 24),
        "close": plain("Back", 24),
        "private_metadata": of.text,
        "blocks": list(blocks),
    }


def _label(one: QuestionView, value: str) -> str:
    at = int(value) if value.isascii() and value.isdigit() else -1
    return one.options[at].label if 0 <= at < len(one.options) else ""


def _picking(at: int) -> str:
    return f"pick{at}"


def _writing(at: int) -> str:
    return f"own{at}"
