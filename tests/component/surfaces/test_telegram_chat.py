"""What people see and do in the chat with the bot."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from assent.protocol.card import (
    FieldView,
    FileDiff,
    FormView,
    Hunk,
    OptionView,
    QuestionView,
    Result,
    Segment,
    ShownAsk,
    StepView,
    StopView,
    View,
    Way,
)
from assent.protocol.session import Session
from assent.surfaces.base import Audience, Notice
from assent.surfaces.telegram import card as cards
from tests.component.surfaces.conformance import now, until
from tests.component.surfaces.telegram_chat import ADA, BOB, EVE, Chat, chatting
from tests.services.inbox import FakeInbox
from tests.services.telegram import BOT, Message, Telegram
from tests.waiting import HANG

LINK = "https://nuc.example.ts.net"
CHANGE = (Way("deny"), Way("deny_and_stop"), Way("allow"), Way("hand_back"))


@pytest.fixture(scope="module")
def running() -> Iterator[Telegram]:
    with Telegram(ADA, BOB) as service:
        yield service


@pytest.fixture
def service(running: Telegram) -> Telegram:
    """One server for all, with empty chats."""
    running.messages.clear()
    running.refusals.clear()
    running.on_message = None
    return running


@pytest.fixture
async def chat(service: Telegram) -> AsyncIterator[Chat]:
    async with chatting(service) as made:
        yield made
    # A poll ends the pending one that a test before left behind.
    assert [why for why in service.refusals if "getUpdates" not in why] == []


def change(name: str = "kptwm", **fields: Any) -> ShownAsk:
    return now(name, **{"risk": "change", "choices": CHANGE, **fields})


def question(*questions: QuestionView, needs: Any = "press") -> ShownAsk:
    ways = (Way("deny"), Way("answer", needs), Way("hand_back"))
    return now(kind="question", risk="look", view=View("Answer a question", questions=questions), choices=ways)


DATABASE = QuestionView("Which database?", options=(OptionView("Postgres", "The one we know"), OptionView("SQLite")))
PARTS = QuestionView(
    "Which parts?", options=(OptionView("Login"), OptionView("Search"), OptionView("Cart")), multi=True
)


@pytest.mark.anyio
async def test_card_says_what_who_why_and_until_when(service: Telegram) -> None:
    """In the order in which every screen says it, with the answers below."""
    async with chatting(service, link=LINK) as chat:
        card = await chat.shows(now(risk="danger", choices=(Way("deny"), Way("hand_back"))))
    head, who, why, thing, where, elsewhere, last = card.text.splitlines()
    assert head == "■ DANGER · Delete untracked files"
    assert who == "[WB] webshop · Fix flaky login · main agent"
    assert thing == "git clean -fdx"
    assert why.startswith("Why: Removes 214 files")
    assert where == "In /src/webshop"
    assert elsewhere.startswith("Yes is said on the page")
    assert last.startswith("id kptwm · until ")
    assert card.labels == ["Deny", "Deny and tell…", "Open to review"]
    assert card.button("Open") == {"text": "Open to review", "url": f"{LINK}/a/kptwm"}


@pytest.mark.anyio
async def test_card_tells_steps_before_the_thing_and_what_led_to_it_after(chat: Chat) -> None:
    """And a masked one neither: it names the project alone."""
    writes = (StepView("care", f"Write {n}") for n in range(5))
    steps = (StepView("danger", "Restart app", where=("web1", "web2")), *writes)
    view = replace(now().view, steps=steps)
    ask = now(risk="danger", view=view, says="Roll out", words="Tests pass, so I roll it out.", asked="Release 2.4")
    lines = (await chat.shows(ask)).text.splitlines()
    assert lines[3:6] == ["Would do: 6 things, 1 dangerous", "■ Restart app web1 web2", "▲ Write 0"]
    assert lines[9:11] == ["1 more", "git clean -fdx"]
    said = ["You asked: Release 2.4", "Agent says: Tests pass, so I roll it out.", "Roll out"]
    assert lines[11:14] == said
    masked = cards.card(ask, Audience("masked"), now=0).text
    assert not any(text in masked for text in ("Release", "Tests pass", "Roll out", "Restart"))


@pytest.mark.anyio
async def test_one_press_answers_what_is_not_dangerous(chat: Chat) -> None:
    """Bound to revision and hash of what was shown."""
    ask = change()
    card = await chat.shows(ask)
    assert card.labels == ["Deny", "Deny and tell…", "Allow once"]
    assert await chat.tap(card, "Allow once") == "Allowed"
    ((who, name, answer),) = chat.inbox.answers
    assert (who, name, answer.choice, answer.rev, answer.hash) == (str(ADA), "kptwm", "allow", ask.rev, ask.hash)


@pytest.mark.anyio
async def test_care_takes_two_presses_in_two_places(chat: Chat) -> None:
    """The first one only asks; the question goes when it is over."""
    card = await chat.shows(now())
    assert card.labels == ["Deny", "Deny and tell…", "Allow…"]
    assert await chat.tap(card, "Allow…") == ""
    await until(lambda: chat.newest is not card, "the second question")
    sure = chat.newest
    assert (sure.labels, chat.inbox.answers) == (["Yes, kptwm", "No"], [])
    assert await chat.tap(sure, "Yes, kptwm") == "Allowed"
    await until(lambda: chat.newest is card, "that the question is gone")
    assert [answer.choice for _, _, answer in chat.inbox.answers] == ["allow"]


@pytest.mark.anyio
async def test_no_at_the_second_question_denies(chat: Chat) -> None:
    """A no to “Allow this?” is a deny."""
    card = await chat.shows(now())
    await chat.tap(card, "Allow…")
    await until(lambda: chat.newest is not card, "the second question")
    assert await chat.tap(chat.newest, "No") == "Denied"


@pytest.mark.anyio
async def test_yes_in_reply_to_the_second_question_is_the_second_step(chat: Chat) -> None:
    """In words, and in another place than the first."""
    card = await chat.shows(now())
    assert (await chat.say("yes", card)).startswith("Allow this?")
    assert await chat.say("yes", chat.newest) == "Allowed."


@pytest.mark.anyio
async def test_tap_that_is_too_old_to_be_answered_counts(chat: Chat) -> None:
    """Telegram forgets a tap after a while; the person does not."""
    card = await chat.shows(now())
    tap = chat.service.tap(ADA, card, "Allow…")
    chat.service.toasts[tap] = "expired"
    await until(lambda: chat.newest is not card, "the second question")
    assert chat.newest.labels == ["Yes, kptwm", "No"]
    chat.service.refusals.clear()


@pytest.mark.anyio
async def test_two_presses_one_wins_and_the_other_is_told(service: Telegram) -> None:
    """Two people, fifty milliseconds apart or less."""
    async with chatting(service, (ADA, BOB)) as chat:
        mine = await chat.shows(change())
        theirs = service.in_chat(BOB)[-1]
        taps = [service.tap(ADA, mine, "Allow"), service.tap(BOB, theirs, "Deny")]
        await until(lambda: all(service.toasts[tap] for tap in taps), "both answers")
        told = sorted(str(service.toasts[tap]) for tap in taps)
        assert told[0] in ("Allowed", "Denied")
        assert told[1] == "Too late: Allowed on iPhone, 09:41:07."
        assert len(chat.inbox.answers) == 2


@pytest.mark.anyio
async def test_press_before_the_message_is_known_to_be_sent_counts(chat: Chat) -> None:
    """The phone is sometimes faster than the answer to the call."""

    def press(message: Message) -> None:
        chat.service.tap(ADA, message, "Deny")

    chat.service.on_message = press
    async with asyncio.timeout(HANG):
        await chat.shows(change())
    await until(lambda: chat.inbox.answers, "the answer")


@pytest.mark.anyio
async def test_buttons_of_an_earlier_life_still_work(service: Telegram) -> None:
    """They carry all that is needed to know them again."""
    inbox = FakeInbox()
    async with chatting(service, inbox=inbox) as chat:
        card = await chat.shows(change())
    async with chatting(service, inbox=inbox) as chat:
        assert await chat.tap(card, "Allow once") == "Allowed"


@pytest.mark.anyio
@pytest.mark.parametrize("what", ["revision", "hash", "chat", "forged", "nonsense"])
async def test_button_means_one_revision_in_one_chat(service: Telegram, what: str) -> None:
    """Anything else is refused by us, before the hub is asked."""
    async with chatting(service, (ADA, BOB)) as chat:
        ask = change()
        card = await chat.shows(ask)
        data = str((card.button("Allow") or {})["callback_data"])
        user = ADA
        if what == "revision":
            chat.inbox.add(replace(ask, rev=2))
        elif what == "hash":
            chat.inbox.add(replace(ask, hash="7" * 64))
        elif what == "chat":
            user, card = BOB, service.in_chat(BOB)[-1]
        elif what == "forged":
            data = data[:-1] + ("A" if data[-1] != "A" else "B")
        else:
            data = "a:kptwm"
        tap = service.press(user, card, data)
        await until(lambda: service.toasts[tap], "the refusal")
        assert chat.inbox.answers == []
        assert str(service.toasts[tap]).startswith("This button is none" if what == "nonsense" else "It has changed")


@pytest.mark.anyio
async def test_strangers_are_recorded_and_told_nothing(chat: Chat) -> None:
    """Whatever they do, and from wherever the message with the button came to them."""
    card = await chat.shows(change())
    tap = chat.service.tap(EVE, replace_chat(card, EVE), "Allow")
    chat.service.say(EVE, "yes kptwm")
    await until(lambda: len(chat.inbox.strangers) == 2, "both on record")
    assert chat.inbox.strangers == [(str(EVE), "pressed a button"), (str(EVE), "wrote a message")]
    assert (chat.service.toasts[tap], chat.service.in_chat(EVE), chat.inbox.answers) == (None, [], [])


def replace_chat(message: Message, chat: int) -> Message:
    return Message(message.id, chat, message.text, message.buttons, True)


@pytest.mark.anyio
async def test_groups_forwards_bots_and_changed_messages_are_refused(chat: Chat) -> None:
    """Also from the right person: only what they write themselves, to the bot alone, counts."""
    service, card = chat.service, await chat.shows(change())
    tap = service.tap(ADA, card, "Deny", kind="group")
    service.say(ADA, "no kptwm", kind="supergroup")
    service.say(ADA, "no kptwm", forward_origin={"type": "user"})
    service.say(ADA, "no kptwm", via_bot=BOT)
    service.push({"edited_message": {"message_id": 5, "text": "no kptwm", "from": {"id": ADA}, "chat": {"id": ADA}}})
    service.push({"channel_post": {"message_id": 6, "chat": {"id": -100, "type": "channel"}, "text": "no kptwm"}})
    await until(lambda: len(chat.inbox.strangers) == 4, "all on record")
    await chat.say("/help")
    assert (service.toasts[tap], chat.inbox.answers) == (None, [])


@pytest.mark.anyio
async def test_nonsense_from_the_service_stops_nothing(chat: Chat) -> None:
    """An unreadable update is left alone, and the next one is taken."""
    nonsense: list[dict[str, Any]] = [{"message": 5}, {"callback_query": {"id": 1}}, {"poll": {}}, {}]
    for update in nonsense:
        chat.service.push(update)
    assert (await chat.say("/asks")) == "Nothing waits for you."


@pytest.mark.anyio
@pytest.mark.parametrize("way", ["reply", "button", "typed"])
async def test_deny_and_tell(chat: Chat, way: str) -> None:
    """By a reply to the card, by the words a button asks for, or typed with the name of the ask."""
    card = await chat.shows(now(risk="danger"))
    if way == "button":
        await chat.tap(card, "Deny and tell…")
        await until(lambda: chat.newest.forces_reply, "a place for words")
        asked = chat.newest
        assert (await chat.say("/asks", asked)).startswith("1 ask waits for you.\n")
        told = await chat.say("use stash", asked)
    else:
        told = await (chat.say("use stash", card) if way == "reply" else chat.say("No kptwm use stash"))
    ((_, name, answer),) = chat.inbox.answers
    assert (name, answer.choice, answer.message, told) == ("kptwm", "deny", "use stash", "Denied, and told.")


@pytest.mark.anyio
async def test_words_without_a_reply_go_where_words_were_asked_for(chat: Chat) -> None:
    """If that is one place; where it could be two, nothing is guessed."""
    first, second = await chat.shows(change()), await chat.shows(change("other"))
    await chat.tap(first, "Deny and tell…")
    await until(lambda: chat.newest.forces_reply, "a place for words")
    await chat.tap(second, "Deny and tell…")
    await until(lambda: len([one for one in chat.service.in_chat(ADA) if one.forces_reply]) == 2, "another one")
    assert (await chat.say("use stash")).startswith("Reply to a message")
    assert chat.inbox.answers == []
    await chat.say("use stash", chat.service.in_chat(ADA)[2])
    await chat.say("and this one later")
    assert [(name, answer.message) for _, name, answer in chat.inbox.answers] == [
        ("kptwm", "use stash"),
        ("other", "and this one later"),
    ]


@pytest.mark.anyio
async def test_typed_yes_counts_only_where_a_button_would(chat: Chat) -> None:
    """Shown in full in this chat, and not Danger; Care asks once more."""
    chat.inbox.add(change())
    assert "nothing was allowed" in await chat.say("yes kptwm")
    await chat.shows(change())
    assert await chat.say("yes kptwm") == "Allowed."
    await chat.shows(now("dangr", risk="danger", choices=(Way("deny"),)))
    assert "on the page" in await chat.say("yes dangr")
    await chat.shows(now("carex"))
    assert (await chat.say("yes carex")).startswith("Allow this?")
    assert chat.newest.labels == ["Yes, carex", "No"]
    assert await chat.say("yes nobdy") == "Nothing is called nobdy."
    assert [name for _, name, _ in chat.inbox.answers] == ["kptwm"]


@pytest.mark.anyio
async def test_reply_that_agrees_is_not_taken_for_a_no(chat: Chat) -> None:
    """It does what the button would do, and nothing where there is none."""
    assert await chat.say("ok", await chat.shows(change())) == "Allowed."
    assert "on the page" in await chat.say("Yes", await chat.shows(now("dangr", choices=(Way("deny"),))))
    assert await chat.say("no", await chat.shows(change("other"))) == "Denied."
    assert [(name, answer.choice, answer.message) for _, name, answer in chat.inbox.answers] == [
        ("kptwm", "allow", ""),
        ("other", "deny", ""),
    ]


@pytest.mark.anyio
async def test_one_question_is_answered_with_one_press(chat: Chat) -> None:
    """Options stand in full in the card, and short on the buttons."""
    card = await chat.shows(question(DATABASE))
    assert "1. Postgres\n    The one we know" in card.text
    assert card.labels == ["1 · Postgres", "2 · SQLite", "Other…", "Deny", "Deny and tell…"]
    assert await chat.tap(card, "2") == "Answered"
    assert chat.inbox.answers[0][2].answers == {"Which database?": "SQLite"}


@pytest.mark.anyio
@pytest.mark.parametrize(("words", "answer"), [("DuckDB", "DuckDB"), ("2", "SQLite")])
async def test_question_is_answered_by_a_reply(chat: Chat, words: str, answer: str) -> None:
    """In words of one's own, or by the number of an option."""
    assert await chat.say(words, await chat.shows(question(DATABASE))) == "Answered"
    assert chat.inbox.answers[0][2].answers == {"Which database?": answer}


