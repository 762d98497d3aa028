"""What Slack takes as blocks and windows: their shapes and lengths, as its reference states them."""

import html
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

Body = dict[str, Any]

# In all texts of a message together; where exactly Slack draws the line it does not say.
LONGEST_BLOCKS = 11_000
_INPUTS = {"radio_buttons": 10, "checkboxes": 10, "static_select": 100, "multi_static_select": 100}
# Slack reads these as names and links, unless they are escaped.
_SPECIAL = re.compile(r"[<>]|&(?!amp;|lt;|gt;)")


class BlocksError(Exception):
    def __init__(self, error: str, why: str) -> None:
        super().__init__(f"{error}: {why}")
        self.error = error


def check_message(body: Body) -> None:
    if not body.get("text") and not body.get("blocks"):
        raise BlocksError("no_text", "neither text nor blocks")
    if len(body["text"]) > 4_000:
        raise BlocksError("msg_too_long", str(len(body["text"])))
    _must(not _SPECIAL.search(body["text"]), f"special characters in {body['text']!r}")
    _check(body["blocks"], 50, {"rich_text", "actions", "section"})
    total = sum(len(text) for text in _texts(body["blocks"]))
    if total > LONGEST_BLOCKS:
        raise BlocksError("msg_blocks_too_long", str(total))


def check_view(view: Body) -> None:
    _must(view["type"] == "modal", "not a modal")
    for name in ("title", "submit", "close"):
        _plain(view[name], 24)
    _must(len(view.get("private_metadata", "")) <= 3_000, "private_metadata is too long")
    _check(view["blocks"], 100, {"rich_text", "input", "section"})
    _must(any(block["type"] == "input" for block in view["blocks"]) or "submit" in view, "no submit")


def words_of(blocks: Sequence[Body]) -> str:
    """As people read them: each rich text and each label on lines of its own, without buttons."""
    lines = []
    for block in blocks:
        if block["type"] == "rich_text":
            lines += [line for part in block["elements"] for line in _lines_of(part)]
        elif block["type"] == "input":
            options = block["element"].get("options", [])
            lines += [block["label"]["text"], *(option["text"]["text"] for option in options)]
    return html.unescape("\n".join(lines)) if any(block["type"] == "input" for block in blocks) else "\n".join(lines)


def _lines_of(part: Body) -> Iterator[str]:
    if part["type"] == "rich_text_list":
        marks = (f"{number}. " for number in itertools.count(part.get("offset", 0) + 1))
        for mark, entry in zip(marks if part["style"] == "ordered" else itertools.repeat("• "), part["elements"]):  # noqa: B905
            yield mark + "".join(element["text"] for element in entry["elements"])
    else:
        yield "".join(element["text"] for element in part["elements"])


def _check(blocks: Sequence[Body], most: int, kinds: set[str]) -> None:
    _must(0 < len(blocks) <= most, f"{len(blocks)} blocks")
    names = [block["block_id"] for block in blocks if "block_id" in block]
    _must(len(set(names)) == len(names), "a block_id twice")
    for block in blocks:
        _must(block["type"] in kinds, f"unsupported block {block['type']}")
        _CHECKS[block["type"]](block)


_PARTS = {"rich_text_section", "rich_text_preformatted", "rich_text_quote"}
_STYLES = {"bold", "code", "italic", "strike"}


def _rich(block: Body) -> None:
    _must(bool(block["elements"]), "no elements")
    for part in block["elements"]:
        if part["type"] == "rich_text_list":
            _list(part)
        else:
            _part(part)


def _list(part: Body) -> None:
    _must(part["style"] in ("bullet", "ordered") and 0 <= part["indent"] <= 8, "list")
    _must(part.get("offset", 0) >= 0 and set(part) <= {"type", "style", "indent", "offset", "elements"}, "list")
    _must(bool(part["elements"]), "an empty list")
    for entry in part["elements"]:
        _must(entry["type"] == "rich_text_section", f"{entry['type']} in a list")
        _part(entry)


def _part(part: Body) -> None:
    _must(part["type"] in _PARTS, part["type"])
    _must(bool(part["elements"]), "an empty part")
    for element in part["elements"]:
        _must(element["type"] == "text" and isinstance(element["text"], str) and element["text"] != "", "no text")
        _must(set(element) <= {"type", "text", "style"}, f"unknown keys in {element}")
        styled = part["type"] != "rich_text_preformatted" or "style" not in element
        _must(styled and set(element.get("style", ())) <= _STYLES, "style")


def _actions(block: Body) -> None:
    _must(0 < len(block["elements"]) <= 25, "elements")
    names = [element["action_id"] for element in block["elements"]]
    _must(len(set(names)) == len(names), "an action_id twice")
    for element in block["elements"]:
        _must(element["type"] == "button", element["type"])
        _plain(element["text"], 75)
        _must(0 < len(element["action_id"]) <= 255 and len(element.get("value", "")) <= 2_000, "value")
        url = element.get("url", "https://x.y")
        _must(re.fullmatch(r"https?://[^\s/]*[.:][^\s]*", url) is not None and len(url) <= 3_000, "url")


def _input(block: Body) -> None:
    _plain(block["label"], 2_000)
    element = block["element"]
    if element["type"] == "plain_text_input":
        _must(0 < element["max_length"] <= 3_000, "max_length")
        return
    _must(0 < len(element["options"]) <= _INPUTS[element["type"]], f"{len(element['options'])} options")
    values = [option["value"] for option in element["options"]]
    _must(len(set(values)) == len(values) and all(0 < len(value) <= 150 for value in values), "values")
    for option in element["options"]:
        _plain(option["text"], 75)


def _plain(text: Body, longest: int) -> None:
    _must(text["type"] == "plain_text" and 0 < len(text["text"]) <= longest, f"plain_text of {longest}: {text}")
    _must(not _SPECIAL.search(text["text"]), f"special characters in {text['text']!r}")


def _section(block: Body) -> None:
    _plain(block["text"], 3_000)


def _texts(found: object) -> Iterator[str]:
    if isinstance(found, dict):
        for name, value in found.items():
            if name == "text" and isinstance(value, str):
                yield value
            else:
                yield from _texts(value)
    elif isinstance(found, list):
        for each in found:
            yield from _texts(each)


def _must(is_so: bool, why: str) -> None:
    if not is_so:
        raise BlocksError("invalid_blocks", why)


_CHECKS = {"rich_text": _rich, "actions": _actions, "input": _input, "section": _section}
