"""One made-up session: its prompts, its calls, what was decided and by whom, and what came of it."""

from collections.abc import Generator, Iterator
from typing import Any

from assent.harnesses import claude_code
from assent.protocol.bodies import (
    AnswerBody,
    ApprovedBody,
    AskBody,
    AskKind,
    Choice,
    Ending,
    OutcomeBody,
    PushBody,
    RefusedBody,
    ToldBody,
)
from assent.protocol.decision import NoOpinion, Verdict
from assent.protocol.record import Draft
from bench.history_records import Group, Scribe

_EDITS = ("Edit", "Write")
_ALLOWED: tuple[Choice, ...] = ("allow",) * 17
_CHOICES: tuple[Choice, ...] = (*_ALLOWED, "allow_session", "deny", "deny", "deny_and_stop")
_SCREENS = ("desk", "desk", "desk", "phone", "phone", "telegram")
_ASK_KINDS: dict[str, AskKind] = {"AskUserQuestion": "question", "ExitPlanMode": "plan"}
# Up to which chance, how an ask ends that was not answered on a screen, why, by whom, and whether the call runs then.
_UNANSWERED: tuple[tuple[float, Ending, str, str, bool], ...] = (
    (0.90, "terminal", "answered_elsewhere", "terminal", True),
    (0.94, "denied", "answered_elsewhere", "terminal", False),
    (0.97, "expired", "timed_out", "timeout", False),
    (1.00, "handed_back", "handed_back", "person:desk", True),
)
_ANSWERED = 0.74
_EXPIRED = (0.94, 0.97)

Call = dict[str, Any]


