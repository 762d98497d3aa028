"""From a call that needs an approval to what its agent is told."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from assent.asks.flood import Bursts
from assent.asks.open_ask import Held, Person, RefusedError
from assent.asks.timeouts import Attention
from assent.harnesses import claude_code, codex
from assent.hub.asking.asking import Asking
from assent.hub.asking.queues import Continuations
from assent.hub.bus import Bus
from assent.hub.pipeline.arrival import Arrival
from assent.hub.pipeline.drafts import Drafts
from assent.hub.pipeline.pipeline import Pipeline
from assent.hub.recorder import Live, Recorder
from assent.journal.memory import MemoryJournal
from assent.policy.call import Voice
from assent.policy.rules.book import RuleBook
from assent.protocol.card import AnswerRequest
from assent.protocol.surfaces import Scope
from assent.protocol.team import Identity
from assent.redact import Redactor
from tests.unit.asks.test_approval import ADA, BOB
from tests.unit.asks.test_desk_approvals import AT_THE_DESK, Team, by
from tests.unit.hub.doubles import InForce
from tests.unit.hub.pipeline.test_pipeline import TOKEN, Allows
from tests.unit.policy.test_judge import Says
from tests.waiting import seen

pytestmark = pytest.mark.anyio
FOUR_EYES = '[[approval]]\nmatch = "make"\nfrom = "group:sre"\ncount = 2\nnot_owner = true\n'
HANDED_BACK = f'{FOUR_EYES}else = "hand_back"\nwait = "1s"\n'
CALL = {
    "session_id": "s1",
    "transcript_path": "",
    "cwd": "/p",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "make deploy"},
    "tool_use_id": "t1",
}
REQUEST = {name: value for name, value in CALL.items() if name != "tool_use_id"} | {
    "hook_event_name": "PermissionRequest",
    "permission_suggestions": [],
}


class Here:
    def attention(self) -> Attention:
        return Attention()


@dataclass
class Life:
    """One life of a hub over a journal."""

    rules: Path
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    team: Team = field(default_factory=Team)
    heard: Voice = field(default_factory=Allows)
    attended: str = "1"

    def __post_init__(self) -> None:
        bus, redactor = Bus(), Redactor(lambda text: f"{len(text):08x}")
        self.recorder = Recorder(self.journal, Live(bus=bus))
        self.asking = Asking(self.recorder, redactor, bus, InForce(), Here(), Continuations(), Bursts(), self.team)
        self.pipeline = Pipeline(
            recorder=self.recorder,
            voices=[RuleBook(self.rules), self.heard],
            drafts=Drafts(redactor),
            harnesses={claude_code.NAME: claude_code, codex.NAME: codex},
            asking=self.asking,
        )

    async def recall(self) -> None:
        records = await self.journal.read()
        self.recorder.live.recall(records, await self.journal.head())
        self.pipeline.recall(records)

    def send(self, event: dict[str, Any], request: str = "ab" * 8, harness: str = claude_code.NAME) -> "Sent":
        arrival = Arrival(
            harness=harness,
            event_name=event["hook_event_name"],
            payload=msgspec.json.encode(event),
            transport="unix",
            request_id=request,
            env={"CLAUDE_CODE_SESSION_ATTENDED": self.attended},
        )
        return Sent(self, asyncio.ensure_future(self.pipeline.answer(arrival)))


@dataclass
class Sent:
    life: Life
    answer: "asyncio.Future[Any]"

    async def held(self) -> Held:
        desk = self.life.asking.desk
        await seen(lambda: [held for held in desk.waiting if held.expiry] or self.answer.done(), "the ask")
        assert desk.waiting, await self.told()
        return desk.waiting[0]

    async def say(self, choice: Literal["allow", "deny"], who: Person) -> int:
        held = await self.held()
        match = held.drawn.card.risk.match
        answer = AnswerRequest(rev=held.rev, hash=held.drawn.hash, choice=choice, match=match)
        return await self.life.asking.desk.answer(held.name, answer, who)

    async def told(self) -> tuple[str, str]:
        """The decision and the words; "" for silence."""
        output = await asyncio.wait_for(self.answer, 60)
        specific = (output.stdout_json or {}).get("hookSpecificOutput", {})
        given = specific.get("decision", {})
        word = specific.get("permissionDecision") or given.get("behavior") or ""
        return word, specific.get("permissionDecisionReason") or given.get("message") or ""


def written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


def project(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder.parent / ".git").mkdir()
    written(folder / "rules.toml", text)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return written(tmp_path / "rules.toml", FOUR_EYES)


@pytest.mark.parametrize("mode", ["default", "auto", "bypassPermissions", "acceptEdits", "dontAsk"])
async def test_call_waits_for_two_people(rules: Path, mode: str) -> None:
    """Although a voice allows it, in every mode of the client, and with a person at its terminal."""
    sent = Life(rules).send({**CALL, "permission_mode": mode})
    assert await sent.say("allow", by(ADA)) == 1
    assert not sent.answer.done()
    assert await sent.say("allow", by(BOB)) == 0
    assert await sent.told() == ("allow", "")


async def test_no_is_told_at_once(rules: Path) -> None:
    """By all who may answer at all, the owner among them."""
    sent = Life(rules).send(CALL)
    await sent.say("allow", by(ADA))
    await sent.say("deny", AT_THE_DESK)
    assert (await sent.told())[0] == "deny"


async def test_everybody_is_on_record(rules: Path) -> None:
    """The rule, who said yes, and in which order."""
    life = Life(rules)
    sent = life.send(CALL)
    await sent.say("allow", by(ADA))
    await sent.say("allow", by(BOB))
    await sent.told()
    await life.recorder.settled()
    records = await life.journal.read()
    assert [record.kind for record in records] == ["event", "ask", "approved", "answer", "decision"]
    assert records[2].body["identity"]["mail"] == "ada@example.org"
    assert records[4].body["approval"]["by"] == ["ada@example.org", "bob@example.org"]
    assert records[4].body["trace"][-2]["by"] == "approval:user#1"
    ask = next(iter(life.recorder.live.asks.by_id.values()))
    assert ask.answer is not None
    assert ask.answer.approved_by == ("ada@example.org", "bob@example.org")


async def test_permission_request_of_the_same_call_is_not_asked_again(rules: Path) -> None:
    """Those who had to agree did: the client's own rule that asks is answered with it, once."""
    life = Life(rules)
    sent = life.send(CALL)
    await sent.say("allow", by(ADA))
    await sent.say("allow", by(BOB))
    await sent.told()
    assert (await life.send(REQUEST, "cd" * 8).told())[0] == "allow"
    again, why = await life.send(REQUEST, "ef" * 8).told()
    assert again == "deny"
    assert "Make the call again" in why


