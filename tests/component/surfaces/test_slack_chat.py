"""What people see and do in Slack, over a real WebSocket."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from msgspec.structs import replace

from assent.protocol.card import OptionView, QuestionView, Result, ShownAsk, StepView, StopView, View, Way
from assent.surfaces import binding
from assent.surfaces.base import Audience, FailedError, GoneError, Notice
from tests.component.surfaces.conformance import now, until
from tests.component.surfaces.slack_chat import ADA, BOB, EVE, Chat, chatting
from tests.services.slack import APP, Message, Mood, Slack

PRESS = (Way("deny"), Way("allow"), Way("hand_back"))
COLOURS = QuestionView("Which colour?", "Colour", (OptionView("Red"), OptionView("Blue <&> green")))
SIZES = QuestionView("Which sizes?", "Sizes", (OptionView("S"), OptionView("M"), OptionView("L")), multi=True)


@pytest.fixture(scope="module")
def running() -> Iterator[Slack]:
    with Slack(ADA, BOB, EVE) as service:
        yield service


@pytest.fixture
def service(running: Slack) -> Slack:
    """One for all, with nothing in it."""
    running.messages.clear()
    running.views.clear()
    running.others = 0
    binding.forgotten(APP)
    return running


@pytest.fixture
async def chat(service: Slack) -> AsyncIterator[Chat]:
    async with chatting(service) as made:
        yield made


def question(*questions: QuestionView, risk: str = "look") -> ShownAsk:
    view = View("Asks you", questions=questions)
    return now(kind="question", view=view, risk=risk, choices=(Way("deny"), Way("answer"), Way("hand_back")))


def stopped() -> ShownAsk:
    view = View("Ended its turn", stop=StopView("All tests pass."))
    return now(kind="stop", view=view, risk="look", choices=(Way("let_stop"), Way("keep_going")))


@pytest.mark.anyio
async def test_a_card_says_all_in_the_order_in_which_it_is_read(chat: Chat) -> None:
    """What, who, why, the thing itself; below it no comes first and yes stands apart."""
    card = await chat.shows(now(risk="look", choices=PRESS))
    lines = card.text.splitlines()
    assert lines[0] == "○ LOOK · Delete untracked files"
    assert lines[1] == "[WB] webshop · Fix flaky login · main agent"
    assert lines[2] == "Why: Removes 214 files git does not track."
    assert lines[3] == "git clean -fdx"
    assert lines[-1].startswith("id kptwm · until ")
    assert card.labels == ["Deny", "Deny and tell…", "Allow once"]
    rows = [block["elements"] for block in card.body["blocks"] if block["type"] == "actions"]
    assert [len(row) for row in rows] == [2, 1]
    assert "git clean -fdx" in card.body["text"]
    assert card.body["mrkdwn"] is False


@pytest.mark.anyio
async def test_a_card_tells_steps_before_the_thing_and_what_led_to_it_after(chat: Chat) -> None:
    """What is worst first, five at most."""
    steps = (StepView("danger", "Restart app", where=("web1", "web2")), StepView("care", "Write a"))
    ask = now(view=replace(now().view, steps=steps), says="Roll out", words="Tests pass.", asked="Release 2.4")
    lines = (await chat.shows(ask)).text.splitlines()
    assert lines[3:6] == ["Would do: 2 things, 1 dangerous", "■ Restart app web1 web2", "▲ Write a"]
    assert lines[6:10] == ["git clean -fdx", "You asked: Release 2.4", "Agent says: Tests pass.", "Roll out"]


@pytest.mark.anyio
async def test_one_press_allows_what_is_harmless_enough(chat: Chat) -> None:
    """Bound to what was shown, in the name of the user who pressed, and confirmed at once."""
    ask = now(risk="look", choices=PRESS)
    card = await chat.shows(ask)
    await chat.press(card, "Allow once")
    await chat.answered()
    sender, name, answer = chat.inbox.answers[0]
    assert (sender, name, answer.choice, answer.rev, answer.hash) == (ADA, "kptwm", "allow", ask.rev, ask.hash)


@pytest.mark.anyio
async def test_care_takes_two_steps(chat: Chat) -> None:
    """A window shows it once more; only what is sent from there counts."""
    card = await chat.shows(now())
    window = await chat.opens(card, "Allow…")
    assert chat.inbox.answers == []
    assert "git clean -fdx" in window.text
    assert window.view["title"]["text"] == "Allow kptwm?"
    await chat.send(window)
    await chat.answered()
    assert chat.inbox.answers[0][2].choice == "allow"


@pytest.mark.anyio
async def test_deny_and_tell(chat: Chat) -> None:
    """The words come from a window, and a second telling of the same window changes nothing."""
    card = await chat.shows(now())
    window = await chat.opens(card, "Deny and tell…")
    await chat.send(window, tell="use git stash & <that>")
    await chat.send(window, tell="use git stash & <that>")
    await chat.answered()
    assert [(answer.choice, answer.message) for _, _, answer in chat.inbox.answers] == [
        ("deny", "use git stash & <that>")
    ]


@pytest.mark.anyio
async def test_questions_are_answered_in_a_window(chat: Chat) -> None:
    """One of several, any of several, own words; a question without an answer is asked for on the spot."""
    card = await chat.shows(question(COLOURS, SIZES))
    assert "1 of 2 · Colour" in card.text
    assert "2. Blue <&> green" in card.text
    window = await chat.opens(card, "Answer…")
    assert "2 · Blue <&> green" in window.text
    lacking = await chat.send(window, pick0="2 ·")
    assert lacking["response_action"] == "errors"
    assert list(lacking["errors"]) == ["own1"]
    assert chat.inbox.answers == []
    await chat.send(window, pick0="2 ·", pick1=["1 ·", "3 ·"], own1="and XL")
    await chat.answered()
    assert chat.inbox.answers[0][2].answers == {"Which colour?": "Blue <&> green", "Which sizes?": "S, L, and XL"}


@pytest.mark.anyio
async def test_many_options_become_a_list(chat: Chat) -> None:
    """Slack shows ten beneath each other and no more."""
    many = QuestionView("Which?", "", tuple(OptionView(f"Option {n}") for n in range(30)))
    window = await chat.opens(await chat.shows(question(many)), "Answer…")
    block = window.input("pick0")
    assert block is not None
    assert block["element"]["type"] == "static_select"
    await chat.send(window, pick0="30 ·")
    await chat.answered()
    assert chat.inbox.answers[0][2].answers == {"Which?": "Option 29"}


@pytest.mark.anyio
async def test_a_plan_is_a_summary_with_a_link_and_takes_notes(service: Slack) -> None:
    """Yes to it is said where all of it is shown."""
    ask = now(kind="plan", view=View("Plan", markdown="# Plan\n" + "step\n" * 1_900), choices=(Way("revise"),))
    async with chatting(service, link="https://hub.example.com") as chat:
        card = await chat.shows(ask)
        assert "more characters: open it to read all of it." in card.text
        assert "It is approved on the page" in card.text
        assert card.labels == ["Send notes…", "Open to review"]
        opening = card.button("Open")
        assert opening is not None
        assert opening["url"] == "https://hub.example.com/a/kptwm"
        window = await chat.opens(card, "Send notes")
        await chat.send(window, tell="smaller steps")
        await chat.answered()
        assert (chat.inbox.answers[0][2].choice, chat.inbox.answers[0][2].message) == ("revise", "smaller steps")
        # A button that opens an address tells of it, too.
        await chat.confirmed(service.press_value(ADA, card, opening))
        assert len(chat.inbox.answers) == 1


@pytest.mark.anyio
async def test_a_finished_turn_is_kept_going_or_told_what_comes_next(chat: Chat) -> None:
    """While it waits the words keep it going; afterwards they are queued, each window once."""
    ask = stopped()
    card = await chat.shows(ask)
    assert card.labels == ["Let it stop", "Keep going…"]
    await chat.send(await chat.opens(card, "Keep going"), tell="now the docs")
    await chat.answered()
    assert (chat.inbox.answers[0][2].choice, chat.inbox.answers[0][2].message) == ("keep_going", "now the docs")
    chat.inbox.add(replace(ask, state="closed", result=Result("expired"), choices=()))
    await chat.surface.withdraw(chat.ref, "Expired")
    assert card.labels == ["Tell it what to do next…"]
    window = await chat.opens(card, "Tell it")
    await chat.send(window, tell="run the tests")
    await chat.send(window, tell="run the tests")
    await chat.told("Queued: it is told when it next stops.")
    assert chat.inbox.queued == [("s1", "run the tests")]


@pytest.mark.anyio
async def test_a_turn_that_ended_unseen_is_told_and_can_be_answered(chat: Chat) -> None:
    """Its last words in full letters, and a button that reaches the session."""
    notice = Notice("s1", "finished", 1, project="/src/webshop", title="Fix login", text="Done <b>&</b> tested.")
    ref = await chat.surface.notify(notice, Audience())
    assert ref.key == notice.key
    card = chat.newest
    assert card.text.splitlines()[:2] == ["◇ TURN ENDED", "[WB] webshop · Fix login"]
    assert "Done <b>&</b> tested." in card.text
    await chat.send(await chat.opens(card, "Tell it"), tell="ship it")
    await chat.told("Queued")
    await chat.surface.withdraw(ref, "went on")
    assert card.labels == ["Tell it what to do next…"]
    assert chat.inbox.queued == [("s1", "ship it")]


@pytest.mark.anyio
async def test_a_card_says_how_it_ended_and_what_became_of_it(chat: Chat) -> None:
    """The buttons go, the outcome comes, and later what the agent made of it."""
    ask = now(risk="look", choices=PRESS)
    card = await chat.shows(ask)
    await chat.press(card, "Allow once")
    await chat.answered()
    await chat.surface.withdraw(chat.ref, "Allowed once")
    assert card.labels == []
    assert "Allowed on Telegram" in card.text
    taken = chat.inbox.known["kptwm"]
    chat.inbox.add(replace(taken, state="closed", result=Result("ran", at=taken.opened_at)))
    await until(lambda: "ran" in card.text, "what became of it")


@pytest.mark.anyio
async def test_the_second_press_is_told_that_it_came_too_late(chat: Chat) -> None:
    """Two people press; one wins, and the other's card says who did."""
    card = await chat.shows(now(risk="look", choices=PRESS))
    await asyncio.gather(chat.press(card, "Allow once"), chat.press(card, "Deny"))
    await chat.answered(2)
    await until(lambda: not card.buttons, "that the buttons are gone")
    assert chat.inbox.known["kptwm"].answer is not None