@pytest.mark.anyio
async def test_several_questions_come_one_after_the_other(chat: Chat) -> None:
    """Picked, ticked and in words; nothing is sent before a last look."""
    words = QuestionView("What is it called?")
    card = await chat.shows(question(DATABASE, PARTS, words))
    await chat.tap(card, "1 ")
    await until(lambda: "2 of 3 · pick any number" in card.text, "the second question")
    assert await chat.tap(card, "Done") == "Pick at least one, or answer in your own words."
    await chat.tap(card, "☐ 1")
    await chat.tap(card, "☐ 3")
    await until(lambda: card.button("✓ 3"), "the ticks")
    await chat.tap(card, "Done")
    await until(lambda: "3 of 3" in card.text, "the third question")
    chat.service.say(ADA, "Shop", reply_to=card)
    await until(lambda: card.button("Send"), "the last look")
    assert "1: Postgres\n2: Login, Cart\n3: Shop\nNothing is sent yet." in card.text
    assert chat.inbox.answers == []
    assert await chat.tap(card, "Send") == "Answered"
    assert list(chat.inbox.answers[0][2].answers.values()) == ["Postgres", "Login, Cart", "Shop"]


@pytest.mark.anyio
async def test_questions_begin_again_when_picks_were_forgotten(service: Telegram) -> None:
    """Another life of the hub asks from the first one, and sends nothing half."""
    inbox = FakeInbox()
    async with chatting(service, inbox=inbox) as chat:
        card = await chat.shows(question(DATABASE, PARTS))
        await chat.tap(card, "1 ")
        await until(lambda: "2 of 2" in card.text, "the second question")
    async with chatting(service, inbox=inbox) as chat:
        assert "Begin again" in await chat.tap(card, "☐ 1")
        await until(lambda: "1 of 2" in card.text, "the first question")
    assert inbox.answers == []


