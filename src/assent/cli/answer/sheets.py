"""Further input of an answer: words, an edited input, a rule, options, a mode. Each gives the fields of the
answer, or None where it was cancelled."""

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from assent.cli import output
from assent.cli.answer.card import behind_bar, flat, lines
from assent.cli.answer.keyboard import Screen
from assent.errors import AssentError
from assent.harnesses import registry
from assent.protocol import modes
from assent.protocol.bodies import Choice
from assent.protocol.card import GRANTS, Denial, GrantScope, Offer, QuestionView, ShownAsk
from assent.protocol.lasting import Stay
from assent.text import times, who, wording
from assent.text.wording import NEXT, SCOPES

Fields = dict[str, Any]


def edit(screen: Screen, ask: ShownAsk, given: str | None) -> Fields | None:
    """``given`` is the text to run instead; without one an editor opens."""
    raw = ask.view.raw
    name = registry.edited_field(ask.subject.harness, ask.view.tool)
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


def stay(screen: Screen, ask: ShownAsk, given: str, hours: int | None) -> Fields | None:
    """One of the answers that stay, with exactly what it covers and what still asks."""
    picked = _stay(screen, [each for each in ask.stays if not given or each.kind == given])
    if picked is None:
        return None
    for_long = f" for {hours} h" if hours else ", until you take it back"
    output.say(f"It holds in {who.at_home(ask.subject.project)}{for_long}: assent grants")
    return {"grant": picked, **({"hours": hours} if hours else {})}


def _stay(screen: Screen, offered: list[Stay]) -> str | None:
    """The kind of the one that is picked."""
    if not offered:
        output.say("This cannot be remembered like that.")
        return None
    for number, each in enumerate(offered, start=1):
        output.say(f"{output.styled(str(number), 'strong')} {flat(each.words)}")
        output.say(f"    passes: {flat(each.covers)}")
        output.say(f"    asks:   {flat(each.leaves)}")
    place = screen.choose("Which?", "".join(str(at + 1) for at in range(len(offered)))) if len(offered) > 1 else "1"
    return offered[int(place) - 1].kind if place else None


def for_minutes(screen: Screen, ask: ShownAsk, given: str, minutes: int | None) -> Fields | None:
    """What is allowed, and until when: it ends by itself."""
    picked = _stay(screen, [each for each in ask.timed if not given or each.kind == given])
    if picked is None:
        return None
    if minutes is None:
        output.say("   ".join(f"{number} {wording.minutes(each)}" for number, each in enumerate(wording.MINUTES, 1)))
        key = screen.choose("For how long?", "1234"[: len(wording.MINUTES)])
        if not key:
            return None
        minutes = wording.MINUTES[int(key) - 1]
    now = time.time() * 1000
    ends = times.until(now + minutes * 60_000, now)
    output.say(f"It holds in {who.at_home(ask.subject.project)} {ends}. End it earlier with: assent grants")
    return {"grant": picked, "minutes": minutes}


def denial(screen: Screen, offered: list[Denial], given: str) -> Fields | None:
    """The rule of Assent's that denies this from now on."""
    if given:
        return {"grant": given}
    if not offered:
        output.say("There is no rule that could deny this from now on.")
        return None
    for number, each in enumerate(offered[:9], start=1):
        output.say(f"{output.styled(str(number), 'strong')} {flat(each.words, code=False)}")
        output.say(f"    deny {flat(each.grant.removeprefix('rule:'))}")
    key = screen.choose("Deny which from now on?", "123456789"[: len(offered)])
    return {"grant": offered[int(key) - 1].grant} if key else None


