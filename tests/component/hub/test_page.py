"""The page is whole: what it names is served."""

import re

from tests.component.hub_process import HubProcess


def test_every_file_the_page_names_is_served(hub: HubProcess) -> None:
    """Style, script and each module a script imports come from the hub, each with its own type."""
    waiting, served = ["/"], dict[str, str]()
    while waiting:
        path = waiting.pop()
        status, content, headers = hub.raw("GET", path)
        assert status == 200, path
        served[path] = headers["content-type"].partition(";")[0]
        named = re.findall(r'(?:href|src)="(/[^"]+)"', content.decode())
        named += [f"/static/{name}" for name in re.findall(r'from "\./([^"]+)"', content.decode())]
        waiting += [name for name in named if name not in served]
    assert served["/static/page.css"] == "text/css"
    assert {path for path, kind in served.items() if kind == "text/javascript"} == {
        f"/static/{name}.js" for name in ("page", "dom", "feed", "sessions")
    }


def test_page_never_sets_html(hub: HubProcess) -> None:
    """What an agent wrote reaches the screen as text."""
    for name in ("page", "dom", "feed", "sessions"):
        script = hub.raw("GET", f"/static/{name}.js")[1].decode()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", script)
