"""The clients themselves: which version is here, and whether our entries stand in their settings."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from assent import files
from assent.files import RefusedError
from assent.harnesses import system_lines
from assent.harnesses.base import Harness, Place, SettingsError
from assent.harnesses.site import Finding, Situation
from assent.install import clients
from assent.install.doctor import checked
from assent.shim import native, place


def client_version(situation: Situation) -> Iterator[Finding]:
    for harness in checked(situation):
        if not harness.places(situation.site):
            # No client of its own.
            continue
        yield _version(harness, situation.environ.get("PATH", ""))


def _version(harness: Harness, path: str) -> Finding:
    program = shutil.which(harness.PROGRAM, path=path)
    if program is None:
        return Finding("client-missing", "note", f"There is no `{harness.PROGRAM}` on your PATH.")
    version = harness.version(program, path)
    if version is None:
        text = f"{program} does not say which version it is."
        return Finding("client-unknown", "warning", text, f"run `{harness.PROGRAM} --version` to see why.")
    name, tested = (f"{harness.TITLE} {'.'.join(map(str, version))}", ".".join(map(str, harness.TESTED)))
    if version < harness.TESTED:
        text = f"{name} is older than {tested}, the one Assent was tested with."
        return Finding("client-old", "warning", text, "update it.")
    if version > harness.TESTED:
        return Finding("client-new", "note", f"{name} is newer than {tested}, the one Assent was tested with.")
    return Finding("client", "ok", f"{name} is the version Assent was tested with.")


def not_gated(situation: Situation) -> Iterator[Finding]:
    """Clients that are here without hooks of ours."""
    looked_at = {harness.NAME for harness in checked(situation)}
    for harness in clients.here(situation.site):
        if harness.NAME not in looked_at and clients.program(harness, situation.site):
            text = f"{harness.TITLE} is on this machine and has no hooks of Assent's: its calls are not judged."
            yield Finding("client-not-gated", "warning", text, f"run `assent install --harness {harness.NAME}`.")


def switched_off(situation: Situation) -> Iterator[Finding]:
    """Whether a repository can keep our hooks from running, where a line of the system's prevents it."""
    known = [each for each in checked(situation) if system_lines.path(each.NAME, situation.site) is not None]
    held = [each.TITLE for each in known if system_lines.stands(each.NAME, situation.site)]
    loose = [each.TITLE for each in known if each.TITLE not in held]
    if held:
        yield Finding("held", "ok", f"No repository can switch off the hooks of {', '.join(held)}.")
    if loose:
        text = f"A repository can switch off the hooks of {', '.join(loose)} by a line in its settings."
        yield Finding("not-held", "note", text, "`sudo assent install --scope system` prevents it.")


def entries(situation: Situation) -> Iterator[Finding]:
    """For harnesses whose modules look no closer at the settings themselves."""
    for harness in checked(situation):
        if "hooks" not in harness.CHECKS:
            yield from _entries(harness, situation)


def _entries(harness: Harness, situation: Situation) -> Iterator[Finding]:
    findings = [found for place in harness.places(situation.site) for found in _place(harness, place)]
    text = f"No settings file of {harness.TITLE} here has entries of Assent: nothing is judged."
    remedy = f"run `assent install --harness {harness.NAME}`."
    yield from findings or [Finding("hooks-missing", "problem", text, remedy)]


def _place(harness: Harness, place: Place) -> Iterator[Finding]:
    remedy = f"run `assent install --harness {harness.NAME} --scope {place.scope}` again."
    try:
        content = files.read(place.path)
        events = harness.remove(content, None).events if content else ()
    except SettingsError as error:
        yield Finding("settings-broken", "problem", f"{place.path}:{error}.", "repair the file.")
        return
    except RefusedError as error:
        yield Finding("settings-broken", "problem", error.message.removesuffix(" Nothing was changed."))
        return
    if not events or content is None:
        return
    missing = [event for event in harness.SUBSCRIPTIONS if event not in events]
    if missing:
        text = f"{place.path} lacks entries for {', '.join(missing)}."
        yield Finding("hooks-incomplete", "problem", text, remedy)
    elif how := harness.disarmed(content.decode(errors="replace"), installed=True, managed=place.scope == "managed"):
        yield Finding("hooks-disarmed", "problem", f"{place.path} {how}.", remedy)
    else:
        text = f"{place.path} has entries of Assent for {len(events)} events ({place.scope} scope)."
        yield Finding("hooks", "ok", text)


PATIENCE = 5.0
FILES = ("hook.py", "forward.py", "run", "start-hub")
REMEDY = "run `assent install` again; it repairs the shim."


def _link(situation: Situation) -> Path:
    """Before there was a native shim, `python` was the only link to the interpreter."""
    program, link = (situation.paths.shim / name for name in ("python", "interpreter"))
    return program if program.is_symlink() and not link.is_symlink() and not link.exists() else link


def interpreter(situation: Situation) -> Iterator[Finding]:
    link = _link(situation)
    for path in (link, link.with_name("python")):
        if not path.exists():
            text = f"{path} does not lead to a program: hooks cannot start, or not without a hub."
            yield Finding("interpreter-missing", "problem", text, REMEDY)
            return
    try:
        done = subprocess.run(
            [str(link), "-I", "-S", "-c", "import _socket, posix"],
            env={},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
        )
        works = done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    if not works:
        text = f"{link} does not run: hooks cannot start, or not without a hub."
        yield Finding("interpreter-broken", "problem", text, REMEDY)
    elif link.resolve() != place.interpreter():
        text = f"Hooks run {link.resolve()}, but Assent now runs {place.interpreter()}."
        yield Finding("interpreter-other", "warning", text, "run `assent restart`; the hub refreshes the shim.")
    else:
        yield Finding("interpreter", "ok", f"Hooks run {link.resolve()}.")


def shim(situation: Situation) -> Iterator[Finding]:
    folder = situation.paths.shim
    missing = [name for name in FILES if not (folder / name).exists()]
    if missing:
        text = f"The shim is not complete: {', '.join(missing)} missing in {folder}."
        yield Finding("shim-missing", "problem", text, REMEDY)
    elif _link(situation).resolve() != place.interpreter():
        # The interpreter's check tells; its remedy refreshes these files too.
        return
    elif not place.is_current(situation.paths):
        text = f"The shim in {folder} is not the one of this version."
        yield Finding("shim-old", "warning", text, "run `assent restart`; the hub refreshes it.")
    else:
        yield from _kind(folder)


def _kind(folder: Path) -> Iterator[Finding]:
    """Which of the two programs a current shim is, and whether the native one still starts."""
    note = native.note(folder)
    if note is None or not note.is_native:
        why = f"no native one: {note.why}" if note else "no native one"
        yield Finding("shim", "ok", f"The shim in {folder} is current (the Python shim; {why}).")
    elif why := native.refusal(folder / "python"):
        text = f"The native shim in {folder} is not to be used any more: {why}."
        yield Finding("shim-broken", "problem", text, "run `assent restart`; the hub places the Python shim instead.")
    else:
        yield Finding("shim", "ok", f"The shim in {folder} is current (the native shim).")