@pytest.mark.anyio
async def test_answer_that_needs_care_is_confirmed(chat: Chat) -> None:
    """With what would be sent."""
    card = await chat.shows(question(DATABASE, needs="confirm"))
    await chat.tap(card, "1 ")
    await until(lambda: chat.newest is not card, "the second question")
    assert "1: Postgres" in chat.newest.text
    assert await chat.tap(chat.newest, "Yes") == "Answered"


@pytest.mark.anyio
async def test_plan_is_summarised_and_takes_notes(service: Telegram) -> None:
    """It is approved on the page; what should change can be said here."""
    plan = now(
        kind="plan",
        risk="look",
        view=View("Approve a plan", markdown="# Move login\n\n" + "A step.\n" * 900),
        choices=(Way("revise"), Way("hand_back")),
    )
    async with chatting(service, link=LINK) as chat:
        card = await chat.shows(plan)
        assert card.labels == ["Send notes…", "Open to review"]
        assert "more characters: open it to read all of it." in card.text
        file = service.in_chat(ADA)[-2].file
        assert file is not None
        assert (file[0], file[1].count("A step.")) == ("kptwm.txt", 900)
        assert await chat.say("Without the cache", card) == "Sent back with notes."
        ((_, _, answer),) = chat.inbox.answers
        assert (answer.choice, answer.message) == ("revise", "Without the cache")


