"""The shape of a command: program, sub-command or script, and what it reaches, without the details of one run.

"Stop asking for this here" is an answer to a shape. Two commands have one shape only where a person would call them
the same thing, so whatever could change what is reached stays part of it: the host, the remote and branch, the folder,
packages, addressing options. Danger, inline programs and what is known only when it runs have no shape.
"""

# ruff: noqa: PTH118, PTH120 - paths here are text that an agent wrote

import hashlib
import itertools
import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence, Set

from assent.policy import commands, world
from assent.policy.call import Call
from assent.policy.commands._web import address
from assent.policy.commands.spec import Invocation, Spec
from assent.policy.effects import Effect
from assent.policy.paths import locate
from assent.policy.permissions.run_names import LAUNCHERS, TASK_RUNNERS, is_runner, names
from assent.policy.shell.acts import Act, Ran
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import Arg
from assent.protocol import rule_words
from assent.protocol.decision import Risk
from assent.protocol.lasting import Shape
from assent.protocol.operations import Fetch, Mcp

LONGEST_HEAD = 160
MOST_REACHED = 12

# Kinds of effects that a lasting answer never covers, however little they cost.
_NEVER = frozenset({"secret", "privilege", "persist", "tamper", "device", "typing", "agent", "dynamic"})
# Where each word counts: what is changed elsewhere, installed or ended is named by the operands.
_EXACT = frozenset({"remote", "publish", "send", "install", "process", "query"})
_CODE = frozenset({"project", "run"})
# Programs that run what they are told on another machine.
_REMOTE = names("ssh mosh autossh sshpass pdsh pssh scp sftp rsync telnet nc ncat socat")
_WITH_OPTIONS = _EXACT | {"unknown", "history"}
_STEERS = re.compile(
    r"-[fcCp]|--(?:file|config\S*|prefix|cwd|dir|directory|project\S*|manifest-path|root\S*|env\S*|context|profile|target)"
)
_IN_A_FOLDER = _CODE | {"install", "history"}
_FILES = frozenset({"read", "write", "delete", "mode"})
# Options whose value is text for people, and options that only change what is printed.
_WORDING = names(
    "--message --title --body --body-file --subject --description --comment --note --notes --reason --label --assignee"
    " --reviewer --milestone"
)
_SHORT_WORDING = {name: frozenset({"-m", "-t", "-b"}) for name in ("gh", "glab", "git")}
_PRINTING = names("-q --quiet -v --verbose --progress --no-progress --porcelain --color --no-color --silent --debug")
# Options of ``git push`` that take a word of their own or name another place.
_PUSH_VALUED = re.compile(
    r"-o|--(?:push-option|repo|receive-pack|exec|all|mirror|tags|follow-tags|delete|prune|force\S*)|-[df]"
)
_TRACKING = frozenset({"-u", "--set-upstream"})
_SUB_COMMAND = re.compile(r"[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*")
_PRODUCTION = re.compile(r"(?i)(?:^|[\W_])(?:prod|production|prd|live|release)(?:$|[\W_])")
_ASSIGNMENTS = re.compile(r"(?:[A-Za-z_]\w*=\S*\s+)+")
_MATCHING = re.compile(r"(?mi)^\s*default\s*=\s*(?:matching|current)\s*$")


def of_act(act: Act, setting: Setting, made: Container[str] = ()) -> Shape | None:
    """The shape of a command and of what it starts; None where no lasting answer may cover it.

    ``made`` are files that the session made: to change them again loses nothing."""
    if not any(effect.risk > Risk.LOOK for effect in act.effects):
        # It costs only what it starts: that has shapes of its own.
        return None
    if not act.runs or any(each.unread or each.inline for each in _unit(act)):
        return None
    effects = [effect for each in _unit(act) for effect in each.effects if effect.risk > Risk.LOOK]
    if not effects or any(effect.risk >= Risk.DANGER or effect.kind in _NEVER for effect in effects):
        return None
    heads = {_head(ran, act, setting) for ran in act.runs}
    reach = _reach(act, effects, setting, made)
    named = next(iter(heads)) if len(heads) == 1 else None
    if named is None or reach is None or len(named[0]) > LONGEST_HEAD:
        return None
    head, folder = named
    options = _options(act, {effect.kind for effect in effects})
    return Shape(head, reach, options, folder, _words(head, folder, reach, act, setting))


