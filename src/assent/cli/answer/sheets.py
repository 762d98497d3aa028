"""What an answer needs beyond its name: words, an edited input, a rule, options, a mode. Each gives the fields of the
answer, or None where somebody thought better of it."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from assent.cli import output
from assent.cli.answering.card import at_home, behind_bar
from assent.cli.answering.screen import Screen
from assent.cli.answering.text import flat, lines
from assent.errors import AssentError
from assent.protocol.bodies import Choice
from assent.protocol.card import GRANTS, GrantScope, Offer, QuestionView, ShownAsk
from assent.words.offered import NEXT, SCOPES, TEXTS

Fields = dict[str, Any]


def edit(screen: Screen, ask: ShownAsk, given: str | None) -> Fields | None:
    """``given`` is the text to run instead; without one an editor opens."""
    raw = ask.view.raw
    name = TEXTS.get(ask.view.tool, "")
    is_text = isinstance(raw.get(name), str)
    before = raw[name] if is_text else msgspec.json.format(msgspec.json.encode(raw), indent=2).decode()
    if given is None and ask.risk.instead and is_text:
        output.say(f"1 runs {flat(ask.risk.instead)}")
        output.say("2 opens your editor")
        key = screen.choose("Which?", "12")
        if not key:
            return None
        given = ask.risk.instead if key == "1" else None
    after = given if given is not None else _edited(screen, before, ".sh" if is_text else ".json")
    if after.strip() in ("", before.strip()):
        output.say("Nothing was changed." if after.strip() else "What is left is empty.")
        return None
    edited = {**raw, name: after} if is_text else _object(after)
    if edited is None:
        output.say("This is not a JSON object.")
        return None
    output.say("This would run in its place, and is judged once more before it does:")
    screen.show(list(behind_bar(after, screen.width, breaks=True)))
    return {"edited": edited}


def _edited(screen: Screen, text: str, suffix: str) -> str:
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory(prefix="assent-") as folder:
        file = Path(folder, f"input{suffix}")
        file.write_text(text, encoding="utf-8")
        try:
            with screen.keyboard.as_usual():
                done = subprocess.run([*words, str(file)], check=False)
        except OSError as error:
            raise AssentError(
                f"Nothing was sent: {words[0]} does not start ({error.strerror}).",
                hint="set EDITOR, or use --edit TEXT.",
            ) from None
        # An editor that was left with an error takes back what was written.
        changed = file.read_text(encoding="utf-8", errors="replace") if done.returncode == 0 else text
    # Editors end a file with a line break; the call had none.
    return changed if text.endswith("\n") else changed.rstrip("\n")


def _object(text: str) -> dict[str, Any] | None:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        return None


def grant(screen: Screen, ask: ShownAsk, offers: list[Offer], choice: Choice, given: str) -> Fields | None:
    """Exactly what is allowed from now on, where that is written down, and what it would have let pass."""
    scope = GRANTS[choice]
    offers = [offer for offer in offers if scope in offer.scopes]
    if given:
        found = next((offer for offer in offers if offer.grant == given), None)
        # The same file changes, whatever is written there.
        own = Offer(given, "", (scope,), offers[0].files if offers else {})
        screen.show(list(_rule(found or own, scope, screen.width, is_own=found is None)))
        return {"grant": given}
    if not offers:
        output.say(f"There is nothing that could be remembered about this for {SCOPES[scope]}.")
        return None
    offer = offers[0]
    if len(offers) > 1:
        for number, each in enumerate(offers[:9], 1):
            who = " (suggested by the agent)" if each.suggested else ""
            output.say(f"{number} {flat(each.words, code=False)}{who}")
        key = screen.choose("What?", "123456789"[: len(offers)])
        if not key:
            return None
        offer = offers[int(key) - 1]
    screen.show(list(_rule(offer, scope, screen.width)))
    if ask.risk.level == "danger":
        output.say("Danger is remembered only for exactly this.")
    return {"grant": offer.grant}


def _rule(offer: Offer, scope: GrantScope, width: int, *, is_own: bool = False) -> Iterator[str]:
    yield f"Allowed from now on in {SCOPES[scope]}:"
    yield from behind_bar(offer.grant.removeprefix("rule:"), width)
    if offer.words:
        yield from lines(offer.words, width, code=False)
    file = offer.files.get(scope)
    yield f"File: {flat(at_home(file)) if file else 'none; it ends with the session'}"
    if is_own:
        yield "This rule is your own; nobody looked at what it would let pass."
        return
    if not offer.covers:
        yield "No earlier call matches it."
    for number, line in enumerate(offer.covers[:3]):
        yield from (f"{'It would have let pass' if not number else '':<24}{part}" for part in lines(line, width - 24))
    if offer.leaves:
        yield from (f"{'It would still ask about':<24} {part}" for part in lines(offer.leaves, width - 25, code=False))


def answers(screen: Screen, ask: ShownAsk) -> Fields | None:
    """One question after the other, then a last look at all of them."""
    found: dict[str, str] = {}
    for number, question in enumerate(ask.view.questions, 1):
        if len(ask.view.questions) > 1:
            output.say(f"{number} of {len(ask.view.questions)}: {flat(question.question, code=False)}")
        answer = _picked(screen, question)
        if not answer:
            return None
        found[question.question] = answer
    for question_, answer in found.items():
        output.say(f"{flat(question_, code=False)} → {output.styled(flat(answer, code=False), 'strong')}")
    return {"answers": found}


def _picked(screen: Screen, question: QuestionView) -> str:
    keys = "123456789"[: len(question.options)]
    if not question.multi:
        key = screen.choose(f"{_range(keys)}o other?", f"{keys}o")
        return screen.words("Your answer") if key == "o" else question.options[int(key) - 1].label if key else ""
    given = screen.words("Numbers with commas between them, or words of your own")
    numbers = [part.strip() for part in given.split(",")]
    if all(part in keys and part for part in numbers):
        return ", ".join(dict.fromkeys(question.options[int(part) - 1].label for part in numbers))
    return given


def _range(keys: str) -> str:
    return f"{keys[0]}–{keys[-1]}, " if len(keys) > 1 else f"{keys}, " if keys else ""


def mode(screen: Screen) -> Fields | None:
    """How the agent goes on after a plan."""
    output.say("After yes: 1 ask before edits, 2 accept edits")
    key = screen.choose("Which?", "12")
    return {"mode": "default" if key == "1" else "acceptEdits"} if key else None


def next_step(screen: Screen) -> Fields | None:
    output.say("   ".join(f"{number} {text}" for number, (_, text) in enumerate(NEXT, 1)))
    given = screen.words("What should it do next? A number, or words of your own")
    text = NEXT[int(given) - 1][1] if given in ("1", "2", "3") else given
    return {"message": text} if text else None
