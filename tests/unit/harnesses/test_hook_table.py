"""Our entries among others' in the hooks table."""

import json
from typing import Any

import pytest

from assent.harnesses import hook_table
from assent.harnesses.hook_table import Handler
from assent.harnesses.json_edit import Document
from assent.harnesses.json_text import JsonTextError

FOREIGN = {"type": "command", "command": "notify-send hi"}


def ours(event: str, port: int = 8717) -> Handler:
    return {"type": "http", "url": f"http://127.0.0.1:{port}/hook/claude-code", "event": event}


def is_ours(handler: Any) -> bool:
    return isinstance(handler, dict) and handler.get("url", "").endswith("/hook/claude-code")


def doc(value: Any) -> Document:
    return Document.read(json.dumps(value, indent=2).encode())


def installed(value: Any, *events: str) -> Any:
    return hook_table.put_in(doc(value), {event: ours(event) for event in events}, is_ours).root.value


def test_install_adds_a_group_per_event() -> None:
    """No matcher: the entry sees every call."""
    assert installed({}, "Stop", "PreToolUse") == {
        "hooks": {"Stop": [{"hooks": [ours("Stop")]}], "PreToolUse": [{"hooks": [ours("PreToolUse")]}]}
    }


def test_install_stands_behind_foreign_hooks() -> None:
    """Hooks of others keep their place and their order."""
    before = {"hooks": {"Stop": [{"matcher": "a", "hooks": [FOREIGN]}, {"hooks": [FOREIGN, FOREIGN]}]}}
    after = installed(before, "Stop")
    assert after["hooks"]["Stop"] == [*before["hooks"]["Stop"], {"hooks": [ours("Stop")]}]


def test_install_twice_changes_nothing() -> None:
    """The second run finds everything in place."""
    once = hook_table.put_in(doc({"a": 1}), {"Stop": ours("Stop")}, is_ours)
    assert hook_table.put_in(once, {"Stop": ours("Stop")}, is_ours).text == once.text


def test_install_brings_an_old_entry_up_to_date_where_it_stands() -> None:
    """An entry of another version is replaced in place, also beside foreign ones in the same group."""
    before = {"hooks": {"Stop": [{"hooks": [FOREIGN, ours("Stop", port=1), FOREIGN]}]}}
    assert installed(before, "Stop") == {"hooks": {"Stop": [{"hooks": [FOREIGN, ours("Stop"), FOREIGN]}]}}


def test_install_leaves_one_entry_of_several() -> None:
    """Doubles of ours, from whatever accident, become one."""
    before = {"hooks": {"Stop": [{"hooks": [ours("Stop", 1), ours("Stop", 2)]}, {"hooks": [ours("Stop", 3)]}]}}
    assert installed(before, "Stop") == {"hooks": {"Stop": [{"hooks": [ours("Stop")]}]}}


def test_install_takes_our_entry_out_of_a_narrow_group() -> None:
    """Under a matcher we would miss events, so the entry moves to a group of its own."""
    before = {"hooks": {"Stop": [{"matcher": "Bash", "hooks": [FOREIGN, ours("Stop")]}]}}
    assert installed(before, "Stop") == {
        "hooks": {"Stop": [{"matcher": "Bash", "hooks": [FOREIGN]}, {"hooks": [ours("Stop")]}]}
    }


def test_install_drops_events_no_longer_subscribed() -> None:
    """What an older version subscribed and this one does not is taken out."""
    before = {"hooks": {"FileChanged": [{"hooks": [ours("FileChanged")]}], "Stop": []}}
    assert installed(before, "Stop") == {"hooks": {"Stop": [{"hooks": [ours("Stop")]}]}}


def test_install_survives_when_the_old_entry_was_all_there_was() -> None:
    """Removing the only event does not lose the table the new one goes into."""
    before = {"hooks": {"FileChanged": [{"hooks": [ours("FileChanged")]}]}}
    assert installed(before, "Stop") == {"hooks": {"Stop": [{"hooks": [ours("Stop")]}]}}


def test_uninstall_removes_what_it_empties() -> None:
    """Lists and tables that held only our entries go with them."""
    assert hook_table.take_out(doc(installed({"a": 1}, "Stop", "Setup")), is_ours).root.value == {"a": 1}


def test_uninstall_keeps_containers_of_the_original() -> None:
    """An empty list or table that was there before us stays."""
    originals: list[Any] = [{"hooks": {}}, {"hooks": {"Stop": []}}]
    for original in originals:
        assert hook_table.take_out(doc(installed(original, "Stop", "Setup")), is_ours, original).root.value == original


def test_uninstall_keeps_foreign_hooks() -> None:
    """Only our entry leaves a group that others share."""
    before = {"hooks": {"Stop": [{"hooks": [FOREIGN, ours("Stop"), FOREIGN]}, {"hooks": []}], "Setup": "odd"}}
    del before["hooks"]["Setup"]
    assert hook_table.take_out(doc(before), is_ours).root.value == {
        "hooks": {"Stop": [{"hooks": [FOREIGN, FOREIGN]}, {"hooks": []}]}
    }


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ([], "1:1: expected an object of settings"),
        ({"hooks": None}, '2:12: "hooks" should be an object with one member per event'),
        ({"hooks": []}, '2:12: "hooks" should be an object'),
        ({"hooks": "x"}, '2:12: "hooks" should be an object'),
        ({"hooks": {"Stop": {}}}, '3:13: "hooks"."Stop" should be a list'),
        ({"hooks": {"Other": None}}, '3:14: "hooks"."Other" should be a list'),
    ],
)
def test_install_refuses_an_unknown_shape(settings: Any, message: str) -> None:
    """We do not guess what a table means that the client would not read either."""
    with pytest.raises(JsonTextError) as caught:
        installed(settings, "Stop")
    assert str(caught.value).startswith(message)
    with pytest.raises(JsonTextError):
        hook_table.take_out(doc(settings), is_ours)


def test_install_passes_over_odd_groups() -> None:
    """Groups we cannot read are not ours and stay as they are."""
    odd: list[Any] = [None, 7, "x", {}, {"hooks": None}, {"hooks": {"a": 1}}, {"hooks": [None, 3]}]
    assert installed({"hooks": {"Stop": odd}}, "Stop")["hooks"]["Stop"] == [*odd, {"hooks": [ours("Stop")]}]
