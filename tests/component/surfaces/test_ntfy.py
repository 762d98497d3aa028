"""ntfy against a server that refuses what the real one refuses."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, OptionView, QuestionView, ShownAsk, View, Way
from assent.surfaces import button_payload
from assent.surfaces.base import Audience, FailedError, GoneError, Notice, RateLimitedError, Surface
from assent.surfaces.ntfy import KIND
from assent.surfaces.ntfy.server import Server as Spoken
from assent.surfaces.ntfy.surface import Ntfy
from assent.surfaces.registry import Tools
from tests.component.surfaces.conformance import Conformance, Stage, answered, now, until
from tests.services.inbox import FakeInbox
from tests.services.ntfy import TOKEN, RefusalError, Server

TOPIC = "agents-Zk4mQ9xT2p"
KEY = b"k" * 32
OWN = {"server": "https://ntfy.example.org", "own": True}
LINK = "https://desk.example.org/a/"


def surface(server: Server, inbox: FakeInbox, settings: dict[str, Any] | None = None, login: str = TOKEN) -> Ntfy:
    server.watched = TOPIC
    tools = Tools(inbox, KEY, lambda name: f"{LINK}{name}", address=server.address)
    made = KIND.made(OWN if settings is None else settings, {"topic": TOPIC, "login": login}, tools)
    made.first_pause = 0.01
    return made


@dataclass
class NtfyStage:
    """One phone, on which a message counts as long as it has something to press."""

    server: Server
    surface: Surface
    settings: dict[str, Any]
    login: str

    def seen(self) -> dict[str, str]:
        return {_about(one): f"{one['title']} {one['message']}" for one in self._cards()}

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        for one in self._cards():
            for action in one["actions"]:
                press = button_payload.read(KEY, action.get("body", ""))
                if _about(one) == about and press is not None and press.choice == choice:
                    return AnswerRequest(rev=press.rev, hash=press.hash, choice=choice)
        return None

    def _cards(self) -> list[dict[str, Any]]:
        return [one for one in self.server.shown(TOPIC) if one.get("actions")]

    def tries(self) -> int:
        return self.server.published

    def limit(self, seconds: int) -> None:
        self.server.moods.append(RefusalError(429, headers={"Retry-After": str(seconds)}))

    def fail(self, times: int) -> None:
        self.server.moods += [RefusalError(500)] * times

    def lose(self) -> None:
        self.server.moods.append(RefusalError(403))

    def hang(self) -> None:
        self.server.hangs = True

    def reborn(self) -> Surface:
        return surface(self.server, FakeInbox(), self.settings, self.login)


def _about(message: dict[str, Any]) -> str:
    return str(message["click"]).removeprefix(LINK)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(is_closed=True) as running:
        yield running


@pytest.fixture
def public() -> Iterator[Server]:
    with Server() as running:
        yield running


class TestOwnServer(Conformance):
    @pytest.fixture
    def stage(self, server: Server) -> Stage:
        return NtfyStage(server, surface(server, FakeInbox()), OWN, TOKEN)


@asynccontextmanager
async def listening(made: Ntfy, server: Server) -> AsyncIterator[Ntfy]:
    task = asyncio.create_task(made.listen())
    try:
        await until(lambda: server.streams, "the subscription")
        yield made
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await made.close()


def looking(**fields: Any) -> ShownAsk:
    """Something that may be allowed at once."""
    return now(fields.pop("name", "kptwm"), risk="look", choices=(Way("deny"), Way("allow")), **fields)


async def pressed(server: Server, label: str) -> None:
    assert await asyncio.to_thread(server.press, server.shown(TOPIC)[-1], label) == 200


@pytest.mark.anyio
async def test_an_own_server_carries_the_card_and_its_answers(server: Server) -> None:
    """All of it stands there; what is harmless to allow can be allowed; the press comes back without an open port."""
    inbox = FakeInbox()
    inbox.add(ask := looking())
    async with listening(surface(server, inbox), server) as made:
        await made.show(ask, Audience())
        card = server.shown(TOPIC)[-1]
        assert card["title"] == "○ Look · Delete untracked files"
        assert "│ git clean -fdx" in card["message"]
        assert [one["label"] for one in card["actions"]] == ["Deny", "Allow once", "Open"]
        await pressed(server, "Allow once")
        await until(lambda: inbox.answers, "the answer")
        assert inbox.answers == [("ntfy", "kptwm", AnswerRequest(rev=1, hash="5" * 64, choice="allow"))]
        await pressed(server, "Allow once")
        await pressed(server, "Deny")
        await until(lambda: len(inbox.answers) == 2, "the second answer")
        assert [answer.choice for _, _, answer in inbox.answers] == ["allow", "deny"]
        await until(lambda: server.shown(TOPIC)[-1]["title"] == "Not taken", "the word that it came too late")
        assert "Too late" in server.shown(TOPIC)[-1]["message"]


@pytest.mark.anyio
async def test_a_public_server_is_told_nothing_and_permits_nothing(public: Server) -> None:
    """Masked, with Deny and Open; an allow is not accepted there even if it was signed here."""
    inbox = FakeInbox()
    inbox.add(ask := looking())
    async with listening(surface(public, inbox, {}, "none"), public) as made:
        await made.show(ask, Audience())
        card = public.shown(TOPIC)[-1]
        assert (card["title"], card["message"]) == ("webshop needs you (Look)", "Open to review.\nid kptwm")
        assert [one["label"] for one in card["actions"]] == ["Deny", "Open"]
        assert "git clean" not in str(public.cache)
        forged = button_payload.signed(KEY, ask, "allow", 0)
        assert await asyncio.to_thread(public.post, f"{public.address}/{made.reply_topic}", forged) == 200
        await until(lambda: inbox.strangers, "that it was refused")
        assert inbox.answers == []
        await pressed(public, "Deny")
        await until(lambda: inbox.answers, "the answer")
        assert inbox.answers[0][2].choice == "deny"


@pytest.mark.anyio
async def test_an_open_server_is_not_believed_to_be_own(public: Server) -> None:
    """The settings say own, the server says otherwise: masked, only no, and its token stands in no message."""
    made = surface(public, FakeInbox())
    await made.show(looking(), Audience())
    await made.close()
    card = public.shown(TOPIC)[-1]
    assert "git clean" not in str(public.cache)
    assert [one["label"] for one in card["actions"]] == ["Deny", "Open"]
    assert TOKEN not in str(public.cache)


@pytest.mark.anyio
async def test_care_and_what_is_cut_are_not_allowed_from_a_notification(server: Server) -> None:
    """A yes in two steps, or to something that does not fit, is given on the page."""
    made = surface(server, FakeInbox())
    await made.show(now(), Audience())
    long = View("Write a file", tool="Write", markdown="x" * 5_000 + "the end")
    await made.show(looking(name="later", view=long), Audience())
    await made.close()
    care, cut = server.shown(TOPIC)
    assert [one["label"] for one in care["actions"]] == ["Deny", "Open"]
    assert [one["label"] for one in cut["actions"]] == ["Deny", "Open"]
    assert "This is not all of it" in cut["message"]
    assert "the end" in cut["message"]


@pytest.mark.anyio
async def test_a_question_with_two_answers_is_answered_by_a_press(server: Server) -> None:
    """Each option is a button; what the agent is told is the option's own words."""
    asked = QuestionView("Which database?", options=(OptionView("SQLite"), OptionView("Postgres")))
    inbox = FakeInbox()
    view = View("Asks you", questions=(asked,))
    inbox.add(ask := now(kind="question", risk="look", view=view, choices=(Way("deny"), Way("answer"))))
    async with listening(surface(server, inbox), server) as made:
        await made.show(ask, Audience())
        assert [one["label"] for one in server.shown(TOPIC)[-1]["actions"]] == ["Deny", "SQLite", "Postgres"]
        await pressed(server, "Postgres")
        await until(lambda: inbox.answers, "the answer")
        assert inbox.answers[0][2].answers == {"Which database?": "Postgres"}


