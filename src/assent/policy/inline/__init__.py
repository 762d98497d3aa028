"""Programs in other languages that stand in a line: ``python -c``, ``node -e``, a here-document for an interpreter.

Python is read by its own grammar. Other languages are looked through for what matters, and what is not
understood is Care."""

from assent.policy.commands._recipes import Makefile
from assent.policy.commands.spec import Finding, Run
from assent.policy.effects import care, danger
from assent.policy.inline import python, scan
from assent.policy.spelling import Setting
from assent.policy.words import HOLE, Arg

LONGEST = 20_000


def findings(language: str, text: str, setting: Setting, cwd: str | None) -> list[Finding]:
    """What the program would do, as far as it can be read. Never empty."""
    if not text.strip(f"{HOLE} \n\t"):
        if HOLE in text:
            return [danger("dynamic", f"It runs a {language} program that is known only when it runs.")]
        return [care("run", f"It runs an empty {language} program.")]
    if len(text) > LONGEST:
        return [care("run", f"It runs a long {language} program given in the line.")]
    found: list[Finding] = []
    if HOLE in text:
        found.append(care("dynamic", f"Part of the {language} program is known only when it runs."))
    if language == "python":
        found += python.findings(text, setting, cwd)
    elif language == "makefile":
        found += [care("run", "It runs recipes that stand in the line.")]
        found += [Run(line=Arg(line)) for line in Makefile(text).all_lines()]
    else:
        found += scan.findings(language, text, setting, cwd)
    return found
