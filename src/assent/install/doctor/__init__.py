"""Checks that tell whether Assent really works here."""

from assent.harnesses import registry
from assent.harnesses.base import Harness
from assent.harnesses.site import Situation
from assent.install import manifest


def checked(situation: Situation) -> list[Harness]:
    """The harnesses that are looked at: those that were named, or else those that are installed, or else the first."""
    installed = [install.harness for install in manifest.load(situation.paths).installs]
    names = dict.fromkeys([*situation.harnesses] or installed)
    return [harness for name, harness in registry.HARNESSES.items() if name in names] or [registry.default()]
