"""The voice of permissions that people gave for longer than once: a shape, tests, changes, a tool that only reads.

It speaks only where every part of a call is covered: by a permission, by an allow rule, or because it only looks.
Danger is never covered. Where a permission is withheld it says why, for the trace.
"""

import hashlib
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from assent.policy.call import Call, Opinion, Scene
from assent.policy.effects import Effect
from assent.policy.judges.stance import is_asked_for
from assent.policy.permissions import shapes
from assent.policy.permissions.change import ChangePermission
from assent.policy.permissions.run import RunPermission
from assent.policy.permissions.run_names import names
from assent.policy.risk_of import effects_of, risk_of
from assent.policy.rules import pattern
from assent.policy.rules.pattern import CommandPattern, Pattern, covers_act, covers_call
from assent.policy.shell.acts import Act
from assent.protocol import modes
from assent.protocol.decision import Allow, NoOpinion, Prompt, Risk
from assent.protocol.events import Event
from assent.protocol.lasting import RUN_MEANS, Permission, Shape, Stay
from assent.protocol.operations import CHANGES_FILES, Shell
from assent.protocol.permission import PermissionRule
from assent.protocol.rule_words import EDIT, READ

# Says which allow rule lets one command of a line pass, as people know it; "" for none.
ByRule = Callable[[Call, Scene, Act], str]

MOST_SHAPES = 4
EXACTLY = "exactly this call"
WITHHELD = "permission:withheld"

_OFFERED = "offered"
# As a grant to the client is named.
BY_MODE = f"mode:{modes.ACCEPT_EDITS}"
_BY_MODE = Permission("accept-edits", "change", words="Edits are accepted in this session.")
_CODE = frozenset({"project", "run", "unknown", "install"})
# What a script of the project may do under its name. Whatever leaves the project or lasts is asked about by itself.
_IN_SCRIPTS = names("nothing project run read write delete mode history unknown dynamic install fetch process query")
# A sub-command that only reads does not with these.
_NOT_READING = re.compile(
    r"-{1,2}[\w-]*(?:delete|remove|purge|write|output|out|fix|force|apply|save|set|add|create|update|edit|exec|run|yes)[\w-]*"
    r"|-[oOfwyx]"
)

_RUN = Stay(
    "run",
    "Agents may run tests here",
    f"Tests, builds and linters of this project run without a prompt, by name. {RUN_MEANS}",
    "Scripts that deploy, publish or migrate, programs given in the line, and every run after the agent changed what"
    " decides what runs.",
)
_CHANGE = Stay(
    "change",
    "Agents may change files here that git can bring back",
    "Writes, moves and mode changes in this repository, git add, commit and switch pass without a prompt.",
    "Files outside it, settings and hooks that run by themselves, and what git does not have.",
)


# What a project can be permitted without an ask.
FOR_PROJECTS = (_RUN, _CHANGE)


class Permissions:
    """A voice."""

    def __init__(self, by_rule: ByRule | None = None) -> None:
        self._by_rule = by_rule

    def speak(self, event: Event, scene: Scene) -> Opinion | None:
        if not scene.permissions and event.permission_mode != modes.ACCEPT_EDITS:
            return None
        call = Call.of(event, scene)
        if call is None or event.permission_mode == modes.BYPASS or is_asked_for(event):
            return None
        held = _held(call, scene)
        if not held:
            return None
        if again := _asked_again(call, scene):
            return Opinion(Prompt(in_words(again)), f"permission:{again.id}", in_words(again))
        covering = Covering(call, scene, held, self._by_rule)
        covered = covering.whole() or covering.exactly()
        if isinstance(covered, str):
            return Opinion(NoOpinion("no_rule"), WITHHELD, covered)
        if covered is None:
            return None
        by = next((each for each in covered if each is not _BY_MODE), covered[0])
        why = " ".join(dict.fromkeys(map(in_words, covered)))
        return Opinion(Allow(), f"permission:{by.id}", why, silences=Risk.CARE)


def in_words(permission: Permission) -> str:
    """What was permitted, as a sentence for the trace."""
    if permission.kind == "run":
        return f"Agents may run tests in {permission.project}."
    if permission.kind == "change" and permission.project:
        return f"Agents may change files in {permission.project} that git can bring back."
    if permission.kind == "shape":
        return f"You said to stop asking for {permission.words}."
    if permission.kind == "reads":
        return f"You said that {permission.words} only reads."
    if permission.kind == "exact":
        return "You allowed exactly this call for a while."
    if permission.kind == "rule":
        return f"You allowed this for the session: {permission.words}"
    if permission.kind == "ask":
        return f"You took back what this session was allowed: {permission.words}"
    return permission.words


def exact_of(call: Call) -> str:
    """A digest of the call word for word and of the folder it is made in. What it says of itself does not count."""
    operation = call.operation
    given = [operation.command, operation.unsandboxed] if isinstance(operation, Shell) else call.input
    content = msgspec.json.encode([call.tool, call.cwd, given], order="deterministic")
    return hashlib.sha256(content).hexdigest()


