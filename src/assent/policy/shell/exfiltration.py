"""What leaves with a request without being named as its content: secrets in variables, and files read on the way."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from assent.policy.commands._web import address
from assent.policy.commands.processes import GUARDS, UNKNOWN_PROCESS
from assent.policy.effects import Effect, danger
from assent.policy.streams import LOADS_SECRETS, SHOWS_VARIABLES

if TYPE_CHECKING:
    from assent.policy.runs import Act

# Kinds of effects that carry words of the line to others.
OUTWARD = frozenset({"fetch", "send", "publish"})
_OWNER = re.compile(r"(?:[a-z0-9.-]*\.)?([a-z0-9-]+)\.(?:com|org|io|net|ai|dev)")
_BRACKETS = re.compile(r"[\[\]\\'\"]")
# What secrets are called by everybody is nobody's name.
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
    found = _OWNER.fullmatch(to.host)
    is_service = len(first) > 3 and first not in _WORDS
    return found is not None and to.scheme == "https" and found[1] in (first if is_service else None, _SHORT.get(first))


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
