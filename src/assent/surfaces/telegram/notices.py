"""A turn that ended, as a message: whose it was, its last words, and how to go on."""

from assent.protocol.card import Subject
from assent.surfaces.base import Audience, Notice
from assent.surfaces.glance import of_notice
from assent.surfaces.telegram.markup import block, line, mono
from assent.surfaces.text import both_ends, seen
from assent.words import who

LONGEST = 2_400
_HEADS = {"finished": "◇ TURN ENDED", "failed": "✕ STOPPED WITH AN ERROR"}


def text(notice: Notice, *, is_masked: bool) -> str:
    if is_masked:
        title, words = of_notice(notice, Audience("masked"))
        return f"<b>{line(title, 120)}</b>\n{line(words, 200)}"
    name = who.identity(Subject("", session=notice.session, project=notice.project, title=notice.title))
    told = seen(notice.text.strip())
    lines = [
        f"<b>{_HEADS[notice.what]}</b>",
        mono(name.removesuffix(" · main agent"), 160),
        block(both_ends(told, LONGEST)) if told else "",
        "Reply to tell it what to do next.",
    ]
    return "\n".join(filter(None, lines))
