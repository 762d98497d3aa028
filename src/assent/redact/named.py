"""Values after telling names: ``PASSWORD=…``, ``"api_key": "…"``, ``--token …``, "the password is …".

Found by name first, then judged in plain code: what follows a telling name is more often a variable, a placeholder, a
type or the next word of a sentence than a secret.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence

HINTS = ("pass", "pwd", "token", "secret", "key", "credential", "auth", "pw:", "pw=", "pw ")

_NAME = re.compile(
    r"(?P<name>(?i:password|passwd|passphrase|passwort|passcode|secret|credentials?|token"
    r"|(?:api|access|private|signing|encryption|account|master|shared|license|auth|service|secret|subscription|deploy"
    r"|application|app|admin|project|bot|webhook|session|hmac|crypto|jwt|aes|ssh|storage)[ _-]?key"
    r"|auth[_-]?code)"
    r"|(?<![A-Za-z])(?i:pass|pwd|auth|pw|_auth)(?![A-Za-z])|(?<![A-Za-z_-])(?i:key)(?=[\"']?\]?\s?(?:[:=]|is ))"
    r"|(?<=[a-z])P(?:ass|wd)(?![a-z])|(?<=[A-Z])PASS(?![A-Z]))"
    r"(?P<rest>[A-Za-z0-9_-]{0,24})"
)
_VALUE = re.compile(
    r"""(?P<sep>\\?["'`]?\]?\s{0,4}(?:=>|:=|={1,2}|:)\s{0,4}|\\?["']?,\s{0,2}(?=\\?["'])"""
    r"""|\s{1,3}(?i:is|to|was|should be|will be)[:\s]\s{0,2}|>|[ \t]{1,4}(?:\\\n[ \t]{0,16})?)"""
    r"""(?:\\?"(?P<double>[^"\n⟨⟩]{1,512}?)\\?"|\\?'(?P<single>[^'\n⟨⟩]{1,512}?)\\?'"""
    r"""|`(?P<tick>[^`\n⟨⟩]{1,512})`|(?P<bare>[^\s"'`;,&|<>(){}\[\]⟨⟩\\]{1,512}))"""
)
_TAME_REST = re.compile(
    r"(?i)[_-]?(?:file|path|name|id|ids|type|url|uri|endpoint|count|limit|len|length|size|expir\w*|ttl|age|version|dir|field"
    r"|policy|hint|env|var|budget|usage|manager|store|reset|prefix|regex|pattern|index|format|source|ref|arn|colou?r|input"
    r"|stdin|command|cmd|program|exec|script|process|prompt|fd|host|port|user|username|realm|domain|eval|hook|shell"
    r"|form|page|min|max|rotation|scope|scopes|provider|helper|service|bucket|str|s|ed|less|header|validator|required)$"
)
_REFERENCE = re.compile(
    r"[$%<{(\[*#@!]|\\\$|⟨|\.{2,}|\.\*|…|[xX]{3,}$|[-_.*•]+$"
    r"|(?i:your|my[-_]|the[-_]|enter|insert|replace|change[-_]?me|placeholder|dummy$|fake$|redacted|todo)"
)
_PATH = re.compile(
    r"(?:~|\.{1,2})?/[\w.@~-]*(?:/[\w.@~-]*){0,40}$|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,20}://"
    r"|\S{0,200}\.(?:py|js|ts|go|rs|md|txt|json|ya?ml|toml|pem|key|sh|html|env)$"
)
# Members of what code passes around.
_MEMBER = re.compile(
    r"(?:process|import\.meta|self|this|os|env|config|settings|args|options|opts|ctx|req|request|params|props|event|data"
    r"|secrets|vars|var|local|module|inputs|steps|github|Deno|Bun|System|ENV)\??\.[A-Za-z_]"
)
_DOTTED = re.compile(r"[A-Za-z_]\w{0,60}(?:(?:\.|->|::)[A-Za-z_]\w{0,60}){1,8}$")
_IDENTIFIER = re.compile(r"[A-Za-z]+(?:[_-][A-Za-z]+){0,12}$")
_TAME_WORDS = frozenset(
    """none null nil true false undefined string str text bytes int number boolean bool any object required optional
    hidden missing empty invalid valid expired wrong incorrect is are was the a an in on of for to and or not if it this
    password passwd token secret key value example test field input prompt stdin env auto default basic bearer oauth jwt
    that yes no off rotate refresh create list get set delete read write show new old""".split()  # noqa: SIM905 - readable
)
# ASKPASS is a program, BYPASS a switch.
_NOT_PASSWORD = re.compile(r"(?i:ask|by|com)$")
# Options that say where a password comes from: what follows is something else.
_ASKS = re.compile(r"--?(?:no|ask|prompt|without|skip|reset)-")
_OPTION = re.compile(r"(?:--[A-Za-z0-9_.-]*|-(?:[A-Za-z0-9_.-]*[_.-])?)$")
LONGEST_NAME = 40
LEAST_AFTER_AUTH = 12
LEAST_RANDOM = 12
LEAST_CHANGES = 4
# Statements that take a name and a value.
_SETS = re.compile(r"(?:^|[\s;&|])(?:ENV|ARG|setx|set -[gxUx]{1,3}|setenv)\s{1,3}\w{0,60}$")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-")
_OTHER_KEYS = re.compile(
    r"(?i:cache|primary|foreign|sort|public|partition|object|row|s3|index|hash|map|group|routing)[ _-]?$"
)
# The value stands before what it is, or behind a user's name.
_BEFORE = re.compile(
    r"""(?i:use|with|try|set|enter|type|put|is) \\?["'`]?(?P<value>[^\s"'`⟨⟩]{8,200})["'`]? (?i:as|for) """
    r"""(?i:the|my|your|a|its|our|their) (?:[\w-]{1,20} ){0,2}"""
    r"""(?i:password|passphrase|token|key|secret|pw|pass|credential)"""
)
_LOGIN = re.compile(r"(?i:creds|credential|log ?in|sign ?in)")
_PAIR = re.compile(
    r"""(?i:credentials?|creds|login|log ?in|sign ?in)(?: (?:are|is|with|as))?[:=]? {1,3}["'`]?[\w.@+-]{1,60}["'`]?"""
    r""" ?(?:/|:|with|and) ?["'`]?(?P<value>[^\s"'`⟨⟩]{6,200})"""
)
_SPACE = " \t\n"
Span = tuple[int, int, str]
# A quote, or the option for a header, before the name; or the beginning of a line, as in YAML.
_HEADER = re.compile(r"(?:[\"'{,]|-H ?|--header[ =]|^[ \t]*|\n[ \t-]*)[\w-]*$")
# A user called by a telling name, the password, and where they are used.
_HOST = re.compile(
    r"(?<=.)@(?=(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?:[:/?]|$)|localhost\b|\d{1,3}(?:\.\d{1,3}){3}\b)"
)


