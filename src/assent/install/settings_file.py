"""The settings file, changed for its owner: all of what is wanted or nothing, with a copy of what stood there."""

import json
from collections.abc import Mapping
from typing import Any

from assent import config, files
from assent.install.edit import Edit
from assent.paths import Paths
from assent.toml import document, edit


def change(paths: Paths, wanted: Mapping[str, Any]) -> None:
    """``{"asks.hold_stops": "always"}``. Raises ConfigError or AssentError, and then nothing was written."""
    before = files.read(paths.config)
    after = before or b"version = 1\n"
    for name, value in wanted.items():
        section, _, key = name.rpartition(".")
        after = edit.with_value(after, section, key, json.dumps(value, ensure_ascii=False))
    config.parse(document.parse(paths.config, after))
    Edit(paths.config, before, after).carry_out(paths, "config.toml")


def forget(paths: Paths, section: str) -> None:
    """A table and all that stands in it. Raises as ``change`` does."""
    before = files.read(paths.config) or b""
    after = edit.without_table(before, section)
    if after != before:
        config.parse(document.parse(paths.config, after))
        Edit(paths.config, before, after).carry_out(paths, "config.toml")


def keep(paths: Paths, section: str, values: Mapping[str, Any]) -> None:
    change(paths, {f"{section}.{name}": value for name, value in values.items()})
