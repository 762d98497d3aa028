"""The architecture is what the imports say."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import assent

SOURCE = Path(assent.__file__).parent

# Who may import whom, by the first part of the path below src/assent.
MAY_IMPORT: dict[str, set[str]] = {
    "protocol": {"errors"},
    "harness": {"protocol"},
    "policy": {"protocol", "errors", "config", "toml", "units", "paths", "redact"},
    "journal": {"protocol", "errors", "filter", "searchable"},
    "filter": {"protocol", "errors", "units", "searchable"},
    "searchable": {"protocol"},
    "views": {"protocol", "asks"},
    "asks": {"protocol", "config", "units", "journal", "errors", "hidden", "forms"},
    "surfaces": {"protocol", "errors", "keys", "paths", "views", "words", "hidden"},
    "shim": {"paths", "harness", "protocol"},
    "toml": {"errors", "units"},
    "config": {"toml", "units", "errors"},
    "units": set(),
    "errors": set(),
    "paths": set(),
    "keys": {"paths"},
    "vault": {"paths", "keyring"},
    "keyring": set(),
    "redact": set(),
    "hidden": set(),
    "forms": {"protocol"},
    "words": {"protocol", "views", "hidden"},
    "actions": set(),
    "mirror": {"client", "protocol", "views", "errors", "words"},
    "web": set(),
    "lock": {"errors"},
    "client": {"paths", "errors", "protocol", "views"},
    "install": {"harness", "shim", "protocol", "paths", "errors", "keys", "config", "client"},
    "demo": {"protocol", "errors"},
    "learn": {"journal", "policy", "harness", "protocol", "filter", "views", "config", "paths", "toml", "errors"},
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
    | {"lock", "learn", "words", "hidden", "mirror", "actions", "tui", "exec", "forms", "vault", "keys"},
    "tui": {
        "client",
        "mirror",
        "actions",
        "words",
        "hidden",
        "protocol",
        "views",
        "filter",
        "config",
        "paths",
        "errors",
    }
    | {"units", "forms"},
    "hub": {"protocol", "harness", "policy", "journal", "views", "shim", "config", "toml", "units", "paths", "errors"}
    | {"keys", "redact", "lock", "filter", "asks", "surfaces", "learn", "install", "forms", "vault", "words"},
}
ALWAYS = {"_version"}

# Third-party packages behind fences: only these places may import them.
FENCES: dict[str, str | tuple[str, ...]] = {
    "click": "cli/",
    "starlette": "hub/",
    "uvicorn": "hub/",
    "textual": "tui/",
    "psycopg": "journal/postgres/",
    "httpx": "surfaces/",
    "apprise": "surfaces/apprise.py",
    "cryptography": ("hub/access/", "surfaces/webpush_crypto.py"),
    "segno": "hub/access/",
    "websockets": "surfaces/slack/",
    "keyring": "keyring.py",
}

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


def test_no_source_file_outgrows_a_head() -> None:
    """A file nobody can hold in their head is split."""
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {path: count for path, count in lines.items() if count > 500} == {}
