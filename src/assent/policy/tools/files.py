"""Tools that read, search and edit files: judged by the same table of places as the shell."""

import re
from collections.abc import Iterator

from msgspec import structs

from assent.policy import autorun, sensitive, world
from assent.policy.call import Call, Scene
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import locate, on_names, on_path
from assent.policy.sensitive import kind_of_secret
from assent.policy.shell.env import Scope
from assent.policy.shell.spelling import Setting
from assent.policy.shell.walk import Walk
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk
from assent.protocol.operations import CHANGES_FILES, Edit, FileChange, Patch, Search, Write

_BRACES = re.compile(r"[{},]")
_SWITCHES_OFF = re.compile(r"disableAllHooks|allowManagedHooksOnly", re.IGNORECASE)
_FIXTURES = re.compile(
    r"/(?:tests?|spec|fixtures?|__tests__|testdata|examples?)/|[._-](?:test|spec)\.\w+$|/test_[^/]*$"
)


def effects(call: Call, scene: Scene, setting: Setting) -> Iterator[tuple[Effect, str]]:
    """Each effect with the whole path of the file it is about."""
    if not call.paths:
        if isinstance(call.operation, Patch):
            yield danger("unknown", "It changes files, and which ones cannot be read."), ""
        else:
            yield care("unknown", "It names no file that can be read."), ""
        return
    if not isinstance(call.operation, CHANGES_FILES):
        for effect in _reads(call, call.paths[0], setting):
            yield effect, call.paths[0]
        return
    for path, real, new in zip(call.paths, call.real_paths, new_texts(call), strict=True):
        for effect in _edits(path, real, new, scene, setting):
            yield effect, path
    if isinstance(call.operation, Patch):
        for path, file in zip(call.paths, call.operation.files, strict=True):
            for effect in _deleted(path, file, setting):
                yield effect, path


def _reads(call: Call, path: str, setting: Setting) -> Iterator[Effect]:
    search = call.operation if isinstance(call.operation, Search) else None
    if search is not None and search.kind != "content":
        # These tell names and nothing else.
        yield on_names(Arg(path), setting, setting.cwd)
        return
    yield on_path("read", Arg(path), setting, setting.cwd, recursive=search is not None)
    if search is not None and any(_is_for_secrets(each, setting) for each in _BRACES.split(search.files)):
        yield danger("secret", "It searches files of secrets.", search.files)


def _is_for_secrets(pattern: str, setting: Setting) -> bool:
    bare = pattern.replace("*", "")
    return sensitive.is_secret(bare) or locate(Arg(pattern, glob=True), setting, setting.cwd).place == "secret"


def _deleted(path: str, file: FileChange, setting: Setting) -> Iterator[Effect]:
    if file.new is None:
        yield on_path("delete", Arg(path), setting, setting.cwd)


def _edits(path: str, real: str, new: str, scene: Scene, setting: Setting) -> Iterator[Effect]:
    if (sensitive.HOOK_SETTINGS.search(path) or sensitive.HOOK_SETTINGS.search(real)) and _SWITCHES_OFF.search(new):
        yield danger("tamper", "It switches off the agent's hooks, and Assent's are among them.", path)
    target = locate(Arg(path), setting, setting.cwd)
    if sensitive.is_plan(path) and sensitive.is_plan(real) and target.place != "assent":
        yield Effect("write", Risk.CHANGE, "It writes down a plan.", path)
        return
    effect = on_path("write", Arg(path), setting, setting.cwd)
    yield structs.replace(effect, risk=max(effect.risk, Risk.CHANGE)) if target.place == "temp" else effect
    if autorun.is_of_this_kind(path):
        scope = Scope(path.rpartition("/")[0] or "/", setting.home, setting.project)
        yield from autorun.effects(Walk(setting), path, new, scope)
    if target.place == "project":
        yield from _of_project(path, new, scene)


def _of_project(path: str, new: str, scene: Scene) -> Iterator[Effect]:
    if kind := kind_of_secret(new):
        if _FIXTURES.search(path):
            yield care("secret", f"It writes what looks like a {kind} into a file of tests.", path)
        else:
            yield danger("secret", f"It writes what looks like a {kind} into a file that git keeps.", path)
    is_our_own = scene.memory is not None and path in scene.memory.made
    if not is_our_own and world.is_kept(path) is False:
        yield care("write", "It changes a file as no commit has it, so git cannot bring it back.", path)


def new_texts(call: Call) -> tuple[str, ...]:
    """What a call puts into each file it changes."""
    match call.operation:
        case Write(content=content):
            return (content or "",)
        case Edit(cell=cell, replacements=replacements):
            return (cell.source if cell is not None else "\n".join(each.new for each in replacements),)
        case Patch(files=files):
            return tuple(file.new or "" for file in files)
    return ()
