"""The architecture is what the imports say."""

import ast
import functools
import itertools
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import assent

SOURCE = Path(assent.__file__).parent
ROOT = Path(__file__).parents[2]

# Who may import whom, by the first part of the path below src/assent.
MAY_IMPORT: dict[str, set[str]] = {
    "protocol": {"errors"},
    "harnesses": {"protocol", "paths", "errors", "keys", "config", "files", "toml"},
    "policy": {"protocol", "harnesses", "errors", "config", "toml", "units", "paths", "redact", "filter", "team"},
    "journal": {"protocol", "errors", "filter", "record_text"},
    "filter": {"protocol", "errors", "units", "record_text"},
    "record_text": {"protocol"},
    "views": {"protocol", "asks", "text", "harnesses"},
    "asks": {"protocol", "harnesses", "config", "units", "journal", "errors", "text", "forms", "team"},
    "surfaces": {"protocol", "errors", "keys", "paths", "views", "text"},
    "shim": {"paths", "harnesses", "protocol"},
    "toml": {"errors", "units"},
    "config": {"protocol", "toml", "units", "errors"},
    "units": set(),
    "errors": set(),
    "expressions": set(),
    "paths": set(),
    "surroundings": {"paths", "harnesses"},
    "keys": {"paths"},
    "files": {"errors"},
    "secrets_store": {"paths"},
    "redact": set(),
    "forms": {"protocol"},
    "text": {"protocol", "harnesses"},
    "actions": {"text"},
    "hub_state": {"client", "protocol", "views", "errors", "text"},
    "web": set(),
    "lock": {"errors"},
    "webapi": {"protocol"},
    "team": {"protocol", "errors", "webapi"},
    "relay": {"protocol", "errors", "webapi", "team", "toml", "units"},
    "client": {"paths", "errors", "protocol", "views"},
    "acp": {"protocol", "harnesses", "shim", "paths"},
    "install": {"harnesses", "shim", "protocol", "paths", "errors", "keys", "config", "client", "files", "toml"},
    "demo": {"protocol", "errors", "harnesses"},
    "live": {"client", "errors", "harnesses", "paths"},
    "learn": {"journal", "policy", "harnesses", "protocol", "filter", "views", "config", "paths", "toml", "errors"},
    "cli": {
        "client",
        "protocol",
        "views",
        "install",
        "filter",
        "config",
        "paths",
        "errors",
        "demo",
        "shim",
        "toml",
        "units",
    }
    | {"lock", "learn", "text", "hub_state", "actions", "surroundings", "tui", "exec", "forms", "secrets_store", "keys"}
    | {"files", "harnesses", "acp", "live", "relay", "team"},
    "tui": {
        "client",
        "harnesses",
        "hub_state",
        "actions",
        "text",
        "protocol",
        "views",
        "filter",
        "config",
        "paths",
        "errors",
    }
    | {"units", "forms"},
    "hub": {"protocol", "harnesses", "policy", "journal", "views", "shim", "config", "toml", "units", "paths", "errors"}
    | {"keys", "redact", "lock", "filter", "asks", "surfaces", "learn", "install", "forms", "secrets_store", "text"}
    | {"files", "webapi", "team", "surroundings"},
}
ALWAYS = {"_version", "expressions"}

# Third-party packages behind fences: only these places may import them.
FENCES: dict[str, str | tuple[str, ...]] = {
    # Structs are the language of every layer.
    "msgspec": "",
    "click": "cli/",
    "starlette": ("hub/", "relay/", "webapi/"),
    "uvicorn": ("hub/", "relay/", "webapi/"),
    "textual": "tui/",
    "psycopg": ("journal/postgres/", "relay/", "cli/relay.py"),
    "httpx": ("surfaces/", "team/", "hub/export/"),
    "jeepney": "surfaces/desktop",
    "apprise": "surfaces/apprise.py",
    "cryptography": ("hub/access/", "webapi/signature.py", "surfaces/webpush_crypto.py", "team/"),
    "segno": "hub/access/",
    "websockets": "surfaces/slack/",
    "keyring": "secrets_store.py",
    "markdown_it": "text/markdown.py",
    "pygments": "tui/",
    "rich": "tui/",
    "uvloop": ("hub/", "relay/"),
}
# Imported by another name than they are installed by.
DISTRIBUTIONS = {"markdown_it": "markdown-it-py"}

# The verbs that are the hub: they import it inside the function that becomes it.
BECOMES_THE_HUB = {"cli/up.py"}


def modules() -> Iterator[Path]:
    return iter(sorted(SOURCE.rglob("*.py")))


@functools.cache
def imported(path: Path) -> tuple[str, ...]:
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module == "assent":
                yield from (f"assent.{alias.name}" for alias in node.names)
            else:
                yield node.module


def relative(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def crossings(path: Path) -> set[str]:
    """Layers it knows and may not."""
    layer = relative(path).split("/")[0].removesuffix(".py")
    if layer in ("__init__", "__main__", "_version"):
        return set()
    parts = {name.split(".")[1] for name in imported(path) if name.startswith("assent.")}
    if relative(path) in BECOMES_THE_HUB:
        parts.discard("hub")
    return parts - MAY_IMPORT[layer] - ALWAYS - {layer}


def test_modules_import_only_what_their_layer_may() -> None:
    """A layer knows the layers below it and no others."""
    assert {relative(path): found for path in modules() if (found := crossings(path))} == {}


def test_third_party_packages_stay_behind_their_fences() -> None:
    """A library can be replaced in one place."""
    for path in modules():
        for name in imported(path):
            fence = FENCES.get(name.split(".")[0])
            assert fence is None or relative(path).startswith(fence), f"{relative(path)}: {name} belongs in {fence}"


def third_party() -> set[str]:
    return {name.split(".")[0] for path in modules() for name in imported(path)} - sys.stdlib_module_names - {"assent"}


def declared() -> set[str]:
    """Distributions that are installed with the program, or with one of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    return {re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower() for requirement in wanted}


def test_what_is_imported_is_declared() -> None:
    """What works only because another package brings it breaks when that one stops doing so."""
    assert {name for name in third_party() if DISTRIBUTIONS.get(name, name) not in declared()} == set()


def test_what_is_imported_has_a_fence() -> None:
    """Where a new dependency may be used is decided when it is taken in."""
    assert third_party() - FENCES.keys() == set()


def test_no_source_file_is_too_long() -> None:
    """A file of more than 500 lines is split."""
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {path: count for path, count in lines.items() if count > 500} == {}
