"""The page is whole: what it names is served."""

import gzip
import re
from pathlib import Path
from posixpath import dirname, join, normpath

from assent import web
from assent.hub.api import page
from tests.component.hub_process import HubProcess

WEB = Path(web.__file__).parent


def _served(hub: HubProcess) -> dict[str, tuple[str, str]]:
    """Every file that can be reached from the page: its type and its text."""
    waiting, served = ["/"], dict[str, tuple[str, str]]()
    while waiting:
        path = waiting.pop()
        status, content, headers = hub.raw("GET", path)
        assert status == 200, path
        text = content.decode(errors="replace")
        served[path] = (headers["content-type"].partition(";")[0], text)
        named = re.findall(r'(?:href|src)="(/[^"]+)"', text)
        relative = re.findall(r'(?:from|import)\s*\(?\s*"(\.[^"]+)"', text)
        named += [normpath(join(dirname(path), name)) for name in relative]
        waiting += [name for name in named if name not in served]
    return served


def test_every_file_the_page_names_is_served(hub: HubProcess) -> None:
    """Style, script and each module a script imports come from the hub, each with its own type."""
    served = _served(hub)
    assert served["/static/style.css"][0] == "text/css"
    assert served["/static/icon.svg"][0] == "image/svg+xml"
    scripts = {path for path, (kind, _) in served.items() if kind == "text/javascript"}
    assert "/static/dom.js" in scripts
    assert all(path.endswith(".js") for path in scripts)


def test_page_never_sets_html(hub: HubProcess) -> None:
    """What an agent wrote reaches the screen as text."""
    for path, (kind, text) in _served(hub).items():
        if kind == "text/javascript":
            assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text), path


def test_no_text_of_the_page_goes_over_lines() -> None:
    """What is served has no indentation and no comments: text that spans lines would change with them."""
    for file in set(WEB.rglob("*.js")) - {WEB / name for name in page.AT_ROOT}:
        # A lone one may stand in a regular expression.
        lines = [line for line in file.read_text().splitlines() if not re.search(r"= /\S", line)]
        assert all(line.count("`") % 2 == 0 for line in lines), file


def test_lean_source_keeps_its_lines() -> None:
    """An error in a browser names the line of the source."""
    source = b'/* one\n   two */\n  // three\nlet four = 4; // kept\n    five("// kept");\n'
    assert page.lean(source) == b'\n\n\nlet four = 4; // kept\nfive("// kept");\n'


def test_every_screen_is_the_page(hub: HubProcess) -> None:
    """A deep link opens the page, which finds its screen from the address."""
    whole = hub.raw("GET", "/")[1]
    for path in ("/a/kptwm", "/s", "/s/abc", "/f", "/log", "/rules", "/set", "/pair"):
        assert hub.raw("GET", path)[1] == whole


def test_page_comes_compressed_to_those_who_can_read_it(hub: HubProcess) -> None:
    """The same bytes, fewer of them."""
    plain = hub.raw("GET", "/static/style.css")[1]
    _, small, headers = hub.raw("GET", "/static/style.css", headers={"Accept-Encoding": "gzip, br"})
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(small) == plain


def test_page_that_did_not_change_is_not_sent_again(hub: HubProcess) -> None:
    """A browser asks whether its copy is the newest, and is told so."""
    tag = hub.raw("GET", "/static/style.css")[2]["etag"]
    status, content, _ = hub.raw("GET", "/static/style.css", headers={"If-None-Match": tag})
    assert (status, content) == (304, b"")
