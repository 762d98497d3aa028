"""How ntfy is connected: a server, a topic that nobody guesses, and a login where the server wants one."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from assent.surfaces.base import BadSettingsError, FailedError, SurfaceError
from assent.surfaces.kind import Checked, Tools
from assent.surfaces.ntfy.server import Server, authorization, is_token
from assent.surfaces.ntfy.surface import CHECK, NAME, Ntfy, is_open_to_strangers

SERVER = "https://ntfy.sh"
# Open to everybody: nobody's own, whatever the settings say.
PUBLIC = frozenset(
    {
        "ntfy.sh",
        "ntfy.adminforge.de",
        "ntfy.envs.net",
        "ntfy.fossman.de",
        "ntfy.hostux.net",
        "ntfy.jae.fi",
        "ntfy.mzte.de",
        "ntfy.tedomum.net",
    }
)
# Where nothing but its name protects a topic.
SHORTEST = 16
_TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")
_NO_ADDRESS = 'server in [surface.ntfy] is an address, such as "https://ntfy.example.org".'
_OLD = "The server is older than 2.16: a message is not replaced, a short one follows it."


class NtfyKind:
    name = NAME
    title = "ntfy"
    secrets: Mapping[str, str] = {
        "topic": "The topic your phone is subscribed to (on a public server, 16 random letters and digits or more)",
        "login": "An access token (tk_…), or name:password; “none” for a server that wants none",
    }

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Publishes where only the hub listens, and tries what strangers could do."""
        surface = self.made(settings, secrets, tools)
        server, topic, replies = surface.server, surface.topic, surface.reply_topic
        try:
            if surface.is_own and await is_open_to_strangers(server, topic):
                raise FailedError(
                    "own = true is for a server that wants a login, and this one lets anybody read the topic or write "
                    "to it. Set auth-default-access: deny-all there, or leave own out."
                )
            told = await server.publish({"topic": replies, "message": CHECK, "priority": 1, "sequence_id": "check"})
            if not await server.can_read(replies):
                raise FailedError("The ntfy server lets this login write, but not read, and so no press comes back.")
            if not surface.is_own and not await server.lets_strangers_write({"topic": replies, "message": CHECK}):
                raise FailedError(
                    "This server wants a login, which no message on it may carry unless it is your own, and so no "
                    "press comes back. If it is, connect it with own = true and an access token."
                )
        finally:
            await surface.close()
        words = ["This server is your own." if surface.is_own else "This server is not your own: messages are masked."]
        if told.get("sequence_id") != "check":
            words.append(_OLD)
        todo = "" if surface.is_own else "Subscribe to the topic in the ntfy app. Whoever knows it can deny."
        return Checked(" ".join(words), {}, todo)

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Ntfy:
        server, host = _server(settings)
        topic, login = secrets.get("topic", "").strip(), secrets.get("login", "").strip()
        is_own = settings.get("own", False)
        privacy = settings.get("privacy", "open" if is_own else "masked")
        if not isinstance(is_own, bool):
            raise BadSettingsError("own in [surface.ntfy] is true or false.")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.ntfy] is "open" or "masked".')
        if not _TOPIC.fullmatch(topic):
            raise SurfaceError("A topic is made of up to 64 letters, digits, - and _.")
        try:
            known = authorization(login)
        except ValueError:
            raise SurfaceError("This is no login: an access token begins with tk_, else it is name:password.") from None
        if is_own:
            _own(host, login)
        elif privacy == "open":
            raise BadSettingsError('privacy = "open" in [surface.ntfy] needs a server of your own (own = true).')
        elif len(topic) < SHORTEST:
            raise SurfaceError(f"Whoever guesses the topic reads it, so it needs {SHORTEST} characters or more.")
        base = tools.address or server
        return Ntfy(Server(base, known), topic, tools, is_own=is_own, is_masked=privacy == "masked")


def _own(host: str, login: str) -> None:
    if any(host == name or host.endswith(f".{name}") for name in PUBLIC):
        raise BadSettingsError(f"own = true in [surface.ntfy]: {host} is a public server.")
    if not is_token(login):
        # Messages carry it, so that a press can come back.
        raise BadSettingsError("own = true in [surface.ntfy] needs an access token (tk_…), not a password.")


def _server(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Its address without a slash at the end, and its name."""
    text = settings.get("server", SERVER)
    try:
        parts = urlsplit(text if isinstance(text, str) else "")
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise BadSettingsError(_NO_ADDRESS) from None
    is_bare = bool(host) and not (parts.username or parts.password or parts.query or parts.fragment)
    if not is_bare or not text.isprintable() or " " in text:
        raise BadSettingsError(_NO_ADDRESS)
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_this_machine(host)):
        raise BadSettingsError("server in [surface.ntfy] is spoken to over https, unless it is on this machine.")
    return text.rstrip("/"), host


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


KIND = NtfyKind()
