"""Subject of an ask in the hub: drawn from the event, judged anew when a person is about to say yes."""

import asyncio
import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from assent import forms
from assent.asks import choices
from assent.asks.card import build as cards
from assent.asks.card import offers, rule_offers
from assent.asks.open_ask import Drawn
from assent.asks.timeouts import Way
from assent.harnesses import registry
from assent.harnesses.base import Harness, SaidBefore
from assent.hub.pipeline.arrival import Arrival
from assent.hub.pipeline.drafts import Drafts
from assent.hub.recorder import Live
from assent.policy import trial, world
from assent.policy.call import Voice
from assent.policy.judge import Judgement, judge
from assent.policy.judges import permissions
from assent.policy.judges.permissions import ByRule
from assent.policy.judges.rules import Rules
from assent.policy.paths import READS_OUTSIDE
from assent.policy.rules import kept as kept_rules
from assent.policy.rules import pattern
from assent.protocol.card import GRANTS, AnswerRequest, Card, FileDiff, GrantScope, Offer, Segment
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Risk, TraceLine, Trial, Verdict
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, PermissionRequest, PreToolUse, ToolEvent, with_operation
from assent.protocol.lasting import Permission, Stay
from assent.protocol.operations import FOR_PEOPLE, Shell
from assent.protocol.permission import AddRules, Grant, PermissionRule
from assent.protocol.record import Draft
from assent.protocol.session import Session
from assent.redact import Redactor
from assent.redact.shown import has_marks
from assent.text import approval_words, wording
from assent.text.safe import middle

log = logging.getLogger("assent.hub")

LARGEST_FILE = 1 << 20
# Of looking for what an agent said, seconds: it is written down within a tenth of one, unless the machine is busy.
LONGEST_LOOK = 1.2
LOOKS = (0.0, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2, 0.2, 0.2)
LONGEST_READ = 10_000
LONGEST_QUOTE = 1_200
NOT_KEPT = "What is written into files is not kept on record."
_WHY = {
    "person": "A person was asked and decided.",
    "terminal": "It was answered elsewhere.",
    "timeout": "Nobody answered in time.",
    "hub": "The hub was stopped.",
}
_WORDS = {risk.word: risk for risk in Risk}
_BETWEEN = "\0"
_NOTHING_SAID = SaidBefore()