@pytest.mark.anyio
async def test_a_press_on_what_has_changed_counts_for_nothing(chat: Chat) -> None:
    """The button knows its revision, also where the window was opened before the change."""
    ask = now()
    card = await chat.shows(ask)
    window = await chat.opens(card, "Allow…")
    chat.inbox.add(replace(ask, rev=2, hash="6" * 64))
    await chat.press(card, "Deny")
    await chat.told("It has changed since this was shown.")
    await chat.send(window)
    await until(lambda: len(chat.service.in_chat(ADA)) == 3, "a second word about it")
    assert chat.inbox.answers == []


@pytest.mark.anyio
async def test_a_press_may_come_before_the_post_returned(service: Slack) -> None:
    """Nothing about a button is kept, so nothing of it can be missing."""

    def at_once(message: Message) -> None:
        if message.button("Allow once"):
            service.press(ADA, message, "Allow once")

    async with chatting(service) as chat:
        service.on_message = at_once
        try:
            await chat.shows(now(risk="look", choices=PRESS))
        finally:
            service.on_message = None
        await chat.answered()


@pytest.mark.anyio
async def test_a_restart_loses_no_button(service: Slack) -> None:
    """A card of an earlier life is answered in this one."""
    async with chatting(service) as before:
        card = await before.shows(now(risk="look", choices=PRESS))
    async with chatting(service, inbox=before.inbox) as chat:
        await chat.press(card, "Deny")
        await chat.answered()


