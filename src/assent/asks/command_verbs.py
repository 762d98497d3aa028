"""What a command does in a few plain words: by what is known of the program, else by what the judge saw it do."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence

from assent.asks import names
from assent.asks.phrases import MOST_WORDS, PHRASES
from assent.asks.segments import parsed
from assent.protocol.risk import Risk
from assent.protocol.trial import Seen as Effect
from assent.protocol.trial import Step, Trial

Namer = Callable[[str], str]

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_LONGEST_READ = 2_000

# Sub-commands that take names of packages.
_INSTALLS = frozenset({"install", "i", "add", "get", "-S", "upgrade", "update"})
_ADMINISTRATOR = frozenset({"sudo", "doas", "su", "pkexec"})
# Where a command runs that these start; {} is the first word after them.
_ELSEWHERE = {
    "ssh": ", on {}",
    "docker": ", in a container",
    "podman": ", in a container",
    "kubectl": ", in the cluster",
}
_ASIDE = frozenset({"cd", "pushd", "popd", "set", "export", "true", ":", "sleep"})
_RECIPES = frozenset({"make", "gmake", "just", "task", "rake", "invoke"})
_DATABASES = frozenset({"psql", "mysql", "mariadb", "sqlite3", "mongosh", "mongo", "redis-cli", "sqlcmd", "duckdb"})
_SENTENCE = re.compile(r"It ((?!is |was |has )(?:[a-z]+s, )*[a-z]+s(?: (?:or|and) [a-z]+s)?)\b([^,;:.]*)")
# Neither nothing, nor known only when it runs, nor a name that the shell makes up.
_NAMED = re.compile(r"(?!…+$|/dev/fd/)\S")
_VERB = re.compile(r"[a-z]+s\b")
_HISSES = re.compile(r"(?:sh|ch|ss|x|o)es$")
_UNSEEN = "It runs what it downloads, unseen."

# By what it does; without a target the judge's own sentence says it.
_KINDS: dict[str, str] = {
    "read": "Read {}",
    "write": "Write {}",
    "delete": "Delete {}",
    "mode": "Change permissions of {}",
    "fetch": "Fetch {}",
    "send": "Send {}",
    "run": "Run {}",
    "project": "Run {}",
    "persist": "Change {}, which is obeyed later",
    "history": "Change the history of {}",
    "publish": "Publish to {}",
    "remote": "Change {}",
    "secret": "Read the secret {}",
    "typing": "Type in your place",
    "agent": "Start another agent",
    "tamper": "Change the guard itself",
    "device": "Write to {}",
}
# Of these the target says more than the name of the program.
_TELLING = frozenset({"persist", "tamper", "secret", "send"})
_ADDRESSES = frozenset({"fetch", "query"})


def phrase(trial: Trial, command: str, name: Namer) -> str:
    """About the worst the line does, the first of it."""
    steps = list(_flat(trial.steps))
    if not steps:
        return of_text(command)
    worst, outer = max(steps, key=lambda found: _weight(found[0]))
    if not worst.command.strip("…"):
        return of_text(command)
    program = _program(worst.command)
    if program in _ADMINISTRATOR and worst.starts:
        return f"{of_step(max(worst.starts, key=own_risk), name)}, as administrator"
    return of_step(worst, name) + (_where(outer) if outer else "")


def _weight(step: Step) -> tuple[Risk, bool, bool]:
    return own_risk(step), bool(step.effects), _program(step.command) not in _ASIDE


def _where(outer: Step) -> str:
    words = _words(outer.command)
    where = _ELSEWHERE.get(words[0], "") if words else ""
    operand = next((word for word in words[1:] if not word.startswith("-")), "another machine")
    return where.format(names.cut(operand, 40))


def own_risk(step: Step) -> Risk:
    return max((parsed(effect.risk) for effect in step.effects), default=Risk.LOOK)


def worst_effects(steps: Sequence[Step]) -> list[Effect]:
    """All effects, the worst first, in the order of the line among equals."""
    every = [effect for step, _ in _flat(steps) for effect in step.effects]
    return sorted(every, key=lambda effect: -parsed(effect.risk))


def _flat(steps: Sequence[Step], outer: Step | None = None) -> Iterator[tuple[Step, Step | None]]:
    for step in steps:
        yield step, outer
        yield from _flat(step.starts, step)


def of_step(step: Step, name: Namer) -> str:
    words = _words(step.command)
    worst = max(step.effects, key=lambda effect: parsed(effect.risk), default=None)
    if worst is None:
        return _known(words, name) or of_text(step.command)
    if special := _special(words, worst, step.effects):
        return special
    targets = list(dict.fromkeys(e.target for e in step.effects if e.kind == worst.kind and _NAMED.match(e.target)))
    is_telling = bool(targets) and worst.kind in _TELLING
    if not is_telling and (known := _known(words, name)):
        return f"{known}, with more rights" if worst.kind == "privilege" else known
    if worst.kind in ("nothing", "unknown", "dynamic"):
        return (_of_why(worst.why) if worst.kind == "nothing" else "") or of_text(step.command)
    template = _KINDS.get(worst.kind, "")
    if not targets or "{}" not in template:
        said = template if "{}" not in template else ""
        return said or _of_why(worst.why) or ("Delete files" if worst.kind == "delete" else of_text(step.command))
    called = [names.host(target) if worst.kind in _ADDRESSES else name(target) for target in targets]
    if worst.kind == "send":
        what = [name(target) for target in targets if "://" not in target]
        return f"Send {names.listed(what) or 'data'} {_to(step.effects, name)}"
    return template.format(names.listed(called)).replace("Write the ", "Write into the ")


def _of_why(why: str) -> str:
    """``It deletes files in the cloud, and …`` becomes ``Delete files in the cloud``."""
    found = _SENTENCE.match(why)
    if found is None:
        return ""
    said, rest = found.groups()
    return names.cut(f"{_VERB.sub(_plain, said).capitalize()}{rest}", 80)


def _plain(found: re.Match[str]) -> str:
    verb = found[0]
    return f"{verb[:-3]}y" if verb.endswith("ies") else verb[:-2] if _HISSES.search(verb) else verb[:-1]


def _to(effects: Sequence[Effect], name: Namer) -> str:
    for effect in effects:
        if "://" in effect.target and effect.kind == "send":
            return f"to {names.host(effect.target)}"
        if effect.kind in ("fetch", "publish", "remote") and effect.target:
            return f"to {names.host(effect.target) if effect.kind == 'fetch' else name(effect.target)}"
    return "away"


def _special(words: list[str], worst: Effect, effects: Sequence[Effect]) -> str:
    program = words[0] if words else ""
    if words[:2] == ["git", "push"]:
        return _push(words, effects)
    if program == "git" and words[1:2] in (["checkout"], ["switch"]) and worst.risk == "danger":
        return "Throw away uncommitted changes"
    if worst.kind == "install":
        return _install(words)
    if program == "systemctl" and len(words) > 2:
        return f"{words[1].capitalize()} {names.listed([names.cut(word) for word in words[2:]])}"
    if program in _DATABASES and worst.kind == "remote" and worst.target:
        return f"Tell the database: {names.cut(worst.target)}"
    if program in _RECIPES and (recipe := " ".join(word for word in words[1:] if not word.startswith("-"))):
        return PHRASES.get(f"{program} {recipe}") or f"Run {names.cut(f'{program} {recipe}')}"
    return "Run what it downloads" if worst.why == _UNSEEN else ""


def _known(words: list[str], name: Namer) -> str:
    for count in range(min(MOST_WORDS, len(words)), 0, -1):
        verb = PHRASES.get(" ".join(words[:count]))
        if verb is None:
            continue
        if "{}" not in verb:
            return verb
        rest = [word for word in words[count:] if not word.startswith("-")]
        if verb.startswith(("Change permissions", "Change the owner")):
            rest = rest[1:]
        if verb.startswith(("Copy", "Move")):
            rest = rest[:-1]
        if verb.startswith(("Connect", "Switch", "Merge", "Clone", "Tag")):
            rest = rest[:1]
        if verb.endswith("in the cluster"):
            return verb.format(names.cut(" ".join(rest)))
        if rest:
            return verb.format(names.listed([name(word) for word in rest]))
    return ""


def _push(words: list[str], effects: Sequence[Effect]) -> str:
    where = next((effect.target for effect in effects if effect.kind == "publish"), "")
    to = "/".join(part.lstrip("+:") for part in where.split(", ") if part) or "the remote"
    if any(word in ("--delete", "-d") or word.startswith(":") for word in words):
        return f"Delete {names.cut(to)} on the remote"
    forced = any(word in ("-f", "--force", "--mirror") or word.startswith(("--force-", "+")) for word in words[2:])
    return f"{'Force-push' if forced else 'Push'} to {names.cut(to)}"


def _install(words: list[str]) -> str:
    at = next((number for number, word in enumerate(words) if word in _INSTALLS), None)
    found = [word for word in words[at + 1 :] if not word.startswith("-")] if at is not None else []
    packages = [word for word in found if word not in (".", "-") and "://" not in word and "$" not in word]
    return f"Install {names.listed([names.cut(each, 40) for each in packages])}" if packages else "Install packages"


def of_text(command: str) -> str:
    """By its first word."""
    program = _program(command)
    return f"Run {names.cut(program, 40)}" if program else "Run a command"


def _program(command: str) -> str:
    words = _words(command)
    return words[0].rpartition("/")[2] if words else ""


def _words(command: str) -> list[str]:
    """As the shell would split it, or nearly; this is for a heading, nobody judges by it."""
    beginning = command[:_LONGEST_READ]
    try:
        words = shlex.split(beginning)
    except ValueError:
        words = beginning.split()
    while words and _ASSIGNMENT.match(words[0]):
        words = words[1:]
    return words
