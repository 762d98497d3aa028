"""Signing in at a provider over real HTTP: by a device code, in a browser, and again without the person."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from assent.errors import AssentError
from assent.protocol.team import TeamInfo
from assent.team import sign_in
from assent.team.keys import HubKey, packed
from assent.team.provider import ProviderAwayError, ProviderError
from assent.team.sign_in import DeviceCode, SignedIn, SignInError
from assent.team.trust import Trust, UntrustedError
from tests.services.oidc_provider import Provider, RefusedError, new_key, user
from tests.waiting import seen

pytestmark = pytest.mark.anyio

ADA = "ada@example.org"
KEY = HubKey.create()
SCOPES = TeamInfo(1, "acme", "", "").scopes
DISCOVERY = "/.well-known/openid-configuration"
JSON = {"Content-Type": "application/json"}


class Clock:
    """Both sides look at it; it goes on when one of them sleeps."""

    def __init__(self) -> None:
        self.at = time.time()
        self.slept: list[float] = []
        # What happens while the poll sleeps for the n-th time.
        self.then: dict[int, Callable[[], object]] = {}

    def __call__(self) -> float:
        return self.at

    def ms(self) -> int:
        return round(self.at * 1000)

    async def sleep(self, seconds: float) -> None:
        self.at += seconds
        self.slept.append(seconds)
        self.then.get(len(self.slept), lambda: None)()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider(clock: Clock) -> Iterator[Provider]:
    with Provider(keys=[new_key()], now=clock) as running:
        yield running


@pytest.fixture
async def trust(provider: Provider) -> AsyncIterator[Trust]:
    trusting = Trust(provider.issuer, provider.client_id)
    yield trusting
    await trusting.close()


class Person:
    """Reads where to go, and does something there while the machine waits for the n-th time."""

    def __init__(self, clock: Clock, provider: Provider) -> None:
        self.clock, self.provider = clock, provider
        self.told: list[DeviceCode] = []

    def approves(self, at: int, mail: str = ADA) -> None:
        self.clock.then[at] = lambda: self.provider.approve(self.told[0].user_code, mail)

    def denies(self, at: int) -> None:
        self.clock.then[at] = lambda: self.provider.deny(self.told[0].user_code)


@pytest.fixture
def person(clock: Clock, provider: Provider) -> Person:
    return Person(clock, provider)


async def by_device(trust: Trust, person: Person) -> SignedIn:
    clock = person.clock
    return await sign_in.by_device_code(trust, KEY, SCOPES, person.told.append, now=clock.ms, sleep=clock.sleep)


async def refused(work: Awaitable[object]) -> SignInError:
    with pytest.raises(SignInError) as error:
        await work
    assert error.value.hint
    return error.value


class Browser:
    """Goes to the address it is shown and where it is sent from there."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.pages: list[httpx.Response] = []
        self.working: list[asyncio.Task[None]] = []

    def __call__(self, address: str) -> None:
        self.shown.append(address)
        self.working.append(asyncio.create_task(self.go(address)))

    async def go(self, address: str) -> None:
        async with httpx.AsyncClient(trust_env=False, follow_redirects=True, timeout=60) as client:
            self.pages.append(await client.get(address))

    async def finish(self) -> None:
        await asyncio.gather(*self.working)


@pytest.fixture
def browser() -> Browser:
    return Browser()


