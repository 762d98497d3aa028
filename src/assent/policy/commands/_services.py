"""Command line tools of services: the words of the line say what is asked of the service.

A service is known by the pattern of its verbs, so that ``aws <anything> describe-*`` is a question also for
unlisted services. Rules are tried in order, and the first that fits decides; what fits none is unknown, and Care.

    compute instances list      these words, and whatever follows
    * describe-*|list-*         any one word, then one of these
    ** delete                   the word at any place
    box list, version           either of these
"""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from assent.expressions import later
from assent.policy.commands._web import Goal, hands_over, shown
from assent.policy.commands.spec import Finding, Invocation, SendsInput, Spec
from assent.policy.effects import Effect, Kind, care, danger, nothing
from assent.policy.production import CHANGES as IN_PRODUCTION
from assent.policy.production import is_production as is_production
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# No verb stands further back than this.
MOST_WORDS = 24
ITSELF = "It only tells about itself."
_HELP = frozenset({"--help", "-h", "-help", "help"})
_BLANK = re.compile(r"\s")
_VERSION = frozenset({"--version", "-v", "-V", "version", "-version"})


class WordRule(Struct, frozen=True):
    effect: Effect
    pattern: re.Pattern[str]


def rule(effect: Effect, *patterns: str) -> WordRule:
    every = [each for pattern in patterns for each in pattern.split(",")]
    # Most services are never used.
    return WordRule(effect, later("|".join(_expression(each, effect.risk) for each in every)))


def _expression(pattern: str, risk: Risk) -> str:
    # A word that is not known could be any: no reason to think that it only asks.
    letter = r"[^ \0]" if risk is Risk.LOOK else "[^ ]"
    made = ""
    for word in pattern.split():
        if word == "**":
            made += rf"(?:{letter}+ )*?"
        else:
            choices = (re.escape(choice).replace(r"\*", f"{letter}*") for choice in word.split("|"))
            made += f"(?:{'|'.join(choices)}) "
    return made


def asks(*patterns: str, why: str = "It asks a service you are logged in to.") -> WordRule:
    return rule(Effect("query", Risk.LOOK, why), *patterns)


def tells(*patterns: str) -> WordRule:
    return rule(nothing(ITSELF), *patterns)


def makes(*patterns: str, why: str = "It changes something in a service.", kind: Kind = "remote") -> WordRule:
    return rule(care(kind, why), *patterns)


def ruins(*patterns: str, why: str = "It deletes something in a service, and that cannot be undone.") -> WordRule:
    return rule(danger("remote", why), *patterns)


def opens(*patterns: str, why: str = "It changes who may do what in a service.") -> WordRule:
    return rule(danger("privilege", why), *patterns)


def reveals(*patterns: str, why: str = "It shows a secret, or makes one.") -> WordRule:
    return rule(danger("secret", why), *patterns)


def publishes(*patterns: str, why: str = "It publishes something, or sends messages under your name.") -> WordRule:
    return rule(danger("publish", why), *patterns)


# Verbs as nearly every such tool has them.
RUINS = (
    "delete|del|destroy|remove|rm|rb|purge|terminate|drop|wipe|erase|prune|reset|revoke|uninstall|unregister|deregister"
    "|deactivate|disable|decommission|nuke|clean|drop-*|empty|truncate|flush|clear|kill|unpublish|archive|abandon"
    "|forget|evict"
    "|delete-*|*-delete|*-destroy|*-remove|remove-*|destroy-*|purge-*|*:delete|*:destroy|*:remove|*:reset|*:rm"
    "|*:drop|*:purge|*:unset|*_delete"
    "|delete_*"
)
ASKS = (
    "list|ls|show|get|describe|info|status|view|whoami|search|find|inspect|history|top|stats|usage|diff|releases|events"
    "|list-*|show-*|describe-*|*:list|*:info|*:show|*:status|*:view"
)
# No group of things goes by these names, so what follows is an argument.
CHANGES = (
    "create|add|set|update|put|apply|deploy|upload|publish|enable|import|restore|edit|patch|attach|detach|move|mv"
    "|rename"
    "|resize|scale|promote|rollback|install|login|invoke|execute|start|restart|upgrade|configure|exec|ssh|insert|write"
    "|modify|replace|register|transfer|assign|unassign|approve|reject|activate|*:add|*:set|*:create|*:update"
    "|*:enable|*:promote"
    "|create-*|update-*|set-*|add-*|put-*|deploy-*|start-*|enable-*|import-*|attach-*|upload-*"
)
MAKES = (
    "new|up|run|link|unlink|tag|copy|cp|sync|push|init|open|connect|select|use|switch|pause|resume|stop|suspend|cancel"
    "|retry|rerun|trigger|merge|build|test|dev|serve|down|pull|export|download|fork|clone|generate|migrate|proxy"
    "|console"
)
_SECRETS = (
    "** secret|secrets|token|tokens|credential|credentials|password|passwords|key|keys|api-key|apikeys|api-keys"
    "|api_keys"
)
COMMON: tuple[WordRule, ...] = (
    reveals(
        f"{_SECRETS} show|get|reveal|view|create|new|add|export|download|pull|set|put|update|rotate|roll|reset"
        "|regenerate",
        "** auth|account token|print-token|print-access-token|show-token",
        "** env pull|pull:*",
    ),
    ruins(f"** {RUINS}"),
    opens(
        "** members|users|collaborators|access|iam|roles|policy|policies|permissions add|create|set|update|grant"
        "|invite|attach"
    ),
    makes(f"** {CHANGES}"),
    asks(f"** {ASKS}"),
    tells("help", "version", "completion|completions|autocomplete", "docs"),
    makes(f"** {MAKES}"),
)


