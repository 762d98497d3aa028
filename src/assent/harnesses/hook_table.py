"""A table of hooks in a JSON settings file, as several clients have it: ``{"hooks": {EVENT: [{"hooks": [ENTRY]}]}}``.

Entries of ours are put in, updated and taken out; whatever else stands in the file stays as it is, byte for byte."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assent.harnesses.json_edit import Document, Path
from assent.harnesses.json_text import JsonTextError

Handler = dict[str, Any]
EntryPath = tuple[str, str, int, str, int]
# Whether a version of ours wrote this entry.
IsOurs = Callable[[Any], bool]


def handlers(settings: Any) -> Iterator[tuple[EntryPath, Any]]:
    """Every hook entry of a settings value, ours or not; what has another shape is passed over."""
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for g, group in enumerate(groups if isinstance(groups, list) else ()):
            entries = group.get("hooks") if isinstance(group, dict) else None
            for h, handler in enumerate(entries if isinstance(entries, list) else ()):
                yield ("hooks", event, g, "hooks", h), handler


def put_in(doc: Document, wanted: Mapping[str, Handler], is_ours: IsOurs) -> Document:
    """Each wanted event gets its entry once, after all others; entries of ours that are not wanted any more go."""
    check_shape(doc)
    kept = {}
    for event, handler in wanted.items():
        if at := _place_to_keep(doc, event, is_ours):
            node = doc.get(at)
            assert node is not None
            doc = doc if node.value == handler else doc.replace(at, handler)
            kept[event] = at
    doc = _remove(doc, [at for at in _entries_in(doc, is_ours) if kept.get(at[1]) != at], None)
    new = {event: {"hooks": [handler]} for event, handler in wanted.items() if event not in kept}
    if doc.get(("hooks",)) is None:
        return doc.add((), "hooks", {event: [group] for event, group in new.items()})
    for event, group in new.items():
        if doc.get(("hooks", event)) is None:
            doc = doc.add(("hooks",), event, [group])
        else:
            doc = doc.append(("hooks", event), group)
    return doc


def take_out(doc: Document, is_ours: IsOurs, original: Any = None) -> Document:
    """Take out what is ours, and lists that it leaves empty unless they stood in the original file."""
    check_shape(doc)
    return _remove(doc, _entries_in(doc, is_ours), original)


def _entries_in(doc: Document, is_ours: IsOurs) -> list[EntryPath]:
    """Where our entries stand."""
    return [at for at, handler in handlers(doc.root.value) if is_ours(handler)]


def check_shape(doc: Document) -> None:
    """Refuse a file whose hooks table is not one."""
    if not isinstance(doc.root.value, dict):
        raise JsonTextError(doc.text, doc.root.start, "expected an object of settings")
    hooks = doc.get(("hooks",))
    if hooks is None:
        return
    if not isinstance(hooks.value, dict):
        raise JsonTextError(doc.text, hooks.start, '"hooks" should be an object with one member per event')
    for event in hooks.value:
        node = doc.get(("hooks", event))
        assert node is not None
        if not isinstance(node.value, list):
            raise JsonTextError(doc.text, node.start, f'"hooks"."{event}" should be a list')


def _place_to_keep(doc: Document, event: str, is_ours: IsOurs) -> EntryPath | None:
    """Our first entry for this event in a group that matches everything and holds nothing that changes it."""
    for at in _entries_in(doc, is_ours):
        group = doc.get(at[:3])
        assert group is not None
        if at[1] == event and group.value.keys() == {"hooks"}:
            return at
    return None


def _remove(doc: Document, unwanted: list[EntryPath], original: Any) -> Document:
    """From the last to the first, so that the places of those still to go stay true."""
    for at in reversed(unwanted):
        doc = doc.remove(_with_emptied(doc, at, original))
    return doc


def _with_emptied(doc: Document, at: EntryPath, original: Any) -> Path:
    """The entry, or the outermost container that holds nothing else and was not there before us."""
    table = original.get("hooks") if isinstance(original, dict) else None
    had_list = isinstance(table, dict) and at[1] in table
    target: Path = at
    for container, whole, keep in (
        (at[:4], at[:3], False),
        (at[:2], at[:2], had_list),
        (at[:1], at[:1], table is not None),
    ):
        node = doc.get(container)
        assert node is not None
        if keep or len(node.children) > 1:
            break
        target = whole
    return target
