"""An ask at a glance: the two lines a lock screen has room for. Masked, they tell nothing an agent wrote but the
project's name; open, they tell what it is about, cut, and with nothing hidden in it."""

import unicodedata
from pathlib import PurePosixPath

from assent.hidden import spelled
from assent.protocol.bodies import AskKind
from assent.protocol.card import ShownAsk
from assent.surfaces.base import Audience, Notice
from assent.words.signs import risk_sign

TITLE = 80
LINE = 240
_KINDS: dict[AskKind, str] = {"question": "Question", "plan": "Plan", "form": "Form"}


def glance(ask: ShownAsk, audience: Audience) -> tuple[str, str]:
    """Title and text."""
    who = drawn(PurePosixPath(ask.subject.project).name, 40) or "Your agent"
    if audience.gist:
        return f"{who} needs you", f"{audience.gist}. Review or stop the session?"
    word = _KINDS.get(ask.kind, ask.risk.level.capitalize())
    if audience.privacy == "masked":
        if ask.kind == "stop":
            return f"{who} finished its turn", "Open to read on or keep it going."
        return (
            f"{who} needs you ({word})" if word else f"{who} needs you",
            f"{'Still waiting. ' if audience.is_reminder else ''}Open to review.",
        )
    title = f"{risk_sign(ask.risk.level) if ask.risk.level else ''} {word} · {ask.view.verb}".strip(" ·")
    where = f"{who} · {ask.subject.title}" if ask.subject.title else who
    return drawn(title, TITLE), "\n".join(filter(None, (drawn(where, TITLE), drawn(_about(ask), LINE))))


def of_notice(notice: Notice, audience: Audience) -> tuple[str, str]:
    """Title and text of a turn that ended."""
    who = drawn(PurePosixPath(notice.project).name, 40) or "Your agent"
    word = "finished its turn" if notice.what == "finished" else "stopped with an error"
    if audience.privacy == "masked":
        return f"{who} {word}", "Open to read on."
    return f"{who} {word}", "\n".join(filter(None, (drawn(notice.title, TITLE), drawn(notice.text, LINE))))


def drawn(text: str, longest: int) -> str:
    """One line in which every character that would not be seen, or would move others, is named."""
    shown = "".join(_character(c) for c in text[: 2 * longest])
    shown = " ".join(shown.split())
    return shown if len(shown) <= longest and len(text) <= 2 * longest else shown[: longest - 1].rstrip() + "⋯"


def _character(c: str) -> str:
    if c in "\n\t ":
        return " "
    return c if unicodedata.category(c)[0] not in "CZ" else spelled(c)


def _about(ask: ShownAsk) -> str:
    view = ask.view
    if view.segments:
        return "".join(segment.text for segment in view.segments)
    if view.diffs:
        return ", ".join(f"{diff.path} +{diff.added} −{diff.removed}" for diff in view.diffs)
    if view.questions:
        return view.questions[0].question
    if view.form is not None:
        return view.form.message
    if view.stop is not None:
        return view.stop.message
    return view.markdown