@pytest.mark.anyio
async def test_strangers_get_nothing_and_are_on_record(chat: Chat) -> None:
    """Buttons, windows, words and channels of others: confirmed, written down, and not answered."""
    card = await chat.shows(now())
    window = await chat.opens(card, "Deny and tell…")
    await chat.press(card, "Deny", user=EVE)
    await chat.send(window, user=EVE, tell="hello")
    await chat.confirmed(chat.service.say(EVE, "hello"))
    await chat.confirmed(chat.service.say(ADA, "yes kptwm", channel="C0GENERAL", channel_type="channel"))
    await chat.confirmed(chat.service.press(ADA, card, "Deny", channel="C0GENERAL"))
    await until(lambda: len(chat.inbox.strangers) == 5, "five strangers")
    assert {who for who, _ in chat.inbox.strangers} == {EVE, ADA}
    assert chat.inbox.answers == []
    assert chat.service.in_chat(EVE) == []


@pytest.mark.anyio
async def test_a_press_in_another_chat_counts_for_nothing(service: Slack) -> None:
    """A button is bound to the chat it stands in, even where both people may answer."""
    async with chatting(service, (ADA, BOB)) as chat:
        card = await chat.shows(now(risk="look", choices=PRESS))
        await chat.confirmed(service.press(BOB, card, "Allow once", channel=service.channel(BOB)))
        await until(lambda: len(service.in_chat(BOB)) == 2, "a word about it")
        assert chat.inbox.answers == []


