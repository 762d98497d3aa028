"""One cell for each meaning. Every sign has a twin for terminals that show plain letters only."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Not needed to run, and a status line has no time for it.
    from assent.protocol.card import ShownAsk

RISKS = {"look": ("○", "Look"), "change": ("◐", "Change"), "care": ("▲", "Care"), "danger": ("■", "Danger")}
KINDS = {"question": ("?", "Question"), "plan": ("¶", "Plan"), "form": ("✎", "Form"), "stop": ("◇", "Turn ended")}

_PLAIN = {
    "○": "[.]",
    "◐": "[~]",
    "▲": "[!]",
    "■": "[#]",
    "¶": "[P]",
    "✎": "[F]",
    "◇": "[S]",
    "✓": "+",
    "✕": "x",
    "◌": "-",
    "→": ">",
    "←": "<",
    "◀": "<",
    "◔": "*",
    "●": "*",
    "⑂": "/",
    "✱": "*",
    "·": "-",
    "…": "...",
    "⋯": "...",
    "‹": "<",
    "›": ">",
    "▸": ">",
    "▾": "v",
    "▌": "|",
    "│": "|",
    "─": "-",
    "├": "|",
    "└": "`",
    "–": "-",
    "−": "-",
    "×": "x",
    "“": '"',
    "”": '"',
    "⟨": "<",
    "⟩": ">",
    "␣": "_",
    "⇥": "^I",
    "↵": "^J",
    "█": "#",
    "▇": "#",
    "▆": "=",
    "▅": "=",
    "▄": "-",
    "▃": "-",
    "▂": ".",
    "▁": ".",
}
_TO_PLAIN = str.maketrans(_PLAIN)
_OTHERS = re.compile(r"[^\x00-\x7f]")


def plain(text: str) -> str:
    """Our own signs as letters every terminal has; what it cannot show at all is spelled out."""
    return text if text.isascii() else _OTHERS.sub(lambda found: f"<U+{ord(found[0]):04X}>", text.translate(_TO_PLAIN))


def risk_sign(level: str) -> str:
    return RISKS.get(level, RISKS["care"])[0]


def risk_word(level: str) -> str:
    return RISKS.get(level, (None, level.capitalize() or "Care"))[1]


def sign(ask: "ShownAsk") -> str:
    """A permission is known by its risk, the other kinds by what they are."""
    return KINDS[ask.kind][0] if ask.kind in KINDS else risk_sign(ask.risk.level)


def label(ask: "ShownAsk") -> str:
    """``Danger``, or ``Question``; both where a question, plan or form is more than Look."""
    if ask.kind not in KINDS:
        return risk_word(ask.risk.level)
    kind = KINDS[ask.kind][1]
    return f"{kind}, {risk_word(ask.risk.level)}" if ask.risk.level in ("care", "danger") else kind