@dataclass(slots=True)
class HubCase:
    arrival: Arrival
    # The newest one: made anew when a person says yes.
    judgement: Judgement
    call: str | None
    tool_use_id: str | None
    way: Way
    module: Harness
    voices: Sequence[Voice]
    drafts: Drafts
    live: Live
    # How often the turn was kept going, and whether this is one of too many asks: fixed, for so is what is shown.
    continuations: int = 0
    is_burst: bool = False
    # The client refuses this whatever is answered here.
    is_guarded: bool = False
    # Its approval was not given, and the rule leaves it to the owner.
    is_handed_back: bool = False
    # Puts the people of this hub's team into what an approval needs.
    named: Callable[[Judgement], Judgement] = lambda judgement: judgement
    # What led to it; fixed for the same reason.
    said: SaidBefore = _NOTHING_SAID
    asked: str = field(init=False)
    # The allow rule that lets one command of a line pass.
    by_rule: ByRule | None = None
    event: Event = field(init=False)
    harness: str = field(init=False)
    request: str = field(init=False)
    project: str = field(init=False)
    # What the policy wants where no person decides, or not enough of those whose approval is needed.
    fallback: Decision = field(init=False)
    # The hub's own time until a person was asked; theirs does not count.
    took_us: int = field(init=False)
    # What Assent can be told to remember in the client's place, as it was drawn last.
    kept: tuple[Offer, ...] = ()

    def __post_init__(self) -> None:
        self.event, self.harness, self.request = self.judgement.event, self.arrival.harness, self.arrival.request_id
        self.project = str(self.judgement.scene.project)
        judgement = self.judgement
        self.fallback = judgement.decision if judgement.approval is None else judgement.without_approval
        session = self.live.sessions.get(self.event.session_id)
        self.asked = session.prompt if session else ""
        self.took_us = self.arrival.took_us

    @property
    def redactor(self) -> Redactor:
        return self.drafts.redactor

    async def look(self) -> bool:
        """The agent's words are written down a moment after it is about to act. They are worth a moment of waiting and
        no more: without them a person can decide, too."""
        event = self.event
        if not isinstance(event, ToolEvent) or not event.transcript_path or self.said != _NOTHING_SAID:
            return False
        try:
            said = await asyncio.wait_for(self._said_before(event), LONGEST_LOOK)
        except TimeoutError:
            return False
        except Exception as error:
            log.warning("what led to a call of %s cannot be read: %s", event.tool_name[:60], type(error).__name__)
            return False
        self.said = SaidBefore(*(self._quotable(text) for text in said))
        return self.said != _NOTHING_SAID

    async def _said_before(self, event: ToolEvent) -> SaidBefore:
        for pause in LOOKS:
            await asyncio.sleep(pause)
            # A disk may be slow, and a transcript long.
            said = await asyncio.to_thread(self.module.said_before, event, self.tool_use_id, _read_ends)
            if said is not None:
                return said
        return _NOTHING_SAID

    def _quotable(self, text: str) -> str:
        """Without secrets, and short; cut last, for half a secret is not known for one."""
        both = text if len(text) <= 2 * LONGEST_READ else f"{text[:LONGEST_READ]}…{text[-LONGEST_READ:]}"
        return middle(self.redactor.text(both), LONGEST_QUOTE)

    def redraw(self) -> Drawn:
        scene = self.judgement.scene
        judgement = judge(self.event, scene, self.voices)
        self.judgement = judgement.handed_back() if self.is_handed_back else self.named(judgement)
        return self.draw()

    def draw(self) -> Drawn:
        judgement, scene = self.judgement, self.judgement.scene
        held = _trial(judgement)
        session = self.live.sessions.get(self.event.session_id)
        seen = cards.Seen(
            trial=held,
            risk=judgement.risk or "",
            harness=self.harness,
            project=self.project,
            title=session.title if session else "",
            task=self.said.task or _task(session, self.event.agent_id),
            words=self.said.words,
            asked=self._quotable(self.asked),
            branch=world.branch(self.project) or "",
            attended=scene.attended,
            machine="",
            entrypoint=session.entrypoint if session else "",
            limited=session is not None and session.entrypoint in self.module.FACTS.silent_hosts,
            read=lambda path: world.read_small(path, LARGEST_FILE),
            there=world.is_there,
            home=world.home(),
            continuations=self.continuations,
            guarded=self.is_guarded,
            asks_itself=isinstance(self.event, PreToolUse)
            and not self.module.FACTS.approves
            and scene.attended is not False,
        )
        needs = judgement.approval
        untold = choices.untold(self.event, self.module)
        if needs is not None and Allow in self.module.HONOURED.get(type(self.event), ()):
            # Where an allow does not stop the client from asking, it asks once those have agreed.
            untold = tuple(choice for choice in untold if choice != "allow")
        if self.is_guarded:
            untold = (*untold, *(choice for choice in choices.PERMITTING_CALLS if choice not in untold))
        stays = self._stays() if needs is None else {}
        drawn = msgspec.structs.replace(cards.draw(self.event, seen), untold=untold, approval=needs, **stays)
        card = self._redacted(drawn)
        self.kept = tuple(self._kept(card))
        if not self.module.FACTS.takes_grants:
            scopes = {scope for offer in self.kept for scope in offer.scopes}
            missing = [each for each, scope in GRANTS.items() if scope not in scopes and each not in untold]
            card = msgspec.structs.replace(card, untold=(*untold, *missing))
        if not self.is_guarded and card.kind != "stop" and wording.MAIN[card.kind][1] in card.untold:
            card = msgspec.structs.replace(card, flags=(*card.flags, "no_yes"))
        if self.is_burst:
            card = msgspec.structs.replace(card, flags=(*card.flags, "burst"))
        return Drawn(card, _hash(card), judgement.decision)

    def _stays(self) -> dict[str, tuple[Stay, ...]]:
        """The answers that could be remembered, where this is a permission and not a question or a plan."""
        call, scene = self.judgement.call, self.judgement.scene
        if call is None or isinstance(call.operation, FOR_PEOPLE):
            return {}
        try:
            stays = tuple(map(self._told_twice, permissions.stays(call, scene, self.by_rule)))
            return {"stays": stays, "timed": permissions.timed(call, scene, self.by_rule)}
        except Exception as error:
            # The judge was heard as a prompt on this call; a person can still answer it once.
            log.error("nothing can be remembered of a call of %s: %s", call.tool[:60], type(error).__name__)
            return {}

    def _kept(self, card: Card) -> Iterator[Offer]:
        """Rules of Assent's that let this call pass from now on, each with where it can hold."""
        event = self.event
        can_allow = Allow in self.module.HONOURED.get(type(event), ())
        if self.module.FACTS.takes_grants or not can_allow or not isinstance(event, PermissionRequest | PreToolUse):
            return
        for rules in offers.own(event, card):
            scopes = tuple(scope for scope in offers.EVERYWHERE if self._would_pass(rules, scope))
            if scopes:
                yield offers.of_own(rules, event.cwd, scopes)

    def _would_pass(self, rules: Sequence[PermissionRule], scope: GrantScope) -> bool:
        """Judged as the same call would be once this is remembered."""
        scene, voices = self.judgement.scene, self.voices
        try:
            if scope == "session":
                grant = f"rule:{', '.join(rule.written for rule in rules)}"
                session = Permission("offered", "rule", rule=grant)
                scene = msgspec.structs.replace(scene, permissions=(*scene.permissions, session))
            else:
                folder = kept_rules.folder_of(self.project) if scope == "project" else ""
                if scope == "project" and not folder:
                    return False
                patterns = [pattern.parse(rule.written) for rule in rules]
                voices = (*voices, Rules([kept_rules.rule(patterns, self.harness, folder)]))
        except ValueError:
            return False
        return isinstance(judge(self.event, scene, voices, call=self.judgement.call).decision, Allow)

    def keeps(self, answer: AnswerRequest) -> bool:
        scope = GRANTS.get(answer.choice)
        if scope is None or self.module.FACTS.takes_grants:
            return False
        if not any(offer.grant == answer.grant and scope in offer.scopes for offer in self.kept):
            raise ValueError("Assent remembers what is offered, and nothing else. Other rules stand in rules.toml.")
        return True

    def _told_twice(self, stay: Stay) -> Stay:
        """The same, and that the agent's own settings get a rule as well."""
        rule = self._own_rule() if stay.kind == "shape" else ""
        covers = f"{stay.covers} Until you take it back, the agent's own settings allow {rule} as well."
        return msgspec.structs.replace(stay, covers=covers) if rule else stay

    def client_rule(self, answer: AnswerRequest) -> tuple[str, str]:
        """The rule that says the same in the agent's own settings, and the file; "" where there is none.

        Only pages of a host and single tools: of commands the agent's language says more than was agreed to."""
        rule = self._own_rule() if answer.grant == "shape" and answer.hours is answer.minutes is None else ""
        return rule, str(registry.grant_files(self.harness, Path(self.project))["project"]) if rule else ""

    def _own_rule(self) -> str:
        if not self.module.FACTS.takes_grants:
            return ""
        rules = rule_offers.of_tool(self.event) if isinstance(self.event, PermissionRequest) else ()
        return rules[0].written if len(rules) == 1 else ""

    def lasting(self, answer: AnswerRequest) -> tuple[Grant, ...]:
        rule, _ = self.client_rule(answer)
        return (offers.grant_of(f"rule:{rule}", "project"),) if rule else ()

    def _redacted(self, card: Card) -> Card:
        plain = msgspec.to_builtins(card)
        whole = "".join(segment.text for segment in card.view.segments)
        safe, safe_whole = self.redactor.shown([plain, whole], whole or None)
        if safe == plain:
            return card
        if "".join(segment["text"] for segment in safe["view"].get("segments", ())) != safe_whole:
            # A secret that reaches over the end of a part is seen only in the whole.
            worst = max(card.view.segments, key=lambda segment: _WORDS.get(segment.risk, Risk.LOOK))
            one = Segment(safe_whole, worst.risk, needs_you=True, why=worst.why)
            safe["view"]["segments"] = [msgspec.to_builtins(one)]
        facts = [self.redactor.shown({name: value}, whole) for name, value in card.view.facts]
        safe["view"]["facts"] = tuple(pair for fact in facts for pair in fact.items())
        for diff in safe["view"].get("diffs", ()):
            for hunk in diff.get("hunks", ()):
                # Keys are written over several lines. Contents are no command line.
                hunk["lines"] = self.redactor.shown("\n".join(hunk["lines"]), "").split("\n")
        visible = "\n".join([safe["view"].get("tool", ""), *map(str, safe["view"].get("raw", {}).values())])
        self._without_pieces(safe["view"], visible)
        marked = msgspec.convert(safe, Card)
        view = msgspec.structs.replace(marked.view, line=cards.line(marked.view))
        return msgspec.structs.replace(marked, view=view, flags=(*marked.flags, "redacted"))

    def _without_pieces(self, view: dict[str, Any], visible: str = "") -> None:
        """What was made of the agent's words and cut: a piece of a secret is not seen as one any more."""
        steps = view.get("steps", ())
        made = [view["verb"], view.get("line", ""), *(text for step in steps for text in _texts(step))]
        # All at once: the agent's words are looked through for secrets each time.
        whole = _BETWEEN.join(text.replace(_BETWEEN, " ") for text in made)
        view["verb"], view["line"], *rest = self.redactor.without_pieces(whole, self._said(), visible).split(_BETWEEN)
        for step in steps:
            step["words"], step["why"], step["command"], *where = rest[: len(_texts(step))]
            step["where"], rest = where, rest[len(_texts(step)) :]

    def _said(self) -> Any:
        """The agent's own words, of which a heading is made."""
        event = self.event
        return [event.tool_name, event.tool_input] if isinstance(event, ToolEvent) else event.raw

    def stored(self, card: Card) -> dict[str, Any]:
        """What is written into files is never on record; the hash of what was shown stands for it."""
        stored: dict[str, Any] = self.redactor.storable(msgspec.to_builtins(without_contents(card)))
        self._without_pieces(stored["view"])
        return stored

    def restored(self, edited: dict[str, Any]) -> dict[str, Any]:
        original = self.event.tool_input if isinstance(self.event, ToolEvent) else {}
        whole: dict[str, Any] = self.redactor.restored(edited, original)
        return whole

    def outside_reads(self) -> tuple[str, ...]:
        """The folders outside the project that the call reads, if that is the worst it does."""
        did = self.judgement.effects
        if max([done.effect.risk for done in did], default=Risk.LOOK) is not Risk.CARE:
            return ()
        named = [done.effect.target for done in did if done.effect.why == READS_OUTSIDE]
        return tuple(dict.fromkeys(filter(None, (_folder(target, self.event.cwd) for target in named))))

    def denial_refused(self, grant: str) -> str | None:
        rule = grant.removeprefix("rule:")
        try:
            named = pattern.parse(rule)
        except ValueError as error:
            return f"This is no rule: {error}"
        call = self.judgement.call
        if call is None or not grant.startswith("rule:"):
            return "There is no rule that could deny this from now on."
        call.acts(self.judgement.scene)
        return None if named.restricts(call, self.project) else "This rule would not deny what is asked about."

    def edit_refused(self, drawn: Drawn, edited: dict[str, Any]) -> str | None:
        """An edit may make a call safer or leave it as it is, never worse than what the person was shown."""
        if not isinstance(self.event, ToolEvent):
            return "This has no input that can be changed."
        if has_marks(edited) and not has_marks(self.event.tool_input):
            return "A mark in it stands for something hidden that is not part of this call. Write it out, or leave it."
        changed = msgspec.structs.replace(self.event, tool_input=edited)
        with_operation(changed, self.module.operation(changed.tool_name, edited))
        scene = self.judgement.scene
        judgement = judge(changed, scene, self.voices)
        if isinstance(judgement.decision, Deny):
            return f"The policy refuses it like this: {judgement.decision.reason}"
        if judgement.approval is not None and not self.is_handed_back:
            return f"Changed like this it needs an approval: {approval_words.demand(judgement.approval)}."
        held = _trial(judgement)
        risk = _WORDS.get(judgement.risk or "danger", Risk.DANGER)
        if risk > max(_WORDS.get(drawn.card.risk.level, Risk.LOOK), Risk.CHANGE):
            return f"Changed like this it is {risk.word}: {held.reason if held else ''}".rstrip(": ") + "."
        return None

    def content_refused(self, card: Card, content: dict[str, Any] | None) -> str | None:
        form = card.view.form
        if form is None:
            return "There is no form to fill in."
        problems = forms.problems(form, content or {})
        return " ".join(f"{name}: {why}" for name, why in problems.items()) or None

    def grant_of(self, text: str, scope: GrantScope) -> Grant:
        grant = offers.grant_of(text, scope)
        if why := self.module.fault(grant):
            raise ValueError(f"This is not granted: {why}.")
        if isinstance(grant, AddRules) and (why := self._rule_refused(grant)):
            raise ValueError(why)
        return grant

    def _rule_refused(self, grant: AddRules) -> str | None:
        call = self.judgement.call
        wild = any(rule.rule_content is None or "*" in rule.rule_content.replace("\\*", "") for rule in grant.rules)
        if call is not None and wild and self.judgement.risk == "danger":
            return "What is Danger gets an exact rule only, without a wildcard."
        return None

    def undecided(self, decision: Decision) -> Decision:
        is_silent = isinstance(decision, NoOpinion)
        has_fallback = isinstance(self.event, PreToolUse) or isinstance(self.fallback, Deny)
        return self.fallback if is_silent and has_fallback else decision

    def encode(self, decision: Decision) -> tuple[Output, tuple[str, ...]]:
        encoded = self.module.encode_safely(self.event, decision)
        is_said = isinstance(decision, NoOpinion) or (isinstance(decision, Allow) and self.module.FACTS.runs_on_silence)
        if encoded.output == SILENT and not is_said and not encoded.dropped:
            return SILENT, (f"{decision.word} cannot be told to this agent here.",)
        return encoded.output, encoded.dropped

    def decided(self, decision: Decision, by: str, ask: str) -> tuple[Draft, ...]:
        before = self.judgement.verdict
        line = TraceLine(by=by, says=decision.word, why=_WHY.get(by.partition(":")[0], "Nobody decided."))
        verdict = Verdict(decision, by, before.risk, (*before.trace, line))
        judgement = replace(self.judgement, verdict=verdict)
        return (self.drafts.decision(judgement, self.arrival, self.call, self.took_us, ask=ask),)