def of_tool(call: Call, effects: Iterable[Effect]) -> Shape | None:
    """The shape of a call of another tool than a shell: pages of one host, one tool of a server."""
    costly = [effect for effect in effects if effect.risk > Risk.LOOK]
    if not costly or any(effect.risk >= Risk.DANGER or effect.kind in _NEVER for effect in costly):
        return None
    match call.operation:
        case Fetch(query=None):
            host = call.host
            return Shape(rule_words.FETCH, (f"fetch {host}",), words=f"pages of {host}") if host else None
        case Fetch():
            return Shape(rule_words.WEB_SEARCH, ("fetch",), words="searches on the web")
        case Mcp(server=server, tool=tool) as operation:
            reach = tuple(sorted({effect.kind for effect in costly}))
            named = f"{tool} of {server}" if operation.has_plain_names else call.tool
            return Shape(call.tool, reach, words=f"the tool {named}")
    return None


def _unit(act: Act) -> Iterator[Act]:
    """The command and what it starts, without what is worked out before it."""
    yield act
    for child in act.children[act.inside :]:
        yield from child.all()


# --- program, sub-command, script


def _head(ran: Ran, act: Act, setting: Setting) -> tuple[str, str] | None:
    """Program, sub-command and script, and the folder where that matters; None where there is no such name."""
    args = ran.args
    if any(arg.splits for arg in args) or not args[0].known or args[0].glob:
        return None
    kinds = {effect.kind for effect in act.effects if effect.risk > Risk.LOOK}
    program, rest, spec = _sub_command(_program(args[0].text, ran.cwd, setting), args, setting, ran.cwd)
    words = [program]
    if program.startswith("git -"):
        # Options before the verb make it work elsewhere, or otherwise.
        return None
    if program == "git push":
        return program, ""
    name = program.split(" ")[0].rpartition("/")[2]
    # What is brought in from a place without a name is told apart by the words.
    is_unnamed = any(effect.kind == "fetch" and not _host(effect.target) for effect in act.effects)
    if kinds & _EXACT or is_unnamed or name in TASK_RUNNERS or name in _REMOTE:
        words += _words_and_options(args[len(program.split(" ")) :], program)[0]
        if not all(arg.known and not arg.glob for arg in args):
            return None
    elif _is_launcher(name, args) and (started := _started_head(act, setting)):
        words += [word for word in started.split(" ") if word not in program.split(" ")]
    elif kinds & _CODE and not is_runner(program.split(" ")):
        given = {arg.text for arg in args[1:]}
        named = [effect.target for effect in act.effects if effect.kind in _CODE and effect.target in given]
        words += ["-m"] if any(arg.text == "-m" for arg in args[1:2]) else []
        words += [name for name in dict.fromkeys(named) if name not in program.split(" ")][:3]
        if not named:
            first = [rest[0].text] if rest and rest[0].known and not rest[0].glob else []
            words += first or [arg.text for arg in args[1:] if arg.text.startswith("-")]
    elif spec is None or "unknown" in kinds:
        words += _first_word(rest)
        # Where something is meant for production, that is never the same as where it is not.
        words += [arg.text for arg in rest[1:] if _PRODUCTION.search(arg.text)]
    folder = _folder(ran.cwd, setting) if kinds & _IN_A_FOLDER else ""
    if folder is None or any("…" in word for word in words):
        return None
    return " ".join(words), folder


def _is_launcher(name: str, args: Sequence[Arg]) -> bool:
    is_manager = name in ("npm", "pnpm", "yarn", "bun")
    return name in LAUNCHERS and (not is_manager or [arg.text for arg in args[1:2]] in (["exec"], ["x"], ["dlx"]))


def _started_head(act: Act, setting: Setting) -> str:
    """Of what a launcher such as ``npx`` or ``uv run`` starts: that is the command people mean."""
    for child in act.children[act.inside :]:
        named = _head(child.runs[0], child, setting) if child.runs else None
        if named is not None:
            return named[0]
    return ""


def _program(text: str, cwd: str | None, setting: Setting) -> str:
    if "/" not in text:
        return text
    # A file is told from a program of that name by its slash.
    path = world.whole(text, cwd)
    return f"./{path.removeprefix(f'{setting.project}/')}" if path.startswith(f"{setting.project}/") else path or text