def found(text: str, addresses: Sequence[tuple[int, int]] = (), *, is_strict: bool = False) -> Iterator[Span]:
    """Start, end and kind of each value that a telling name gives away; none inside an address. If strict, only where
    a shell takes the value for a mere argument: not what merely follows a name, as in a sentence."""
    if not is_strict:
        yield from _told(text)
    at = 0
    inside = iter((*addresses, (len(text) + 1, len(text) + 1)))
    begin, end = next(inside)
    while name := _NAME.search(text, at):
        at = name.end("name")
        while end <= name.start():
            begin, end = next(inside)
        if begin <= name.start():
            at = max(at, end)
            continue
        if not _is_telling(text, name):
            continue
        value = _VALUE.match(text, name.end())
        if value is None:
            continue
        group = value.lastgroup or "bare"
        if _gives_away(text, name, value, group) and not (is_strict and _is_mere_word(text, name, value, group)):
            start, stop = value.span(group)
            if host := _HOST.search(text, start, stop):
                stop = host.start()
            yield start, stop, kind_of(name["name"])
            at = value.end()


def _told(text: str) -> Iterator[Span]:
    """Values in sentences whose name does not stand right before them."""
    for pattern in ((_BEFORE,) if " as " in text or " for " in text else ()) + (
        (_PAIR,) if _LOGIN.search(text) else ()
    ):
        for match in pattern.finditer(text):
            if _is_random(match["value"].rstrip(".,;!?")) and not is_reference(match["value"]):
                yield match.start("value"), match.start("value") + len(match["value"].rstrip(".,;")), "password"


def _is_mere_word(text: str, name: re.Match[str], value: re.Match[str], group: str) -> bool:
    """Whether the value follows the name as one word follows another: a host and what runs there, say."""
    sep = value["sep"]
    if not sep.strip():
        return not _is_option(text, name.start())
    if sep.strip().isalpha() or (group == "bare" and sep.strip() == ":"):
        return _HEADER.search(text[max(0, name.start() - 60) : name.start()]) is None
    return False


@functools.lru_cache(maxsize=1_024)
def kind_of_field(name: str) -> str | None:
    """What kind of secret a field of this name holds, if any."""
    match = _NAME.search(name) if len(name) <= 80 else None
    if match is None or match.end() != len(name) or not _is_telling(name, match):
        return None
    return kind_of(match["name"])


