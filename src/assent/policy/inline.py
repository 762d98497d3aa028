"""Programs in other languages that stand in a line: ``python -c``, ``node -e``, a here-document for an interpreter."""

from assent.policy.commands.spec import Finding
from assent.policy.effects import care
from assent.policy.places import Setting


def findings(language: str, text: str, setting: Setting, cwd: str | None) -> list[Finding]:  # noqa: ARG001
    """What the program would do, as far as it can be read."""
    return [care("run", f"It runs a {language} program given in the line.")]