@pytest.mark.anyio
async def test_form_is_summarised_and_can_be_declined(service: Telegram) -> None:
    """It is filled in on the page."""
    form = FormView("github", "Who are you?", fields=(FieldView("user", "text", required=True),))
    ask = now(kind="form", risk="look", view=View("Fill in a form", form=form), choices=(Way("decline"), Way("cancel")))
    async with chatting(service, link=LINK) as chat:
        card = await chat.shows(ask)
        assert "Who are you?\n• user (needed)" in card.text
        assert card.labels == ["Decline", "Open to review"]
        assert "on the page" in await chat.say("Ada", card)
        assert await chat.tap(card, "Decline") == "Declined"


@pytest.mark.anyio
async def test_finished_turn_is_kept_going_by_a_reply(chat: Chat) -> None:
    """While it is held it goes on at once; after that the words wait for its next stop."""
    stop = now(
        kind="stop",
        risk="",
        view=View("Finished", stop=StopView("All pass.")),
        choices=(Way("let_stop"), Way("keep_going")),
    )
    card = await chat.shows(stop)
    assert card.labels == ["Let it stop", "Keep going…"]
    assert await chat.say("now the docs", card) == "Kept going."
    assert chat.inbox.answers[0][2].message == "now the docs"
    await chat.surface.withdraw(chat.ref, "Kept going")
    assert await chat.say("and the changelog", card) == "Queued: it is told when it next stops."
    assert chat.inbox.queued == [("s1", "and the changelog")]


