"""What is asked about, as the hub knows it: drawn from the event, judged anew whenever somebody is about to say yes."""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from assent.asks import card as cards
from assent.asks import offers
from assent.asks.held import Drawn
from assent.asks.patience import Way
from assent.forms import answer
from assent.harness import claude_code_grants
from assent.harness.base import Harness
from assent.policy import judge, trial, world
from assent.policy.call import Call
from assent.policy.places import READS_OUTSIDE
from assent.policy.risk_of import effects_of
from assent.policy.voice import Scene, Voice
from assent.protocol.card import Card, FileDiff, GrantScope, Segment
from assent.protocol.decision import Decision, Deny, NoOpinion
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, PreToolUse, ToolEvent
from assent.protocol.permission import AddRules, Grant
from assent.protocol.record import Draft
from assent.protocol.risk import Risk
from assent.protocol.trial import Question, Trial
from assent.redact import Redactor
from assent.redact.shown import has_marks
from assent.views.sessions import Session

LARGEST_FILE = 1 << 20
NOT_KEPT = "What is written into files is not kept on record."
# Windows of an editor or a desktop program: they do not tell when somebody refuses there.
LIMITED_HOSTS = frozenset({"claude-vscode", "claude-desktop"})
_WORDS = {risk.word: risk for risk in Risk}


