"""A rule added to the end of ``rules.toml``: nothing before it changes, and the real loader has read the result."""

import json
from pathlib import Path

from assent.errors import AssentError
from assent.learn.review import Offer
from assent.policy import rule_file
from assent.policy.rule import Rule
from assent.toml import document
from assent.toml.document import ConfigError


def with_rule(path: Path, before: bytes | None, offer: Offer, reason: str) -> bytes:
    """The file with one more rule. Raises ConfigError if the file is broken as it is, AssentError if it cannot be
    added; nothing is written here."""
    old = _rules(path, before or b"")
    newline = "\r\n" if b"\r\n" in (before or b"") else "\n"
    ends = b"" if not before or before.endswith(b"\n") else newline.encode()
    is_apart = not before or before.endswith((b"\n\n", b"\r\n\r\n"))
    lines = [*([] if is_apart else [""]), *_written(offer, reason)]
    text = "".join(f"{line}{newline}" for line in lines)
    after = (before or b"") + ends + text.encode()
    try:
        new = _rules(path, after)
    except ConfigError as error:
        raise _refused(path) from error
    if [_names(rule) for rule in new] != [*map(_names, old), ("allow", (offer.text,))]:
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