def _sub_command(
    program: str, args: tuple[Arg, ...], setting: Setting, cwd: str | None
) -> tuple[str, list[Arg], Spec | None]:
    """The program with its sub-commands, the operands behind them, and what is known of it."""
    spec = commands.find(program.rpartition("/")[2])
    if spec is None:
        return program, [arg for arg in args[1:] if not arg.text.startswith("-")], None
    it = Invocation(program, args[1:], spec, setting, cwd)
    if program == "git":
        words = [arg for arg in args[1:] if arg.text != "--no-pager"]
        verb = words[0].text if words else ""
        return f"git {verb}", [arg for arg in words[1:] if not arg.text.startswith("-")], spec
    while spec.verbs is not None and it.operands:
        verb = it.operands[0].text
        sub = spec.verbs.get(verb) or spec.verbs.get("*")
        program = f"{program} {verb}"
        if sub is None:
            return program, it.operands[1:], None
        spec = sub
        it = Invocation(program, tuple(it.operands[1:]), spec, setting, cwd)
    return program, it.operands, spec


def _first_word(rest: list[Arg]) -> list[str]:
    return [rest[0].text] if rest and rest[0].known and _SUB_COMMAND.fullmatch(rest[0].text) else []


def _folder(cwd: str | None, setting: Setting) -> str | None:
    """The folder below the project; "" for the project's own, None for any other."""
    if cwd is None:
        return None
    if cwd == setting.project:
        return ""
    return cwd.removeprefix(f"{setting.project}/") if cwd.startswith(f"{setting.project}/") else None


def _options(act: Act, kinds: Set[str]) -> tuple[str, ...]:
    """The options that are part of the shape, for commands of which an option can make something else."""
    options: set[str] = set()
    for ran in act.runs:
        if kinds & _WITH_OPTIONS:
            options |= set(_words_and_options(ran.args[1:], ran.args[0].text)[1])
        elif kinds & _CODE:
            options |= set(_steering([arg.text for arg in ran.args[1:]]))
    if kinds & _EXACT and act.sets and (before := _ASSIGNMENTS.match(act.text)):
        options.add(before[0].strip())
    return tuple(sorted(options))


def _steering(texts: Sequence[str]) -> Iterator[str]:
    """Options that make a program take its settings, or what it runs, from elsewhere; with their values."""
    for text, following in itertools.pairwise((*texts, "")):
        name, equals, _ = text.partition("=")
        if _STEERS.fullmatch(name):
            yield text if equals else f"{text} {following}"


def _words_and_options(args: Sequence[Arg], program: str) -> tuple[list[str], list[str]]:
    """Words and options, without what is text for people. A value in a word of its own counts as a word."""
    words, options = [], []
    name = program.split(" ")[0]
    wording = _WORDING | _SHORT_WORDING.get(name, frozenset())
    is_text = False
    for text in (arg.text for arg in args):
        option = text.partition("=")[0]
        if not text.startswith("-"):
            if not is_text:
                words.append(text)
            is_text = False
            continue
        is_text = option in wording and option == text
        if option not in wording | _PRINTING and not (name == "git" and option in _TRACKING):
            options.append(text)
    return words, options


# --- what it reaches


def _reach(act: Act, effects: list[Effect], setting: Setting, made: Container[str]) -> tuple[str, ...] | None:
    reached: dict[str, None] = {}
    for effect in effects:
        is_push = _is_push(act) and effect.kind == "publish"
        entries = _pushed(act) if is_push else _entry(effect, act, setting, made)
        if entries is None:
            return None
        reached |= dict.fromkeys(entries)
    return tuple(sorted(reached)) if len(reached) <= MOST_REACHED else None


def _entry(effect: Effect, act: Act, setting: Setting, made: Container[str]) -> tuple[str, ...] | None:
    if effect.kind in ("fetch", "send"):
        host = _host(effect.target)
        if not host and (effect.kind == "send" or effect.target):
            return None
        return (f"{effect.kind} {host}".strip(),)
    if effect.kind in _FILES:
        place = _place(effect, act, setting, made)
        return (f"{effect.kind} {place}",) if place else None
    return (effect.kind,)


def _host(target: str) -> str:
    to = address(target)
    if not to.host or "…" in target or "@" in to.host or "*" in to.host:
        return ""
    port = re.match(r"[^/]*?(:\d+)", target.partition("://")[2] or target)
    return to.host + (port[1] if port else "")