async def test_open_dialog_is_no_way_around_it(rules: Path) -> None:
    """A permission request whose call was not held is denied: one person could answer its dialog."""
    assert (await Life(rules).send(REQUEST).told())[0] == "deny"


async def test_hub_without_a_team_ends_it_at_once(rules: Path) -> None:
    """No one can be asked, and why is said."""
    life = Life(rules, team=Team(is_joined=False))
    word, why = await life.send(CALL).told()
    assert word == "deny"
    assert "This hub is in no team" in why
    assert life.asking.desk.waiting == []


async def test_owner_alone_needs_no_team(rules: Path) -> None:
    """An approval from the owner is given at their own screens."""
    written(rules, '[[approval]]\nmatch = "make"\nfrom = "owner"\n')
    sent = Life(rules, team=Team(is_joined=False)).send(CALL)
    assert await sent.say("allow", AT_THE_DESK) == 0
    assert (await sent.told())[0] == "allow"


async def test_team_that_is_away_is_waited_for(rules: Path) -> None:
    """It may come back before the time is up; the card says that it is away."""
    life = Life(rules, team=Team(trouble="The team cannot be reached now."))
    sent = life.send(CALL)
    held = await sent.held()
    assert held.needs is not None
    assert life.asking.desk.counting.unreachable(held.needs) == "The team cannot be reached now."
    life.asking.close()
    assert (await sent.told())[0] == "deny"
    assert (await life.send(CALL, "cd" * 8).told())[0] == "deny"


async def test_call_is_handed_back_where_the_rule_says_so(rules: Path) -> None:
    """Its client asks, and then the owner alone may answer; another call is held again."""
    written(rules, HANDED_BACK)
    life = Life(rules)
    sent = life.send(CALL)
    assert (await sent.told())[0] == "ask"
    asked = life.send(REQUEST, "cd" * 8)
    held = await asked.held()
    assert held.needs is None
    await asked.say("allow", AT_THE_DESK)
    assert (await asked.told())[0] == "allow"
    assert (await life.send({**CALL, "tool_use_id": "t2"}, "ef" * 8).held()).needs is not None


@pytest.mark.parametrize(("count", "known"), [(2, [ADA]), (3, [])])
async def test_next_life_knows_the_recorded_yes(rules: Path, tmp_path: Path, count: int, known: list[Identity]) -> None:
    """And goes on with what is missing. A rule that changed starts over."""
    before = Life(rules)
    first = before.send(CALL)
    assert await first.say("allow", by(ADA)) == 1
    await before.recorder.settled()
    first.answer.cancel()
    changed = FOUR_EYES.replace("count = 2", f"count = {count}")
    after = Life(written(tmp_path / "changed.toml", changed), before.journal)
    await after.recall()
    again = after.send(CALL)
    assert [yes.identity for yes in (await again.held()).yeses] == known
    again.answer.cancel()


