"""Facts about a session, in words: what is unusual, one line of the rest, its agents as a tree. Pure."""

import re
from collections.abc import Iterable, Sequence

from assent.protocol import modes
from assent.protocol.card import ShownAsk
from assent.protocol.session import Agent, Session
from assent.text import times, who, wording
from assent.text.safe import plain_line
from assent.tui.drawing.text import Line, Piece, counted, fit, width
from assent.views import figures

_ENDED = {
    "prompt_input_exit": "left at its prompt",
    "logout": "logged out",
    "clear": "cleared",
    "resume": "resumed elsewhere",
    "other": "",
}
# Hosts whose own dialogs do not report refusals.
_LIMITED = re.compile(r"vscode|desktop|jetbrains", re.IGNORECASE)
LONGEST = 60
LONGEST_TASK = 200


def short(path: str, home: str) -> str:
    """``~`` for the home of the hub's user."""
    is_below = bool(home) and (path == home or path.startswith(f"{home}/"))
    return plain_line(f"~{path[len(home) :]}" if is_below else path, LONGEST_TASK)


def ended(session: Session) -> str:
    """Why, in words where we have some."""
    return plain_line(_ENDED.get(session.ended_because, session.ended_because.replace("_", " ")), LONGEST)


def needs_you(number: int) -> str:
    return "" if not number else "1 needs you" if number == 1 else f"{number} need you"


def state(session: Session) -> Line:
    words = wording.SESSIONS[session.state]
    return [(words.text, words.role)]


def name(session: Session) -> Line:
    """``[WB] webshop · Fix flaky login``"""
    project = who.project_of(session)
    line: Line = [(f"[{who.letters(project)}]", f"hue-{who.hue(project)} strong"), (f" {project}", "strong")]
    if session.title:
        line.append((f" · {plain_line(session.title, LONGEST)}", ""))
    return line


def is_bypass(session: Session) -> bool:
    return session.mode == modes.BYPASS


def chips(session: Session, asks: Iterable[ShownAsk] = (), *, is_short: bool = False) -> list[Piece]:
    """What is unusual about it: each in words, with its style."""
    made = []
    if is_bypass(session):
        made.append((f" {wording.FLAGS['bypass']} ", "danger-block"))
    if _LIMITED.search(session.entrypoint) or any("limited_host" in ask.flags for ask in asks):
        made.append(("limited" if is_short else wording.FLAGS["limited_host"], "care"))
    if session.attended is False:
        made.append(("unattended" if is_short else wording.FLAGS["unattended"], "care"))
    return made


def facts(session: Session, branch: str = "") -> list[str]:
    """Everything that is known, the most telling first."""
    lines = f"+{session.lines_added:,} −{session.lines_removed:,} lines"
    parts = (
        who.other_client(session.harness),
        plain_line(session.model, LONGEST),
        f"mode {plain_line(session.mode, LONGEST)}" if session.mode else "",
        f"branch {plain_line(branch, LONGEST)}" if branch else "",
        figures.context(session.context) if session.context else "",
        counted(session.calls, "call"),
        f"{session.denied:,} denied" if session.denied else "",
        f"{session.failed:,} failed" if session.failed else "",
        wording.auto_mode(session.auto.answered, session.auto.refused, session.auto.appealed),
        f"tokens {tokens}" if (tokens := figures.kinds_of_tokens(session)) else "",
        lines if session.lines_added or session.lines_removed else "",
        "" if session.cost_usd is None else figures.dollars(session.cost_usd),
        f"{times.duration(session.active_s * 1000)} active" if session.active_s else "",
        "a person at the terminal" if session.attended else "",
        "runs on a remote machine" if session.remote else "",
        f"last {times.clock(session.last)}" if session.last else "",
        ended(session),
        f"in all {figures.summary(session.summary)}" if session.summary else "",
    )
    return [part for part in parts if part]


def packed(parts: Sequence[str], cells: int) -> list[Line]:
    """One after the other, each on one line: none is torn apart that fits into a line."""
    lines: list[Line] = [[]]
    for part in parts:
        piece = (f" · {part}" if lines[-1] else part, "text-2")
        if lines[-1] and width([*lines[-1], piece]) > cells:
            lines.append([(part, "text-2")])
        else:
            lines[-1].append(piece)
    return [fit(line, cells) for line in lines]


def agents(session: Session, picked: str | None) -> list[tuple[str, Line, str]]:
    """The main agent and those it started: id, line, task. The main one's id is empty. ``picked``: None for all."""
    if not session.agents:
        return []
    own = max(0, session.calls - sum(agent.calls for agent in session.agents))
    _, sign, style = wording.SESSIONS[session.state]
    main: Line = [*_mark(picked == ""), (f"{sign} ", style), ("main agent", "strong")]
    made = [("", [*main, (f"  {counted(own, 'call')}", "text-3")], "")]
    for place, agent in enumerate(session.agents):
        branch = "└ " if place == len(session.agents) - 1 else "├ "
        line: Line = [*_mark(picked == agent.id), (branch, "line"), *_agent(agent)]
        made.append((agent.id, line, plain_line(agent.task, LONGEST_TASK)))
    return made


def _mark(is_picked: bool) -> Line:
    return [("▸ " if is_picked else "  ", "focus strong")]


def _agent(agent: Agent) -> Line:
    _, sign, style = wording.SESSIONS[agent.state]
    line: Line = [(f"{sign} ", style), (plain_line(agent.type or agent.id[:8], LONGEST), "strong")]
    return [*line, (f"  {counted(agent.calls, 'call')}", "text-3")]


def joined(first: Line, others: Sequence[Piece], cells: int) -> Line:
    """The chips after the name, which gives way to them: they are what one must not miss."""
    ends: Line = [piece for chip in others for piece in (("  ", ""), chip)]
    return fit([*fit(first, max(8, cells - width(ends))), *ends], cells)
