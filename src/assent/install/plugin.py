"""Assent as a Claude Code plugin: the same hooks without touching a settings file.

The files in ``plugin/`` are written by ``python -m assent.install.plugin plugin``.
"""

import json
import sys
from pathlib import Path
from typing import Any

from assent import _version
from assent.harness import claude_code
from assent.install import entries

DESCRIPTION = (
    "Sends what Claude Code wants to do to Assent, which judges it, asks you where you are, and keeps a record."
)


def render() -> dict[str, bytes]:
    """Each file of the plugin by its path. Shared by many machines, so without a path or token of any."""
    about = {
        "name": "assent",
        "version": _version.__version__,
        "description": DESCRIPTION,
        "license": "MIT",
    }
    hooks = {
        event: [{"hooks": [entries.shared_entry(subscription)]}]
        for event, subscription in claude_code.SUBSCRIPTIONS.items()
    }
    return {
        ".claude-plugin/plugin.json": _json(about),
        "hooks/hooks.json": _json({"description": DESCRIPTION, "hooks": hooks}),
    }


def write(folder: Path) -> None:
    for name, data in render().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