def asked_by(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


# Device codes.


async def test_person_is_signed_in_by_a_code(trust: Trust, person: Person, provider: Provider) -> None:
    """They go to an address, type in a code, and the machine's key is theirs."""
    person.approves(3)
    signed = await by_device(trust, person)
    (told,) = person.told
    assert told.address == f"{provider.issuer}/device"
    assert told.verification_uri_complete == f"{provider.issuer}/device?user_code={told.user_code}"
    assert (signed.identity.mail, signed.identity.groups) == (ADA, ("dev", "sre-oncall"))
    assert signed.proof.key == KEY.public
    assert signed.refresh in provider.refresh_tokens
    assert await trust.identity(signed.proof, person.clock.ms()) == signed.identity
    assert person.clock.slept == [1, 1, 1]


async def test_each_sign_in_is_another_proof(trust: Trust, person: Person, provider: Provider) -> None:
    """Its salt is new."""
    provider.automatic = ADA
    first, second = await by_device(trust, person), await by_device(trust, person)
    assert first.proof.salt != second.proof.salt


async def test_machine_slows_down_when_it_is_told_to(trust: Trust, person: Person, provider: Provider) -> None:
    """By five seconds each time, as the standard says."""
    provider.slows = 2
    person.approves(4)
    await by_device(trust, person)
    assert person.clock.slept == [1, 6, 11, 11]


async def test_person_says_no(trust: Trust, person: Person) -> None:
    """The machine stops asking."""
    person.denies(2)
    error = await refused(by_device(trust, person))
    assert error.code == "access_denied"
    assert person.clock.slept == [1, 1]


async def test_code_runs_out(trust: Trust, person: Person, provider: Provider) -> None:
    """No person came; no machine asks for ever."""
    provider.interval = 50
    error = await refused(by_device(trust, person))
    assert error.code == "expired_token"
    assert sum(person.clock.slept) <= 600


async def test_code_is_over_at_the_provider(trust: Trust, person: Person, provider: Provider) -> None:
    """Before its time."""
    person.clock.then[2] = provider.expire_devices
    assert (await refused(by_device(trust, person))).code == "expired_token"


async def test_provider_may_be_away_for_a_while(trust: Trust, person: Person, provider: Provider) -> None:
    """The machine asks less often until it is back."""
    person.clock.then[1] = provider.stop
    person.clock.then[3] = provider.start
    person.approves(4)
    assert (await by_device(trust, person)).identity.mail == ADA
    assert person.clock.slept == [1, 2, 4, 4]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_provider_may_fail_for_a_while(trust: Trust, person: Person, provider: Provider, status: int) -> None:
    """Too many requests, or an error of its own."""
    provider.moods["/token"] = (status, {}, b"")
    person.clock.then[2] = provider.moods.clear
    person.approves(3)
    assert (await by_device(trust, person)).identity.mail == ADA


async def test_disabled_account_is_not_signed_in(trust: Trust, person: Person, provider: Provider) -> None:
    """Though its code was approved a moment ago."""
    person.approves(1)
    provider.slows = 1
    person.clock.then[2] = lambda: setattr(provider.users[ADA], "is_disabled", True)
    error = await refused(by_device(trust, person))
    assert error.code == "invalid_grant"
    assert "The account is disabled" in error.message


async def test_provider_without_device_codes_is_named(trust: Trust, person: Person, provider: Provider) -> None:
    """With the other way to sign in."""
    body = f'{{"issuer": "{provider.issuer}", "token_endpoint": "{provider.issuer}/token"}}'
    provider.moods[DISCOVERY] = (200, JSON, body.encode())
    error = await refused(by_device(trust, person))
    assert error.code == "no-device-codes"
    assert "browser" in str(error)


async def test_token_without_the_nonce_is_no_sign_in(trust: Trust, person: Person, provider: Provider) -> None:
    """It says who, and not whose key: some providers leave it out in this way of signing in."""
    provider.automatic, provider.echoes_nonce = ADA, False
    error = await refused(by_device(trust, person))
    assert error.code == "no-nonce"
    assert "browser" in str(error)
    assert "nonce" in error.message


async def test_scopes_that_a_provider_lacks_are_not_asked_for(
    trust: Trust, person: Person, browser: Browser, provider: Provider
) -> None:
    """Some refuse the whole request for one they do not know."""
    provider.automatic, provider.scopes = ADA, ("openid", "email", "profile")
    assert (await by_device(trust, person)).refresh == ""
    assert (await sign_in.by_browser(trust, KEY, SCOPES, browser, now=person.clock.ms)).identity.mail == ADA
    await browser.finish()
    assert asked_by(browser.shown[0])["scope"] == "openid email profile"


async def test_scope_that_is_not_known_is_named(trust: Trust, person: Person) -> None:
    """With the place where it is set."""
    work = sign_in.by_device_code(trust, KEY, ("openid", "roles"), person.told.append, sleep=person.clock.sleep)
    error = await refused(work)
    assert error.code == "invalid_scope"
    assert "scopes" in str(error)


async def test_scope_openid_is_needed(trust: Trust, person: Person, provider: Provider) -> None:
    """Without it no provider says who it was."""
    provider.automatic = ADA
    work = sign_in.by_device_code(trust, KEY, ("email",), person.told.append, sleep=person.clock.sleep)
    assert (await refused(work)).code == "no-id-token"


async def test_provider_that_gives_no_refresh_token(trust: Trust, person: Person, provider: Provider) -> None:
    """The person signs in again twice a day."""
    provider.automatic, provider.gives_refresh = ADA, False
    assert (await by_device(trust, person)).refresh == ""


async def test_client_that_is_not_known_is_named(provider: Provider, person: Person) -> None:
    """With the place where it is set."""
    error = await refused(by_device(Trust(provider.issuer, "another"), person))
    assert error.code == "invalid_client"
    assert "client_id" in str(error)


async def test_secret_of_a_client_is_sent(provider: Provider, person: Person) -> None:
    """Where the provider gives one to programs on people's machines."""
    provider.automatic, provider.client_secret = ADA, "not really one"
    assert (await refused(by_device(Trust(provider.issuer, provider.client_id), person))).code == "invalid_client"
    trust = Trust(provider.issuer, provider.client_id, client_secret="not really one")
    assert (await by_device(trust, person)).identity.mail == ADA


@pytest.mark.parametrize(
    ("device", "why"),
    [
        ('"verification_uri": "http://id.example/device", "user_code": "A"', "only https"),
        ('"verification_uri": "javascript:alert(1)", "user_code": "A"', "no address"),
        ('"verification_uri": "https://id.example/\\u001b[2J", "user_code": "A"', "no address"),
        ('"verification_uri": "https://id.example", "user_code": "A\\u001b[2J"', "cannot be shown"),
        ('"verification_uri": "https://id.example", "user_code": ""', "cannot be shown"),
        (
            '"verification_uri": "https://id.example", "user_code": "A", "verification_uri_complete": "file:///x"',
            "not used",
        ),
        ('"user_code": "A"', "no address"),
        ('"verification_uri": "https://id.example"', "cannot be read"),
    ],
)
async def test_where_to_go_is_safe_to_print(
    trust: Trust, person: Person, provider: Provider, device: str, why: str
) -> None:
    """A person will follow it."""
    provider.moods["/device_authorization"] = (200, JSON, f'{{"device_code": "x", {device}}}'.encode())
    with pytest.raises(ProviderError, match=why):
        await by_device(trust, person)
    assert person.told == []


async def test_older_name_of_the_address_is_known(trust: Trust, person: Person, provider: Provider) -> None:
    """As one large provider still calls it."""
    body = b'{"device_code": "x", "user_code": "A", "verification_url": "https://id.example/device"}'
    provider.moods["/device_authorization"] = (200, JSON, body)
    assert (await refused(by_device(trust, person))).code == "invalid_grant"
    assert person.told[0].address == "https://id.example/device"


async def test_sign_in_can_be_stopped(trust: Trust, person: Person) -> None:
    """While it waits for the person; nothing goes on."""
    waits = asyncio.Event()

    async def sleep(_: float) -> None:
        waits.set()
        await asyncio.Event().wait()

    work = asyncio.create_task(sign_in.by_device_code(trust, KEY, SCOPES, person.told.append, sleep=sleep))
    await waits.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


# In a browser.


async def test_person_is_signed_in_in_a_browser(
    trust: Trust, browser: Browser, provider: Provider, clock: Clock
) -> None:
    """The page says as whom, and the machine's key is theirs."""
    provider.automatic = ADA
    signed = await sign_in.by_browser(trust, KEY, SCOPES, browser, now=clock.ms)
    await browser.finish()
    assert signed.identity.mail == ADA
    assert signed.proof.key == KEY.public
    assert signed.refresh in provider.refresh_tokens
    (page,) = browser.pages
    assert page.status_code == 200
    assert "Signed in" in page.text
    assert ADA in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert page.headers["cache-control"] == "no-store"


async def test_code_is_bound_to_this_sign_in(trust: Trust, browser: Browser, provider: Provider, clock: Clock) -> None:
    """PKCE with S256, a state, the nonce, and an address on this machine."""
    provider.automatic = ADA
    signed = await sign_in.by_browser(trust, KEY, SCOPES, browser, now=clock.ms)
    asked = asked_by(browser.shown[0])
    assert asked["code_challenge_method"] == "S256"
    assert asked["redirect_uri"].startswith("http://127.0.0.1:")
    assert len(asked["state"]) >= 32
    (form,) = [form for place, form in provider.forms if place == "/token"]
    assert packed(hashlib.sha256(form["code_verifier"].encode()).digest()) == asked["code_challenge"]
    assert form["redirect_uri"] == asked["redirect_uri"]
    assert signed.proof.salt not in browser.shown[0]


async def test_name_on_the_page_is_text(trust: Trust, browser: Browser, provider: Provider, clock: Clock) -> None:
    """Whatever people call themselves."""
    provider.users["eve@example.org"] = user("eve@example.org")
    provider.automatic = "eve@example.org"
    provider.changes = {"email": None, "name": "<script>alert(1)</script>"}
    await sign_in.by_browser(trust, KEY, SCOPES, browser, now=clock.ms)
    await browser.finish()
    assert "&lt;script&gt;" in browser.pages[0].text
    assert "<script>" not in browser.pages[0].text


class Strangers(Browser):
    """Before the person comes back, others knock at the same place."""

    def __init__(self, provider: Provider) -> None:
        super().__init__()
        self.provider = provider

    async def go(self, address: str) -> None:
        asked = asked_by(address)
        redirect, good = asked["redirect_uri"], self.provider.authorize(asked, ADA)
        async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
            for wrong in (
                redirect,
                f"{redirect}?code=x",
                f"{redirect}?code=x&state=another",
                f"{redirect}?error=access_denied&state=another",
                f"{redirect}?code=x&state={asked['state']}&iss=https://evil.example",
                f"{redirect}?code=x&state=%C3%A9",
                redirect.replace("/callback", "/"),
                redirect.replace("/callback", "/favicon.ico"),
                good.replace("/callback", "/other"),
            ):
                self.pages.append(await client.get(wrong))
            self.pages.append(await client.post(good))
            self.pages.append(await client.get(good))


async def test_strangers_do_not_end_a_sign_in(trust: Trust, provider: Provider, clock: Clock) -> None:
    """Every program on this machine can knock at the port."""
    strangers = Strangers(provider)
    signed = await sign_in.by_browser(trust, KEY, SCOPES, strangers, now=clock.ms)
    await strangers.finish()
    assert signed.identity.mail == ADA
    assert [page.status_code for page in strangers.pages] == [400, 400, 400, 400, 400, 400, 404, 404, 404, 404, 200]


async def test_port_that_says_nothing_does_not_end_a_sign_in(trust: Trust, provider: Provider, clock: Clock) -> None:
    """Nor does one that says too much."""

    class Rude(Browser):
        async def go(self, address: str) -> None:
            port = urlsplit(asked_by(address)["redirect_uri"]).port
            _, silent = await asyncio.open_connection("127.0.0.1", port)
            reader, loud = await asyncio.open_connection("127.0.0.1", port)
            loud.write(b"x" * 100_000)
            assert await reader.read() == b""
            await super().go(self.shown[0])
            self.connections = (silent, loud)

    rude = Rude()
    provider.automatic = ADA
    assert (await sign_in.by_browser(trust, KEY, SCOPES, rude, now=clock.ms)).identity.mail == ADA
    await rude.finish()
    for connection in rude.connections:
        connection.close()


async def test_person_says_no_in_the_browser(trust: Trust, browser: Browser, provider: Provider) -> None:
    """The page says so as well."""

    class No(Browser):
        async def go(self, address: str) -> None:
            await super().go(provider.refused_redirect(asked_by(address)))

    no = No()
    error = await refused(sign_in.by_browser(trust, KEY, SCOPES, no))
    await no.finish()
    assert error.code == "access_denied"
    assert "Not signed in" in no.pages[0].text


async def test_page_says_when_the_token_does_not_count(
    trust: Trust, browser: Browser, provider: Provider, clock: Clock
) -> None:
    """Not before it was checked does it say "signed in"."""
    provider.automatic, provider.changes = ADA, {"aud": "another-client"}
    with pytest.raises(UntrustedError):
        await sign_in.by_browser(trust, KEY, SCOPES, browser, now=clock.ms)
    await browser.finish()
    assert "Not signed in" in browser.pages[0].text
    assert "another-client" in browser.pages[0].text


@pytest.mark.parametrize("changes", [{"nonce": None}, {"nonce": "another"}])
async def test_token_of_another_sign_in_is_refused(
    trust: Trust, browser: Browser, provider: Provider, clock: Clock, changes: dict[str, str | None]
) -> None:
    """A code that was slipped in brings another nonce."""
    provider.automatic, provider.changes = ADA, changes
    with pytest.raises(UntrustedError) as error:
        await sign_in.by_browser(trust, KEY, SCOPES, browser, now=clock.ms)
    assert error.value.code == "wrong-key"
    await browser.finish()


async def test_nobody_comes_back(trust: Trust) -> None:
    """The port is closed then."""
    shown: list[str] = []
    error = await refused(sign_in.by_browser(trust, KEY, SCOPES, shown.append, patience=0.01))
    assert error.code == "too-late"
    port = urlsplit(asked_by(shown[0])["redirect_uri"]).port
    with pytest.raises(OSError):  # noqa: PT011 refused, or reset
        await asyncio.open_connection("127.0.0.1", port)


async def test_browser_of_another_machine_ends_at_an_address_to_type_in(
    trust: Trust, provider: Provider, clock: Clock
) -> None:
    """Over SSH there is none here; what its address line shows is enough."""
    shown: list[str] = []

    async def typed() -> str:
        await seen(lambda: shown, "the address to go to")
        return f"  {provider.authorize(asked_by(shown[0]), ADA)}\n"

    signed = await sign_in.by_browser(trust, KEY, SCOPES, shown.append, typed=typed, now=clock.ms)
    assert signed.identity.mail == ADA


async def test_nobody_is_asked_to_type_once_the_browser_is_back(
    trust: Trust, browser: Browser, provider: Provider, clock: Clock
) -> None:
    """The question is taken back."""
    provider.automatic = ADA
    ended = asyncio.Event()

    async def typed() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    signed = await sign_in.by_browser(trust, KEY, SCOPES, browser, typed=typed, now=clock.ms)
    await browser.finish()
    assert signed.identity.mail == ADA
    assert ended.is_set()


@pytest.mark.parametrize("text", ["", "nonsense", "http://127.0.0.1/callback?code=x&state=another", "\ud800"])
async def test_address_of_another_sign_in_is_refused(trust: Trust, text: str) -> None:
    """Another person may have sent it."""

    async def typed() -> str:
        return text

    work = sign_in.by_browser(trust, KEY, SCOPES, lambda _: None, typed=typed)
    assert (await refused(work)).code == "other-state"


async def test_port_that_is_taken_is_named(trust: Trust) -> None:
    """Where the provider wants a certain one."""
    async with await asyncio.start_server(lambda *_: None, "127.0.0.1", 0) as taken:
        port = taken.sockets[0].getsockname()[1]
        error = await refused(sign_in.by_browser(trust, KEY, SCOPES, lambda _: None, port=port))
        assert error.code == "no-port"


async def test_browser_can_be_stopped(trust: Trust) -> None:
    """With Control-C; the port is closed."""
    shown: list[str] = []
    work = asyncio.create_task(sign_in.by_browser(trust, KEY, SCOPES, shown.append))
    await seen(lambda: shown, "the address to go to")
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    port = urlsplit(asked_by(shown[0])["redirect_uri"]).port
    with pytest.raises(OSError):  # noqa: PT011 refused, or reset
        await asyncio.open_connection("127.0.0.1", port)


async def test_page_to_sign_in_has_to_be_a_safe_one(trust: Trust, browser: Browser, provider: Provider) -> None:
    """It is opened by itself."""
    body = f'{{"issuer": "{provider.issuer}", "authorization_endpoint": "http://id.example/authorize"}}'
    provider.moods[DISCOVERY] = (200, JSON, body.encode())
    with pytest.raises(ProviderError, match="only https"):
        await sign_in.by_browser(trust, KEY, SCOPES, browser)
    assert browser.shown == []


# Without the person.


@pytest.fixture
async def signed(trust: Trust, person: Person, provider: Provider) -> SignedIn:
    provider.automatic = ADA
    return await by_device(trust, person)


HALF_A_DAY = 12 * 3600


async def test_newer_token_without_the_person(trust: Trust, signed: SignedIn, provider: Provider, clock: Clock) -> None:
    """Their groups are those of now, and each refresh token is used once."""
    clock.at += HALF_A_DAY + 60
    with pytest.raises(UntrustedError):
        await trust.identity(signed.proof, clock.ms())
    provider.users[ADA].groups = ("dev",)
    newer = await sign_in.renewed(trust, signed.proof, signed.refresh, now=clock.ms)
    assert (newer.proof.token, bool(newer.proof.fresh)) == (signed.proof.token, True)
    assert newer.identity.groups == ("dev",)
    assert await trust.identity(newer.proof, clock.ms()) == newer.identity
    assert provider.refresh_tokens == [newer.refresh]
    again = await sign_in.renewed(trust, newer.proof, newer.refresh, now=clock.ms)
    assert again.identity == newer.identity


async def test_newer_token_with_the_first_nonce_is_the_whole_proof(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """Then the provider may change all its keys."""
    provider.keeps_nonce = True
    clock.at += HALF_A_DAY
    provider.rotate("ES256")
    newer = await sign_in.renewed(trust, signed.proof, signed.refresh, now=clock.ms)
    assert newer.proof.fresh == ""
    assert newer.proof.token != signed.proof.token
    assert await trust.identity(newer.proof, clock.ms()) == signed.identity


async def test_refresh_token_stays_where_there_is_no_newer_one(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """Some providers give one for all times."""
    provider.gives_refresh = False
    newer = await sign_in.renewed(trust, signed.proof, signed.refresh, now=clock.ms)
    assert newer.refresh == signed.refresh


async def no_newer(trust: Trust, signed: SignedIn, clock: Clock) -> AssentError:
    with pytest.raises(AssentError) as error:
        await sign_in.renewed(trust, signed.proof, signed.refresh, now=clock.ms)
    return error.value


async def test_disabled_account_gets_no_newer_token(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """From then on what it said last grows old."""
    provider.users[ADA].is_disabled = True
    error = await no_newer(trust, signed, clock)
    assert isinstance(error, SignInError)
    assert error.code == "invalid_grant"
    assert sign_in.needs_person(error)
    assert "assent team sign-in" in str(error)


async def test_refresh_token_that_was_stolen_ends_the_sign_in(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """The second to use it is refused, and so is what the first got for it."""
    newer = await sign_in.renewed(trust, signed.proof, signed.refresh, now=clock.ms)
    assert sign_in.needs_person(await no_newer(trust, signed, clock))
    assert sign_in.needs_person(await no_newer(trust, newer, clock))


async def test_provider_that_is_away_is_no_reason_to_sign_in(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """It is tried again later, with the same refresh token."""
    provider.stop()
    error = await no_newer(trust, signed, clock)
    assert isinstance(error, ProviderAwayError)
    assert not sign_in.needs_person(error)
    provider.start()
    assert (await sign_in.renewed(trust, signed.proof, signed.refresh, now=clock.ms)).identity.mail == ADA


@pytest.mark.parametrize(
    ("path", "status"), [(DISCOVERY, 429), (DISCOVERY, 503), ("/token", 408), ("/token", 429), ("/token", 500)]
)
async def test_provider_that_fails_is_no_reason_to_sign_in(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock, path: str, status: int
) -> None:
    """Nor is one that has too much to do."""
    provider.moods[path] = (status, {}, b"")
    assert isinstance(await no_newer(trust, signed, clock), ProviderAwayError)


async def test_refresh_token_is_not_spent_without_keys(signed: SignedIn, provider: Provider, clock: Clock) -> None:
    """What it brings could not be checked."""
    trust = Trust(provider.issuer, provider.client_id)
    provider.moods["/keys"] = (503, {}, b"")
    error = await no_newer(trust, signed, clock)
    assert isinstance(error, ProviderAwayError)
    assert provider.refresh_tokens == [signed.refresh]


async def test_provider_that_changed_its_name_is_no_reason_to_sign_in(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """A person has to look at its settings; the refresh token is as good as before."""
    provider.moods[DISCOVERY] = (200, JSON, b'{"issuer": "https://id.example"}')
    error = await no_newer(trust, signed, clock)
    assert isinstance(error, ProviderAwayError)
    assert "calls itself" in error.message
    assert provider.refresh_tokens == [signed.refresh]


async def test_newer_token_of_another_person_is_refused(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """Whatever the provider did there."""
    provider.changes = {"sub": "subject-of-bob"}
    error = await no_newer(trust, signed, clock)
    assert isinstance(error, UntrustedError)
    assert error.code == "other-person"
    assert sign_in.needs_person(error)


async def test_key_that_the_provider_took_back_needs_the_person(
    trust: Trust, signed: SignedIn, provider: Provider, clock: Clock
) -> None:
    """The first token is signed by it, and it alone names the machine's key."""
    clock.at += 3_600
    provider.rotate()
    error = await no_newer(trust, signed, clock)
    assert isinstance(error, UntrustedError)
    assert error.code == "unknown-key"
    assert sign_in.needs_person(error)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (SignInError("invalid_grant", "over"), True),
        (UntrustedError("unknown-key", "gone"), True),
        (UntrustedError("no-keys", "away"), False),
        (UntrustedError("from-the-future", "a clock"), False),
        (ProviderAwayError("away"), False),
        (ProviderError("an address"), False),
    ],
)
def test_person_is_needed_where_trying_again_is_of_no_use(error: AssentError, expected: bool) -> None:
    """A provider that is away, or a clock that is wrong, may be well later."""
    assert sign_in.needs_person(error) is expected


def test_provider_of_the_tests_refuses_what_real_ones_refuse() -> None:
    """Addresses elsewhere, codes without PKCE, people who are gone."""
    provider = Provider(keys=[new_key("ES256")])
    good = {
        "client_id": provider.client_id,
        "redirect_uri": "http://127.0.0.1:1/callback",
        "response_type": "code",
        "scope": "openid",
        "code_challenge": "x" * 43,
        "code_challenge_method": "S256",
    }
    assert provider.authorize(good, ADA).startswith("http://127.0.0.1:1/callback?code=")
    for changed in (
        {"client_id": "another"},
        {"redirect_uri": "https://evil.example/callback"},
        {"redirect_uri": "http://127.0.0.1.evil.example/callback"},
        {"response_type": "token"},
        {"scope": "email"},
        {"code_challenge_method": "plain"},
        {"code_challenge": ""},
    ):
        with pytest.raises(RefusedError):
            provider.authorize({**good, **changed}, ADA)
    with pytest.raises(RefusedError):
        provider.authorize(good, "nobody@example.org")
