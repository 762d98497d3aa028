"""Pictures of chats: every kind of ask as Telegram and Slack are sent it, drawn by what the services make of it.

The messages go through the real surfaces to the services of the tests, which refuse what the real ones refuse."""

import asyncio
import html
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from playwright.sync_api import Browser

from assent.asks.choices import ways
from assent.protocol.card import Card, ShownAsk
from assent.protocol.surfaces import Scope
from scripts.pictures import watch
from tests.browser.agent import shown
from tests.component.surfaces import slack_chat, telegram_chat
from tests.services.slack import Slack
from tests.services.telegram import Telegram

LINK = "https://desk.example.net"
LONG_PLAN = "# Move the shop to the new checkout\n\n" + "".join(
    f"## Part {part}\n\n1. Move `checkout/{part}.py`\n2. Keep **all** names\n   - and their tests\n\n"
    f"Nothing else changes in part {part}; see [the notes](https://example.com/{part}).\n\n"
    for part in range(1, 40)
)
DEPLOY = """\
for host in web1 web2 web3; do
  scp dist/app-2.4.tgz deploy@$host:/srv/app/
  ssh deploy@$host "cd /srv/app && tar xf app-2.4.tgz && sudo systemctl restart app"
done"""
# What Telegram makes links of in plain text.
_LINKS = re.compile(r"(https?://\S+|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}\b|[@#]\w+|(?<!\S)/\w+)")
_STYLE = """<style>
body{margin:0;background:%s;font:15px/1.35 'DejaVu Sans',sans-serif;color:%s}
#chat{width:%dpx;padding:12px;display:flex;flex-direction:column;gap:10px}
.m{background:%s;border-radius:10px;padding:8px 12px;white-space:pre-wrap;overflow-wrap:anywhere}
.m p{margin:0}.m ol,.m ul{margin:0;padding-left:26px}
.m blockquote{margin:2px 0;padding-left:8px;border-left:3px solid #999}
pre,code{font:13.5px/1.4 'DejaVu Sans Mono',monospace;color:%s;white-space:pre-wrap}
pre{margin:4px 0;padding:6px 8px;border-radius:6px;background:%s;color:inherit}
a{color:#58a6ff;text-decoration:underline}
.row{display:flex;gap:6px;margin-top:-4px}
.row span{flex:1;text-align:center;padding:8px;border-radius:8px;background:%s}
</style><div id="chat">%s</div>"""
_DARK = ("#0e1621", "#f5f5f5", 390, "#182533", "#8ec7f5", "#0d1722", "#2b3b4c")
_LIGHT = ("#ffffff", "#1d1c1d", 640, "#ffffff", "#c01343", "#f4f4f4", "#e8e8e8")


Messages = dict[str, str]


def messages() -> tuple[Messages, Messages]:
    """What Telegram and Slack show. Made before a browser is started, which has a loop of its own."""
    asks = _asks()
    return asyncio.run(_telegram(asks)), asyncio.run(_slack(asks))


def photograph(browser: Browser, out: Path, told: tuple[Messages, Messages]) -> None:
    for (name, look), drawn in zip((("telegram", _DARK), ("slack", _LIGHT)), told, strict=True):
        for kind, message in drawn.items():
            page = browser.new_page(viewport={"width": 700, "height": 800}, device_scale_factor=1.5)
            page.set_content(_STYLE % (*look, message))
            page.locator("#chat").screenshot(path=out / f"chat-{name}-{kind}.png")
            page.close()
            print(f"chat-{name}-{kind}")


def _asks() -> dict[str, ShownAsk]:
    with watch.at_work(watch.MIDDLE) as (cast, _):
        names = {name: kind for kind, name in cast.ids.items()}
        cast.shop.bash(DEPLOY)
        names[cast.hub.newest()] = "deploy"
        cast.docs.plan(LONG_PLAN)
        names[cast.hub.newest()] = "long-plan"
        found = msgspec.convert(shown(cast.hub), list[ShownAsk])
    return {names[ask.id]: _answerable(ask) for ask in found if ask.id in names}