def _first(rules: tuple[WordRule, ...], line: str) -> Effect | None:
    for each in rules:
        if each.pattern.match(line) is not None:
            return each.effect
    return None


class Service(Struct, frozen=True):
    # What is special about it, then what holds for all such tools: where that is Danger, nothing special lowers it.
    rules: tuple[WordRule, ...]
    also: tuple[WordRule, ...]
    bare: Effect
    more: "Callable[[Invocation], Iterator[Finding]] | None" = None

    def found(self, it: Invocation) -> Iterator[Finding]:
        """What the words ask for, and whether production is named."""
        if is_help(it):
            yield nothing(ITSELF)
            return
        worst = max((self._judged(it, words) for words in readings(it)), key=lambda effect: effect.risk)
        yield worst
        if worst.kind == "remote" and worst.risk is Risk.CARE:
            yield from in_production(it)
        if self.more is not None:
            yield from self.more(it)

    def _judged(self, it: Invocation, words: list[Arg]) -> Effect:
        texts = [_BLANK.sub("_", word.text) for word in words[:MOST_WORDS]]
        if not texts:
            if any(arg.text in _VERSION for arg in it.handed_on):
                return nothing(ITSELF)
            return care("unknown", f"Assent does not know this use of {it.name}.") if it.handed_on else self.bare
        line = " ".join(texts) + " "
        special, common = _first(self.rules, line), _first(self.also, line)
        if special is not None and (common is None or common.risk is not Risk.DANGER):
            return special
        if common is not None:
            return common
        if HOLE in line:
            return care("dynamic", f"What is asked of {it.name} is known only when it runs.")
        return care("unknown", f"Assent does not know “{it.name} {' '.join(texts[:3])}”.")


def service(
    why: str,
    *rules: WordRule,
    options: str = "",
    also: "tuple[WordRule, ...]" = COMMON,
    bare: Effect | None = None,
    more: "Callable[[Invocation], Iterator[Finding]] | None" = None,
) -> Spec:
    """``rules`` are what is special about it, ``also`` what holds for all such tools, ``more`` what no rule can say."""
    tool = Service(rules, also, bare or nothing("It shows its help."), more)
    return Spec(why, f"* {options}", "none*", also=tool.found)


def is_help(it: Invocation) -> bool:
    """Words, then a wish for help. Behind an option, the wish could be the option's value."""
    for place, arg in enumerate(it.handed_on):
        if arg.text in _HELP:
            # ``aws ec2 help``; elsewhere something may go by that name.
            return arg.text != "help" or place == 0 or (it.name == "aws" and place == len(it.handed_on) - 1)
        if arg.text.startswith("-") or HOLE in arg.text:
            return False
    return False


def readings(it: Invocation) -> list[list[Arg]]:
    """The words, once as if unknown options took no value, once as if they did."""
    skipped: list[Arg] = []
    args = iter(it.handed_on)
    for arg in args:
        text = arg.text
        if text == "--":
            skipped += args
            break
        if len(text) < 2 or text[0] != "-":
            skipped.append(arg)
            continue
        name, equals, _ = text.partition("=")
        takes = it.takes(name)
        if not equals and takes != "flag" and not (takes or "").startswith("?"):
            is_attached = takes is None and text[1] != "-" and len(text) > 2 and it.takes(text[:2]) is not None
            following = None if is_attached else next(args, None)
            if takes is None and following is not None and following.text.startswith("-"):
                args = iter((following, *args))
    return [it.operands, skipped]


_GOALS: dict[str, Goal] = {"a container": "container", "another machine": "machine", "a pod": "machine"}


def copied(it: Invocation, words: list[Arg], is_there: Callable[[str], bool], where: str) -> Iterator[Finding]:
    """Files there and back: ``words`` are sources and then the goal, ``is_there`` says which are not files here."""
    if len(words) < 2:
        return
    *sources, goal = words
    for source in sources:
        if is_there(source.text):
            yield care("fetch", f"It brings files in from {where}.", shown(source))
        elif source.text == "-":
            yield SendsInput(shown(goal))
        elif is_there(goal.text):
            yield hands_over(it, source, shown(goal), to=_GOALS.get(where, "store"))
        else:
            yield it.path("read", source, recursive=True)
    if is_there(goal.text):
        yield care("remote", f"It writes files in {where}.", shown(goal))
        yield from in_production(it)
    elif goal.text not in ("-", "/dev/stdout"):
        yield it.path("write", goal)


def in_production(it: Invocation) -> Iterator[Effect]:
    """A change that names production."""
    for arg in it.handed_on:
        if is_production(arg.text):
            yield danger("remote", IN_PRODUCTION, shown(arg))
            return
