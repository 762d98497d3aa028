"""Possible effects of unknown arguments: the command may start them, run them, or pass them on.

Danger in such a word is danger of the command. What merely cannot be told adds nothing: the command is Care already.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assent.policy import commands
from assent.policy.commands.spec import Code, Finding, Run, RunsInput, SendsInput, Takes
from assent.policy.effects import Effect, danger
from assent.policy.paths import names_secret
from assent.policy.shell import builtins, exfiltration, fetched
from assent.policy.shell.limits import TooMuchError as UnreadError
from assent.policy.shell.streams import NOTHING, Stream
from assent.policy.shell.words import HOLE, Arg, joined
from assent.protocol.decision import CARE, DANGER

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act
    from assent.policy.shell.env import Scope
    from assent.policy.shell.runner import Runner

# So far behind an unknown command another one is looked for.
MOST_PLACES = 6
MOST_WORDS = 12
LONGEST_WORD = 4_000
LONGEST_INPUT = 20_000
# A word may hold a command with such a word.
DEEPEST = 3
FETCHED_PROGRAM = "It runs a program from the network, unseen."

# A command that does one of these may run, load or pass on whatever its words say.
LOOSE = frozenset({"unknown", "run", "project", "install", "persist"})

# Findings that say what the words are, and what becomes of the input.
_READ = frozenset({Code, Run})
_TAKE_INPUT = frozenset({RunsInput, SendsInput, Takes})
# Names that are commands wherever they stand; ``init`` and ``format`` may be ordinary words.
_UNMISTAKABLE = re.compile(
    r"(?:.*/)?(?:rm|sudo|doas|su|(?:ba|z|da|k|fi)?sh|git|dd|mkfs\S*|shred|curl|wget|nc|ncat|socat|ssh|scp|rsync|cat|cp|mv|tee"
    r"|chmod|chown|find|xargs|env|eval|exec|kubectl|docker|terraform|aws|gcloud|(?:python|perl|ruby|node|php)[\d.]*)"
)
_STARTS = re.compile(r"--|exec|run|start|shell|x|launch|spawn|with|do")
_RUNNING = re.compile(
    r"--?(?:c|e|x|r|run|exec\w*|command|cmd|call|eval|shell|sh|on-\w+|[\w-]*(?:-hook|-cmd|-command|-exec))"
)
_TELLS_LINE = re.compile(r"--[\w-]*(?:command|cmd|exec|script)s?")
# What stands behind these is for people, or a pattern for names of tests.
_PROSE = re.compile(
    r"--?(?:m|t|k|g|p|msg|message|title|body|subject|text|notes?|desc|description|comment|label|name|grep|filter|match|only"
    r"|pattern|search|query|prompt|test-?name-?pattern)",
    re.IGNORECASE,
)
# Words that stand in sentences, and between the words of hardly any command.
_ENGLISH = re.compile(
    r"(?:^|\s)(?:the|was|were|is|are|be|been|being|has|have|had|not|this|that|it|its|an|of|to|by|with|when|should|would|will"
    r"|must|can|cannot)(?=\s|[.,;:!?]|$)"
)
# ``!line``, ``:!line``, ``shell line``, ``enter:execute(line)``, ``cmd:line``: how tools tell lines from words.
_MARKED = re.compile(
    r"\s*(?:[:!|]+\s*|(?:silent|platform|shell|system|exec|run)[!:]*\s+|[\w-]+:(?!//)\s*)+", re.IGNORECASE
)
_INSIDE = re.compile(r"[\w-]*[\[({](.+)[\])}]\s*", re.DOTALL)
_CODE = re.compile(r"[\w!?]\s*\(|[\"'`]")

# By these options programs are given what they need to work; what they do with it is their work.
_FOR_ITS_WORK = re.compile(
    r"--?(?:[\w-]*(?:env-?file|var-?file|password-?file|dotenv|kubeconfig|key|cert|certificate|keystore)[\w-]*)",
    re.IGNORECASE,
)
_LOADERS = re.compile(r"(?:.*/)?(?:dotenv(?:-cli)?|env-cmd|dotenvx|godotenv|honcho|foreman|shdotenv)")
_OF_SETTINGS = frozenset({"config", "configure", "set", "get", "unset"})
_ATTACHED = re.compile(r"-{0,2}[\w.-]*[=:]@?|-[A-Za-z]@?|@|file://")
_THROWS = re.compile(
    r"(?is)\s*(?:begin\s*;\s*)?(?:drop\s+(?:table|database|schema|collection|keyspace|index|view|user|role)\s+\S"
    r"|truncate\s+(?:table\s+)?\S+\s*(?:;|cascade|$)|delete\s+from\s+\S+\s*(?:;|$)|alter\s+table\s+\S+\s+drop\s)"
)
_LOOKING = frozenset({"nothing", "read"})
_OBEYS = LOOSE | {"remote", "dynamic"}
# Names that are words as well are names of files only with a folder or an ending.
_NAMED = re.compile(r"[./~]|^id_")
_MAY_BE_PATH = re.compile(r"[^\s-]\S{2,}|[/~][^\n]+")

_ADDRESS = re.compile(r"g[hl]:\S+/\S+|(?:https?|ftps?|git|ssh|data|s3|gs|ipfs):\S+|git\+\S+", re.IGNORECASE)
# What these are given is a program, wherever it lies.
_RUNNERS = re.compile(
    r"(?:.*/)?(?:deno|bun|bunx|tsx|ts-node|zx|jbang|kotlin|scala(?:-cli)?|amm|wasmtime|wasmer|groovy|jshell|nix\S*|rhino|dotnet"
    r"|docker-compose|steampipe|mshta|babashka|bb|cookiecutter|copier|pulumi|act)"
)
# How an expression brings code in.
_FETCHES = re.compile(r"\bfetch(?:Tarball|Git|url|Tree|zip|FromGit\w+)\b|\bgetFlake\b")
_INSTALLS = re.compile(r"(?:\w+\.)?install|add|pin|i|get|require|global|create|new|specific_install")
_HOSTS = frozenset({"github", "gitlab", "git", "bitbucket"})
# Options whose value says where the code itself comes from.
_SOURCES = re.compile(r"--(?:git|from|spec|url|source-url|import-map|config|preload|import|require|loader|file)")
_CODE_ADDRESS = re.compile(
    r"(?:^|[=:@,])(?:https?|ftp)://\S+\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|rb|pl|php|lua|java|jsh|kts?|sc|scala|groovy|wasm|jar|ps1|hta|sct|jl|r"
    r"|exs?|clj|fsx|csx|nix|wat)(?:[?#]\S*)?$"
    r"|(?:^|=)(?:git\+\S+|(?:github(?!:nixos/)|gitlab|bitbucket|gist):[^/\s]+/\S+)|(?:^|=)data:(?:text|application)/(?:java|ecma|type)script\S*"
    r"|(?:^|=)https?://(?:gist\.githubusercontent|raw\.githubusercontent|gist\.github|pastebin)\.com/\S+",
    re.IGNORECASE,
)


# What a path, an address, a line or a program is made of.
_MARKS = re.compile(r"[./~:@()\[{|`$!\s]|[^\x00-\x7f]")
# A folder or a source file of the project, or a test in it; no name that could be one of secrets.
_PLAIN_PATH = re.compile(
    r"(?:\./)?(?:\w[\w-]*/)*(?:\.\.\.|\w[\w-]*(?:\.(?:py|tsx?|jsx?|go|rs|rb|java|md|c|h|cpp|css|html))?)/?(?:::\w+)*"
)
_TELLING = re.compile(
    r"secret|credential|passw|token|key|vault|safe|reveal|unmask|plain|decrypt|sensitive|show|view|id_", re.ASCII
)


def _are_plain(texts: list[str]) -> bool:
    """Whether no word can be a path, an address, a line, the name of a command or of what keeps secrets."""
    for text in texts:
        if (_MARKS.search(text) and not _PLAIN_PATH.fullmatch(text)) or _UNMISTAKABLE.fullmatch(text):
            return False
    return _TELLING.search(" ".join(texts).lower()) is None


def is_address(text: str) -> bool:
    """Whether a file that is run by this name comes from the network, or stands in the name itself."""
    return _ADDRESS.fullmatch(text) is not None


def look(
    runs: "Runner",
    args: tuple[Arg, ...],
    scope: "Scope",
    stdin: Stream,
    act: "Act",
    findings: Sequence[Finding] = (),
) -> None:
    """Add what the words of a command may come to that may do anything with them. ``found`` is what its table says."""
    kinds, careful = set(), set()
    for effect in act.effects:
        kinds.add(effect.kind)
        if effect.risk >= CARE:
            careful.add(effect.kind)
    has_code = Code in map(type, findings)
    if not careful and not has_code and not scope.folders and kinds <= _LOOKING:
        return
    if scope.folders or "fetch" in kinds or fetched.concerns(args):
        fetched.look(args, scope, stdin, act, kinds)
    if not careful and not has_code and kinds.isdisjoint(exfiltration.KINDS):
        return
    if not has_code and stdin.origin != "text" and not act.inside and _are_plain([arg.text for arg in args[1:]]):
        return
    if not kinds.isdisjoint(exfiltration.KINDS):
        act.effects += [*exfiltration.effects(args, kinds, careful)]
    if not careful:
        return
    if careful & _OBEYS:
        act.effects += (*_poured_in(args, act), *_statements(args, stdin))
    if "remote" in careful:
        for option, following in itertools.pairwise((*args[:MOST_WORDS], Arg(""))):
            name, equals, attached = option.text.partition("=")
            if _TELLS_LINE.fullmatch(name):
                _certain(runs, attached if equals else following.text, scope, act, is_prose=True)
    if not careful & LOOSE and not has_code:
        return
    act.effects += handed(args, scope, runs)
    is_read = any(type(each) in _READ for each in findings)
    if not is_read:
        _behind(runs, args, scope, stdin, act)
        in_words(runs, args, scope, act)
        if not any(type(each) in _TAKE_INPUT for each in findings):
            in_input(runs, stdin, scope, act)


def _statements(args: tuple[Arg, ...], stdin: Stream) -> Iterator[Effect]:
    """Words or input that are statements for a database, and throw something away."""
    texts = [arg.text.partition("=")[2] if arg.text.startswith("-") else arg.text for arg in args[1:]]
    if stdin.origin == "text" and stdin.text:
        texts.append(stdin.text[:LONGEST_INPUT])
    for text in texts:
        if " " in text and _THROWS.match(text):
            yield danger("remote", "It throws away what is in a database.", text[:200])
            return


def _poured_in(args: tuple[Arg, ...], act: "Act") -> Iterator[Effect]:
    """``awk -f <(curl …)``: a file that is obeyed is what a command in the line downloads."""
    if not act.inside or not any(arg.text.startswith("/dev/fd/") for arg in args):
        return
    for child in act.children[: act.inside]:
        if any(effect.kind == "fetch" and effect.risk >= CARE for each in child.all() for effect in each.effects):
            yield danger("run", "It obeys what it downloads, unseen.")
            return


def handed(args: tuple[Arg, ...], scope: "Scope", runs: "Runner") -> Iterator[Effect]:
    """Secrets and programs from the network that a command gets which may do anything with them."""
    before = Arg("")
    is_loader = any(_LOADERS.fullmatch(arg.text) for arg in args[:3])
    is_of_settings = any(arg.text in _OF_SETTINGS for arg in args[1:4])
    is_runner = _RUNNERS.fullmatch(args[0].text) is not None
    for arg in args[1:]:
        if _is_fetched_program(args, arg, before, is_runner=is_runner):
            yield danger("run", FETCHED_PROGRAM, arg.text[:200])
        if is_of_settings and "/" not in arg.text and arg.text[:1] not in ".@":
            # ``section.key`` names a setting.
            continue
        if (path := _secret(arg, scope, runs)) is not None:
            option = arg.text if arg.text.startswith("-") else before.text
            is_near = path.startswith(f"{runs.setting.project}/") or not path.startswith("/")
            is_for_work = is_loader or _FOR_ITS_WORK.fullmatch(option.partition("=")[0]) is not None
            if not (is_near and is_for_work):
                yield danger("secret", "It hands a file of secrets to a program that may do anything with it.", path)
        before = arg


def _is_fetched_program(args: tuple[Arg, ...], arg: Arg, before: Arg, *, is_runner: bool) -> bool:
    if is_runner and _FETCHES.search(arg.text):
        return True
    if before.text in _HOSTS and "/" in arg.text and _INSTALLS.fullmatch(args[1].text):
        return True
    if ":" not in arg.text:
        return False
    if _CODE_ADDRESS.search(arg.text):
        return True
    if args[0].text == "cargo":
        # Its own table tells an address that is built from one that is written down.
        return False
    is_run = is_runner or any(_INSTALLS.fullmatch(each.text) for each in args[1:3])
    option, _, attached = arg.text.partition("=")
    if not is_run:
        return False
    if option.startswith("-"):
        return _SOURCES.fullmatch(option) is not None and is_address(attached)
    return is_address(arg.text) and (not before.text.startswith("--") or _SOURCES.fullmatch(before.text) is not None)


def _secret(arg: Arg, scope: "Scope", runs: "Runner") -> str | None:
    """The file of secrets that a word names, as a whole or behind the name of an option or a field."""
    text = arg.text
    if not _NAMED.search(text):
        return None
    attached = _ATTACHED.match(text)
    for start in (0, attached.end()) if attached else (0,):
        named = _home(text[start:], runs)
        if _MAY_BE_PATH.fullmatch(named) and _NAMED.search(named) and "://" not in named:
            path = names_secret(Arg(named, arg.glob), scope.cwd)
            if path is not None:
                return path
    return None


def _home(text: str, runs: "Runner") -> str:
    return f"{runs.setting.home}{text[1:]}" if text.startswith("~/") else text


def started(runs: "Runner", args: tuple[Arg, ...], scope: "Scope", stdin: Stream, act: "Act") -> None:
    """An unknown command may start others: danger behind it is danger."""
    from assent.policy.shell.acts import Act

    if (small := args[0].text.lower()) != args[0].text:
        # Where names are not told apart by their letters' size, this is another spelling.
        child = Act(joined(args), [], [])
        runs.invoke((Arg(small), *args[1:]), scope.copy(), stdin, child, [])
        _keep(child, act)
    for place in range(1, min(len(args), MOST_PLACES)):
        if _UNMISTAKABLE.fullmatch(args[place].text):
            child = Act(joined(args[place:]), [], [])
            runs.invoke(args[place:], scope.copy(), stdin, child, [])
            _keep(child, act)
            return
    by_option(runs, args, scope, stdin, act)


def by_option(runs: "Runner", args: tuple[Arg, ...], scope: "Scope", stdin: Stream, act: "Act") -> None:
    """An unknown option whose name says that its value is a line."""
    from assent.policy.shell.acts import Act

    for option, following in itertools.pairwise((*args[:MOST_PLACES], Arg(""))):
        name, equals, attached = option.text.partition("=")
        if _RUNNING.fullmatch(name):
            line = attached if equals else following.text
            child = Act(line.replace(HOLE, "…"), [], [])
            if line:
                runs.text(line, scope.copy(), stdin, child.children)
            _keep(child, act)


def _behind(runs: "Runner", args: tuple[Arg, ...], scope: "Scope", stdin: Stream, act: "Act") -> None:
    """A command that stands behind a double dash, or behind a verb that starts one."""
    from assent.policy.shell.acts import Act

    for before, place in itertools.pairwise(range(min(len(args), MOST_WORDS))):
        if _STARTS.fullmatch(args[before].text) and _UNMISTAKABLE.fullmatch(args[place].text):
            child = Act(joined(args[place:]), [], [])
            runs.invoke(args[place:], scope.copy(), stdin, child, [])
            _keep(child, act)
            return


def as_line(runs: "Runner", text: str, scope: "Scope", act: "Act") -> None:
    _certain(runs, text, scope, act, is_prose=True)


def _keep(child: "Act", act: "Act") -> None:
    if any(effect.risk >= DANGER for each in child.all() for effect in each.effects):
        act.children.append(child)


_BLANK_OR_CALL = re.compile(r"\s|\(")


def in_words(runs: "Runner", args: tuple[Arg, ...], scope: "Scope", act: "Act") -> None:
    """Words that are lines or programs by what stands in them."""
    left = MOST_WORDS
    for before, arg in itertools.pairwise(args):
        text = arg.text
        name, equals, value = text.partition("=") if text.startswith("-") else ("", "", "")
        if _PROSE.fullmatch(name if equals else before.text):
            continue
        text = value if equals else text
        if len(text) > LONGEST_WORD or _BLANK_OR_CALL.search(text.strip()) is None:
            continue
        left -= 1
        if left < 0:
            return
        if not before.text.startswith("-") and _ENGLISH.search(text):
            continue
        for each in _readings(text):
            _certain(runs, each, scope, act, is_prose=True)


def in_input(runs: "Runner", stdin: Stream, scope: "Scope", act: "Act") -> None:
    """Text that comes in, and may be a program for what takes it."""
    if stdin.origin == "text" and stdin.text and len(stdin.text) <= LONGEST_INPUT:
        for each in _readings(stdin.text):
            _certain(runs, each, scope, act, is_prose=False)


def _readings(text: str) -> list[str]:
    """The word as it is, and what stands in it where it is marked as a line."""
    readings = [text]
    if (marked := _MARKED.match(text)) is not None:
        readings.append(text[marked.end() :])
    if (inside := _INSIDE.search(readings[-1])) is not None:
        readings.append(inside[1])
    return readings


def dangers(runs: "Runner", text: str, scope: "Scope", language: str = "") -> Iterator[Effect]:
    """What is Danger for certain in a text that will run as a line, or as a program of a language."""
    for act in _tried(runs, text, scope, is_prose=True, language=language):
        for each in act.all():
            yield from filter(_is_certain, each.effects)


def _certain(runs: "Runner", text: str, scope: "Scope", act: "Act", *, is_prose: bool) -> None:
    act.children += _tried(runs, text, scope, is_prose=is_prose)


def _tried(runs: "Runner", text: str, scope: "Scope", *, is_prose: bool, language: str = "") -> "list[Act]":
    """What the text does as a line and as a program, where that is Danger for certain.

    Prose may begin with the name of a command, and goes on with words that are none: only the commands count that are
    known by their names. Text that comes in is a script where all of it is."""
    from assent.policy.shell.acts import Act, TooManyActsError

    if runs.trials >= DEEPEST:
        return []
    aside = runs.aside()
    aside.inside, aside.script_text, aside.trials = runs.inside, runs.script_text, runs.trials + 1
    acts: list[Act] = []
    code = Act(text[:200], [], [])
    try:
        if not language:
            aside.text(text, scope.copy(), NOTHING, acts)
        if language or _CODE.search(text):
            aside.code(language or "any", text, scope.copy(), NOTHING, code)
    except (TooManyActsError, UnreadError, RecursionError):
        return []
    if not is_prose and not all(_is_command(each) for each in acts):
        acts = []
    tried = [
        each
        for each in (*filter(_is_command, acts), code)
        if any(_is_certain(effect) for one in each.all() for effect in one.effects)
    ]
    for each in tried:
        each.effects[:] = filter(_is_certain, each.effects)
    return tried


def _is_certain(effect: Effect) -> bool:
    from assent.policy.shell.acts import is_certain

    return is_certain(effect)


def _is_command(act: "Act") -> bool:
    name = act.runs[0].args[0].text.rpartition("/")[2] if act.runs else ""
    return name in builtins.HANDLERS or commands.find(name) is not None
