"""Texts written to break a screen, or to hide something on it: every surface is tested against them."""

import re
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from assent.protocol.card import FieldView, FormView, Peril, Result, Said, Segment, ShownAsk, Way

SAMPLES = (
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b]52;c;aGk=\x1b\\ \x9b2J \x90q\x9c",
    "\r\x08\x08rewritten\x7f\x00 \x0b\x0c\x85 \u2028line\u2029par",
    "safe\u202e;fr- mr\u202c \u2066isolated\u2069 \u200f\u200e",
    "zero\u200bwidth\ufeff \u00adsoft \u034fjoined\u2060 tag\U000e0041",
    "\u4e2d\u6587\u5b57\u7b26 \uff37\uff49\uff44\uff45 \ud55c\uad6d\uc5b4 \u1112\u1161\u11ab \u1160\u11a8",
    "Z\u0300\u0301\u0302\u0303\u0304a\u0305l\u0489g\u0316\u0317\u0318o \u0301alone \u20dd",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f44d\U0001f3fd \U0001f1e9\U0001f1ea",
    "\u2764\ufe0f 1\ufe0f\u20e3 \u26a0\ufe0f \u2630",
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u0e01\u0e33\u0e44\u0e17\u0e22",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u05e9\u05dc\u05d5\u05dd \ufdfd",
    "tab\tsep\t\t\t\t\t\t\t\t\t\tfar" + " " * 300 + "away" + "\n" * 60 + "below",
    "[bold red]markup[/] [@click=app.bell]x[/] $(id) `id` %s {0}",
    "\ud800 lone \U0010ffff \ue000 \U000f0000 \ufff9\ufffa",
    "\u2500\u2500\u2502 \u25a0 DANGER  match word: yes \u25c0 needs you",
    "x" * 600 + "\n" + "\u4e2d" * 300,
    "\u041e\u043alahoma p\u0430ypal \u2212rf \u00a0\u2003\u3000odd blanks",
    "<b>bold</b> <a href='https://evil.example'>x</a> </code></pre> &lt;b&gt; &amp;lt; <tg-spoiler>",
    "<!channel> <!here> <@U012AB3CD> <https://evil.example|bank.example> *b* _i_ ~s~ ```c```",
    "Title: forged\r\nX-Actions: http, Allow, https://evil.example\r\n\r\nbody",
    "<script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1)",
    "# Heading\n- [x] done\n| a | b |\n|---|---|\n![i](https://evil.example/i.png) [t](javascript:x)",
    "",
    " \n \n",
)
# What no surface may pass on as it is: controls, turns of direction, what has no width, halves of characters.
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ue000\U000e0041]"
)
# Anything, with more of what is awkward than there would be by chance.
texts = st.one_of(
    st.sampled_from(SAMPLES),
    st.text(max_size=80),
    st.text(alphabet="ab \t\n\r\x1b[]m;\u0301\u4e2d\u200d\ufe0f\u202e\U0001f44d\U0001f3fd\u1112\u1161", max_size=120),
)

# What the hub itself says, in words that are known.
_OWN = frozenset({"id", "hash", "kind", "state", "level", "risk", "choice", "needs", "ending", "certainty", "mode"})


def poisoned(value: Any, text: str) -> Any:
    """The same with this text wherever text from outside may stand."""
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        is_form = isinstance(value, FormView | FieldView | Peril | Segment)
        kept = _OWN if is_form or isinstance(value, ShownAsk | Said | Result | Way) else frozenset[str]()
        return type(value)(**{name: each if name in kept else poisoned(each, text) for name, each in fields.items()})
    if isinstance(value, tuple):
        return tuple(poisoned(each, text) for each in value)
    if isinstance(value, dict):
        return {f"{text}{at}": poisoned(each, text) for at, each in enumerate(value.values())}
    return text if isinstance(value, str) else value
