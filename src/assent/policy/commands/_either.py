"""Commands that only look when their words read like this, and do something else otherwise."""

import re
from collections.abc import Iterator

from assent.policy.commands.spec import Finding, Invocation, Spec
from assent.policy.effects import Effect
from assent.policy.words import HOLE
from assent.protocol.risk import Risk

_ITSELF = re.compile(r"--?(?:version|help)|-V|help")


def either(looks: str, why: str, otherwise: Effect) -> Spec:
    """``looks`` is a pattern for all its words, parted by blanks. What is not known never fits."""
    pattern = re.compile(looks, re.DOTALL)

    def found(it: Invocation) -> Iterator[Finding]:
        line = " ".join(arg.text for arg in it.args)
        is_harmless = HOLE not in line and (pattern.fullmatch(line) or _ITSELF.fullmatch(line))
        yield Effect("query", Risk.LOOK, why) if is_harmless else otherwise

    return Spec(why, "*", "none*", also=found)
