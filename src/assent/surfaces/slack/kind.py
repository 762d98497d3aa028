"""How Slack is connected: the two tokens of an app of one's own, and the people who may answer."""

import re
from collections.abc import Mapping
from typing import Any

# Its extra is asked for when the surface is wanted, not when the first message comes.
import websockets  # noqa: F401

from assent.surfaces import binding
from assent.surfaces.base import BadSettingsError
from assent.surfaces.kind import Checked, Tools
from assent.surfaces.slack.api import TokenError, Web
from assent.surfaces.slack.manifest import GUIDE
from assent.surfaces.slack.surface import NAME, Slack, who

# Nothing else may become part of a header.
_APP = re.compile(r"xapp-\d+-(A[A-Z0-9]{5,20})-\d{5,20}-[A-Za-z0-9]{20,128}")
_BOT = re.compile(r"xoxb-[A-Za-z0-9-]{20,200}")
_USER = re.compile(r"[UW][A-Z0-9]{2,20}")
SETTINGS = ("on", "users", "scope", "privacy")
_TELLING_SCOPE = "instruct"


class SlackKind:
    name = NAME
    title = "Slack"
    secrets: Mapping[str, str] = {
        "app_token": "The app-level token (xapp-…)",
        "bot_token": "The bot user's OAuth token (xoxb-…)",
    }
    # Said before the secrets are asked for.
    guide = GUIDE

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Asks Slack about both tokens, and hands out a code by which one person is connected."""
        users = _users(settings)
        app_id, web = _web(secrets, tools)
        try:
            said = await web.me()
            await web.socket()
        finally:
            await web.close()
        code = binding.begun(app_id).code
        name = str(said.get("user", ""))
        called = f"@{name}" if re.fullmatch(r"[\w.-]{1,80}", name) else "the app"
        todo = f"Send {code} to {called} on Slack, as a direct message. Whoever sends it can answer your agents."
        return Checked(who(said), {"users": list(users)}, todo)

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Slack:
        app_id, web = _web(secrets, tools)
        if odd := [name for name in settings if name not in SETTINGS]:
            raise BadSettingsError(f"[surface.slack] has no setting “{odd[0]}”; it has {', '.join(SETTINGS)}.")
        privacy = settings.get("privacy", "open")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.slack] is "open" or "masked".')
        return Slack(
            web,
            app_id,
            _users(settings),
            tools,
            is_masked=privacy == "masked",
            can_tell=settings.get("scope", _TELLING_SCOPE) == _TELLING_SCOPE,
        )


def _web(secrets: Mapping[str, str], tools: Tools) -> tuple[str, Web]:
    app, bot = secrets.get("app_token", "").strip(), secrets.get("bot_token", "").strip()
    found = _APP.fullmatch(app)
    if found is None:
        raise TokenError("This is no app-level token of Slack. It begins with xapp- and stands in Basic Information.")
    if not _BOT.fullmatch(bot):
        raise TokenError("This is no token of a bot on Slack. It begins with xoxb- and stands in Install App.")
    return found[1], Web.of(bot, app, tools.address)


def _users(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """As Slack numbers people. A name could be given up and taken by somebody else."""
    found = settings.get("users", [])
    if not isinstance(found, list) or not all(isinstance(each, str) and _USER.fullmatch(each) for each in found):
        raise BadSettingsError('users in [surface.slack] is a list of member IDs, such as ["U012ABCDEF"].')
    return tuple(dict.fromkeys(found))


KIND = SlackKind()