class Session(Scribe):
    """Lives through itself once."""

    def groups(self) -> Iterator[Group]:
        rng, words = self._rng, self._words
        title = words.prompt(self._project)[:40]
        yield self._observed("SessionStart", source="startup", model="claude-opus-5-5", session_title=title)
        memory = {"memory_type": "Project", "load_reason": "session_start"}
        yield self._observed("InstructionsLoaded", file_path=f"{self._project.folder}/CLAUDE.md", **memory)
        for _ in range(1 + int(rng.paretovariate(1.1)) % 25):
            yield from self._turn()
            if rng.random() < 0.04:
                yield self._observed("PreCompact", trigger="auto", custom_instructions=None)
        if rng.random() < 0.03:
            body = {"what": "session_vanished", "pid": int(self._env["CLAUDE_PID"])}
            yield self._group(Draft(at=self._at, kind="hub", session=self.id, by="hub:pid", body=body))
        else:
            yield self._observed("SessionEnd", reason=rng.choice(("prompt_input_exit", "other", "clear")))

    def _turn(self) -> Iterator[Group]:
        rng = self._rng
        raw = self._words.hex(32)
        self._prompt_id = f"{raw[:8]}-{raw[8:12]}-{raw[12:16]}-{raw[16:20]}-{raw[20:]}"
        self._pass(rng.lognormvariate(3.5, 1.2))
        yield self._observed("UserPromptSubmit", prompt=self._words.prompt(self._project))
        for _ in range(1 + int(rng.paretovariate(0.9)) % 60):
            if rng.random() < 0.025:
                yield from self._sub_agent()
            else:
                yield from self._call(self._words.tool())
        if rng.random() < 0.02:
            yield self._observed("StopFailure", error="rate_limit", last_assistant_message="API Error: 429")
            return
        yield self._stop("Stop")
        if rng.random() < 0.3:
            self._pass(60)
            message = "Claude is waiting for your input"
            yield self._observed("Notification", message=message, notification_type="idle_prompt")

    def _sub_agent(self) -> Iterator[Group]:
        rng = self._rng
        call = yield from self._call("Agent", result=False)
        if call is None:
            return
        self._agent = (f"a{self._words.hex(16)}", call["tool_input"]["subagent_type"])
        yield self._observed("SubagentStart")
        for _ in range(1 + int(rng.expovariate(0.15))):
            yield from self._call(rng.choice(("Read", "Grep", "Grep", "Glob", "Read", "Bash")))
        yield self._stop("SubagentStop", agent_transcript_path=self._transcript.replace(".jsonl", "/agent.jsonl"))
        self._agent = None
        yield from self._result(call, failed=False)

    def _call(self, tool: str, *, result: bool = True) -> Generator[Group, None, Call | None]:
        """Gives back the call if it is to go on."""
        rng = self._rng
        self._pass(rng.lognormvariate(1.2, 0.9))
        given = self._words.input(tool, self._project)
        call: Call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self._words.hex(24)}"}
        call["call"] = self._hub.call()
        payload = self._payload("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=call["tool_use_id"])
        verdict = self._hub.judge(payload, self._project.folder)
        request = self._words.hex(16)
        yield self._group(
            self._event(payload, request, call["call"]), self._decision(payload, request, call["call"], verdict)
        )
        word = verdict.decision.word
        if word == "deny":
            return None
        ask, may_run = None, True
        if word == "prompt" or (word == "no_opinion" and rng.random() < self._chance_of_dialog(tool)):
            ask, may_run = yield from self._dialog(call, verdict)
        if not may_run:
            return None
        if not result:
            return call
        yield from self._result(call, failed=rng.random() < 0.06, ask=ask)
        return call

    def _chance_of_dialog(self, tool: str) -> float:
        if self._mode in ("bypassPermissions", "plan"):
            return 0.0
        if tool in _EDITS:
            return 0.0 if self._mode == "acceptEdits" else 0.35
        return {"Bash": 0.4, "WebFetch": 0.6, "AskUserQuestion": 1.0}.get(tool, 0.15)

    def _dialog(self, call: Call, verdict: Verdict) -> Generator[Group, None, tuple[Call | None, bool]]:
        """Gives back the ask, if there is one, and whether the call may run."""
        rng, hub = self._rng, self._hub
        tool, given = call["tool_name"], call["tool_input"]
        payload = self._payload("PermissionRequest", tool_name=tool, tool_input=given)
        request = self._words.hex(16)
        event = self._event(payload, request, call["call"])
        if not hub.has_asks or rng.random() < 0.2:
            # Only the terminal asks, and does not report the answer.
            silent = hub.judge(payload, self._project.folder)
            yield self._group(event, self._decision(payload, request, call["call"], silent))
            self._pass(rng.lognormvariate(1.8, 1.0))
            return None, rng.random() < 0.93
        yield self._group(event)
        ask = hub.ask()
        kind = _ASK_KINDS.get(tool, "permission")
        line = str(given.get("command") or given.get("file_path") or given.get("url") or tool)[:120]
        about = {"ask": ask, "call": call["call"], "request": request, "risk": verdict.risk}
        told = {
            "event": "PermissionRequest",
            "harness": claude_code.NAME,
            "project": self._project.folder,
            "tool": tool,
        }
        shown = self._words.hex(64)
        asked = AskBody(what=kind, line=line, shown=shown, deadline=self._at + 600_000, **told)
        yield self._group(self._draft("ask", asked, **about))
        if rng.random() < 0.4:
            sent = rng.random() < 0.97
            push = PushBody(surface=rng.choice(("telegram", "ntfy")), sent=sent, why="" if sent else "timed out")
            yield self._group(self._draft("push", push, ask=ask))
        return (yield from self._ended(ask, about, told, payload, verdict, shown))

    def _ended(
        self,
        ask: str,
        about: dict[str, Any],
        told: dict[str, Any],
        payload: dict[str, Any],
        verdict: Verdict,
        shown: str,
    ) -> Generator[Group, None, tuple[Call | None, bool]]:
        rng = self._rng
        chance = rng.random()
        waited = int(min(rng.lognormvariate(2.6, 1.3), 590) * 1000)
        if _EXPIRED[0] <= chance < _EXPIRED[1]:
            waited = 600_000
        self._pass(waited / 1000)
        if chance >= _ANSWERED:
            _, ending, cause, by, may_run = next(each for each in _UNANSWERED if chance < each[0])
            silence = {"decision": "no_opinion", "cause": cause}
            yield self._group(
                self._said(payload, about, verdict, silence, by),
                self._draft("outcome", OutcomeBody(ending=ending, took_ms=waited), **about),
            )
            return None, may_run
        screen, choice = rng.choice(_SCREENS), rng.choice(_CHOICES)
        by = f"person:{screen}"
        allowed = choice.startswith("allow")
        message = "" if allowed else self._words.prompt(self._project)
        answer = AnswerBody(
            choice=choice,
            surface="page" if screen != "telegram" else "telegram",
            device=screen,
            shown=shown,
            waited_ms=waited,
            message=message,
        )
        decision = {"decision": "allow"} if allowed else {"decision": "deny", "reason": message or "Denied."}
        if allowed and rng.random() < 0.02:
            first = ApprovedBody(surface="page", device="phone", shown=shown, waited_ms=waited // 2, missing=1)
            yield self._group(self._draft("approved", first, by="person:phone", **about))
        yield self._group(
            self._draft("answer", answer, by=by, **about), self._said(payload, about, verdict, decision, by)
        )
        yield self._group(self._draft("told", ToldBody(delivered=True, **told), **about))
        if rng.random() < 0.02:
            late = RefusedBody(choice="allow", why="It was answered already.", surface="telegram", device="phone")
            yield self._group(self._draft("refused", late, ask=ask, by="person:phone"))
        if not allowed:
            yield self._group(self._draft("outcome", OutcomeBody(ending="denied"), **about))
        return (about if allowed else None), allowed

    def _result(self, call: Call, *, failed: bool, ask: Call | None = None) -> Iterator[Group]:
        rng = self._rng
        took = int(rng.lognormvariate(4.5 if call["tool_name"] != "Bash" else 6.5, 1.2)) + 1
        self._pass(took / 1000)
        name = "PostToolUseFailure" if failed else "PostToolUse"
        known = {key: call[key] for key in ("tool_name", "tool_input", "tool_use_id")}
        if failed:
            end = {"error": self._words.error(self._project), "is_interrupt": False, "duration_ms": took}
        else:
            end = {"tool_response": self._words.withheld(900), "duration_ms": took}
        yield self._group(self._event(self._payload(name, **known, **end), self._words.hex(16), call["call"]))
        if ask is not None:
            outcome = OutcomeBody(ending="failed" if failed else "ran", took_ms=took)
            yield self._group(self._draft("outcome", outcome, **ask))
        batch = [{**known, "tool_response": self._words.withheld(900)}]
        if rng.random() < 0.7:  # the others ended together with a parallel one
            yield self._observed("PostToolBatch", tool_calls=batch)

    def _stop(self, name: str, **fields: Any) -> Group:
        closing = self._words.closing(self._project)
        rest = {"last_assistant_message": closing, "background_tasks": [], "session_crons": []}
        payload = self._payload(name, stop_hook_active=False, **fields, **rest)
        request = self._words.hex(16)
        silence = Verdict(decision=NoOpinion("no_rule"), by="judge")
        return self._group(self._event(payload, request, None), self._decision(payload, request, None, silence))
