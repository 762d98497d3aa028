"""A turn that ended, as a message: whose it was, and its last words."""

from assent.protocol.card import Subject
from assent.surfaces.base import Audience, Notice
from assent.surfaces.glance import of_notice
from assent.surfaces.slack.blocks import line, mono, preformatted, rich, section, words
from assent.surfaces.slack.card import SHORT, Card
from assent.surfaces.text import both_ends, seen
from assent.words import who

_HEADS = {"finished": "◇ TURN ENDED", "failed": "✕ STOPPED WITH AN ERROR"}


def card(notice: Notice, *, is_masked: bool) -> Card:
    title, text = of_notice(notice, Audience("masked" if is_masked else "open"))
    if is_masked:
        return Card(title, (rich(section(words(line(title, 120), "bold"))),))
    name = who.identity(Subject("", session=notice.session, project=notice.project, title=notice.title))
    told = seen(notice.text.strip())
    head = section(words(f"{_HEADS[notice.what]}\n", "bold"), *mono(name.removesuffix(" · main agent") or "agent", 160))
    middle = [preformatted(both_ends(told, SHORT))] if told else []
    return Card(" – ".join(filter(None, (title, line(text, 240)))), (rich(head, *middle),))