@pytest.mark.anyio
async def test_turn_that_ended_is_told_and_takes_the_next_instruction(chat: Chat) -> None:
    """By a reply, by the words a button asks for, also when the session has gone on meanwhile."""
    session = "4f1c2d3e-0000-4000-8000-000000000001"
    ended = Notice(session, "finished", 1, "/src/webshop", "Fix <login>", "All pass. /quiet " + "x" * 9_000)
    ref = await chat.surface.notify(ended, Audience())
    told = chat.newest
    assert told.text.startswith("◇ TURN ENDED\n[WB] webshop · Fix <login>\nAll pass.")
    assert (ref.key, told.labels) == (ended.key, ["What next…"])
    assert (await chat.say("now the docs", told)).startswith("Queued")
    await chat.surface.withdraw(ref, "It went on")
    await chat.tap(told, "What next")
    await until(lambda: chat.newest.forces_reply, "a place for words")
    await chat.say("and the changelog", chat.newest)
    assert chat.inbox.queued == [(session, "now the docs"), (session, "and the changelog")]


@pytest.mark.anyio
async def test_long_text_stands_in_further_messages_before_the_buttons(chat: Chat) -> None:
    """All of it is in the chat, so it can be allowed."""
    command = "\n".join(f"echo 'line {number} <b>&'" for number in range(300))
    card = await chat.shows(change(view=View("Run a script", segments=(Segment(command),))))
    *parts, last = chat.service.in_chat(ADA)
    shown = "".join(part.text.partition("\n")[2] for part in parts)
    assert (last, len(parts), shown.replace("\n", "")) == (card, 3, command.replace("\n", ""))
    assert "Allow once" in card.labels
    chat.inbox.add(replace(chat.inbox.known["kptwm"], state="doubtful"))
    await chat.surface.update(chat.ref, chat.inbox.known["kptwm"], Audience())
    assert "Allow once" in card.labels
    assert "Looks answered at the terminal" in card.text
    newer = replace(chat.inbox.known["kptwm"], rev=2)
    chat.inbox.add(newer)
    await chat.surface.update(chat.ref, newer, Audience())
    assert "Allow once" not in card.labels


