"""Pictures of the terminal: every screen of `assent watch`, and what commands show."""

import json
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from assent.client import Client
from scripts.pictures.cast import CONFIG, QUEUED, RULES, Cast
from scripts.pictures.pane import Pane
from scripts.pictures.scenes import KINDS
from scripts.pictures.stage import Home

SIZES = ((80, 24), (120, 36), (200, 50))
MIDDLE = (120, 36)
COLOURS = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
Scene = Callable[[Pane, Cast], object]


def _home(pane: Pane) -> Pane:
    return pane.press("g", "i").wait("Inbox")


def _go(keys: str, *texts: str) -> Scene:
    return lambda pane, _: _home(pane).press(*keys.split()).wait(*texts).rest(0.6)


def _ask(kind: str) -> Scene:
    def show(pane: Pane, cast: Cast) -> Pane:
        name = cast.ids[kind]
        _home(pane).press(":").rest(0.2).type(f"ask.open {name}").rest(0.2).press("Enter")
        # The name stands in the palette, too, which takes a moment to go.
        return pane.rest(1.5).wait(name).rest()

    return show


def _then(kind: str, keys: str, text: str, typed: str = "") -> Scene:
    def show(pane: Pane, cast: Cast) -> Pane:
        _ask(kind)(pane, cast)
        pane.press("End").rest().press(*keys.split()).wait(text)
        return pane.type(typed).rest() if typed else pane.rest()

    return show


def _session(pane: Pane, cast: Cast) -> Pane:
    _home(pane).press("g", "s").wait("Add rate limits").rest()
    pane.press("/").rest(0.2).type(f"session:{cast.api.session}").press("Enter").rest().press("j").rest(0.2)
    pane.press("Enter").rest(1.0)
    return pane


def _alike(pane: Pane, cast: Cast) -> Pane:
    name = cast.rarer("alike")
    _home(pane).press(":").rest(0.2).type(f"ask.open {name}").rest(0.2).press("Enter").wait(name).rest()
    return pane.press("=").wait("at once").rest()


def _kept(pane: Pane, cast: Cast) -> Pane:
    name = cast.rarer("kept")
    _home(pane).press(":").rest(0.2).type(f"ask.open {name}").rest(0.2).press("Enter").wait(name).rest()
    return pane.press("End").rest().press("R").wait("Kept").rest()


SCENES: dict[str, Scene] = {
    "inbox": _ask("danger"),
    **{f"ask-{kind}": _ask(kind) for kind in KINDS},
    "care-armed": _then("care", "a", "press Enter"),
    "danger-typed": _then("danger", "a", "match word, Enter", "clean"),
    "tell": _then("danger", "D", "deny and tell", "Keep uploads/. Remove node_modules only, then npm ci."),
    "stop-asking": _then("care", "A", "top asking"),
    "always": _then("care", "R", "lways"),
    "edit": _then("care", "e", "dit"),
    "mode": _then("plan", "a", "after that"),
    "question-picked": _then("question", "1", "(●) Redis"),
    "question-review": _then("question", "1 Right 1 2 Right", "Review"),
    "plan-note": _then("plan", "Tab Tab Enter", ">", "Is nginx there at all?"),
    "plan-changed": _then("plan", "v", "Keep the old addresses"),
    "tell-empty": _then("danger", "D", "deny and tell"),
    "diff-split": _then("change", "v", "login.py"),
    "raw": _then("care", "r", '"command":'),
    "help": _go("?", "help"),
    "palette": lambda pane, _: _home(pane).press(":").rest(0.2).type("ask").rest(),
    "quiet": _go("z", "uiet"),
    "settings": _go("g ,", "Stance"),
    "settings-pick": lambda pane, _: _home(pane).press("g", ",").wait("Stance").rest().press("j", "j", "Enter").rest(),
    "sessions": _go("g s", "Fix flaky login"),
    "session": _session,
    "feed": _go("g f", "rows"),
    "feed-filter": lambda pane, _: _home(pane).press("g", "f").rest().press("/").rest(0.2).type("tool:Bash").rest(),
    "lanes": lambda pane, _: _home(pane).press("g", "f").wait("rows").rest().press("L").rest(),
    "log": _go("g l", "Write tests"),
    "story": lambda pane, _: _home(pane).press("g", "l").wait("Write tests").rest().press("j", "Enter").rest(1.0),
    "rules": _go("g r", "Bash(git push *)"),
    # The last ones, for they add asks.
    "always-kept": _kept,
    "alike": _alike,
}
# Keys that lead out of a screen again. On the inbox itself Escape would leave.
SHEETS = (
    "care-armed",
    "danger-typed",
    "tell",
    "tell-empty",
    "always",
    "always-kept",
    "edit",
    "mode",
    "plan-note",
    "help",
    "palette",
    "quiet",
    "alike",
)
AFTER = dict.fromkeys((*SHEETS, "stop-asking", "alike", "settings", "feed-filter", "story"), "Escape")
AFTER |= {"raw": "r", "plan-changed": "v", "settings-pick": "Escape Escape", "lanes": "L", "session": "Escape Escape"}
LOOKS: dict[str, tuple[list[str], dict[str, str]]] = {
    "light": (["--light"], COLOURS),
    "ascii": (["--ascii"], COLOURS),
    "16": ([], {**COLOURS, "COLORTERM": "", "TERM": "xterm-16color"}),
    "256": ([], {**COLOURS, "COLORTERM": ""}),
    "no-colour": ([], {**COLOURS, "NO_COLOR": "1"}),
}