@pytest.mark.anyio
async def test_no_connected_user_means_closed(service: Slack) -> None:
    """An empty list lets no user in, and nothing is sent."""
    async with chatting(service, ()) as chat:
        assert "assent connect slack" in chat.surface.trouble
        with pytest.raises(GoneError):
            await chat.surface.show(now(), Audience())
        await chat.confirmed(service.say(ADA, "yes kptwm"))
        await until(lambda: chat.inbox.strangers, "the stranger")


@pytest.mark.anyio
async def test_sender_of_the_code_is_connected(service: Slack) -> None:
    """Once, in direct messages, written down before it counts; a wrong code is on record."""
    async with chatting(service, ()) as chat:
        code = binding.begun(APP).code
        assert chat.surface.state_words == "Waiting for the code."
        await chat.confirmed(service.say(EVE, "٣٤٥ ٦٧٨"))
        await chat.confirmed(service.say(EVE, f"{(int(code) + 1) % 1_000_000:06}"))
        await until(lambda: (EVE, "sent a wrong code") in chat.inbox.strangers, "the wrong code")
        assert (await chat.say(code)).startswith("You are connected.")
        assert chat.kept == {"users": [ADA]}
        assert (chat.surface.binding, chat.surface.state_words) == ("bound", "Connected to 1 person.")
        assert chat.surface.trouble == ""
        await chat.confirmed(service.say(EVE, code))
        await until(lambda: (EVE, "wrote a message") in chat.inbox.strangers, "that the code is used up")
        assert chat.kept == {"users": [ADA]}


@pytest.mark.anyio
async def test_words_do_what_buttons_do(chat: Chat) -> None:
    """``no`` denies and tells, ``yes`` allows what one press would; Care wants its second step."""
    await chat.shows(now("kptwm"))
    await chat.shows(now("kptwa", risk="look", choices=PRESS))
    await chat.shows(now("kptwb"))
    assert "press Allow…" in await chat.say("yes kptwm")
    assert await chat.say("Yes kptwa") == "Allowed."
    assert await chat.say("no kptwb use stash") == "Denied."
    assert await chat.say("no zzzzz") == "Nothing is called zzzzz."
    answers = [(name, answer.choice, answer.message) for _, name, answer in chat.inbox.answers]
    assert answers == [("kptwa", "allow", ""), ("kptwb", "deny", "use stash")]
    assert "asks – shows what waits" in await chat.say("what now?")


@pytest.mark.anyio
async def test_a_typed_yes_is_for_what_stands_there_and_not_for_what_should(chat: Chat) -> None:
    """The change to a new revision did not get through: the chat shows the old one."""
    ask = now(risk="look", choices=PRESS)
    await chat.shows(ask)
    newer = replace(ask, rev=2, hash="f" * 64)
    chat.inbox.add(newer)
    chat.service.moods.append(Mood("internal_error"))
    with pytest.raises(FailedError):
        await chat.surface.update(chat.ref, newer, Audience())
    assert "nothing was allowed" in await chat.say("yes kptwm")
    assert chat.inbox.answers == []