async def test_client_that_runs_what_is_not_denied_waits_as_well(rules: Path) -> None:
    """It is told nothing of a yes, and a no in time."""
    life = Life(rules)
    sent = life.send({**CALL, "turn_id": "u"}, harness=codex.NAME)
    await sent.say("allow", by(ADA))
    await sent.say("allow", by(BOB))
    assert (await sent.told())[0] == ""
    again = life.send({**CALL, "turn_id": "u"}, "cd" * 8, harness=codex.NAME)
    await again.say("deny", by(ADA))
    assert (await again.told())[0] == "deny"


async def test_changed_call_is_no_way_around_it(rules: Path) -> None:
    """Who edits what an ordinary ask shows cannot make it one that others have to agree to."""
    life = Life(rules, heard=Says(None))
    sent = life.send({**REQUEST, "tool_input": {"command": "npm test"}})
    held = await sent.held()
    edited = AnswerRequest(rev=1, hash=held.drawn.hash, choice="allow_edited", edited={"command": "make deploy"})
    with pytest.raises(RefusedError, match="needs an approval: 2 of sre, not the owner"):
        await life.asking.desk.answer(held.name, edited, AT_THE_DESK)


async def test_too_many_asks_are_denied_and_not_let_through(rules: Path) -> None:
    """What cannot be asked about was not agreed to."""
    life = Life(rules)
    big = {**CALL, "tool_input": {"command": "make deploy #" + "x" * (300 << 10)}}
    assert (await life.send(big).told())[0] == "deny"


async def test_call_that_nobody_can_be_asked_about_is_handed_back_at_once(rules: Path) -> None:
    """Where the rule says so: the owner is asked, and there is no second refusal."""
    written(rules, HANDED_BACK)
    life = Life(rules, team=Team(is_joined=False))
    assert (await life.send(CALL).told())[0] == "ask"
    await life.recorder.settled()
    asked = life.send(REQUEST, "cd" * 8)
    assert (await asked.held()).needs is None
    await asked.say("allow", AT_THE_DESK)
    assert (await asked.told())[0] == "allow"


async def test_owner_who_agreed_beside_a_projects_rule_is_not_needed_again(rules: Path) -> None:
    """The client's own question about the call is answered by the same yeses."""
    written(rules, "")
    folder = rules.parent / ".assent"
    project(folder, '[[approval]]\nmatch = "make"\nfrom = "group:sre"\n')
    life = Life(rules, heard=Says(None))
    where = {"cwd": str(rules.parent)}
    sent = life.send(CALL | where)
    assert await sent.say("allow", by(ADA)) == 1
    assert await sent.say("allow", AT_THE_DESK) == 0
    assert (await sent.told())[0] == "allow"
    life.pipeline.voices = [life.pipeline.voices[0], Allows()]
    assert (await life.send(REQUEST | where, "cd" * 8).told())[0] == "allow"


async def test_secret_in_a_message_is_taken_out_and_the_name_is_not(rules: Path) -> None:
    """By the name the same person is known again; what they type may hold anything."""
    life = Life(rules)
    sent = life.send(CALL)
    held = await sent.held()
    match = held.drawn.card.risk.match
    words = f"Fine with {TOKEN}"
    answer = AnswerRequest(rev=1, hash=held.drawn.hash, choice="allow", match=match, message=words)
    assert await life.asking.desk.answer(held.name, answer, replace(by(ADA), scope=Scope.INSTRUCT)) == 1
    (record,) = [each for each in await life.journal.read() if each.kind == "approved"]
    assert TOKEN not in str(record)
    assert msgspec.convert(record.body["identity"], Identity) == ADA
    sent.answer.cancel()


async def test_those_who_answer_for_a_workload_stand_for_its_owner(rules: Path) -> None:
    """Also beside a project's rule, at each event of the call, and when the answer is judged anew."""
    written(rules, "")
    project(rules.parent / ".assent", '[[approval]]\nmatch = "make"\nfrom = "group:leads"\n')
    life = Life(rules, heard=Says(None), team=Team(owner=None, answerers=("group:sre",)))
    where = {"cwd": str(rules.parent)}
    sent = life.send(CALL | where)
    assert (await sent.held()).whom_now(0) == ("group:leads", "group:sre")
    assert await sent.say("allow", by(ADA)) == 1
    assert await sent.say("allow", by(BOB)) == 0
    assert (await sent.told())[0] == "allow"
    assert (await life.send(REQUEST | where, "cd" * 8).told())[0] == "allow"