def _read_ends(path: str, most: int, is_end: bool) -> bytes | None:
    return world.read_part(path, most, -most if is_end else 0)


def _trial(judgement: Judgement) -> Trial | None:
    """What was seen of a tool call, as cards show it."""
    event = judgement.event
    if judgement.call is None or not isinstance(event, ToolEvent):
        return None
    return trial.told(judgement, _command(event))


def _command(event: ToolEvent) -> str:
    operation = registry.operation(event)
    return operation.command or "" if isinstance(operation, Shell) else ""


def _folder(target: str, cwd: str) -> str:
    """The folder of a file that is read; "" where that would add the home or everything."""
    path = world.whole(os.path.expanduser(target), cwd)  # noqa: PTH111 - text that an agent wrote
    if not path or any(mark in path for mark in "*?["):
        return ""
    folder = path if world.is_folder(path) else os.path.dirname(path)  # noqa: PTH120
    return "" if f"{world.home()}/".startswith(f"{folder.rstrip('/')}/") else folder


def _texts(step: dict[str, Any]) -> list[str]:
    return [step["words"], step.get("why", ""), step.get("command", ""), *step.get("where", ())]


def without_contents(card: Card) -> Card:
    diffs = tuple(map(_emptied, card.view.diffs))
    return msgspec.structs.replace(card, view=msgspec.structs.replace(card.view, diffs=diffs))


def _emptied(diff: FileDiff) -> FileDiff:
    if not diff.hunks:
        return diff
    return msgspec.structs.replace(diff, hunks=(), note=f"{diff.note} {NOT_KEPT}".strip())


def _task(session: Session | None, agent: str | None) -> str:
    return next((each.task for each in session.agents if each.id == agent), "") if session and agent else ""


def _hash(card: Card) -> str:
    """Of everything but the session's title, which changes by itself."""
    subject = msgspec.structs.replace(card.subject, title="")
    # What could be remembered is compared when it is chosen.
    bound = msgspec.structs.replace(card, stays=(), subject=subject, flags=tuple(f for f in card.flags if f != "burst"))
    return hashlib.sha256(msgspec.json.encode(bound, order="sorted")).hexdigest()