def _place(effect: Effect, act: Act, setting: Setting, made: Container[str]) -> str:
    """The project, temporary folders, or the one folder that a file lies in."""
    target = effect.target
    cwd = act.runs[0].cwd if act.runs else setting.cwd
    if not target:
        return "project"
    located = locate(Arg(target, glob=bool(re.search(r"[*?\[]", target))), setting, cwd)
    if located.place == "temp":
        return "temp"
    if located.place in ("project", "whole"):
        is_kept = located.path in made or world.is_folder(located.path) or world.is_kept(located.path) is not False
        is_lost = effect.kind != "read" and not is_kept
        return "project, not in git" if is_lost else "project"
    if "…" in target or re.search(r"[*?\[{]", target) or not located.path.startswith("/"):
        return ""
    return os.path.dirname(located.path)


def _is_push(act: Act) -> bool:
    return bool(act.runs) and [arg.text for arg in act.runs[0].args[:2]] == ["git", "push"]


def _pushed(act: Act) -> tuple[str, ...] | None:
    """``publish origin feature`` for each branch; None where that cannot be told."""
    targets = []
    for ran in act.runs:
        given = [arg.text for arg in ran.args[2:]]
        branch = world.branch(ran.cwd) if ran.cwd is not None else None
        if not branch or ran.cwd is None or not all(arg.known and not arg.glob for arg in ran.args):
            return None
        if any(_PUSH_VALUED.match(text) for text in given):
            return None
        words = [text for text in given if not text.startswith("-")]
        remote, *refs = words or (*_upstream(ran.cwd, branch),)
        if not refs and not _pushes_this_branch(ran.cwd):
            return None
        for ref in refs or [branch]:
            name = (ref.partition(":")[2] or ref).removeprefix("refs/heads/")
            if ref.startswith(("+", ":")) or not name or "*" in name:
                return None
            targets.append(f"publish {remote} {branch if name == 'HEAD' else name} {_addresses(ran.cwd)}")
    return tuple(targets)


def _addresses(cwd: str) -> str:
    """What stands for the addresses behind the remotes' names: another address is another place."""
    git = world.git_folder(cwd) or ""
    text = world.read_small(os.path.join(git, "config"), 1 << 16) or ""
    lines = re.findall(r"(?mi)^\s*(?:push)?(?:url|insteadof)\s*=.*$", text)
    return hashlib.sha256("\n".join(map(str.strip, lines)).encode()).hexdigest()[:12]


def _upstream(cwd: str, branch: str) -> tuple[str, ...]:
    """Where git pushes without being told: the remote and the branch it tracks."""
    git = world.git_folder(cwd) or ""
    text = world.read_small(os.path.join(git, "config"), 1 << 16) or ""
    section = re.search(rf'(?m)^\[branch "{re.escape(branch)}"\]\s*\n((?:[ \t].*\n?)*)', text)
    remote = re.search(r"(?m)^\s*remote\s*=\s*(\S+)", section[1]) if section else None
    merge = re.search(r"(?m)^\s*merge\s*=\s*refs/heads/(\S+)", section[1]) if section else None
    return (remote[1] if remote else "origin", *((merge[1],) if merge else ()))


def _pushes_this_branch(cwd: str) -> bool:
    """Whether no setting makes a bare push reach other branches."""
    git = world.git_folder(cwd) or ""
    files = (os.path.join(git, "config"), f"{world.home()}/.gitconfig", f"{world.home()}/.config/git/config")
    return not any(_MATCHING.search(world.read_small(path, 1 << 16) or "") for path in files)


# --- for people


def _words(head: str, folder: str, reach: tuple[str, ...], act: Act, setting: Setting) -> str:
    if _is_push(act):
        pushed = [entry.split(" ")[1:3] for entry in reach if entry.startswith("publish ")]
        return f"`git push` of {', '.join(branch for _, branch in pushed)} to {pushed[0][0]}"
    hosts = [entry.partition(" ")[2] for entry in reach if entry.startswith(("fetch ", "send "))]
    if hosts:
        return f"`{head}` with {', '.join(dict.fromkeys(hosts))}"
    outside = [entry.partition(" ")[2] for entry in reach if entry.partition(" ")[2].startswith("/")]
    name = os.path.basename(setting.project)  # noqa: PTH119
    return f"`{head}` in {', '.join(outside) or '/'.join(filter(None, (name, folder)))}"
