"""Commands that only look when their words read like this, and do something else otherwise."""

import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy.commands.spec import Finding, Invocation, Spec
from assent.policy.effects import Effect, care
from assent.policy.shell.words import HOLE
from assent.protocol.decision import Risk

# Options that run, load or write something in any program.
_SUSPECT = later(
    r"(?:^| )--?[\w-]*(?:command|program|rsh|exec|cmd|hook|shell|output|config|script|load|plugin|write|extract|save)"
    r"[\w-]*(?=[= ]|$)"
)
_ITSELF = later(r"--?(?:version|help)|-V|help")


def either(looks: str, why: str, otherwise: Effect, *, less: "tuple[str, Effect] | None" = None) -> Spec:
    """``looks`` is a pattern for all its words, parted by blanks. What is not known never fits.

    ``less`` is a pattern for what costs less than all the rest, and what that is."""
    pattern = later(looks, re.DOTALL)
    milder = later(less[0], re.DOTALL) if less is not None else None

    def found(it: Invocation) -> Iterator[Finding]:
        line = " ".join(arg.text for arg in it.handed_on)
        is_harmless = HOLE not in line and (pattern.fullmatch(line) or _ITSELF.fullmatch(line))
        if is_harmless and _SUSPECT.search(line):
            yield care("unknown", f"An option of {it.name} may do more than look.")
        elif is_harmless:
            yield Effect("query", Risk.LOOK, why)
        elif less is not None and milder is not None and HOLE not in line and milder.fullmatch(line):
            yield less[1]
        else:
            yield otherwise

    return Spec(why, "*", "none*", also=found)
