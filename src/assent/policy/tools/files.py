"""Tools that read, search and edit files: judged by the same table of places as the shell."""

import re
from collections.abc import Iterator

from assent.policy import sensitive, world
from assent.policy.call import EDITS, Call
from assent.policy.effects import Effect, care, danger
from assent.policy.places import locate, on_names, on_path
from assent.policy.secret_text import kind_of_secret
from assent.policy.spelling import Setting
from assent.policy.voice import Scene
from assent.policy.words import Arg
from assent.protocol.risk import Risk

# These tell names and nothing else.
_LISTS = frozenset({"Glob", "LS"})
_BRACES = re.compile(r"[{},]")
_SETTINGS = re.compile(
    r"/(?:\.claude|claude-code)/(?:.*/)?(?:managed-)?settings[\w.-]*\.json$|/\.claude\.json$", re.IGNORECASE
)
_SWITCHES_OFF = re.compile(r"disableAllHooks|allowManagedHooksOnly", re.IGNORECASE)
_FIXTURES = re.compile(
    r"/(?:tests?|spec|fixtures?|__tests__|testdata|examples?)/|[._-](?:test|spec)\.\w+$|/test_[^/]*$"
)
# Run by package managers without a word, when the project is installed or published.
_UNASKED_SCRIPTS = re.compile(r'"(?:pre|post)?(?:install|prepare|pack|publish|publishOnly|uninstall)"\s*:')


def effects(call: Call, scene: Scene, setting: Setting) -> Iterator[Effect]:
    if call.path is None:
        yield care("unknown", "It names no file that can be read.")
        return
    if call.tool in EDITS:
        yield from _edits(call, call.path, scene, setting)
    else:
        yield from _reads(call, call.path, setting)


def _reads(call: Call, path: str, setting: Setting) -> Iterator[Effect]:
    if call.tool in _LISTS:
        yield on_names(Arg(path), setting, setting.cwd)
        return
    yield on_path("read", Arg(path), setting, setting.cwd, recursive=call.tool == "Grep")
    if call.tool == "Grep" and any(_is_for_secrets(each, setting) for each in _BRACES.split(call.text("glob") or "")):
        yield danger("secret", "It searches files of secrets.", call.text("glob") or "")


def _is_for_secrets(pattern: str, setting: Setting) -> bool:
    bare = pattern.replace("*", "")
    return sensitive.is_secret(bare) or locate(Arg(pattern, glob=True), setting, setting.cwd).place == "secret"


def _edits(call: Call, path: str, scene: Scene, setting: Setting) -> Iterator[Effect]:
    new = new_text(call)
    real = call.real_path or path
    if (_SETTINGS.search(path) or _SETTINGS.search(real)) and _SWITCHES_OFF.search(new):
        yield danger("tamper", "It switches off the agent's hooks, and Assent's are among them.", path)
    target = locate(Arg(path), setting, setting.cwd)
    if sensitive.is_plan(path) and sensitive.is_plan(real) and target.place != "assent":
        yield Effect("write", Risk.CHANGE, "It writes down a plan.", path)
        return
    yield on_path("write", Arg(path), setting, setting.cwd)
    if target.place == "project":
        yield from _of_project(path, new, scene)


def _of_project(path: str, new: str, scene: Scene) -> Iterator[Effect]:
    name = path.rpartition("/")[2]
    if kind := kind_of_secret(new):
        if _FIXTURES.search(path):
            yield care("secret", f"It writes what looks like a {kind} into a file of tests.", path)
        else:
            yield danger("secret", f"It writes what looks like a {kind} into a file that git keeps.", path)
    if name == "package.json" and _UNASKED_SCRIPTS.search(new):
        yield danger("persist", "Package managers run these scripts unasked.", path)
    elif name == "package.json" and '"scripts"' in new:
        yield care("persist", "It changes what the project's scripts run.", path)
    elif name == "conftest.py":
        yield care("persist", "Every run of the tests loads this file by itself.", path)
    is_our_own = scene.memory is not None and path in scene.memory.written
    if not is_our_own and world.is_kept(path) is False:
        yield care("write", "It changes a file as no commit has it, so git cannot bring it back.", path)


def new_text(call: Call) -> str:
    """What an edit puts in."""
    edits = call.input.get("edits")
    texts = [call.text("content"), call.text("new_string"), call.text("new_source")]
    if isinstance(edits, list):
        texts += [each.get("new_string") for each in edits[:1_000] if isinstance(each, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))
