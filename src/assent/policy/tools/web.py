"""Tools that reach out: which machine they ask, and what they carry along."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from assent.policy.commands._web import address, is_collector, is_hub, is_private
from assent.policy.effects import Effect, care, danger
from assent.policy.paths import on_path
from assent.policy.sensitive import kind_of_secret
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import Arg

LONGEST_QUERY = 1_000
# No word of people is that long: something is packed into it.
_PACKED = re.compile(r"[A-Za-z0-9+/_=-]{100}")
_PACKED_NAME = re.compile(r"[a-z0-9-]{45}")


def fetch(url: str | None, setting: Setting) -> Iterator[Effect]:
    yield from to_address(url, setting) if url is not None else [care("fetch", "It names no address.")]


def search(query: str) -> Iterator[Effect]:
    yield care("fetch", "It sends words to a search engine and brings in what others wrote.")
    if kind := kind_of_secret(query):
        yield danger("send", f"It sends what looks like a {kind} to a search engine.")
    elif len(query) > LONGEST_QUERY or _PACKED.search(query):
        yield danger("send", "It sends far more than a search needs.")


def to_address(url: str, setting: Setting) -> Iterator[Effect]:
    to = address(url)
    if to.scheme == "file" or (not to.scheme and url.startswith("/")):
        yield on_path("read", Arg(to.path if to.scheme else url), setting, setting.cwd)
        return
    if to.scheme not in ("", "http", "https"):
        yield danger("fetch", "It talks to a server in another way than pages are fetched.", url[:200])
    if to.is_metadata:
        yield danger("secret", "It asks the cloud for this machine's own keys.", url[:200])
    elif to.is_local and is_hub(url):
        yield danger("tamper", "It talks to Assent's own port.", url[:200])
    elif to.is_local:
        yield care("fetch", "It asks a server on this machine.", url[:200])
    elif is_private(to.host):
        yield care("fetch", "It asks a machine of a private network.", url[:200])
    else:
        yield care("fetch", "It brings in what others wrote.", url[:200])
    if not to.is_local:
        yield from _carried(url)


def _carried(url: str) -> Iterator[Effect]:
    """What goes along with the address itself."""
    to = address(url)
    rest = unquote(to.path)
    query = rest.partition("?")[2]
    before_path = url.partition("://")[2].partition("/")[0]
    if "@" in before_path or "\\" in url or any(ord(c) <= 32 or ord(c) == 127 for c in url):
        yield danger("send", "Programs could disagree about which machine this address means.", url[:200])
    if kind := kind_of_secret(unquote(url)):
        yield danger("send", f"It sends what looks like a {kind} along with the address.", url[:200])
    elif len(query) > LONGEST_QUERY or _PACKED.search(rest):
        yield danger("send", "The address carries far more than a page needs.", url[:200])
    elif any(_PACKED_NAME.search(label) for label in to.host.split(".")):
        yield danger("send", "Something is packed into the name of the machine.", url[:200])
    elif query and is_collector(to.host):
        yield danger("send", "It sends data to where anyone can pick it up.", url[:200])
