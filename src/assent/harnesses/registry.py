"""The harnesses this version knows, by the name they have in records, in the shim's command line and in addresses."""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

import msgspec

from assent.harnesses import names
from assent.protocol import modes, terminal
from assent.protocol.events import ToolEvent, with_operation
from assent.protocol.operations import CHANGES_FILES, Operation, Search, Shell

if TYPE_CHECKING:
    from assent.harnesses.base import Harness
    from assent.harnesses.site import SettingsScope, Site

    HARNESSES: dict[str, Harness]

_MODULES = {
    names.DEFAULT: "assent.harnesses.claude_code",
    "copilot": "assent.harnesses.copilot",
    "codex": "assent.harnesses.codex",
    "gemini": "assent.harnesses.gemini",
    "qwen": "assent.harnesses.qwen",
    "grok": "assent.harnesses.grok",
    "opencode": "assent.harnesses.opencode",
    "acp": "assent.harnesses.acp",
}
# For calls that no agent made: a command given to try, a demonstration.
DEFAULT = names.DEFAULT


def __getattr__(name: str) -> Any:
    """``HARNESSES``, by name: loaded on first use, because most verbs of the command line need none of them."""
    if name != "HARNESSES":
        raise AttributeError(name)
    return _loaded()


@cache
def _loaded() -> "dict[str, Harness]":
    return {name: cast("Harness", import_module(module)) for name, module in _MODULES.items()}


def of(name: str) -> "Harness | None":
    return _loaded().get(names.base(name))


def default() -> "Harness":
    return _loaded()[DEFAULT]


def _site(project: Path) -> "Site":
    from assent.harnesses import site

    return site.find(project=project)


def rule_files(harness: "Harness", project: Path) -> "list[tuple[SettingsScope, Path]]":
    """The files whose permission rules the client obeys in a project, for the user this process runs for."""
    return harness.rule_files(_site(project))


def grant_files(harness: str, project: Path) -> Mapping[str, Path]:
    """Where the client keeps what is granted for longer; empty where it keeps nothing."""
    module = of(harness)
    return module.grant_files(_site(project)) if module is not None else {}


def operation(event: ToolEvent) -> Operation:
    """What a call is; of an event that no harness decoded, as the default harness reads it."""
    decoded = event.decoded_operation
    if decoded is None:
        decoded = default().operation(event.tool_name, event.tool_input)
        with_operation(event, decoded)
    return decoded


def input_of(harness: str, tool: str, text: str) -> dict[str, Any] | None:
    """What a tool gets, from its main part alone (a command, a file, an address) or from all of it as a JSON object.
    Tools are named as their client does, or as rules and the default client do.

    None where it is not known what the tool takes. Raises ValueError where it is no JSON object, and should be one."""
    known = [each for each in (of(harness), default()) if each is not None]
    if text.startswith("{") and not any(isinstance(each.operation(tool, {}), Shell) for each in known):
        try:
            return msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            raise ValueError("the input is not a JSON object") from None
    field = next(filter(None, (each.main_field(tool) for each in known)), None)
    return None if field is None else {field: text}


def operation_of(harness: str, tool: str, given: dict[str, Any]) -> Operation:
    """What a recorded call was."""
    return (of(harness) or default()).operation(tool, given)


def edited_field(harness: str, tool: str) -> str:
    """The field of an input that is edited as a text, where that text is the whole point; "" where it is not."""
    known = of(harness) or default()
    return "" if isinstance(known.operation(tool, {}), (*CHANGES_FILES, Search)) else known.main_field(tool) or ""


def markers() -> dict[str, str]:
    """The variables by which a client is known that runs hooks of another one's settings, with its name here."""
    return {each.MARKER: name for name, each in _loaded().items() if each.MARKER}


def variables(name: str) -> frozenset[str]:
    """What a hub wants to know of the environment in which a hook of this harness runs."""
    module = names.base(name)
    return _variables(module if module in _loaded() else "", len(_loaded()))


@lru_cache(maxsize=64)
def _variables(module: str, _modules: int) -> frozenset[str]:
    """Every event asks for them."""
    harness = _loaded().get(module)
    return frozenset({modes.VARIABLE, *terminal.VARIABLES, *markers(), *(harness.VARIABLES if harness else ())})


def is_installed(harness: "Harness") -> bool:
    """Whether its own settings hold our hooks, for the user this process runs for."""
    for place in harness.places(_site(Path.home())):
        if place.scope == "user":
            try:
                text = place.path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            if harness.disarmed(text, installed=True, managed=False) is None:
                return True
    return False


def of_program(program: str) -> "Harness":
    """The harness whose client this command is; the default one where there is none."""
    return next((each for each in _loaded().values() if PurePath(program).name == each.PROGRAM), default())
