"""The few methods of Slack's Web API that are used, and what its refusals mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from assent.surfaces.base import FailedError, GoneError, RateLimitedError
from assent.surfaces.chat import MissingError, NobodyError
from assent.surfaces.service import Answer, Service
from assent.surfaces.slack.card import Block
from assent.text.safe import escaped

HOME = "https://slack.com"
TITLE = "Slack"
LONGEST_TEXT = 600
PATIENCE_WITHOUT_WORDS = 30.0
_UNREADABLE = "Slack answered something that cannot be read."


class TokenError(GoneError):
    """The token is none, was revoked, or may not do this."""


class TriggerError(FailedError):
    """A window can be opened only within three seconds of a press."""


class Message(Struct, frozen=True):
    """What stands in a notification and where blocks cannot be shown, and the blocks themselves."""

    text: str
    blocks: Sequence[Block] = ()


@dataclass(slots=True)
class Web:
    service: Service
    bot_token: str
    app_token: str
    # Where the service is, in tests.
    address: str = ""

    @classmethod
    def of(cls, bot_token: str, app_token: str, address: str = "") -> "Web":
        return cls(Service(f"{address or HOME}/api", TITLE), bot_token, app_token, address)

    async def me(self) -> dict[str, Any]:
        return await self._call("auth.test", {})

    async def socket(self) -> str:
        """An address that serves for one connection, and is a secret."""
        url = str((await self._call("apps.connections.open", {}, self.app_token)).get("url", ""))
        if not is_slacks(url, self.address):
            raise FailedError("Slack named an address that is not Slack's.")
        return url

    async def chat(self, user: str) -> str:
        """The direct messages between this person and the app."""
        channel = _fields((await self._call("conversations.open", {"users": user})).get("channel")).get("id")
        if not isinstance(channel, str) or not channel.startswith("D"):
            raise FailedError(_UNREADABLE)
        return channel

    async def post(self, channel: str, message: Message, *, thread: str = "") -> str:
        """The time by which Slack knows the message."""
        body = {"channel": channel, **_body(message), "unfurl_links": False, "unfurl_media": False}
        if thread:
            body["thread_ts"] = thread
        at = (await self._call("chat.postMessage", body)).get("ts")
        if not isinstance(at, str) or ":" in at:
            raise FailedError(_UNREADABLE)
        return at

    async def update(self, channel: str, at: str, message: Message) -> None:
        await self._call("chat.update", {"channel": channel, "ts": at, **_body(message)})

    async def open(self, trigger: str, view: Block) -> None:
        await self._call("views.open", {"trigger_id": trigger, "view": view})

    async def close(self) -> None:
        await self.service.close()

    async def _call(self, method: str, body: Mapping[str, Any], token: str = "") -> dict[str, Any]:
        headers = {
            "Authorization": f"Bearer {token or self.bot_token}",
            "Content-Type": "application/json; charset=utf-8",
        }
        return result(await self.service.call("POST", f"/{method}", content=msgspec.json.encode(body), headers=headers))


def is_slacks(url: str, address: str = "") -> bool:
    """Whether the tokens' owner meant to talk to this host."""
    try:
        parts = urlsplit(url)
        expected = urlsplit(address)
    except ValueError:
        return False
    if address:
        return parts.scheme == "ws" and parts.hostname == expected.hostname
    host = parts.hostname or ""
    return parts.scheme == "wss" and (host == "slack.com" or host.endswith(".slack.com")) and parts.username is None


_TOKEN = "Slack does not know this token (any more). `assent connect slack` asks for one."  # noqa: S105
_SCOPE = "The app may not do this: give it the manifest of `assent connect slack`, and install it."
# What Slack calls a refusal, and what it means; anything else is one for good.
_MEANS: tuple[tuple[type[GoneError | FailedError], str, frozenset[str]], ...] = (
    (
        TokenError,
        _TOKEN,
        frozenset({"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"})
        | {"not_allowed_token_type", "org_login_required", "team_access_not_granted"},
    ),
    (TokenError, _SCOPE, frozenset({"missing_scope", "no_permission", "access_denied"})),
    (
        NobodyError,
        "This person cannot be written to on Slack ({error}).",
        frozenset({"channel_not_found", "user_not_found", "users_not_found", "user_disabled", "user_not_visible"})
        | {"cannot_dm_bot", "is_archived", "not_in_channel", "messages_tab_disabled", "restricted_action"},
    ),
    (
        MissingError,
        "The message is not there any more.",
        frozenset({"message_not_found", "cant_update_message", "edit_window_closed"}),
    ),
    (
        TriggerError,
        "That took too long for Slack. Press once more.",
        frozenset({"expired_trigger_id", "exchanged_trigger_id", "trigger_expired", "trigger_exchanged"}),
    ),
    (
        FailedError,
        "Slack failed ({error}).",
        frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}),
    ),
)


def result(answer: Answer) -> dict[str, Any]:
    """Raises what its refusal means. The error's name is Slack's own word, and no secret."""
    if answer.status == 429:
        raise _limited(answer)
    if answer.status >= 500:
        raise FailedError(f"Slack failed ({answer.status}).")
    reply = _fields(answer.json())
    if reply.get("ok") is True:
        return reply
    raw = reply.get("error")
    error = raw if isinstance(raw, str) and raw.isascii() and raw.isprintable() and len(raw) <= 60 else "unknown"
    if error in ("ratelimited", "rate_limited"):
        raise _limited(answer)
    for kind, words, errors in _MEANS:
        if error in errors:
            raise kind(words.format(error=error))
    raise GoneError(f"Slack refused it ({error}).")


def _limited(answer: Answer) -> RateLimitedError:
    return RateLimitedError("Slack wants fewer messages.", answer.retry_after or PATIENCE_WITHOUT_WORDS)


def _body(message: Message) -> dict[str, Any]:
    # Of this text nothing becomes a name, a link or markup.
    text = escaped(message.text[:LONGEST_TEXT])
    return {"text": text, "blocks": message.blocks, "parse": "none", "link_names": False, "mrkdwn": False}


def _fields(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
