"""What chats do alike."""

import pytest

from assent.surfaces import chat
from assent.surfaces.base import Audience, FailedError, GoneError, Ref
from assent.surfaces.chat import MissingError, NobodyError, Recipients

pytestmark = pytest.mark.anyio


async def test_users_with_the_message_are_not_told_again() -> None:
    """The next try is for the rest; once all have it, the same is told to all of them anew."""
    recipients = Recipients[str, int]()
    told: list[str] = []
    troubles: dict[str, Exception] = {"bob": FailedError("down")}

    async def send(user: str) -> int:
        told.append(user)
        if trouble := troubles.pop(user, None):
            raise trouble
        return len(told)

    reached, trouble = await recipients.send("k", ("ada", "bob"), send)
    assert (reached, isinstance(trouble, FailedError)) == ({"ada": 1}, True)
    assert await recipients.send("k", ("ada", "bob"), send) == ({"ada": 1, "bob": 3}, None)
    await recipients.send("k", ("ada", "bob"), send)
    assert told == ["ada", "bob", "bob", "ada", "bob"]


async def test_one_unreachable_user_does_not_block_others() -> None:
    """Only where all are unreachable, that is trouble."""

    async def send(user: str) -> int:
        if user == "bob":
            raise NobodyError("blocked")
        return 1

    assert await Recipients[str, int]().send("k", ("ada", "bob"), send) == ({"ada": 1}, None)
    for users in (("bob",), ()):
        reached, trouble = await Recipients[str, int]().send("k", users, send)
        assert (reached, isinstance(trouble, GoneError)) == ({}, True)


async def test_what_is_gone_needs_no_change() -> None:
    """Any other failure is told, after all others had their turn."""
    done: list[str] = []

    async def change(what: Exception | None) -> None:
        if what is not None:
            raise what
        done.append("changed")

    await chat.each([change(MissingError("gone")), change(None)])
    with pytest.raises(FailedError):
        await chat.each([change(FailedError("down")), change(None)])
    assert done == ["changed", "changed"]


async def test_reminder_has_a_name_of_its_own() -> None:
    """Both are known by the ask they are about; one about many is about none."""
    once = chat.ref("slack", "kptwm", ("D1:1",), Audience())
    again = chat.ref("slack", "kptwm+", ("D1:2",), Audience(is_reminder=True))
    assert (once, again) == (Ref("slack", "kptwm", ("D1:1",)), Ref("slack", "kptwm+D1:2", ("D1:2",)))
    assert once
    assert again
    assert chat.ask_of(once) == chat.ask_of(again) == "kptwm"
    assert chat.ask_of(Ref("slack", f"{chat.BURST}s1", ("D1:3",))) == ""
    assert chat.ref("slack", "kptwm", (), Audience()) is None
