"""No text in any field of any ask breaks what a surface sends, hides in it, or is read as markup."""

from collections.abc import Callable

import click
import pytest

from assent.cli.answer.card import card as printed_card
from assent.protocol.card import ShownAsk
from assent.surfaces.ask_text import ask_summary, notice_summary
from assent.surfaces.base import Audience, Notice
from assent.surfaces.ntfy import card as ntfy
from assent.surfaces.slack import card as slack
from assent.surfaces.telegram import card as telegram
from assent.text.safe import escaped
from tests.hostile import SAMPLES, STEERING, poisoned
from tests.services.slack_blocks import check_message, words_of
from tests.services.telegram_markup import parsed
from tests.shown_asks import OPENED
from tests.unit.tui import shown_asks as asks

KINDS: dict[str, Callable[[], ShownAsk]] = {
    "permission": asks.permission,
    "of another machine": asks.of_another_machine,
    "edit": lambda: asks.edit(asks.EDIT),
    "question": asks.question,
    "plan": asks.plan,
    "form": asks.form,
    "stop": asks.stop,
}
OPEN = Audience("open")
CASES = [*SAMPLES, "\n".join(SAMPLES)]


def on_telegram(ask: ShownAsk) -> str:
    made = telegram.card(ask, OPEN, now=OPENED)
    return "\n".join(parsed(text) for text in (*made.before, made.text, telegram.over(ask, ask.id, "over", OPENED)))


def on_slack(ask: ShownAsk) -> str:
    made = slack.card(ask, OPEN, now=OPENED)
    check_message({"text": escaped(made.text[:600]), "blocks": list(made.blocks)})
    return words_of(made.blocks)


def on_ntfy(ask: ShownAsk) -> str:
    made = ntfy.card(ask, OPEN, OPENED)
    assert "\n" not in made.title
    return f"{made.title}\n{made.text}"


def on_a_notification(ask: ShownAsk) -> str:
    """The desktop, browsers, a webhook and Apprise show these two texts."""
    title, text = ask_summary(ask, OPEN)
    assert "\n" not in title
    assert text.count("\n") <= 1
    return f"{title}\n{text}"


def in_the_shell(ask: ShownAsk) -> str:
    """Without the colours, which are ours."""
    return click.unstyle("\n".join(printed_card(ask, OPENED, 80)))


SURFACES = {
    "telegram": on_telegram,
    "slack": on_slack,
    "ntfy": on_ntfy,
    "notification": on_a_notification,
    "shell": in_the_shell,
}


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_surface_makes_hostile_text_inert(surface: str, kind: str) -> None:
    """Nothing that steers or hides is left of it, and what the service reads as markup is ours."""
    for text in CASES:
        shown = SURFACES[surface](poisoned(KINDS[kind](), text))
        assert STEERING.search(shown) is None, repr(text)


@pytest.mark.parametrize("text", CASES)
def test_a_notice_of_a_turn_is_inert(text: str) -> None:
    """On a lock screen, in Telegram and in Slack."""
    notice = Notice("s1", "finished", 1, text, text, text)
    title, words = notice_summary(notice, OPEN)
    made = slack.notice_card(notice, is_masked=False)
    check_message({"text": escaped(made.text[:600]), "blocks": list(made.blocks)})
    told = (title, words, parsed(telegram.notice_text(notice, is_masked=False)), words_of(made.blocks))
    assert [each for each in told if STEERING.search(each)] == []
