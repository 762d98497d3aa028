"""The program hook entries point to."""

from collections.abc import Iterator

from assent.install.doctor.check import Finding, Situation
from assent.shim import place

FILES = ("hook.py", "forward.py", "run", "start-hub")


def check(situation: Situation) -> Iterator[Finding]:
    folder = situation.paths.shim
    missing = [name for name in FILES if not (folder / name).exists()]
    if missing:
        text = f"The shim is not complete: {', '.join(missing)} missing in {folder}."
        yield Finding("shim-missing", "problem", text, "run `assent install` again; it repairs the shim.")
    elif (folder / "python").resolve() != place.interpreter():
        # The interpreter's check tells; its remedy refreshes these files too.
        return
    elif not place.is_current(situation.paths):
        text = f"The shim in {folder} is not the one of this version."
        yield Finding("shim-old", "warning", text, "run `assent restart`; the hub refreshes it.")
    else:
        yield Finding("shim", "ok", f"The shim in {folder} is current.")
