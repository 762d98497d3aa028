"""Machines that people rely on: what their names look like, and what a change there costs.

A change on another machine is Danger where a name says production: of the host, the context, the profile, the app.
Looking there costs what it costs elsewhere."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from assent.policy.effects import Effect, danger
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import CARE, CHANGE

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act

CHANGES = "It changes something in production."
LONGEST_NAME = 300
_STORES = r"(?:db|database|sql|mysql|pg|postgres\w*|redis|mongo\w*|rds|aurora|cluster|node)"
_NAMES = re.compile(
    # Neither non-prod nor pre-prod, nor product, alive, delivery.
    r"(?<!non)(?<!non[-_.])(?<!pre)(?<!pre[-_.])(?<!not[-_.])prod(?:uction)?(?![a-z])"
    r"|(?:^|[^a-z])(?:prd|live)(?:$|[^a-z])"
    rf"|(?:^|[^a-z]){_STORES}[-_.]?(?:primary|master)(?![a-z])|(?:^|[^a-z])(?:primary|master)[-_.]?{_STORES}(?![a-z])",
    re.IGNORECASE,
)
# What it does there is more than to look.
_CHANGING = frozenset(
    {"write", "delete", "mode", "install", "process", "history", "persist", "remote", "publish", "run", "project"}
    | {"privilege", "device", "tamper", "send", "unknown", "typing"}
)
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 - names of places, not used as files
# Variables by which tools choose the machine, the account or the environment they work on.
_CHOOSING = re.compile(
    r"(?:\w+_)?(?:ENV|ENVIRONMENT|PROFILE|CONTEXT|WORKSPACE|STAGE|CLUSTER|NAMESPACE|HOST|HOSTNAME|URL|URI|DSN|PROJECT"
    r"|ACCOUNT|APP|TARGET|REMOTE)|KUBECONFIG|PGHOST|PGSERVICE|PGDATABASE|DATABASE|MYSQL_HOST|TF_VAR_env\w*"
)
# Of those, the ones that lead to the containers of another machine: whatever is started or stopped is there.
_ENGINES = re.compile(r"(?:DOCKER|CONTAINER|PODMAN)_(?:HOST|CONTEXT|CONNECTION)")


def is_production(text: str) -> bool:
    return _NAMES.search(text[:LONGEST_NAME]) is not None


def changed_there(name: str, started: "Iterable[Act]") -> Iterator[Effect]:
    """What was started on a machine of this name does more than to look."""
    words = [word for word in name.split() if is_production(word)]
    if words and any(_is_change(effect) for act in started for each in act.all() for effect in each.effects):
        yield danger("remote", CHANGES, words[0])


def _is_change(effect: Effect) -> bool:
    if effect.kind not in _CHANGING or effect.risk < CHANGE:
        return False
    return effect.kind != "write" or not effect.target.startswith(_TEMPORARY)


def chosen(name: str, values: Iterable[str]) -> str:
    """``AWS_PROFILE=prod``: the name of a variable that makes tools work on production; "" for others."""
    if _CHOOSING.fullmatch(name) and any(is_production(value) for value in values):
        return name
    return ""


def look(acts: "Iterable[Act]", variables: Iterable[str]) -> None:
    """Adds to what changes something elsewhere that production is named, beside it or by a variable before it."""
    by_variable = list(variables)
    reaches = {"remote", "publish", "process"} if any(map(_ENGINES.fullmatch, by_variable)) else {"remote", "publish"}
    for act in acts:
        cared = [effect for effect in act.effects if effect.risk is CARE]
        named = next(_named(act), "") if any(effect.kind == "remote" for effect in cared) else ""
        if not named and by_variable and any(effect.kind in reaches for effect in cared):
            named = by_variable[0]
        if not named and len(act.children) == act.inside:
            # What it starts there is looked at by itself.
            named = next((e.target for e in cared if e.kind == "send" and is_production(_host(e.target))), "")
        if named:
            act.effects.append(danger("remote", CHANGES, named.replace(HOLE, "…")[:200]))


def _named(act: "Act") -> Iterator[str]:
    started = {arg.text for child in act.children for ran in child.runs for arg in ran.args}
    for ran in act.runs:
        words = (arg.text for arg in ran.args[1:] if _is_name(arg) and is_production(arg.text))
        yield from (word for word in words if word not in started)


def _is_name(arg: Arg) -> bool:
    """Sentences and statements may speak of production without meaning a machine."""
    return len(arg.text) <= LONGEST_NAME and not any(blank in arg.text for blank in " \n\t")


def _host(target: str) -> str:
    """Of an address, without what is asked for there."""
    return re.sub(r"^\w+://", "", target).partition("/")[0]
