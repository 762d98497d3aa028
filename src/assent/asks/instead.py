"""A whole command that can take the place of one that loses work, where there is one: for a person to use or not."""

import re
from collections.abc import Sequence

from assent.protocol.trial import Step

_REPLACED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # Tells what would be deleted.
        (r"(git clean (?:.* )?)-([a-z]*)f([a-z]*)\b(.*)", r"\1-\2n\3\4"),
        # Refuses where others pushed meanwhile.
        (r"(git push (?:.* )?)(?:--force|-f)(?= |$)(.*)", r"\1--force-with-lease\2"),
        # Keep the changes.
        (r"git reset --hard(?: HEAD)?", "git stash --include-untracked"),
        (r"git (?:checkout|restore)(?: --)? \.", "git stash"),
        (r"git stash (?:drop|clear)", "git stash list"),
        # Refuses what is not merged.
        (r"(git branch (?:.* )?)-D(?= |$)(.*)", r"\1-d\2"),
        # Keeps the data.
        (r"(docker(?:-| )compose down(?: .*)?) (?:-v|--volumes)(?= |$)(.*)", r"\1\2"),
    )
)
_LONGEST = 500


def instead(command: str, steps: Sequence[Step]) -> str:
    """The line with its dangerous command replaced; "" where there is no such way."""
    risky = [step.command for step in steps if step.risk == "danger"]
    if len(risky) != 1 or len(risky[0]) > _LONGEST or command.count(risky[0]) != 1:
        return ""
    for pattern, replacement in _REPLACED:
        if found := pattern.fullmatch(risky[0]):
            return command.replace(risky[0], found.expand(replacement))
    return ""