def photograph(browser: Browser, out: Path, wanted: list[str]) -> None:
    """Asks wait ten minutes, so that each size has a hub and a cast of its own."""
    looks = {name: LOOKS[name] for name in LOOKS if not wanted or name in wanted}
    scenes = {name: SCENES[name] for name in SCENES if not wanted or name in wanted}
    for size in SIZES:
        with at_work(size) as (cast, pane):
            for name, scene in scenes.items():
                take(browser, pane, cast, name, scene, out)
            for look, (arguments, env) in looks.items() if size == MIDDLE else ():
                with watching(cast.hub, MIDDLE, arguments, env) as other:
                    for name in ("inbox", "ask-change", "feed"):
                        take(browser, other, cast, f"{name}-{look}", SCENES[name], out)
            if size != SIZES[-1] and (not wanted or "commands" in wanted):
                commands(browser, cast, out, size)
            _ask("danger")(pane, cast)
            cast.hub.stop()
            pane.wait("hub not running").photograph(browser, out / f"watch-hub-down.{size[0]}x{size[1]}.png")


@contextmanager
def at_work(size: tuple[int, int]) -> Iterator[tuple[Cast, Pane]]:
    with tempfile.TemporaryDirectory() as home:
        hub = Home(Path(home), CONFIG, RULES)
        hub.start()
        cast = Cast(hub)
        try:
            # A sub-agent is kept waiting only while a screen is watched.
            with watching(hub, size) as pane:
                cast.warm_up()
                cast.ask()
                cast.still_wait()
                for text in QUEUED:
                    Client(hub.paths).queue_add(cast.api.session, text)
                # What is over leaves its place after a few seconds.
                yield cast, pane.rest(4.0)
        finally:
            cast.leave()
            hub.forget()


def take(browser: Browser, pane: Pane, cast: Cast, name: str, scene: Scene, out: Path) -> None:
    wide, high = pane.size
    try:
        scene(pane, cast)
    except AssertionError as problem:
        # The others are still worth looking at.
        print(f"{name} at {wide}x{high}: {problem}", file=sys.stderr)
    pane.photograph(browser, out / f"watch-{name}.{wide}x{high}.png")
    for key in AFTER.get(name, "").split():
        pane.press(key).rest(0.3)
    print(f"watch-{name}.{wide}x{high}")


@contextmanager
def watching(
    hub: Home, size: tuple[int, int], arguments: list[str] | None = None, env: dict[str, str] | None = None
) -> Iterator[Pane]:
    command = [sys.executable, "-m", "assent", "watch", *(arguments or [])]
    pane = Pane(hub.home, command, {**hub.environ, **(env or COLOURS)}, size, hub.home)
    try:
        yield pane.wait("hub up").rest(1.0)
    finally:
        pane.close()


def commands(browser: Browser, cast: Cast, out: Path, size: tuple[int, int]) -> None:
    """What the shell shows."""
    line = json.dumps({"session_id": cast.api.session})
    shown = {
        "asks": "assent asks",
        "answer": f"assent answer {cast.ids['danger']}",
        "answer-question": f"assent answer {cast.ids['question']}",
        "sessions": "assent sessions",
        "session": f"assent session {cast.api.session}",
        "queue": f"assent queue {cast.api.session}",
        "statusline": f"echo '{line}' | assent statusline",
        "plain": "assent watch --plain",
    }
    for name, command in shown.items():
        script = (
            f'assent() {{ {sys.executable} -m assent "$@"; }}; echo {shlex.quote(f"$ {command}")}; {command}; sleep 60'
        )
        pane = Pane(cast.hub.home, ["bash", "-c", script], {**cast.hub.environ, **COLOURS}, size, cast.hub.home)
        try:
            pane.rest(2.5).photograph(browser, out / f"shell-{name}.{size[0]}x{size[1]}.png")
        finally:
            pane.close()
        print(f"shell-{name}.{size[0]}x{size[1]}")