@pytest.mark.anyio
async def test_what_is_over_stands_in_the_same_place_quietly(server: Server) -> None:
    """How it ended replaces the card; a server before 2.16 shows one short message more."""
    inbox = FakeInbox()
    made = surface(server, inbox)
    for server.is_old in (False, True):
        server.cache.clear()
        inbox.add(ask := looking())
        ref = await made.show(ask, Audience())
        inbox.add(answered(ask))
        await made.withdraw(ref, "Allowed (iPhone)")
        last = server.shown(TOPIC)[-1]
        assert last["title"].startswith("→ Allowed on iPhone, ")
        assert (last["priority"], "actions" in last) == (1, False)
        assert len(server.shown(TOPIC)) == (2 if server.is_old else 1)
    await made.close()


@pytest.mark.anyio
async def test_a_press_while_no_hub_listened_is_not_lost(server: Server) -> None:
    """It waits at the server, and is taken by the next life; what was taken before is not taken again."""
    inbox = FakeInbox()
    inbox.add(ask := looking())
    first = surface(server, inbox)
    await first.show(ask, Audience())
    await first.close()
    await pressed(server, "Deny")
    async with listening(surface(server, inbox), server):
        await until(lambda: inbox.answers, "the answer")
    server.streams = 0
    for message in server.cache:
        message["time"] -= 60
    later = looking(name="later")
    inbox.add(later)
    async with listening(surface(server, inbox), server) as made:
        await made.show(later, Audience())
        await pressed(server, "Deny")
        await until(lambda: len(inbox.answers) == 2, "the later answer")
    assert [name for _, name, _ in inbox.answers] == ["kptwm", "later"]


