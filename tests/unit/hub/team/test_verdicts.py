"""Results and ends of asks: the word of the hub that holds the ask, which a relay cannot put in its mouth."""

from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from assent.asks.open_ask import Held, RefusedError
from assent.hub.team import verdicts
from assent.protocol.team import AnswerResult, AnswerVerdict, AskEnd, Gone
from assent.team.keys import HubKey
from tests.unit.asks.fake_case import FakeCase
from tests.unit.hub.team.machines import Machine, Team
from tests.unit.hub.team.test_forged import CHARACTERS, replaced
from tests.waiting import seen

pytestmark = pytest.mark.anyio

KEY, OTHER = HubKey.create(), HubKey.create()
VERDICT = AnswerVerdict(KEY.id, OTHER.id, "abcde", "n" * 20, is_taken=True, missing=1)
END = AskEnd(KEY.id, "abcde", "denied", "ada@example.org on laptop", "deny")
RESULT, GONE = verdicts.result(KEY, VERDICT), verdicts.gone(KEY, END)


def test_what_was_signed_is_read() -> None:
    """By those who know the hub by its name alone."""
    assert verdicts.read_result(RESULT, KEY.id) == VERDICT
    assert verdicts.read_end(GONE) == END


@given(st.sampled_from(["sender", "ask", "nonce", "text", "signature", "key"]), st.integers(0, 2_000), CHARACTERS)
def test_any_changed_character_of_a_result_is_refused(field: str, at: int, by: str) -> None:
    """Of every part of it."""
    forged = structs.replace(RESULT, **{field: replaced(getattr(RESULT, field), at, by)})
    assume(forged != RESULT)
    assert verdicts.read_result(forged, KEY.id) is None


@given(st.sampled_from(["hub", "ask", "text", "signature", "key"]), st.integers(0, 2_000), CHARACTERS)
def test_any_changed_character_of_an_end_is_refused(field: str, at: int, by: str) -> None:
    """Of every part of it."""
    forged = structs.replace(GONE, **{field: replaced(getattr(GONE, field), at, by)})
    assume(forged != GONE)
    assert verdicts.read_end(forged) is None


def test_word_of_another_hub_is_none() -> None:
    """Signed by a machine of the team, about an ask that it does not hold."""
    of_other = verdicts.result(OTHER, VERDICT)
    assert verdicts.read_result(of_other, KEY.id) is None
    assert verdicts.read_result(structs.replace(of_other, key=KEY.public), KEY.id) is None
    assert verdicts.read_end(verdicts.gone(OTHER, END)) is None


def test_each_kind_is_signed_for_its_own_purpose() -> None:
    """An end is no result, even of the same text."""
    text = msgspec.json.encode(VERDICT).decode()
    for kind in ("gone", "answer", "ask"):
        signature = KEY.sign(kind, text)
        assert verdicts.read_result(structs.replace(RESULT, text=text, signature=signature), KEY.id) is None


@pytest.mark.parametrize("text", ["", "{", "[" * 9_000, "\udfff", '{"hub": 1}', " " * 20_000])
def test_signed_text_of_another_form_is_none(text: str) -> None:
    """Or one that is too large."""
    try:
        signature = KEY.sign("result", text)
    except UnicodeEncodeError:
        signature = RESULT.signature
    assert verdicts.read_result(structs.replace(RESULT, text=text, signature=signature), KEY.id) is None


async def waiting(team: Team) -> tuple[Machine, Machine, Held]:
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    return laptop, desktop, await desktop.shown()


def forged(message: AnswerResult, **changes: Any) -> str:
    """Its text as a relay would like it."""
    verdict = msgspec.json.decode(message.text, type=AnswerVerdict)
    return msgspec.json.encode(structs.replace(verdict, **changes)).decode()


@pytest.mark.parametrize("is_signed", [True, False])
async def test_relay_cannot_tell_that_an_answer_was_taken(team: Team, *, is_signed: bool) -> None:
    """Nor that it was refused: its author hears that it is not known."""
    laptop, desktop, shown = await waiting(team)
    desktop.team.others.answers.patience = 0.05

    def lying(message: Any) -> list[Any]:
        if not isinstance(message, AnswerResult):
            return [] if isinstance(message, Gone) else [message]
        lie = structs.replace(message, text=forged(message, is_taken=False, code="not-asked"))
        return [lie if is_signed else structs.replace(lie, signature="", key="")]

    team.relay.twist = lying
    with pytest.raises(RefusedError, match="not known whether your answer was taken") as refused:
        await desktop.answer(shown, "allow")
    assert refused.value.code == "not-known"
    assert shown.takes_answers
    await laptop.tasks[0]


async def test_word_of_the_hub_counts_after_a_forged_one(team: Team) -> None:
    """What the relay made up is passed over."""
    laptop, desktop, shown = await waiting(team)

    def twice(message: Any) -> list[Any]:
        is_result = isinstance(message, AnswerResult)
        return [structs.replace(message, text=forged(message, is_taken=False)), message] if is_result else [message]

    team.relay.twist = twice
    await desktop.answer(shown, "deny")
    assert await desktop.bodies("outcome") == [{"ending": "denied"}]
    await laptop.tasks[0]


@pytest.mark.parametrize("is_signed", [True, False])
async def test_relay_names_no_one_who_ended_an_ask(team: Team, *, is_signed: bool) -> None:
    """It can take it off the screens, as it could hold it back; who answered and how is its hub's to say."""
    laptop, desktop, _ = await waiting(team)
    (ask,) = team.relay.asks.values()
    lie = AskEnd(laptop.id, ask.ask, "ran", "root@example.org", "allow", "it ran")
    signed = verdicts.gone(desktop.link.key, lie)
    desktop.link.hear(signed if is_signed else Gone(laptop.id, ask.ask, signed.text))
    await seen(lambda: not desktop.others(), "the end of it")
    assert await desktop.bodies("outcome") == [{"ending": "withdrawn", "why": "it does not wait any more"}]
    assert not laptop.tasks[0].done()