@pytest.mark.anyio
async def test_a_flood_can_be_stopped_and_not_allowed(chat: Chat) -> None:
    """One message for many, of which none is answered by it but with a stop."""
    ask = now(risk="look", choices=(*PRESS, Way("deny_and_stop")))
    card = await chat.shows(ask, Audience(gist="Paused: 8 asks in 3 s"))
    assert "Paused: 8 asks in 3 s" in card.text
    assert card.labels == ["Deny and stop the turn"]
    assert "nothing was allowed" in await chat.say("yes kptwm")
    await chat.press(card, "Deny and stop the turn")
    await chat.answered()
    assert chat.inbox.answers[0][2].choice == "deny_and_stop"


@pytest.mark.anyio
async def test_what_waits_is_shown_again_on_request(chat: Chat) -> None:
    """The new message is looked after like the first."""
    chat.inbox.add(now())
    chat.service.say(ADA, "asks")
    await until(lambda: chat.service.cards(ADA), "the card")
    card = chat.service.cards(ADA)[0]
    await chat.press(card, "Deny")
    await until(lambda: not card.buttons, "how it ended")
    assert await chat.say("asks") == "Nothing waits for you."


@pytest.mark.anyio
async def test_what_is_masked_or_cut_permits_nothing(service: Slack) -> None:
    """Masked, nothing of the command is seen; cut, its ends are; both can be denied and opened."""
    ask = now(risk="look", choices=PRESS)
    async with chatting(service, is_masked=True) as chat:
        card = await chat.shows(ask)
        assert "git clean" not in str(card.body)
        assert card.labels == ["Deny", "Deny and tell…"]
    long = replace(ask.view.segments[0], text="echo " + "x" * 9_000)
    async with chatting(service) as chat:
        card = await chat.shows(replace(ask, view=replace(ask.view, segments=(long,))))
        assert "characters ⋯" in card.text
        assert "Not all of it fits in here" in card.text
        assert card.labels == ["Deny", "Deny and tell…"]


@pytest.mark.anyio
async def test_what_an_agent_wrote_is_neither_markup_nor_mention(chat: Chat) -> None:
    """It stands there letter by letter; where Slack knows escapes it is escaped."""
    hostile = "<!channel> *bold* `x` ```\n:smile: <https://evil.example|click> &lt; \u202e"
    ask = now(risk="look", choices=PRESS)
    card = await chat.shows(
        replace(ask, view=View(hostile, segments=(replace(ask.view.segments[0], text=hostile),)), says=hostile)
    )
    assert "<!channel> *bold* `x` ```\n:smile: <https://evil.example|click> &lt; ⟨U+202E⟩" in card.text
    assert "&lt;!channel&gt;" in card.body["text"]
    assert "section" not in {block["type"] for block in card.body["blocks"]}


@pytest.mark.anyio
async def test_a_window_that_comes_too_late_is_said(chat: Chat) -> None:
    """Slack opens windows within three seconds of a press, and no later."""
    card = await chat.shows(now())
    chat.service.trigger_life = 0.0
    try:
        await chat.press(card, "Deny and tell…")
        await chat.told("That took too long for Slack. Press once more.")
    finally:
        chat.service.trigger_life = 3.0


@pytest.mark.anyio
async def test_one_person_who_cannot_be_reached_does_not_disturb_the_others_twice(service: Slack) -> None:
    """A second try goes only to those that have nothing yet."""
    async with chatting(service, (ADA, BOB, "U0GONE")) as chat:
        service.moods.append(Mood("internal_error"))
        with pytest.raises(Exception, match="internal_error") as failed:
            await chat.surface.show(now(), Audience())
        assert len(failed.value.ref.more) == 1  # type: ignore[attr-defined]
        ref = await chat.surface.show(now(), Audience())
        assert len(ref.more) == 2
        assert (len(service.in_chat(ADA)), len(service.in_chat(BOB))) == (1, 1)


@pytest.mark.anyio
async def test_the_service_says_who_the_app_is(chat: Chat) -> None:
    """A probe sends no message."""
    assert await chat.surface.probe() == "This is @assent in Acme. The hub listens."
    assert chat.service.in_chat(ADA) == []