@pytest.mark.anyio
@pytest.mark.parametrize("what", ["long", "shortened", "masked"])
async def test_what_is_cut_or_masked_cannot_be_allowed(service: Telegram, what: str) -> None:
    """A file beside it is not the message; neither is a change that was shortened before it came here."""
    text = "x" * 20_000 if what == "long" else "git clean"
    diffs = (FileDiff("a.py", 5_000, 0, (Hunk(1, 1, ("+a",)),)),) if what == "shortened" else ()
    async with chatting(service, is_masked=what == "masked") as chat:
        card = await chat.shows(change(view=View("Run", segments=(Segment(text),), diffs=diffs)))
        assert card.labels == ["Deny", "Deny and tell…"]
        assert ("git clean" in card.text) == (what == "shortened")
        assert ("Not all of it fits" in card.text) == (what != "masked")
        assert "nothing was allowed" in await chat.say("yes kptwm")


@pytest.mark.anyio
async def test_message_follows_what_becomes_of_it(chat: Chat) -> None:
    """Answered elsewhere, then ran: the same message, without buttons."""
    card = await chat.shows(change())
    await chat.tap(card, "Allow")
    await chat.surface.withdraw(chat.ref, "Allowed once (Telegram)")
    assert card.buttons == []
    assert "Allowed on Telegram" in card.text
    answered = chat.inbox.known["kptwm"]
    chat.inbox.add(replace(answered, state="closed", result=Result("ran", at=answered.opened_at + 5_000)))
    await until(lambda: "ran" in card.text.splitlines()[-2], "that it ran")
    assert card.text.splitlines()[-1] == "id kptwm"


