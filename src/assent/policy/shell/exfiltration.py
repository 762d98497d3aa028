"""Exfiltration by requests: secrets in variables, and files read inside substitutions."""

import itertools
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from assent.policy import sensitive
from assent.policy.commands._web import address
from assent.policy.commands.processes import GUARDS, UNKNOWN_PROCESS
from assent.policy.effects import Effect, danger
from assent.policy.shell.streams import LOADS_SECRETS, SHOWS_VARIABLES
from assent.policy.shell.words import Arg

MOST_WORDS = 12

# What asks a service, or may do anything, may show what that keeps.
KINDS = frozenset({"unknown", "run", "project", "install", "persist", "query", "remote", "secret", "fetch"})
_REVEALING = re.compile(
    r"--(?:reveal|show-?secrets?|show-?tokens?|show-?values?|show-?passwords?|include-sensitive|unmask(?:ed)?|plain-?text"
    r"|decrypt(?:ed)?|with-decryption|raw-?secrets?)(?:=true)?"
    r"|(?:credentials|secrets|encrypted):(?:show|reveal|decrypt|edit)(?::\S+)?|env:decrypt|view-secret"
)
_KEPT = re.compile(r"secrets?|credentials?|passwords?|tokens?|apikeys?|api-keys?|vault|safe")
_KEEPS = re.compile(r"secret|credential|password|token|key|vault|safe")
_TAKEN_OUT = re.compile(r"get|show|export|download|pull|reveal|dump|print|decrypt|view|read|cat|fetch|access")
_LISTED = re.compile(r"list|ls")
_WHOLE = re.compile(r"--(?:output|format|json|plain|raw|export|values?)(?:=.*)?|-o")
_FROM_ELSEWHERE = frozenset({"fetch", "query", "remote", "run", "unknown"})
_ELSEWHERE = re.compile(r"(?!https?:|git|ssh:)[\w@.-]+:(?://|(?!\d+/))([^\s:]+)|(?:\S*/)?contents/(\S+)")
# Names that are words as well are names of files only with a folder or an ending.
_NAMED = re.compile(r"[./~]|^id_")


def effects(args: tuple[Arg, ...], kinds: AbstractSet[str], careful: AbstractSet[str]) -> Iterator[Effect]:
    """What the words of a command say about secrets that it shows, by what it does and does with care."""
    yield from _reveals(args, careful)
    if kinds & _FROM_ELSEWHERE:
        yield from _kept_elsewhere(args)


def _reveals(args: tuple[Arg, ...], careful: AbstractSet[str]) -> Iterator[Effect]:
    """Words by which tools are told to show secrets in plain text."""
    words = [arg.text.lower() for arg in args[1:MOST_WORDS]]
    is_shown = any(_REVEALING.fullmatch(word) for word in words)
    if not is_shown and ("unknown" in careful or "run" in careful) and any(map(_KEEPS.search, words)):
        takes = (_TAKEN_OUT, _LISTED) if any(_WHOLE.fullmatch(word) for word in words) else (_TAKEN_OUT,)
        pairs = [*itertools.pairwise(words), *(re.split(r"[:_-]", word, maxsplit=1) for word in words)]
        is_shown = any(_takes_out(pair[0], pair[-1], takes) for pair in pairs)
    if is_shown:
        yield danger("secret", "It shows secrets that are kept in a safe or in settings.", " ".join(words)[:200])


def _takes_out(first: str, second: str, ways: tuple[re.Pattern[str], ...]) -> bool:
    """``secrets get``, ``export credentials``."""
    return any(
        _KEPT.fullmatch(kept) and any(way.fullmatch(taken) for way in ways)
        for kept, taken in ((first, second), (second, first))
    )