@lru_cache(maxsize=256)
def patterns_of(grant: str) -> tuple[Pattern, ...]:
    """What a grant to the agent's client lets pass: ``rule:…``, ``mode:…`` or ``directory:…``."""
    kind, _, rest = grant.partition(":")
    if kind == "mode":
        texts = [EDIT]
    elif kind == "directory":
        texts = [f"{READ}(/{rest}/**)", f"{EDIT}(/{rest}/**)"]
    else:
        texts = [rule.written for rule in PermissionRule.read_all(rest)]
    return tuple(map(pattern.parse, texts))


def _asked_again(call: Call, scene: Scene) -> Permission | None:
    taken_back = [each for each in scene.permissions if each.kind == "ask"]
    if not taken_back:
        return None
    call.acts(scene)
    base = str(scene.project)
    return next((e for e in taken_back if any(p.restricts(call, base) for p in patterns_of(e.rule))), None)


def stays(call: Call, scene: Scene, by_rule: ByRule | None = None) -> tuple[Stay, ...]:
    """The lasting answers that would let this call pass from now on; none for Danger and for what has no shape."""
    if call.mode == modes.BYPASS or risk_of(call, scene).risk not in (Risk.CHANGE, Risk.CARE):
        return ()
    result = []
    if needed := shapes_of(call, scene, by_rule):
        result.append(_of_shapes(needed, is_line=call.command is not None))
    offers = [(Permission(_OFFERED, "run"), _RUN), (Permission(_OFFERED, "change"), _CHANGE)]
    for permission, stay in offers:
        covered = Covering(call, scene, (permission, *_held(call, scene)), by_rule).whole()
        if isinstance(covered, tuple) and permission in covered:
            result.append(stay)
    if len(needed) == 1 and needed[0].reach == ("unknown",):
        result.append(_teaches(needed[0]))
    return tuple(result)


def shapes_of(call: Call, scene: Scene, by_rule: ByRule | None = None) -> tuple[Shape, ...]:
    """The shapes that an answer would have to cover; none where a part of the call has no shape."""
    covering = Covering(call, scene, _held(call, scene), by_rule, collecting=True)
    if not isinstance(covering.whole(), tuple):
        return ()
    needed = tuple(dict.fromkeys(covering.missing))
    return needed if len(needed) <= MOST_SHAPES else ()


def _held(call: Call, scene: Scene) -> tuple[Permission, ...]:
    is_by_mode = call.mode == modes.ACCEPT_EDITS and not any(each.rule == BY_MODE for each in scene.permissions)
    return (*scene.permissions, _BY_MODE) if is_by_mode else scene.permissions


def timed(call: Call, scene: Scene, by_rule: ByRule | None = None) -> tuple[Stay, ...]:
    """The answers that can be given for some minutes: one kind of command, or this call word for word."""
    if call.mode == modes.BYPASS or not Covering(call, scene, ()).can_be_exact():
        return ()
    needed = shapes_of(call, scene, by_rule)
    is_line = call.command is not None
    exact = Stay(
        "exact",
        EXACTLY,
        f"This {'command' if is_line else 'call'} word for word, in this folder, by this kind of agent.",
        "The same with anything added or changed, and whatever is dangerous.",
    )
    return (*((_of_shapes(needed, is_line=is_line),) if needed else ()), exact)


def _of_shapes(needed: Sequence[Shape], *, is_line: bool) -> Stay:
    words = " and ".join(shape.words for shape in needed)
    covers = f"{words}, alone or as part of a line whose other parts need no prompt."
    if not is_line:
        return Stay("shape", words, f"{_sentence(words)}.", "Other hosts and tools, and whatever is dangerous.")
    is_push = any(shape.head == "git push" for shape in needed)
    others = "Other branches and remotes, force" if is_push else "Other commands, programs given in the line"
    return Stay("shape", words, _sentence(covers), f"{others}, and whatever is dangerous.")


