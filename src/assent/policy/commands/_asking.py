"""Requests that only ask: which addresses may be asked in silence, and with which options.

Two kinds of addresses are known well enough: servers on this machine that are no control port, and a table of package
registries, code hosts and documentation sites. What they answer is not trusted, so such a request stays a fetch: a
pipe into a shell is as dangerous as before, and the session remembers what it took in."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import unquote_plus

from assent.expressions import later
from assent.policy import sensitive
from assent.policy.commands import _clients
from assent.policy.commands._web import Address, address, is_hub, shown
from assent.policy.commands.spec import Finding, Invocation
from assent.policy.effects import Effect, care, danger
from assent.policy.production import CHANGES as IN_PRODUCTION
from assent.policy.production import is_production
from assent.policy.shell.words import HOLE, Arg

LONGEST_URL = 300
LONGEST_PART = 64
_FIRST_OPEN_PORT = 1024
_WEB_PORTS = frozenset({"", "80", "443"})


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Servers that rule others: a request to them can start programs, or shows keys.
_CONTROL_PORTS = words(
    "2375 2376 2377"  # docker
    " 6443 8001 10250 10255 10256 10257 10259 16443 2379 2380 4001"  # clusters and what they keep
    " 8200 8201 8500 8501 4646 4647 2019 8006 9443"  # secrets, schedulers, proxies, consoles
    " 9222 9223 9229 9230 9515 4444 5037 6277 4096 8717"  # browsers, debuggers, devices, agents, Assent's hub
)
# Whatever the method, such a name says that something happens.
_ACTS = later(
    r"(?:^|[/?&=_.-])(?:delete|remove|drop|destroy|reset|shutdown|restart|reboot|quit\w*|stop|kill|exec|execute|eval|run|cmd"
    r"|command|shell|flush|purge|truncate|wipe|clear|logout|revoke|deploy|publish|rollback|migrate|trigger|send|heapdump"
    r"|threaddump|configprops|env|environ|credentials?|secrets?|tokens?|passwords?)(?=[/?&=_.-]|$)",
    re.IGNORECASE,
)
_LOCAL = later(
    r"(?:https?://)?(?:localhost|[\w-]+\.localhost|\d[\d.]*|\[::1?\])(?::\d*)?(?:/.*|[?#][^@]*)?", re.IGNORECASE
)
# A whole address without anything that programs could read in two ways.
_PLAIN = later(r"https://([a-z0-9.-]+)(?::443)?(?:/[\w.~/@:%+,;*!()-]*)?(?:\?([\w.~/@:%+,;*!()=&-]*))?(?:#[\w.~-]*)?")

# Where packages are published.
_REGISTRIES = words(
    "pypi.org test.pypi.org files.pythonhosted.org registry.npmjs.org registry.yarnpkg.com api.npmjs.org www.npmjs.com"
    " crates.io index.crates.io static.crates.io rubygems.org index.rubygems.org repo1.maven.org repo.maven.apache.org"
    " central.sonatype.com search.maven.org plugins.gradle.org proxy.golang.org sum.golang.org hub.docker.com"
    " packagist.org repo.packagist.org api.nuget.org www.nuget.org hex.pm pub.dev formulae.brew.sh conda.anaconda.org"
    " registry.terraform.io data.jsdelivr.com cdn.jsdelivr.net unpkg.com cdnjs.cloudflare.com api.cdnjs.com jsr.io"
    " packages.debian.org deb.debian.org packages.ubuntu.com pkgs.alpinelinux.org endoflife.date metacpan.org"
    " fastapi.metacpan.org hackage.haskell.org artifacthub.io"
)
# Where code is kept: files as they are, and questions about them.
_CODE_HOSTS = words(
    "raw.githubusercontent.com api.github.com github.com codeload.github.com gist.githubusercontent.com gitlab.com"
    " bitbucket.org api.bitbucket.org codeberg.org git.sr.ht huggingface.co cs.opensource.google"
)
# Documentation that its publisher alone writes.
_DOCUMENTATION = words(
    "docs.python.org peps.python.org packaging.python.org developer.mozilla.org nodejs.org docs.npmjs.com react.dev"
    " vuejs.org angular.dev svelte.dev nextjs.org vite.dev vitejs.dev www.typescriptlang.org tc39.es docs.rs"
    " doc.rust-lang.org pkg.go.dev go.dev golang.org docs.github.com docs.gitlab.com cli.github.com docs.docker.com"
    " kubernetes.io helm.sh developer.hashicorp.com docs.aws.amazon.com learn.microsoft.com cloud.google.com"
    " docs.djangoproject.com flask.palletsprojects.com fastapi.tiangolo.com docs.pydantic.dev docs.pytest.org"
    " docs.sqlalchemy.org numpy.org pandas.pydata.org scikit-learn.org pytorch.org docs.pytorch.org docs.astral.sh"
    " docs.ruby-lang.org ruby-doc.org guides.rubyonrails.org api.rubyonrails.org www.php.net laravel.com symfony.com"
    " docs.oracle.com docs.spring.io kotlinlang.org docs.gradle.org maven.apache.org www.postgresql.org sqlite.org"
    " www.sqlite.org dev.mysql.com redis.io www.mongodb.com docs.anthropic.com docs.claude.com code.claude.com"
    " platform.openai.com git-scm.com www.gnu.org man7.org www.kernel.org www.rfc-editor.org datatracker.ietf.org"
    " www.w3.org html.spec.whatwg.org en.cppreference.com cmake.org tailwindcss.com eslint.org prettier.io jestjs.io"
    " vitest.dev playwright.dev docs.cypress.io storybook.js.org webpack.js.org rollupjs.org esbuild.github.io"
    " spec.modelcontextprotocol.io modelcontextprotocol.io json-schema.org spec.openapis.org swagger.io graphql.org"
    " docs.swift.org developer.apple.com developer.android.com docs.flutter.dev dart.dev elixir-lang.org hexdocs.pm"
    " www.haskell.org ocaml.org ziglang.org www.sphinx-doc.org mypy.readthedocs.io"
)
# Anyone can publish pages here, and the owner of a page sees which of its pages are asked for.
_SHARED = later(r"[a-z0-9-]+\.readthedocs\.io")
_DOCUMENT = later(
    r"(?:/(?:[a-z]{2}(?:[-_][a-zA-Z]{2})?/)?(?:latest|stable|main|master|v?\d[\w.]*)(?:/[\w.-]{1,40}){0,6}/?)?/?"
)
# Names under which a query carries more than a question.
_CARRIES = later(
    r"(?:^|&)[^=&]*(?:token|key|secret|pass|auth|sig|cred|data|payload|body|cookie|session)[^=&]*=", re.IGNORECASE
)
_HEADERS = words(
    "accept accept-language accept-encoding user-agent cache-control range x-github-api-version content-type"
    " if-none-match if-modified-since connection host pragma"
)
_METHODS = words("GET HEAD OPTIONS")


def is_local_question(arg: Arg) -> bool:
    """A server on this machine that is no control port, asked for nothing that by its name does something."""
    # A question mark outside of quotes is a pattern, and stands behind the host.
    if (
        not arg.known
        or (arg.glob and "[" in arg.text)
        or len(arg.text) > LONGEST_URL
        or _LOCAL.fullmatch(arg.text) is None
    ):
        return False
    to = address(arg.text)
    if not to.is_local or is_hub(arg.text) or not _is_open_port(to):
        return False
    return _ACTS.search(to.path) is None and not sensitive.is_secret(to.path.partition("?")[0])


def _is_open_port(to: Address) -> bool:
    if to.port in _WEB_PORTS:
        return True
    number = to.port.lstrip("0")
    return number not in _CONTROL_PORTS and number.isdigit() and int(number) >= _FIRST_OPEN_PORT


def is_known_page(arg: Arg, *, follows: bool) -> bool:
    """A fixed address of a host in the tables. ``follows``: where the answer leads elsewhere, it goes there."""
    if not arg.known or len(arg.text) > LONGEST_URL or (match := _PLAIN.fullmatch(arg.text)) is None:
        return False
    host, query = match[1], match[2] or ""
    path = address(arg.text).path.partition("?")[0].partition("#")[0]
    if _CARRIES.search(query) or max(map(len, re.split(r"[/&=?]", f"{path}&{query}"))) > LONGEST_PART:
        return False
    if host in _REGISTRIES or host in _CODE_HOSTS or host in _DOCUMENTATION:
        return True
    return not follows and not query and _SHARED.fullmatch(host) is not None and _DOCUMENT.fullmatch(path) is not None


def is_question(urls: Iterable[Arg], *, follows: bool) -> bool:
    """Whether each of the addresses may be asked in silence."""
    given = list(urls)
    return bool(given) and all(is_local_question(url) or is_known_page(url, follows=follows) for url in given)


def is_plain(
    it: Invocation, urls: list[Arg], harmless: frozenset[str], checks: Mapping[str, Callable[[Arg, bool], bool]]
) -> bool:
    """Whether no option makes the request more than a question.

    ``harmless`` options never do; ``checks`` say it of a value, given whether all addresses are local."""
    is_near = all(is_local_question(url) for url in urls)
    for option, value in it.values:
        if option in harmless:
            continue
        check = checks.get(option)
        if check is None or not check(value, is_near):
            return False
    return not it.unknown


def is_asking_method(value: Arg, _: bool) -> bool:
    return value.text.upper() in _METHODS


def is_plain_header(value: Arg, is_near: bool) -> bool:
    """A header that says how to answer, not who asks. To this machine, any that stands on the line."""
    name, colon, _ = value.text.partition(":")
    return value.known and not value.text.startswith("@") and (is_near or (bool(colon) and name.lower() in _HEADERS))


def is_known_text(value: Arg, _: bool) -> bool:
    return value.known


def only_near(value: Arg, is_near: bool) -> bool:
    """Fine where the request stays on this machine."""
    return is_near and value.known


LONGEST = 20_000
MOST_LINES = 200
_RUINS = "It tells a server to delete data, or to stop."
_RULES = "It tells a server that rules machines, clusters or secrets to change something."
_REVEALS = "It asks a server for the secrets it keeps."
_MAILS = "It sends mail by hand."
_REDIS_PORTS = frozenset({"6379", "6380", "7000", "16379", "26379"})

# Statements and commands that no server takes for anything else, at the beginning of a line or behind another one.
_STATEMENT = later(
    r"\b(?:drop\s+(?:table|database|schema|index|user|role|view|collection|measurement|series|keyspace|bucket|stream"
    r"|constraint|retention|shard|column)|truncate\s+(?:table\s+)?\w|delete\s+from\s+\w|alter\s+(?:table|user|role|database)"
    r"|(?:detach\s+)?delete\s+[a-z]\w{0,2}\s*(?:$|[;,\"'])|grant\s+\w+.{0,80}\bto\b|kill\s+(?:query|mutation)"
    r"|update\s+\w+\s+set\s|dropDatabase|deleteMany|db\.\w+\.drop)",
    re.IGNORECASE | re.MULTILINE,
)
_COMMAND = later(
    r"^[+*$\s]*(?:flushall|flushdb|flush_all|flush_regex|shutdown|slaveof|replicaof|kill|debug\s+\w+|config\s+set|script\s+flush"
    r"|module\s+load|cluster\s+reset|swapdb|mntr_reset|srst|crst)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LETTER = later(r"^(?:mail from|rcpt to)\s*:", re.IGNORECASE | re.MULTILINE)
_REQUEST = later(r"^([A-Z]{3,10}) +(\S+) +HTTP/\d", re.MULTILINE)
_SEARCHED = later(r"<delete\b|\"delete\"\s*:\s*\{|\"(?:drop|truncate|deleteMany|dropDatabase)\"\s*:", re.IGNORECASE)

# Words of an address that take something away when something is sent there.
_TAKES_AWAY = later(
    r"(?:^|[/_:.-])(?:delete|deleterange|delete_by_query|remove|destroy|drop|purge|truncate|wipe|erase|flush\w*|shutdown|seal"
    r"|quit|kill|terminate|revoke|unload|prune|step-?down|deregister|uninstall|factory-?reset|forget|close|cancel)"
    r"(?=$|[/_?:.-])",
    re.IGNORECASE,
)
_ACTION = later(
    r"[?&](?:action|command|cmd|op|operation|method|do)=(?:delete|drop|unload|remove|purge|truncate|shutdown|kill|destroy"
    r"|reload|restart|stop|exec)",
    re.IGNORECASE,
)
_TOLD = later(r"[?&](?:query|q|sql|stmt|statement|command|cmd|exec|stream\.body|db\.query)=([^&#]*)", re.IGNORECASE)
_CHANGES = later(r"\s*(?:insert|create|update|alter|set|optimize|rename|system|grant|merge)\s", re.IGNORECASE)
_HARMLESS_POST = later(r"/_(?:search|msearch|count|sql|analyze|validate|explain|field_caps|mget|cat|nodes|render)\b")
# Servers that rule others, by their port and by the beginning of their addresses.
_PROTOCOL_PORTS = frozenset(
    {"2375", "2376", "4243", "6443", "16443", "10250", "10255", "2379", "2380", "4001", "8200", "8201", "8500", "8501"}
    | {"4646", "15672", "8006", "2019"}
)
_CONTROL_PATHS = later(
    r"/v1\.\d+/\w+|/containers/(?:create|prune|[^/]+/(?:start|stop|kill|exec|restart|update|rename|pause))\b"
    r"|/apis?/(?:v\d|[\w.]+/v\d)\w*/(?:namespaces|nodes|clusterrole\w*|persistentvolumes)|/v1/sys/"
    r"|/v3/(?:kv|auth)/|/-/(?:quit|reload)|/actuator/(?:shutdown|restart|env)|/_cluster/(?:settings|reroute)"
    r"|/_nodes/_shutdown|/_security/"
)
_CONTROL_HOSTS = later(r"(?:.*[.-])?(?:vault|consul|etcd|kubernetes|k8s|nomad|kube-?apiserver)(?:[.-].*|\d*)")
_SECRETS = later(r"/namespaces/[^/]+/secrets|/api/v1/secrets|/v1/(?:secret|kv|[\w-]+)/data/|/v1/[\w-]+/creds/")
_SECRET_PORTS = frozenset({"8200", "6443", "8001", "16443", "2379"})
_RAW_SCHEMES = frozenset({"gopher", "dict", "telnet"})


def told(to: str) -> Callable[[str], Iterator[Finding]]:
    """What a server at this address does with the text that it gets."""
    port = to.replace(":", " ").rpartition(" ")[2]

    def obeys(text: str) -> Iterator[Finding]:
        yield from meant(text, port, to)

    return obeys


def meant(text: str, port: str, to: str) -> Iterator[Finding]:
    shortened = text[:LONGEST].replace("\\r\\n", "\n").replace("\r", "\n")
    for match in _REQUEST.finditer(shortened):
        yield from _requested(match[1], Address("http", "", match[2], port), to)
    if _COMMAND.search(shortened) or _STATEMENT.search(shortened):
        yield danger("remote", _RUINS, to)
    if _LETTER.search(shortened):
        yield danger("publish", _MAILS, to)
    if port in _REDIS_PORTS:
        for line in shortened.splitlines()[:MOST_LINES]:
            if line.strip() and line.lstrip()[0] not in "*$+":
                yield from _clients.redis(line.split())


def requests(urls: Iterable[Arg], method: str, bodies: Iterable[Arg]) -> Iterator[Finding]:
    """What a request asks of its server. ``bodies`` are texts that go along with it."""
    texts = [body.text for body in bodies if not body.text.startswith("@")]
    for url in urls:
        to = address(url.text)
        yield from _requested(method.upper(), to, shown(url))
        yield from _addressed(to, shown(url))
        if method.upper() not in ("GET", "HEAD", "OPTIONS") and is_production(to.host):
            yield danger("remote", IN_PRODUCTION, shown(url))
        if any(_STATEMENT.search(unquote_plus(text[:LONGEST])) or _SEARCHED.search(text[:LONGEST]) for text in texts):
            yield danger("remote", _RUINS, shown(url))


_CALLED = later(r".*[/.](?:Delete|Remove|Drop|Destroy|Purge|Truncate|Kill|Terminate|Shutdown|Revoke|Wipe)\w*")


def called(words: Iterable[Arg]) -> Iterator[Effect]:
    """``Service/DeleteRange``: procedures that take something away by their name."""
    for word in words:
        if _CALLED.fullmatch(word.text):
            yield danger("remote", _RUINS, shown(word))


def _requested(method: str, to: Address, target: str) -> Iterator[Effect]:
    path = to.path.partition("?")[0]
    is_control = to.port in _PROTOCOL_PORTS or _CONTROL_PATHS.match(path) or _CONTROL_HOSTS.fullmatch(to.host)
    if method in ("GET", "HEAD", "OPTIONS"):
        if _SECRETS.search(path) and (to.port in _SECRET_PORTS or "/namespaces/" in path):
            yield danger("secret", _REVEALS, target)
    elif method == "DELETE":
        yield danger("remote", "It asks a server to delete something.", target)
    elif is_control:
        yield danger("remote", _RULES, target)
    elif _TAKES_AWAY.search(path) and not _HARMLESS_POST.search(path):
        yield danger("remote", _RUINS, target)
    elif method == "PURGE":
        yield care("remote", "It empties a part of a cache.", target)


def _addressed(to: Address, target: str) -> Iterator[Effect]:
    """What stands in the address itself, whatever the method."""
    _, mark, query = to.path.partition("?")
    if to.scheme in _RAW_SCHEMES:
        payload = unquote_plus(to.path).lstrip("/_").replace(":", " ")
        if _COMMAND.search(payload.replace("\r", "\n")) or _STATEMENT.search(payload):
            yield danger("remote", _RUINS, target)
        elif to.scheme == "gopher" and to.port not in ("", "70"):
            yield danger("send", "It speaks another protocol to a server than its own.", target)
        return
    if not mark:
        return
    if _ACTION.search(f"?{query}"):
        yield danger("remote", _RUINS, target)
    for match in _TOLD.finditer(f"?{query}"):
        query_text = unquote_plus(match[1])
        if _STATEMENT.search(query_text):
            yield danger("remote", _RUINS, target)
        elif _CHANGES.match(query_text) or HOLE in query_text:
            yield care("remote", "It changes something in a database.", target)
