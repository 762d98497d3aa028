"""A project's rules, shown to a person who decides whether to trust them."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assent.errors import AssentError, UsageError
from assent.learn.review import Offer
from assent.paths import Paths
from assent.policy import world
from assent.policy.rules import approvals as approval_rules
from assent.policy.rules import book, file
from assent.policy.rules import file as rule_file
from assent.policy.rules.approvals import ApprovalRule
from assent.policy.rules.approvals import ApprovalTest as ApprovalTest
from assent.policy.rules.file import Outcome as Outcome
from assent.policy.rules.kept import NEVER_DANGER
from assent.policy.rules.rule import Rule, Says
from assent.protocol.rule_words import SHELL
from assent.toml import document
from assent.toml.document import ConfigError


def here(paths: Paths) -> list[Path]:
    """The files that hold in this folder."""
    project = book.find(Path.cwd())
    return [file for file in (paths.rules, project) if file is not None and file.exists()]


def check(file: Path) -> tuple[Rule, ...]:
    """Every rule of it, heard or not. Raises ConfigError."""
    if not _is_projects(file):
        return rule_file.load_user(file).rules
    # Its paths begin at the project's folder.
    file_rules = rule_file.load_project(file.absolute())
    return tuple(sorted((*file_rules.rules, *(each.rule for each in file_rules.ignored)), key=lambda rule: rule.number))


def approvals(file: Path) -> tuple[ApprovalRule, ...]:
    """Raises ConfigError."""
    return (rule_file.load_project(file.absolute()) if _is_projects(file) else rule_file.load_user(file)).approvals


def too_long(rule: ApprovalRule) -> str:
    """What to say where it waits longer than clients let a hook run; "" where it does not."""
    return approval_rules.too_long(rule)


def tests(rules: Iterable[Rule | ApprovalRule]) -> int:
    return sum(len(rule.tests) for rule in rules)


def run(file: Path) -> Iterator[Outcome]:
    """Every test of the file, in the project it belongs to, else in the one around this folder. Raises ConfigError."""
    whole = file.absolute()
    project = whole.parent.parent if _is_projects(file) else Path(world.repository(str(Path.cwd())))
    yield from rule_file.run_tests(check(file), project)
    yield from rule_file.run_approval_tests(approvals(file), project)


def _is_projects(file: Path) -> bool:
    return file.name == "rules.toml" and file.absolute().parent.name == ".assent"


State = Literal["trusted", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class Offered:
    """What a file would allow, and the digest of the very bytes that say so."""

    path: Path
    real: str
    digest: str
    # Number and text of each rule that would gain force.
    allows: tuple[tuple[int, str], ...]


def offered(folder: Path) -> Offered:
    """The rules of the project around this folder. Raises UsageError, or ConfigError where they cannot be read."""
    file = rule_file.load_project(found(folder))
    allows = tuple((ignored.rule.number, ignored.rule.in_words()) for ignored in file.ignored)
    return Offered(file.path or folder, file.real, file.digest, allows)


def found(folder: Path) -> Path:
    """Raises UsageError."""
    whole = folder.absolute()
    path = book.find(whole)
    if path is None:
        raise UsageError(
            f"Nothing was changed: there is no .assent/rules.toml in {whole} or in the repository around it.",
            hint="name the project's folder: assent trust PATH.",
        )
    return path


def pinned(paths: Paths) -> dict[str, str]:
    return book.read_trust(paths.trust)


def states(paths: Paths) -> dict[str, State]:
    """Every file that was trusted, and whether it still is what it was."""
    return {name: _state(Path(name), digest) for name, digest in sorted(pinned(paths).items())}


def written(files: dict[str, str]) -> bytes:
    return book.trust_text(files)


def _state(path: Path, digest: str) -> State:
    try:
        content = path.read_bytes()
    except OSError:
        return "gone"
    return "trusted" if hashlib.sha256(content).hexdigest() == digest else "changed"


_BEGINS = re.compile(rb"\s*\[\[\s*(rule|approval)\s*\]\]")


def with_rule(path: Path, before: bytes | None, offer: Offer, reason: str) -> bytes:
    """The file with the offered rule. Raises ConfigError if the file is broken as it is, AssentError if it cannot be
    added; nothing is written here."""
    return _extended(path, before, _written(offer, reason), ("allow", (offer.text,)))


def with_plain_rule(path: Path, before: bytes | None, match: str, says: Says, reason: str = "") -> bytes:
    """The file with one more rule, in the words of its author. Raises like the above."""
    lines = ["[[rule]]", f"match = {_quoted(match)}", f"decision = {_quoted(says)}"]
    return _extended(path, before, [*lines, *([f"reason = {_quoted(reason)}"] if reason else [])], (says, (match,)))


def with_kept_rule(path: Path, before: bytes | None, matches: Sequence[str], harness: str, folder: str) -> bytes:
    """The file with one more rule that allows, for one kind of agent and never for Danger; ``folder``: only there, ""
    for everywhere. Raises like the above."""
    named = _quoted(matches[0]) if len(matches) == 1 else f"[{', '.join(map(_quoted, matches))}]"
    where = f", cwd = {_quoted(folder)}" if folder else ""
    when = f"{{ risk = {_quoted(NEVER_DANGER.text)}{where} }}"
    lines = ["[[rule]]", f"match = {named}", 'decision = "allow"', f"harness = {_quoted(harness)}", f"when = {when}"]
    return _extended(path, before, lines, ("allow", tuple(matches)))


def without_rule(path: Path, before: bytes, number: int) -> bytes:
    """The file without the rule of this number, counted from 1. Raises like the above."""
    old = _rules(path, before)
    if not 0 < number <= len(old):
        raise AssentError(f"Nothing was written: there is no rule {number} in {path}.")
    lines = before.split(b"\n")
    begins = [(place, found[1]) for place, line in enumerate(lines) if (found := _BEGINS.match(line))]
    starts = [place for place, kind in begins if kind == b"rule"]
    kept = [*old[: number - 1], *old[number:]]
    if len(starts) == len(old):
        begin = starts[number - 1]
        after = next((place for place, _ in begins if place > begin), len(lines))
        text = b"\n".join([*lines[:begin], *lines[after:]])
        try:
            is_same = _approvals(path, text) == _approvals(path, before)
            if is_same and list(map(_names, _rules(path, text))) == list(map(_names, kept)):
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
    is_same = _approvals(path, after) == _approvals(path, before or b"")
    if not is_same or [_names(rule) for rule in new] != [*map(_names, old), expected]:
        raise _refused(path)
    return after


def _rules(path: Path, content: bytes) -> tuple[Rule, ...]:
    return file.parse(document.parse(path, content), "user")


def _approvals(path: Path, content: bytes) -> tuple[ApprovalRule, ...]:
    """What no change of a rule may change."""
    return file.parse_approvals(document.parse(path, content), "user")


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
    if tool == SHELL:
        test = [f"command = {_quoted(given['command'])}"]
    else:
        pairs = ", ".join(f"{name} = {_quoted(value)}" for name, value in given.items())
        test = [f"tool = {_quoted(tool)}", *([f"input = {{ {pairs} }}"] if pairs else [])]
    return [*rule, "[[rule.test]]", *test, 'expect = "allow"']


def _quoted(text: str) -> str:
    """JSON's escapes are TOML's. What cannot be seen is escaped as well: a person reads this before it is written."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in quoted)