def _answerable(ask: ShownAsk) -> ShownAsk:
    """With what may be answered in a chat, as the hub would offer it there."""
    card = Card(**{name: getattr(ask, name) for name in Card.__struct_fields__ if hasattr(ask, name)})
    return replace(ask, choices=ways(card, Scope.INSTRUCT, "chat"))


async def _telegram(asks: dict[str, ShownAsk]) -> dict[str, str]:
    with Telegram(telegram_chat.ADA) as service:
        async with telegram_chat.chatting(service, link=LINK) as chat:
            made = {}
            for kind, ask in asks.items():
                before = len(service.calls)
                await chat.shows(ask)
                sent = [body for call, body in service.calls[before:] if call == "sendMessage"]
                made[kind] = "".join(map(_telegram_message, sent))
            before = len(service.calls)
            await chat.say("/asks")
            made["asks"] = "".join(
                _telegram_message(body) for call, body in service.calls[before:] if call == "sendMessage"
            )
            return made


def _telegram_message(body: dict[str, Any]) -> str:
    """Its HTML is what browsers know, too; of plain text it makes links."""
    # A block ends its line.
    pieces = re.split(r"(<pre>.*?</pre>|<code>.*?</code>)", body["text"].replace("</pre>\n", "</pre>"), flags=re.DOTALL)
    text = "".join(piece if at % 2 else _LINKS.sub(r"<a>\1</a>", piece) for at, piece in enumerate(pieces))
    markup = body.get("reply_markup", {})
    rows = (markup if isinstance(markup, dict) else json.loads(markup)).get("inline_keyboard", [])
    return f'<div class="m">{text}</div>{_rows([[button["text"] for button in row] for row in rows])}'


async def _slack(asks: dict[str, ShownAsk]) -> dict[str, str]:
    with Slack(slack_chat.ADA) as service:
        async with slack_chat.chatting(service, link=LINK) as chat:
            made = {}
            for kind, ask in asks.items():
                await chat.shows(ask)
                made[kind] = "".join(_slack_block(block) for block in chat.newest.body["blocks"])
            return made


def _slack_block(block: dict[str, Any]) -> str:
    if block["type"] == "actions":
        return _rows([[html.unescape(button["text"]["text"]) for button in block["elements"]]])
    return f'<div class="m">{"".join(map(_slack_part, block["elements"]))}</div>'


_ELEMENTS = {"rich_text_section": "p", "rich_text_preformatted": "pre", "rich_text_quote": "blockquote"}
_STYLES = {"bold": "b", "italic": "i", "strike": "s", "code": "code"}


def _slack_part(part: dict[str, Any]) -> str:
    if part["type"] == "rich_text_list":
        tag = "ol" if part["style"] == "ordered" else "ul"
        start = f' start="{part.get("offset", 0) + 1}"' if tag == "ol" else ""
        items = "".join(f"<li>{''.join(_slack_texts(item['elements']))}</li>" for item in part["elements"])
        return f'<{tag}{start} style="margin-left:{24 * part["indent"]}px">{items}</{tag}>'
    tag = _ELEMENTS[part["type"]]
    return f"<{tag}>{''.join(_slack_texts(part['elements']))}</{tag}>"


def _slack_texts(elements: Sequence[dict[str, Any]]) -> Iterator[str]:
    for element in elements:
        tags = [_STYLES[style] for style in element.get("style", {})]
        yield "".join((*(f"<{tag}>" for tag in tags), html.escape(element["text"]), *(f"</{tag}>" for tag in tags)))


def _rows(rows: Sequence[Sequence[str]]) -> str:
    return "".join(
        f'<div class="row">{"".join(f"<span>{html.escape(label)}</span>" for label in row)}</div>' for row in rows
    )