@pytest.mark.anyio
async def test_commands(chat: Chat) -> None:
    """What waits, who works, what comes next, and quiet."""
    chat.inbox.running = [Session("4f1c2d3e-1", project="/src/webshop", title="Fix login", state="idle", last=1)]
    assert "webshop · Fix login · your turn" in await chat.say("/sessions")
    assert "Which session" in await chat.say("/queue")
    assert "No session is called" in await chat.say("/queue shop run")
    assert (await chat.say("/queue webshop run the tests")).startswith("Queued")
    assert chat.inbox.queued == [("4f1c2d3e-1", "run the tests")]
    assert await chat.say("") == "Only text is understood here."
    assert await chat.say("/quiet 2h") == "Quiet."
    assert "is no time" in await chat.say("/quiet <b>soon</b>")
    assert await chat.say("/quiet") == "Quiet for how long?"
    assert await chat.tap(chat.newest, "Until morning") == "Quiet."
    assert chat.inbox.quiets == [7_200.0, "morning"]
    assert "/sessions" in await chat.say("/help@my_agents_bot")
    assert [each["command"] for each in chat.service.commands] == ["asks", "sessions", "queue", "quiet", "help"]


@pytest.mark.anyio
async def test_asks_are_listed_and_shown_again(chat: Chat) -> None:
    """Also what no step of the ladder brought here; it goes when it is over."""
    chat.inbox.add(change(), change("other"))
    said, *asks = (await chat.say("/asks")).split("\n\n")
    assert said == "2 asks wait for you."
    assert [each.splitlines()[:2] for each in asks] == [["◐ Delete untracked files", "git clean -fdx"]] * 2
    assert asks[0].splitlines()[2].startswith("webshop · ")
    assert asks[0].endswith("10 min left")
    listed = chat.newest
    await chat.tap(listed, "other")
    await until(lambda: chat.newest is not listed, "the card")
    card = chat.newest
    assert await chat.tap(card, "Deny") == "Denied"
    await until(lambda: not card.buttons, "that it is over")
    assert "Denied on Telegram" in card.text
    assert "Too late" in await chat.tap(listed, "other")


@pytest.mark.anyio
async def test_reminder_leaves_both_messages_to_be_closed(chat: Chat) -> None:
    """The second one has a name of its own."""
    first = await chat.shows(change())
    before = chat.ref
    second = await chat.shows(change(), Audience(is_reminder=True))
    assert second.text.startswith("Still waiting for you.")
    assert before.key != chat.ref.key
    for ref in (before, chat.ref):
        await chat.surface.withdraw(ref, "Denied (iPhone)")
    assert (first.buttons, second.buttons) == ([], [])


@pytest.mark.anyio
async def test_person_who_blocked_the_bot_does_not_block_others(service: Telegram) -> None:
    """The others are told as ever."""
    service.blocked.add(BOB)
    try:
        async with chatting(service, (ADA, BOB)) as chat:
            assert (await chat.shows(change())).labels
            assert len(chat.ref.more) == 1
    finally:
        service.blocked.clear()
