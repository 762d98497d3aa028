"""What every hub loads, loaded once: the process that programs are forked from imports this before it forks any."""

import contextlib
import importlib

from assent.policy import commands

VERBS = ("install", "log", "rules", "status", "try_", "uninstall", "up")

for name in ("assent.hub.daemon", "assent.cli.main", *(f"assent.cli.{verb}" for verb in VERBS)):
    importlib.import_module(name)
commands.known()
# Where the fast extra is installed a hub takes it.
with contextlib.suppress(ImportError):
    importlib.import_module("uvloop")
