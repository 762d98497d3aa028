"""Requests to the interface of a code host, as ``gh api`` and ``glab api`` send them."""

import re
from collections.abc import Iterator

from assent.policy.commands._web import address, shown
from assent.policy.commands.spec import Finding, Invocation, SendsInput
from assent.policy.effects import Effect, care, danger
from assent.policy.words import HOLE, Arg
from assent.protocol.risk import Risk

_HOSTS = re.compile(r"(?:.*\.)?(?:github|gitlab)\.com|(?:.*\.)?ghe\.com")
# Changing one of these decides who may do what, what runs later, or what is left of the history.
_GRAVE = re.compile(
    r"protection|ruleset|protected_|collaborators|members|memberships|invitations|(?:deploy_?)?keys|hooks|secrets|variables"
    r"|permissions|environments|transfer|access_tokens|runners|git/refs|dispatches|deployments|security|admin|applications"
    r"|visibility|archive|vulnerability|branches/.*/rename|impersonat|push_rule|approval",
)
_REVEALS = re.compile(
    r"(?:^|/)(?:variables|access_tokens|runners_token|secure_files)(?:/|$|\?)|registration-token|/token"
)
_GRAVE_MUTATION = re.compile(
    r"\b(?:delete|remove|archive|transfer|revoke|unlink|ban|block|lock|dismiss|disable|update(?:Branch|Repository|Enterprise|Ip|Ref)"
    r"|create(?:Branch|Deploy|Repository|Ref)|add(?:Enterprise|Verifiable)|grant|set(?:Enterprise|Organization))\w*",
    re.IGNORECASE,
)
_MUTATION = re.compile(r"\b(?:mutation|subscription)\b")
_BARE_REPOSITORY = re.compile(r"/?(?:repos/[^/]+/[^/]+|projects/[^/]+|orgs/[^/]+|groups/[^/]+|user)/?")

OPTIONS = (
    "-X: --method= -f:none --raw-field=none -F:none --field=none --input=none -H: --header= --hostname= -q: --jq= -t:"
    " --template= --cache= -p: --preview= --output="
)


def request(it: Invocation, words: list[Arg], *, reveals: bool = False) -> Iterator[Finding]:
    """``words`` begin with the address. ``reveals``: this host shows the values of variables to who asks."""
    if it.may_hide_options:
        yield care("dynamic", "A word of the request is known only when it runs, and could be an option.")
    endpoint = words[0] if words else Arg("")
    fields = it.all_values("-f", "--raw-field", "-F", "--field")
    body = it.value("--input")
    asked = it.value("-X", "--method")
    method = asked.text.upper() if asked is not None else "POST" if fields or body is not None else "GET"
    yield from _handed_over(it, body)
    yield from _elsewhere(it, endpoint)
    if any("method-override" in arg.text.lower() for arg in it.all_values("-H", "--header")):
        method = "DELETE"
    if endpoint.text.strip("/").endswith("graphql") and method == "POST":
        yield from _graphql(fields, body)
    elif method in ("GET", "HEAD", "OPTIONS"):
        if reveals and _REVEALS.search(endpoint.text):
            yield danger("secret", "It shows secrets that are kept with the project.", shown(endpoint))
        else:
            yield Effect("query", Risk.LOOK, "It asks a service you are logged in to.", shown(endpoint))
    elif HOLE in method:
        yield care("dynamic", "Whether it asks or changes something is known only when it runs.", shown(endpoint))
    elif method == "DELETE":
        yield danger("remote", "It deletes something there.", shown(endpoint))
    elif _GRAVE.search(endpoint.text) or _BARE_REPOSITORY.fullmatch(endpoint.text):
        yield danger("remote", "It changes settings or rights there.", shown(endpoint))
    else:
        yield care("publish", "It changes something there under your name.", shown(endpoint))


def _graphql(fields: list[Arg], body: Arg | None) -> Iterator[Finding]:
    """Everything is a POST here; the text says whether it only asks."""
    queries = [field.text.partition("=")[2] for field in fields if field.text.startswith("query=")]
    text = "\n".join(queries)
    if _GRAVE_MUTATION.search(text) and _MUTATION.search(text):
        yield danger("remote", "It takes something away there, or changes rights.")
    elif _MUTATION.search(text):
        yield care("publish", "It changes something there under your name.")
    elif not queries or HOLE in text or body is not None or any(query.startswith("@") for query in queries):
        yield care("dynamic", "Whether it asks or changes something stands elsewhere.")
    else:
        yield Effect("query", Risk.LOOK, "It asks a service you are logged in to.")


def _handed_over(it: Invocation, body: Arg | None) -> Iterator[Finding]:
    files = [
        Arg(field.text.partition("=")[2][1:], field.glob, field.splits)
        for field in it.all_values("-F", "--field")
        if field.text.partition("=")[2].startswith("@")
    ]
    for file in [*files, *([body] if body is not None else [])]:
        if file.text == "-":
            yield SendsInput("the code host", trusted=True)
        else:
            yield it.path("read", file)


def _elsewhere(it: Invocation, endpoint: Arg) -> Iterator[Finding]:
    host = it.value("--hostname")
    if "://" in endpoint.text and not _HOSTS.fullmatch(address(endpoint.text).host):
        yield care("fetch", "It asks another server than the code host.", shown(endpoint))
    elif host is not None and not _HOSTS.fullmatch(host.text):
        yield care("fetch", "It asks a server of this name.", shown(host))