def _kept_elsewhere(args: tuple[Arg, ...]) -> Iterator[Effect]:
    """A file of secrets on another machine, in a container or in a store: ``app:/app/.env``, ``s3://bucket/.env``."""
    for arg in args[1:]:
        if ":" not in arg.text and "contents/" not in arg.text:
            continue
        match = _ELSEWHERE.fullmatch(arg.text)
        path = "" if match is None else match[1] or match[2]
        if _NAMED.search(path) and sensitive.is_secret(path):
            yield danger("secret", "It brings a file of secrets in from elsewhere, or prints it.", arg.text[:200])
            return


if TYPE_CHECKING:
    from assent.policy.shell.acts import Act

# Kinds of effects that carry words of the line to others.
OUTWARD = frozenset({"fetch", "send", "publish"})
_OWNER = re.compile(r"(?:[a-z0-9.-]*\.)?([a-z0-9-]+)\.(?:com|org|io|net|ai|dev)")
_BRACKETS = re.compile(r"[\[\]\\'\"]")
# Generic words for secrets, which identify no particular one.
_WORDS = frozenset(
    {"secret", "token", "auth", "access", "private", "user", "admin", "test", "prod", "service", "client"}
)
_SHORT = {"gh": "github", "gl": "gitlab", "hf": "huggingface", "cf": "cloudflare", "do": "digitalocean"}


def leaks(effects: list[Effect], secrets: list[str], worked_out: "Iterable[Act]") -> Iterator[Effect]:
    """``effects`` reach the network, ``secrets`` are variables on the line, ``worked_out`` ran to make its words."""
    targets = [effect.target for effect in effects if effect.kind in OUTWARD]
    for name in secrets:
        if not all(_is_owner(name, target) for target in targets):
            yield danger("send", f"It sends the secret in ${name} over the network.", ", ".join(targets))
    for act in worked_out:
        for effect in act.effects:
            if effect.kind == "secret" or (effect.kind == "read" and _is_outside(effect.target)):
                yield danger("send", "It sends what it reads outside the project over the network.", effect.target)
                return


def _is_outside(path: str) -> bool:
    """Texts for others are often made in the folder for temporary files."""
    return path.startswith(("/", "~", "..")) and not path.startswith("/tmp/")  # noqa: S108 - the name of a place


def _is_owner(name: str, target: str) -> bool:
    """Whether the secret is for this service, as GITHUB_TOKEN is for api.github.com, or stays on this machine."""
    to = address(target)
    if to.is_local:
        return True
    first = name.lower().partition("_")[0]
    match = _OWNER.fullmatch(to.host)
    is_service = len(first) > 3 and first not in _WORDS
    return match is not None and to.scheme == "https" and match[1] in (first if is_service else None, _SHORT.get(first))


def together(everything: "list[Act]") -> None:
    """What commands of a line mean together, and none of them alone."""
    for act in everything:
        whys = [effect.why for effect in act.effects]
        if UNKNOWN_PROCESS in whys and any(_names_guard(each) for each in everything):
            # A process is ended whose number the line looks up.
            act.effects.append(danger("tamper", "It ends an agent or what guards it.", act.text[:200]))
        if SHOWS_VARIABLES in whys and any(_loads_secrets(each) for each in everything):
            act.effects.append(danger("secret", "It shows the secrets that the line has loaded.", act.text[:200]))
        for effect in act.effects:
            if effect.kind == "publish" and any(_adds(each, effect.target) for each in everything):
                act.effects.append(danger("send", "It sends commits to a place that the line adds.", effect.target))
                break


def _names_guard(act: "Act") -> bool:
    # ``grep [a]ssent`` does not find itself.
    return GUARDS.search(_BRACKETS.sub("", act.text)) is not None


def _adds(act: "Act", target: str) -> bool:
    """Whether it gives a name to a place, and that is where the commits go."""
    place = target.partition(",")[0]
    return any(e.kind == "persist" and place and e.target.startswith(f"{place}, ") for e in act.effects)


def _loads_secrets(act: "Act") -> bool:
    return any(effect.why == LOADS_SECRETS for effect in act.effects)
