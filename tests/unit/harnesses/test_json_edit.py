"""Editing JSON without touching what is around the edit."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.json_edit import Document
from assent.harnesses.json_text import JsonTextError, without_comments
from tests.unit.harnesses.test_json_text import VALUES

GAPS = st.sampled_from(["", "", " ", "  ", "\n", "\n  ", "\n\t", "\r\n    ", "\n\n"])


@st.composite
def formatted(draw: st.DrawFn, value: Any) -> str:
    """The value as JSON, with a gap of its own at every place where one may be. Empty ones stay closed."""

    def gap() -> str:
        return draw(GAPS)

    def write(value: Any) -> str:
        if isinstance(value, dict) and value:
            members = (f"{gap()}{json.dumps(k)}{gap()}:{gap()}{write(v)}{gap()}" for k, v in value.items())
            return "{" + ",".join(members) + "}"
        if isinstance(value, list) and value:
            return "[" + ",".join(f"{gap()}{write(v)}{gap()}" for v in value) + "]"
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    return gap() + write(value) + gap()


NOTES = st.sampled_from(
    ["", "", " ", "\n  ", '\n  // why, and "why" {\n  ', " /* a, b */ ", "// x\n", "\r\n\t// y\r\n"]
)


@st.composite
def commented(draw: st.DrawFn) -> bytes:
    """A document with comments wherever there may be some, and commas behind last members."""
    value = draw(VALUES)

    def gap() -> str:
        return draw(NOTES)

    def last() -> str:
        return gap() + draw(st.sampled_from(["", "", ","])) + gap()

    def write(value: Any) -> str:
        if isinstance(value, dict) and value:
            members = (f"{gap()}{json.dumps(k)}{gap()}:{gap()}{write(v)}{gap()}" for k, v in value.items())
            return "{" + ",".join(members) + last() + "}"
        if isinstance(value, list) and value:
            return "[" + ",".join(f"{gap()}{write(v)}{gap()}" for v in value) + last() + "]"
        if value in ({}, []):
            note = draw(st.sampled_from(["", "\n// nothing\n", "/* nothing */", " // none\n  "]))
            return json.dumps(value)[0] + note + json.dumps(value)[1]
        return json.dumps(value)

    return (gap() + write(draw(st.sampled_from([value, {"a": 1, "hooks": value}, [value]]))) + gap()).encode()


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    value = draw(VALUES)
    text = draw(formatted(draw(st.sampled_from([value, {"hooks": value}, {"a": 1, "hooks": value}, [value]]))))
    return (draw(st.sampled_from(["", "\ufeff"])) + text).encode()


def containers(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if not isinstance(value, (dict, list)):
        return []
    found = [path]
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
        found += containers(inner, (*path, step))
    return found


@given(documents() | commented().map(lambda data: (data, True)), VALUES, st.data())
def test_insert_then_remove_gives_the_same_bytes(
    given: bytes | tuple[bytes, bool], new: Any, pick: st.DataObject
) -> None:
    """Whatever the formatting, taking out what was just put in leaves no trace."""
    data, lenient = given if isinstance(given, tuple) else (given, False)
    doc = Document.read(data, lenient=lenient)
    places = containers(doc.root.value)
    if not places:
        return
    path = pick.draw(st.sampled_from(places))
    node = doc.get(path)
    assert node is not None
    if isinstance(node.value, list):
        changed, at = doc.append(path, new), (*path, len(node.value))
    else:
        key = next(k for k in ("new", "new2", "new3") if k not in node.value)
        changed, at = doc.add(path, key, new), (*path, key)
    got = Document.read(changed.write(), lenient=lenient).get(at)
    assert got is not None
    assert got.value == new
    assert changed.remove(at).write() == data


@given(documents(), VALUES, st.data())
def test_replace_touches_nothing_around_it(data: bytes, new: Any, pick: st.DataObject) -> None:
    """Bytes before and after the replaced value are the same as before."""
    doc = Document.read(data)
    path = pick.draw(st.sampled_from(containers(doc.root.value) or [()]))
    node = doc.get(path)
    assert node is not None
    changed = doc.replace(path, new)
    assert changed.text.startswith(doc.text[: node.start])
    assert changed.text.endswith(doc.text[node.end :])


def notes(text: str) -> str:
    """Its comments, in order and without spaces."""
    bare = without_comments(text)
    marks = "".join(mark if mark != blank else "\n" for mark, blank in zip(text, bare, strict=True))
    return "".join(marks.split())


@given(commented(), st.data())
def test_remove_keeps_every_comment_and_every_other_value(data: bytes, pick: st.DataObject) -> None:
    """Those inside of what goes are gone with it."""
    doc = Document.read(data, lenient=True)
    places = [at for at in containers(doc.root.value) if at] if isinstance(doc.root.value, (dict, list)) else []
    if not places:
        return
    path = pick.draw(st.sampled_from(places))
    node = doc.get(path)
    assert node is not None
    start = next(start for parent in doc.root.walk() for (start, end) in parent.spans() if end == node.end)
    changed = doc.remove(path)
    assert notes(changed.text) == notes(doc.text[:start]) + notes(doc.text[node.end :])


def test_comments_are_refused_unless_the_client_takes_them() -> None:
    """Strict as ever, for clients that are."""
    for data in (b"// why\n{}", b'{"a": 1,}'):
        with pytest.raises(JsonTextError):
            Document.read(data)
        assert Document.read(data, lenient=True).write() == data


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{\n  "a": 1 // about a\n}\n', '{\n  "a": 1, // about a\n  "hooks": {\n    "Stop": [{"n": 1}]\n  }\n}\n'),
        ('{\n  "a": 1, // about a\n}\n', '{\n  "a": 1, // about a\n  "hooks": {\n    "Stop": [{"n": 1}]\n  },\n}\n'),
        ("{\n  // nothing yet\n}", '{\n  // nothing yet\n  "hooks": {\n    "Stop": [{"n": 1}]\n  }\n}'),
        ('{"a": 1 /* a */}', '{"a": 1, /* a */\n"hooks": {"Stop": [{"n": 1}]}}'),
    ],
)
def test_comment_stays_with_what_it_is_about(before: str, after: str) -> None:
    """A comment behind the last member stays behind it."""
    assert edited(before, lenient=True) == after


def edited(text: str, *, lenient: bool = False) -> str:
    doc = Document.read(text.encode(), lenient=lenient)
    if doc.get(("hooks",)) is None:
        doc = doc.add((), "hooks", {})
    return doc.add(("hooks",), "Stop", [{"n": 1}]).write().decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "hooks": {\n    "Stop": [{"n": 1}]\n  }\n}'),
        ('{"a":1}', '{"a":1,"hooks":{"Stop":[{"n":1}]}}'),
        ('{"a": 1, "b": 2}\n', '{"a": 1, "b": 2, "hooks": {"Stop": [{"n": 1}]}}\n'),
        (
            '{\n\t"a": 1\n}\n',
            '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": [{"n": 1}]\n\t}\n}\n',
        ),
        (
            '{\r\n    "hooks": {}\r\n}',
            '{\r\n    "hooks": {\r\n        "Stop": [{"n": 1}]\r\n    }\r\n}',
        ),
        (
            '\ufeff{\n "hooks": {"A": []}\n}\n',
            '\ufeff{\n "hooks": {"A": [], "Stop": [{"n": 1}]}\n}\n',
        ),
    ],
)
def test_edit_writes_in_the_hand_of_the_file(before: str, after: str) -> None:
    """Indentation, tabs, line ends, byte order mark, compactness and the missing last newline are taken over."""
    assert edited(before) == after


def test_edit_refuses_a_name_that_stands_twice() -> None:
    """Of two equal names only one counts, so we do not guess which one to edit."""
    doc = Document.read(b'{"a": 1, "a": 2,\n "hooks": {}, "hooks": {}}')
    assert doc.get(("b",)) is None
    with pytest.raises(JsonTextError, match="2:15: 'hooks' stands here a second time"):
        doc.get(("hooks",))


def test_read_refuses_what_is_not_utf8() -> None:
    """The place of the first byte that is not UTF-8 is named."""
    with pytest.raises(JsonTextError, match="2:3: not UTF-8"):
        Document.read(b'{\n "\xff": 1}')