def _teaches(shape: Shape) -> Stay:
    name = f"`{shape.head}`"
    return Stay(
        "reads",
        f"{name} only reads",
        f"{name} passes in every project, whatever it is told to show.",
        "Its other sub-commands, and options that write or delete.",
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


class Covering:
    """Whether permissions account for a whole call, each command of a line by whichever covers it."""

    def __init__(
        self,
        call: Call,
        scene: Scene,
        held: Sequence[Permission],
        by_rule: ByRule | None = None,
        *,
        collecting: bool = False,
    ) -> None:
        self._call = call
        self._scene = scene
        self._held = held
        self._by_rule = by_rule
        # Takes what is not covered to be covered by its shape, and notes the shape.
        self._collecting = collecting
        self.missing: list[Shape] = []
        self._setting = call.setting(scene)
        self._run = RunPermission(self._setting)
        self._change = ChangePermission(self._setting, scene.memory)
        self._made: Container[str] = scene.memory.made if scene.memory is not None else ()
        self._used: dict[Permission, None] = {}
        self._runs_code = False

    def whole(self) -> tuple[Permission, ...] | str | None:
        """The permissions that cover it; a sentence where one is withheld; None where something is not covered."""
        call, scene = self._call, self._scene
        if risk_of(call, scene).risk >= Risk.DANGER or call.input.get("dangerouslyDisableSandbox"):
            return None
        is_covered = self._tool() if call.command is None else self._all(call.acts(scene))
        if not is_covered or not (self._used or self.missing):
            return None
        if self._runs_code and not self._collecting and (why := self._run.withheld(scene.memory)):
            return why
        return tuple(self._used)

    def can_be_exact(self) -> bool:
        """Whether this call can be allowed word for word: all of it was read, and it is more than a look."""
        call, scene = self._call, self._scene
        if call.command is not None and any(act.unread for act in call.look(scene).every):
            return False
        is_unsandboxed = isinstance(call.operation, Shell) and call.operation.unsandboxed
        return risk_of(call, scene).risk in (Risk.CHANGE, Risk.CARE) and not is_unsandboxed

    def exactly(self) -> tuple[Permission, ...] | str | None:
        """The permission for this call word for word, or why it is withheld."""
        held = [each for each in self._held if each.kind == "exact"]
        if not held or not self.can_be_exact():
            return None
        digest = exact_of(self._call)
        found = next((each for each in held if each.call == digest), None)
        if found is None:
            return None
        runs_code = any(done.effect.kind in _CODE for done in effects_of(self._call, self._scene))
        why = self._run.withheld(self._scene.memory) if runs_code else ""
        return why or (found,)

    def _all(self, acts: Sequence[Act]) -> bool:
        return bool(acts) and all(self._act(act) for act in acts)

    def _act(self, act: Act) -> bool:
        worked_out, started = act.children[: act.inside], act.children[act.inside :]
        if act.unread or not all(self._act(child) for child in worked_out):
            return False
        left = [effect for effect in self._costly(act.effects) if not self._covers(act, effect)]
        if not left and (self._is_script(act) or all(self._act(child) for child in started)):
            return True
        return self._by_shape(shapes.of_act(act, self._setting, self._made)) or self._by_a_rule(act)

    def _costly(self, effects: Iterable[Effect]) -> list[Effect]:
        memory = self._scene.memory
        raised = effects if memory is None else map(memory.raised, effects)
        return [effect for effect in raised if effect.risk > Risk.LOOK]

    def _covers(self, act: Act, effect: Effect) -> bool:
        cwd = act.runs[0].cwd if act.runs else self._call.cwd
        for permission in self._held:
            if permission.kind == "change" and self._change.covers(effect, cwd):
                self._used[permission] = None
                return True
            if permission.kind == "run" and self._run.covers(act, effect):
                self._used[permission] = None
                self._runs_code |= effect.kind in _CODE
                return True
        return False

    def _is_script(self, act: Act) -> bool:
        """Whether what it starts is a script of the project that may run by its name."""
        if not any(permission.kind == "run" for permission in self._held) or not self._run.names(act):
            return False
        started = [each for child in act.children[act.inside :] for each in child.all()]
        return all(effect.kind in _IN_SCRIPTS for each in started for effect in each.effects if effect.risk > Risk.LOOK)

    def _by_shape(self, shape: Shape | None) -> bool:
        if shape is None:
            return False
        for permission in self._held:
            if permission.shape is not None and _lets_pass(permission, permission.shape, shape):
                self._used[permission] = None
                self._runs_code |= permission.kind == "shape" and not _CODE.isdisjoint(shape.reach)
                return True
        if self._collecting:
            self.missing.append(shape)
        return self._collecting

    def _by_a_rule(self, act: Act) -> bool:
        for permission, patterns in self._rules():
            if covers_act(act, [each for each in patterns if isinstance(each, CommandPattern)]):
                self._used[permission] = None
                return True
        return self._by_rule is not None and bool(self._by_rule(self._call, self._scene, act))

    def _rules(self) -> Iterator[tuple[Permission, tuple[Pattern, ...]]]:
        return ((each, patterns_of(each.rule)) for each in self._held if each.kind == "rule")

    def _tool(self) -> bool:
        for permission, patterns in self._rules():
            if covers_call(self._call, str(self._scene.project), patterns):
                self._used[permission] = None
                return True
        effects = [done.effect for done in effects_of(self._call, self._scene)]
        if not isinstance(self._call.operation, CHANGES_FILES):
            return self._by_shape(shapes.of_tool(self._call, self._costly(effects)))
        held = next((each for each in self._held if each.kind == "change"), None)
        costly = self._costly(effects)
        if held is None or not costly or not all(self._change.covers(e, self._call.cwd) for e in costly):
            return False
        self._used[held] = None
        return True


def _lets_pass(permission: Permission, permitted: Shape, shape: Shape) -> bool:
    if permission.kind == "shape":
        return permitted.covers(shape)
    is_taught = permission.kind == "reads" and shape.reach == ("unknown",) and permitted.head == shape.head
    return is_taught and not any(_NOT_READING.fullmatch(option.partition("=")[0]) for option in shape.options)