@pytest.mark.anyio
async def test_listening_survives_a_server_that_comes_and_goes(server: Server) -> None:
    """The subscription is made again, and what was pressed meanwhile arrives."""
    inbox = FakeInbox()
    inbox.add(ask := looking())
    async with listening(surface(server, inbox), server) as made:
        await made.show(ask, Audience())
        streams = server.streams
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        await pressed(server, "Deny")
        await until(lambda: inbox.answers, "the answer")
        assert server.streams > streams


@pytest.mark.anyio
async def test_what_strangers_write_is_on_record_and_does_nothing(server: Server) -> None:
    """Neither a guess nor a button that was changed is an answer, and reading a topic presses nothing."""
    inbox = FakeInbox()
    inbox.add(ask := looking())
    async with listening(surface(server, inbox), server) as made:
        await made.show(ask, Audience())
        action = server.shown(TOPIC)[-1]["actions"][0]
        for text in ("allow kptwm", action["body"].replace(":deny:", ":allow:"), "x" * 4_000):
            await asyncio.to_thread(server.post, action["url"], text, action["headers"])
        await asyncio.to_thread(server.post, action["url"] + "/json?poll=1", "", action["headers"], "GET")
        await until(lambda: len(inbox.strangers) == 3, "the strangers")
        late = button_payload.signed(KEY, replace(ask, expires_at=1), "deny", 0)
        await asyncio.to_thread(server.post, action["url"], late, action["headers"])
        await until(lambda: server.shown(TOPIC)[-1]["title"] == "Not taken", "the word about it")
        assert inbox.answers == []


