"""A person at the pages of a provider that is not ours: fills in the forms they are shown until none is left."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

import httpx


@dataclass
class Form:
    action: str = ""
    method: str = "get"
    values: dict[str, str] = field(default_factory=dict)
    # Buttons by what stands on them or what they are called.
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given.get("action", ""), given.get("method", "get").lower()))
        elif self.found and tag in ("input", "button") and given.get("name"):
            is_button = tag == "button" or given.get("type") == "submit"
            if is_button:
                self.found[-1].buttons.append((given["name"], given.get("value", "")))
            elif given.get("type") != "checkbox":
                self.found[-1].values[given["name"]] = given.get("value", "")


@dataclass
class Visitor:
    """Keeps cookies as browsers do for this machine's own address: those for encrypted connections, too."""

    client: httpx.AsyncClient
    cookies: dict[str, dict[str, str]] = field(default_factory=dict)

    async def fetch(self, method: str, address: str, values: dict[str, str] | None = None) -> httpx.Response:
        for _ in range(20):
            jar = self.cookies.setdefault(urlsplit(address).netloc, {})
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in jar.items())} if jar else {}
            reply = await self.client.request(method, address, data=values, headers=headers)
            for line in reply.headers.get_list("set-cookie"):
                name, _, value = line.partition(";")[0].partition("=")
                jar[name.strip()] = value.strip()
            if not reply.is_redirect:
                return reply
            method, address, values = "GET", urljoin(address, reply.headers["location"]), None
        raise AssertionError(f"redirected without end: {address}")


async def walk(address: str, answers: dict[str, str | None], *, most: int = 12) -> list[str]:
    """Go there and answer; the pages on the way. None leaves a field, or a button, as the page has it."""
    pages: list[str] = []
    async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
        visitor = Visitor(client)
        reply = await visitor.fetch("GET", address)
        for _ in range(most):
            pages.append(f"{reply.request.url} {reply.status_code}\n{reply.text}")
            forms = _Forms()
            forms.feed(reply.text)
            form = next((one for one in forms.found if _is_ours(one, answers)), None)
            if form is None:
                return pages
            values = {name: answers.get(name) or value for name, value in form.values.items()}
            values |= dict([button for button in form.buttons if button[0] in answers][:1])
            target = urljoin(str(reply.url), form.action)
            if form.method == "post":
                reply = await visitor.fetch("POST", target, values)
            else:
                reply = await visitor.fetch("GET", f"{target}?{urlencode(values)}")
    raise AssertionError(f"still a form after {most} pages: {pages[-1][:2_000]}")


def _is_ours(form: Form, answers: dict[str, str | None]) -> bool:
    return any(name in answers for name in form.values) or any(name in answers for name, _ in form.buttons)
