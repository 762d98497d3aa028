"""A rule added to the end of ``rules.toml``: nothing before it changes, and the real loader has read the result."""

import json
import re
from pathlib import Path

from assent.errors import AssentError
from assent.learn.review import Offer
from assent.policy import rule_file
from assent.policy.rule import Rule, Says
from assent.toml import document
from assent.toml.document import ConfigError

_BEGINS = re.compile(rb"\s*\[\[\s*rule\s*\]\]")


def with_rule(path: Path, before: bytes | None, offer: Offer, reason: str) -> bytes:
    """The file with the offered rule. Raises ConfigError if the file is broken as it is, AssentError if it cannot be
    added; nothing is written here."""
    return _extended(path, before, _written(offer, reason), ("allow", (offer.text,)))


def with_plain_rule(path: Path, before: bytes | None, match: str, says: Says, reason: str = "") -> bytes:
    """The file with one more rule, in the words of whoever adds it. Raises like the above."""
    lines = ["[[rule]]", f"match = {_quoted(match)}", f"decision = {_quoted(says)}"]
    return _extended(path, before, [*lines, *([f"reason = {_quoted(reason)}"] if reason else [])], (says, (match,)))


def without_rule(path: Path, before: bytes, number: int) -> bytes:
    """The file without the rule of this number, counted from 1. Raises like the above."""
    old = _rules(path, before)
    if not 0 < number <= len(old):
        raise AssentError(f"Nothing was written: there is no rule {number} in {path}.")
    lines = before.split(b"\n")
    starts = [place for place, line in enumerate(lines) if _BEGINS.match(line)]
    kept = [*old[: number - 1], *old[number:]]
    if len(starts) == len(old):
        begin, after = starts[number - 1], [*starts, len(lines)][number]
        text = b"\n".join([*lines[:begin], *lines[after:]])
        try:
            if list(map(_names, _rules(path, text))) == list(map(_names, kept)):
                return text
        except ConfigError:
            pass  # A table that the rule's lines do not hold by themselves.
    raise AssentError(
        f"Nothing was written: rule {number} cannot be cut out of {path}.", hint="take it out with an editor."
    )


def _extended(path: Path, before: bytes | None, written: list[str], expected: tuple[str, tuple[str, ...]]) -> bytes:
    old = _rules(path, before or b"")
    newline = "\r\n" if b"\r\n" in (before or b"") else "\n"
    ends = b"" if not before or before.endswith(b"\n") else newline.encode()
    is_apart = not before or before.endswith((b"\n\n", b"\r\n\r\n"))
    lines = [*([] if is_apart else [""]), *written]
    text = "".join(f"{line}{newline}" for line in lines)
    after = (before or b"") + ends + text.encode()
    try:
        new = _rules(path, after)
    except ConfigError as error:
        raise _refused(path) from error
    if [_names(rule) for rule in new] != [*map(_names, old), expected]:
        raise _refused(path)
    return after


def _rules(path: Path, content: bytes) -> tuple[Rule, ...]:
    return rule_file.parse(document.parse(path, content), "user")


def _names(rule: Rule) -> tuple[str, tuple[str, ...]]:
    return rule.says, tuple(pattern.text for pattern in rule.patterns)


def _refused(path: Path) -> AssentError:
    return AssentError(
        f"Nothing was written: a rule cannot be added at the end of {path}.",
        hint="write its rules as [[rule]] tables, then run the command again.",
    )


def _written(offer: Offer, reason: str) -> list[str]:
    rule = ["[[rule]]", f"match = {_quoted(offer.text)}", 'decision = "allow"', f"reason = {_quoted(reason)}"]
    tool, given = offer.test.tool, offer.test.input
    if tool == "Bash":
        test = [f"command = {_quoted(given['command'])}"]
    else:
        pairs = ", ".join(f"{name} = {_quoted(value)}" for name, value in given.items())
        test = [f"tool = {_quoted(tool)}", *([f"input = {{ {pairs} }}"] if pairs else [])]
    return [*rule, "[[rule.test]]", *test, 'expect = "allow"']


def _quoted(text: str) -> str:
    """JSON's escapes are TOML's. What cannot be seen is escaped as well: somebody reads this before it is written."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in quoted)