def is_field_value(value: str) -> bool:
    """Whether what stands in a field with a telling name is a secret."""
    return bool(value) and not is_reference(value) and value.lower() not in _TAME_WORDS and not _PATH.match(value)


def is_reference(value: str) -> bool:
    """A variable, a placeholder or a mask: it stands for a secret and is none."""
    return _REFERENCE.match(value) is not None


def kind_of(name: str) -> str:
    name = name.lower()
    for word, kind in (("key", "key"), ("token", "token"), ("secret", "secret"), ("cred", "secret"), ("auth", "token")):
        if word in name:
            return kind
    return "password"


def _is_telling(text: str, name: re.Match[str]) -> bool:
    before = text[name.start() - 1] if name.start() else " "
    # Inside a mark or a resource's name, or the name of a variable that is read: no value follows.
    if before in "⟨:" or _is_read(text, name.start()):
        return False
    rest = name["rest"]
    if not rest:
        return not _NOT_PASSWORD.search(text[max(0, name.start() - 3) : name.start()])
    return (rest[0] in "_-" or rest[0].isdigit() or rest[0].isupper()) and not _TAME_REST.match(rest)


def _is_read(text: str, at: int) -> bool:
    begin = at
    while begin and (text[begin - 1].isalnum() or text[begin - 1] == "_") and at - begin < LONGEST_NAME:
        begin -= 1
    return text[max(0, begin - 1) : begin] == "$" or text[max(0, begin - 2) : begin] == "${"


def _gives_away(text: str, name: re.Match[str], value: re.Match[str], group: str) -> bool:
    secret, sep, is_bare = value[group], value["sep"], group == "bare"
    following = text[value.end() : value.end() + 1]
    if is_bare and following and following in "([{<" and sep != ">":
        return False
    if len(secret) == 40 and "secret" in name["name"].lower() + name["rest"].lower() and _is_mixed(secret):
        return True
    if is_reference(secret) or secret.lower() in _TAME_WORDS or _PATH.match(secret) or len(secret) < 3:
        return False
    if is_bare and (_MEMBER.match(secret) or (_DOTTED.match(secret) and not any(c.isdigit() for c in secret))):
        return False
    if secret == name["name"] + name["rest"]:
        return False
    kind = kind_of(name["name"])
    if secret.isdigit() and (kind != "password" or len(secret) < 4):
        return False
    if name["name"].lower() == "key":
        return _is_random(secret) and not _OTHER_KEYS.search(text[max(0, name.start() - 16) : name.start()])
    if not sep.strip():
        if _is_option(text, name.start()) or _SETS.search(text[max(0, name.start() - 60) : name.start()]):
            return not secret.startswith("-")
        return is_strong(secret) if not is_bare else _is_random(secret.rstrip(".,!?"))
    is_tight = "=" in sep and not any(c in _SPACE for c in sep)
    if not is_bare:
        # A sentence in quotes is a sentence; a phrase after an equals sign may be a passphrase.
        return " " not in secret or is_tight or "phrase" in name["name"].lower()
    if is_tight:
        # Code passes things on under their own names; a shell sets them.
        return not (_IDENTIFIER.match(secret) and following in {",", ")"}) and len(secret) >= 4
    if sep == ">":
        return following == "<"
    least = LEAST_AFTER_AUTH if name["name"].lower() == "auth" else 0
    return len(secret) >= least and is_strong(secret.rstrip(".!?"))


def _is_option(text: str, at: int) -> bool:
    """Whether the name is that of an option, not the value of one nor behind a short one: ``-ppassword``."""
    begin = at
    while begin and text[begin - 1] not in " \t\n\"'" and at - begin < LONGEST_NAME:
        begin -= 1
    return _OPTION.match(text, begin, at) is not None and not _ASKS.match(text, begin)


def is_strong(secret: str) -> bool:
    """Not a word of a sentence: long enough, and made of more than letters."""
    return len(secret) >= 6 and not _IDENTIFIER.match(secret) and _is_mixed(secret)


def _is_random(secret: str) -> bool:
    """Too mixed for a word, a number, a name with a number or an id."""
    if len(secret) < LEAST_RANDOM or _UUID.search(secret) or secret.count("-") + secret.count(".") > 3:
        return False
    changes = sum(_sort(one) != _sort(two) for one, two in itertools.pairwise(secret))
    return changes >= LEAST_CHANGES and any(c.isdigit() for c in secret) and any(c.isalpha() for c in secret)


def _sort(sign: str) -> int:
    return 0 if sign.isdigit() else 1 if sign.islower() else 2 if sign.isupper() else 3


def _is_mixed(secret: str) -> bool:
    has_letter = any(c.isalpha() for c in secret)
    return has_letter and any(c.isdigit() or (not c.isalnum() and c not in "-_./:") for c in secret)