@pytest.mark.anyio
async def test_a_yes_counts_only_while_the_server_is_known_to_be_guarded(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Access rules change: where they cannot be looked at, or let others in, a press says so and permits nothing."""
    inbox = FakeInbox()
    inbox.add(ask := looking())
    async with listening(surface(server, inbox), server) as made:
        await made.show(ask, Audience())
        card = server.shown(TOPIC)[-1]
        monkeypatch.setattr("assent.surfaces.ntfy.surface.BELIEVED_FOR", -1.0)
        with monkeypatch.context() as broken:
            broken.setattr(Spoken, "lets_strangers_read", _fails)
            await asyncio.to_thread(server.press, card, "Allow once")
            await until(lambda: "not known whether" in server.shown(TOPIC)[-1]["message"], "the word about it")
        server.is_closed = False
        again = button_payload.signed(KEY, ask, "allow", 0)
        await asyncio.to_thread(server.post, card["actions"][1]["url"], again)
        await until(lambda: inbox.strangers, "that it was refused")
        assert inbox.answers == []
        gone = button_payload.signed(KEY, looking(name="gone"), "deny", 0)
        await asyncio.to_thread(server.post, card["actions"][1]["url"], gone)
        await until(lambda: "Too late" in server.shown(TOPIC)[-1]["message"], "that nothing is known of it")


async def _fails(*_: object) -> bool:
    raise FailedError("The ntfy server failed (502).")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mood", "kind", "words"),
    [
        (RefusalError(401), GoneError, "The ntfy server does not know this login."),
        (RefusalError(403), GoneError, "The ntfy server does not let this login use the topic."),
        (RefusalError(413), GoneError, r"The ntfy server refused the message \(413\)."),
        (RefusalError(429), RateLimitedError, "The ntfy server wants fewer messages."),
        (RefusalError(503), FailedError, r"The ntfy server failed \(503\)."),
    ],
)
async def test_each_refusal_means_what_it_says(
    server: Server, mood: RefusalError, kind: type[Exception], words: str
) -> None:
    """In words that tell neither topic nor token nor address."""
    made = surface(server, FakeInbox())
    server.moods.append(mood)
    with pytest.raises(kind, match=f"^{words}$"):
        await made.show(now(), Audience())
    await made.close()
    assert not any(secret in repr(made) for secret in (TOPIC, TOKEN, server.address))


@pytest.mark.anyio
async def test_turns_that_ended_are_told_and_cleared(server: Server, public: Server) -> None:
    """With the agent's words on an own server alone; a server before 2.16 leaves the message where it is."""
    own, other = surface(server, FakeInbox()), surface(public, FakeInbox(), {}, "none")
    notice = Notice("s1", "finished", 0, "/src/webshop", text="All 214 tests pass.")
    ref = await own.notify(notice, Audience())
    await other.notify(notice, Audience())
    assert "All 214 tests pass." in server.shown(TOPIC)[0]["message"]
    assert public.shown(TOPIC)[0]["title"] == "webshop finished its turn"
    assert "214" not in str(public.cache)
    await own.withdraw(ref, "It went on")
    assert server.shown(TOPIC) == []
    public.is_old = True
    await other.withdraw(ref, "It went on")
    assert len(public.shown(TOPIC)) == 1
    await own.close()
    await other.close()


@pytest.mark.anyio
async def test_a_probe_tells_how_the_server_is_and_sends_nothing(server: Server, public: Server) -> None:
    """A login that was revoked, and an own server that became public, are said in words."""
    made = surface(server, FakeInbox())
    assert (await made.probe(), server.cache, made.state_words) == (
        "Its server answers.",
        [],
        "Connected to your own server.",
    )
    server.is_closed = False
    with pytest.raises(FailedError, match="lets anybody read"):
        await made.probe()
    server.tokens.clear()
    with pytest.raises(GoneError, match="does not let this login in any more"):
        await made.probe()
    await made.close()


@pytest.mark.anyio
async def test_a_revoked_token_ends_listening_with_a_reason(server: Server) -> None:
    """Trying on would be no use; why nothing is sent is said in words."""
    server.tokens.clear()
    made = surface(server, FakeInbox())
    with pytest.raises(GoneError):
        await made.listen()
    await made.close()
    assert made.trouble == "the ntfy server does not know this login"


@pytest.mark.anyio
async def test_the_check_asks_the_server_itself(server: Server, public: Server) -> None:
    """An own server must keep strangers out, and a public one must take presses without a login."""
    secrets = {"topic": TOPIC, "login": TOKEN}

    async def checked(where: Server, settings: dict[str, Any], login: str) -> str:
        tools = Tools(FakeInbox(), KEY, address=where.address)
        return (await KIND.check(settings, secrets | {"login": login}, tools)).words

    assert await checked(server, OWN, TOKEN) == "This server is your own."
    assert await checked(public, {}, "none") == "This server is not your own: messages are masked."
    public.is_old = True
    assert "older than 2.16" in await checked(public, {}, "none")
    with pytest.raises(FailedError, match="lets anybody read"):
        await checked(public, OWN, TOKEN)
    with pytest.raises(FailedError, match="own = true"):
        await checked(server, {"server": "https://ntfy.example.org"}, TOKEN)
    with pytest.raises(GoneError, match="does not know this login"):
        await checked(server, OWN, "tk_wrongwrongwrong")
    assert server.shown(TOPIC) == []