@dataclass(slots=True)
class HubCase:
    event: Event
    harness: str
    request: str
    call: str | None
    tool_use_id: str | None
    project: str
    way: Way
    module: Harness
    scene: Scene
    voices: Callable[[Scene], Sequence[Voice]]
    redactor: Redactor
    session: Callable[[], Session | None]
    continuations: Callable[[], int]
    is_burst: Callable[[], bool]
    draft: Callable[[Decision, str, str], Draft]
    # What the policy wants where no person decides.
    verdict: Decision

    def draw(self) -> Drawn:
        verdict = judge.judge(self.event, self.scene, self.voices(self.scene))
        held = self._trial(self.event)
        session = self.session()
        seen = cards.Seen(
            trial=held,
            risk=(held.risk if held else verdict.risk) or "",
            project=self.project,
            title=session.title if session else "",
            task=_task(session, self.event.agent_id),
            branch=world.branch(self.project) or "",
            attended=self.scene.attended,
            machine="",
            entrypoint=session.entrypoint if session else "",
            limited=session is not None and session.entrypoint in LIMITED_HOSTS,
            read=lambda path: world.read_small(path, LARGEST_FILE),
            there=world.is_there,
            home=world.home(),
            continuations=self.continuations(),
        )
        card = self._redacted(cards.draw(self.event, seen))
        if self.is_burst():
            card = msgspec.structs.replace(card, flags=(*card.flags, "burst"))
        return Drawn(card, _hash(card), verdict.decision)

    def _trial(self, event: Event) -> Trial | None:
        if not isinstance(event, ToolEvent):
            return None
        question = Question(
            command=str(event.tool_input.get("command", "")) if event.tool_name == "Bash" else "",
            cwd=event.cwd,
            mode=event.permission_mode or "default",
            tool=event.tool_name,
            input=event.tool_input,
        )
        return trial.hold(question, self.scene, self.voices(self.scene))

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
        safe["view"]["verb"] = self.redactor.without_pieces(safe["view"]["verb"], self._said(), visible)
        marked = msgspec.convert(safe, Card)
        return msgspec.structs.replace(marked, flags=(*marked.flags, "redacted"))

    def _said(self) -> Any:
        """The agent's own words, of which a heading is made."""
        event = self.event
        return [event.tool_name, event.tool_input] if isinstance(event, ToolEvent) else event.raw

    def stored(self, card: Card) -> dict[str, Any]:
        """What is written into files is never on record; the hash of what was shown stands for it."""
        diffs = tuple(map(_without_contents, card.view.diffs))
        kept = msgspec.structs.replace(card, view=msgspec.structs.replace(card.view, diffs=diffs))
        stored = self.redactor.storable(msgspec.to_builtins(kept))
        stored["view"]["verb"] = self.redactor.without_pieces(stored["view"]["verb"], self._said())
        return stored

    def restored(self, edited: dict[str, Any]) -> dict[str, Any]:
        original = self.event.tool_input if isinstance(self.event, ToolEvent) else {}
        whole: dict[str, Any] = self.redactor.restored(edited, original)
        return whole

    def outside_reads(self) -> tuple[str, ...]:
        """The folders outside the project that the call reads, if that is the worst it does."""
        call = Call.of(self.event)
        did = effects_of(call, self.scene) if call is not None else []
        if max([done.effect.risk for done in did], default=Risk.LOOK) is not Risk.CARE:
            return ()
        named = [done.effect.target for done in did if done.effect.why == READS_OUTSIDE]
        return tuple(dict.fromkeys(filter(None, (_folder(target, self.event.cwd) for target in named))))

    def edit_refused(self, drawn: Drawn, edited: dict[str, Any]) -> str | None:
        """An edit may make a call safer or leave it as it is, never worse than what the person was shown."""
        if not isinstance(self.event, ToolEvent):
            return "This has no input that can be changed."
        if has_marks(edited) and not has_marks(self.event.tool_input):
            return "A mark in it stands for something hidden that is not part of this call. Write it out, or leave it."
        changed = msgspec.structs.replace(self.event, tool_input=edited)
        verdict = judge.judge(changed, self.scene, self.voices(self.scene))
        if isinstance(verdict.decision, Deny):
            return f"The policy refuses it like this: {verdict.decision.reason}"
        held = self._trial(changed)
        risk = _WORDS.get((held.risk if held else None) or "danger", Risk.DANGER)
        if risk > max(_WORDS.get(drawn.card.risk.level, Risk.LOOK), Risk.CHANGE):
            return f"Changed like this it is {risk.word}: {held.reason if held else ''}".rstrip(": ") + "."
        return None

    def content_refused(self, card: Card, content: dict[str, Any] | None) -> str | None:
        form = card.view.form
        if form is None:
            return "There is no form to fill in."
        problems = answer.problems(form, content or {})
        return " ".join(f"{name}: {why}" for name, why in problems.items()) or None

    def grant_of(self, text: str, scope: GrantScope) -> Grant:
        grant = offers.grant_of(text, scope)
        if why := claude_code_grants.fault(grant):
            raise ValueError(f"This is not granted: {why}.")
        if isinstance(grant, AddRules) and (why := self._rule_refused(grant)):
            raise ValueError(why)
        return grant

    def _rule_refused(self, grant: AddRules) -> str | None:
        call = Call.of(self.event)
        wild = any(rule.rule_content is None or "*" in rule.rule_content.replace("\\*", "") for rule in grant.rules)
        if call is not None and wild and self.draw().card.risk.level == "danger":
            return "What is Danger gets an exact rule only, without a wildcard."
        return None

    def undecided(self, decision: Decision) -> Decision:
        return self.verdict if isinstance(decision, NoOpinion) and isinstance(self.event, PreToolUse) else decision

    def encode(self, decision: Decision) -> tuple[Output, tuple[str, ...]]:
        encoded = self.module.encode_safely(self.event, decision)
        if encoded.output == SILENT and not isinstance(decision, NoOpinion) and not encoded.dropped:
            return SILENT, (f"{decision.word} cannot be told to this agent here.",)
        return encoded.output, encoded.dropped

    def decided(self, decision: Decision, by: str, ask: str) -> Draft:
        return self.draft(decision, by, ask)


def _folder(target: str, cwd: str) -> str:
    """The folder of a file that is read; "" where that would add the home or everything."""
    path = world.whole(os.path.expanduser(target), cwd)  # noqa: PTH111 - text that an agent wrote
    if not path or any(mark in path for mark in "*?["):
        return ""
    folder = path if world.is_folder(path) else os.path.dirname(path)  # noqa: PTH120
    return "" if f"{world.home()}/".startswith(f"{folder.rstrip('/')}/") else folder


def _without_contents(diff: FileDiff) -> FileDiff:
    if not diff.hunks:
        return diff
    return msgspec.structs.replace(diff, hunks=(), note=f"{diff.note} {NOT_KEPT}".strip())


def _task(session: Session | None, agent: str | None) -> str:
    return next((each.task for each in session.agents if each.id == agent), "") if session and agent else ""


def _hash(card: Card) -> str:
    """Of everything but the session's title, which changes without anybody's doing."""
    subject = msgspec.structs.replace(card.subject, title="")
    bound = msgspec.structs.replace(card, subject=subject, flags=tuple(f for f in card.flags if f != "burst"))
    return hashlib.sha256(msgspec.json.encode(bound, order="sorted")).hexdigest()
