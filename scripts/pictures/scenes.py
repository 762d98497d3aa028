"""What is on each picture, and how one gets there."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from scripts.pictures.camera import Seat
from scripts.pictures.cast import Cast
from tests.browser.card import Card, sheet

Scene = Callable[[Seat, Cast], object]
KINDS = ("danger", "care", "change", "question", "plan", "form", "stop", "hidden")


def _ask(kind: str) -> Scene:
    def show(seat: Seat, cast: Cast) -> Card:
        page = seat.look(f"/a/{cast.ids[kind]}")
        return Card(page).read()

    return show


def _rarer(name: str) -> Scene:
    def show(seat: Seat, cast: Cast) -> Card:
        return Card(seat.look(f"/a/{cast.rarer(name)}")).read()

    return show


def _alike(seat: Seat, cast: Cast) -> None:
    Card(seat.look(f"/a/{cast.rarer('alike')}")).more("Allow these 2…")
    expect(sheet(seat.page, "Allow these 2, once each?")).to_be_visible()


def _inbox(seat: Seat, _: Cast) -> None:
    expect(seat.look("/").get_by_role("feed", name="Needs you").locator("article").first).to_be_visible()


def _armed(seat: Seat, cast: Cast) -> None:
    card = Card(seat.look(f"/a/{cast.ids['care']}")).press("Allow once")
    expect(card.bar.get_by_role("button", name=re.compile("^Yes, "))).to_be_visible()


def _typed(seat: Seat, cast: Cast) -> None:
    card = Card(seat.look(f"/a/{cast.ids['danger']}")).read()
    card.match.fill("clean")


def _always(kind: str) -> Scene:
    def show(seat: Seat, cast: Cast) -> None:
        Card(seat.look(f"/a/{cast.ids[kind]}")).key("R")
        always = sheet(seat.page, "Always allow")
        always.get_by_label("this project").check()

    return show


def _kept(seat: Seat, cast: Cast) -> None:
    """Of a client that cannot be told to remember."""
    Card(seat.look(f"/a/{cast.rarer('kept')}")).key("R")
    sheet(seat.page, "Always allow").get_by_label("this project").check()


def _stop_asking(seat: Seat, cast: Cast) -> None:
    Card(seat.look(f"/a/{cast.ids['care']}")).press("Stop asking here")
    expect(sheet(seat.page, "Stop asking here")).to_be_visible()


def _tell(seat: Seat, cast: Cast) -> None:
    Card(seat.look(f"/a/{cast.ids['danger']}")).key("D")
    words = "Keep uploads/. Remove node_modules only, then npm ci."
    sheet(seat.page, "Deny and tell").get_by_role("textbox").fill(words)


def _edit(seat: Seat, cast: Cast) -> None:
    Card(seat.look(f"/a/{cast.ids['care']}")).key("e")
    expect(sheet(seat.page, "Edit the command")).to_be_visible()


def _more(seat: Seat, cast: Cast) -> None:
    card = Card(seat.look(f"/a/{cast.ids['change']}")).read()
    menu = card.button("More answers")
    if menu.is_visible():
        menu.click()


def _raw(seat: Seat, cast: Cast) -> None:
    Card(seat.look(f"/a/{cast.ids['care']}")).key("r")


def _split(seat: Seat, cast: Cast) -> None:
    Card(seat.look(f"/a/{cast.ids['change']}")).key("v")


def _changed(seat: Seat, cast: Cast) -> None:
    card = Card(seat.look(f"/a/{cast.ids['plan']}")).read()
    card.thing.get_by_role("button", name="What changed").click()
    expect(card.thing.locator(".ln.add").first).to_be_visible()


def _picked(seat: Seat, cast: Cast) -> None:
    card = Card(seat.look(f"/a/{cast.ids['question']}")).read()
    card.thing.get_by_label("Redis").check()


def _receipt(seat: Seat, cast: Cast) -> None:
    held = cast.plain()
    Card(seat.look(f"/a/{cast.ids['plain']}")).press("Allow once")
    held.output()
    expect(seat.page.get_by_role("region", name="What became of your answers")).to_contain_text("Told Claude")
    cast.shop.ran(held)


def _help(seat: Seat, _: Cast) -> None:
    _inbox(seat, _)
    seat.page.wait_for_timeout(500)
    seat.page.keyboard.press("?")


def _palette(seat: Seat, _: Cast) -> None:
    _inbox(seat, _)
    seat.page.wait_for_timeout(500)
    seat.page.keyboard.press(":")
    seat.page.get_by_role("combobox").fill("ask")


def _screen(path: str, what: str) -> Scene:
    def show(seat: Seat, _: Cast) -> Page:
        page = seat.look(path)
        expect(page.locator(what).first).to_be_visible()
        return page

    return show


def _session(seat: Seat, cast: Cast) -> None:
    page = seat.look(f"/s/{cast.api.session}")
    expect(page.get_by_role("list", name="Feed").locator("> li").first).to_be_visible()


def _lanes(seat: Seat, _: Cast) -> None:
    seat.look("/f")
    expect(seat.page.locator("li.event").first).to_be_visible()
    seat.page.wait_for_timeout(500)
    seat.page.keyboard.press("L")


def _story(seat: Seat, _: Cast) -> None:
    page = seat.look("/log")
    page.locator(".decisions tbody tr", has_text="curl").first.click()
    expect(page.locator("article.frozen")).to_be_visible()


def _tried(seat: Seat, _: Cast) -> None:
    page = seat.look("/rules")
    page.get_by_label("A command").fill("git stash && git push --force origin main")
    page.get_by_role("button", name="Judge it").click()
    expect(page.locator(".trial .would")).to_be_visible()


def _invited(seat: Seat, _: Cast) -> None:
    seat.look("/pair").get_by_role("button", name="Let a phone in…").click()
    expect(seat.page.get_by_role("img", name="QR code")).to_be_visible()


def _replies(seat: Seat, _: Cast) -> None:
    seat.look("/set").get_by_label("Replies of your own").scroll_into_view_if_needed()


SCENES: dict[str, Scene] = {
    "settings-replies": _replies,
    "inbox": _inbox,
    **{f"ask-{kind}": _ask(kind) for kind in KINDS},
    "ask-care-armed": _armed,
    "ask-plan-changed": _changed,
    "ask-danger-typed": _typed,
    "ask-change-split": _split,
    "ask-question-picked": _picked,
    "ask-raw": _raw,
    "stop-asking": _stop_asking,
    "always": _always("care"),
    "always-edit": _always("change"),
    "deny-and-tell": _tell,
    "edit": _edit,
    "more": _more,
    "receipt": _receipt,
    "help": _help,
    "palette": _palette,
    "sessions": _screen("/s", ".session-card"),
    "session": _session,
    "feed": _screen("/f", "li.event"),
    "feed-lanes": _lanes,
    "log": _screen("/log", ".decisions tbody tr"),
    "log-row": _story,
    "rules": _screen("/rules", "h1"),
    "rules-tried": _tried,
    "stats": _screen("/stats", ".stats-body h2"),
    "grants": _screen("/grants", "#screen h2"),
    "settings": _screen("/set", "h1"),
    "devices": _screen("/pair", ".devices li"),
    "pair": _invited,
    "ask-steps": _rarer("steps"),
    "ask-tool": _rarer("tool"),
    "ask-appeal": _rarer("appeal"),
    "ask-kept": _rarer("kept"),
    "always-kept": _kept,
    "alike": _alike,
}