def grant(screen: Screen, ask: ShownAsk, offers: list[Offer], choice: Choice, given: str) -> Fields | None:
    """Exactly what is allowed from now on, where that is written down, and what it would have let pass."""
    scope, agent = GRANTS[choice], who.agent_name(ask.subject.harness)
    offers = [offer for offer in offers if scope in offer.scopes]
    if given:
        offered = next((offer for offer in offers if offer.grant == given), None)
        # The same file changes, whatever is written there.
        own = Offer(given, "", (scope,), offers[0].files if offers else {})
        screen.show(list(_rule(offered or own, scope, screen.width, agent, is_own=offered is None)))
        return {"grant": given}
    if not offers:
        output.say(f"There is nothing that could be remembered about this for {SCOPES[scope]}.")
        return None
    offer = offers[0]
    if len(offers) > 1:
        for number, each in enumerate(offers[:9], 1):
            source = " (suggested by the agent)" if each.suggested else ""
            output.say(f"{number} {flat(each.words, code=False)}{source}")
        key = screen.choose("What?", "123456789"[: len(offers)])
        if not key:
            return None
        offer = offers[int(key) - 1]
    screen.show(list(_rule(offer, scope, screen.width, agent)))
    if ask.risk.level == "danger":
        output.say("Danger is remembered only for exactly this.")
    return {"grant": offer.grant}


def _rule(offer: Offer, scope: GrantScope, width: int, agent: str, *, is_own: bool = False) -> Iterator[str]:
    yield f"Allowed from now on in {SCOPES[scope]}:"
    yield from behind_bar(offer.grant.removeprefix("rule:"), width)
    if offer.words:
        yield from lines(offer.words, width, code=False)
    file = offer.files.get(scope)
    if offer.keeper == "assent":
        place = f"in {flat(who.at_home(file))}" if file else "until this session ends"
        yield from lines(f"Kept by Assent, {place}, for {agent} only.", width)
    else:
        yield f"File: {flat(who.at_home(file)) if file else 'none; it ends with the session'}"
    if is_own:
        yield "This rule is your own; what it would let pass was not checked."
        return
    if not offer.covers:
        yield "No earlier call matches it."
    for number, line in enumerate(offer.covers[:3]):
        yield from (f"{'It would have let pass' if not number else '':<24}{part}" for part in lines(line, width - 24))
    if offer.leaves:
        yield from (f"{'It would still ask about':<24} {part}" for part in lines(offer.leaves, width - 25, code=False))


def answers(screen: Screen, ask: ShownAsk) -> Fields | None:
    """One question after the other, then a last look at all of them."""
    given: dict[str, str] = {}
    for number, question in enumerate(ask.view.questions, 1):
        if len(ask.view.questions) > 1:
            output.say(f"{number} of {len(ask.view.questions)}: {flat(question.question, code=False)}")
        answer = _picked(screen, question)
        if not answer:
            return None
        given[question.question] = answer
    for question_, answer in given.items():
        output.say(f"{flat(question_, code=False)} → {output.styled(flat(answer, code=False), 'strong')}")
    return {"answers": given}


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
    return {"mode": modes.DEFAULT if key == "1" else modes.ACCEPT_EDITS} if key else None


def next_step(screen: Screen, snippets: Sequence[str] = ()) -> Fields | None:
    output.say("   ".join(f"{number} {text}" for number, (_, text) in enumerate(NEXT, 1)))
    given = words(screen, "What should it do next? A number, or words of your own", snippets, len(NEXT) + 1)
    text = NEXT[int(given) - 1][1] if given in ("1", "2", "3") else given
    return {"message": text} if text else None


def words(screen: Screen, title: str, snippets: Sequence[str], start: int = 1) -> str:
    """A text in one's own words, or a reply picked by its number, which is shown before it is sent; "" for none."""
    for number, text in enumerate(snippets, start):
        output.say(f"{output.styled(str(number), 'strong')} {flat(text, code=False)}")
    given = screen.words(title)
    place = int(given) - start if given.isascii() and given.isdigit() and len(given) < 3 else -1
    if not 0 <= place < len(snippets):
        return given
    other = screen.keyboard.line(f"“{flat(snippets[place], code=False)}”: Enter sends it, or write other words: ")
    return "" if other is None else other or snippets[place]
