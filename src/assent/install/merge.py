"""Our entries in the ``hooks`` table of a settings file: put in, bring up to date, take out."""

from collections.abc import Mapping
from typing import Any

from assent.harness.claude_code_settings import Handler, Place, handlers, ours
from assent.install.json_edit import Document, Path
from assent.install.json_text import JsonTextError

__all__ = ["Place", "check_shape", "handlers", "install", "ours", "places", "uninstall"]


def install(doc: Document, wanted: Mapping[str, Handler]) -> Document:
    """Each wanted event gets its entry once, after everybody else's; entries of ours nobody wants any more go."""
    check_shape(doc)
    kept = {}
    for event, handler in wanted.items():
        if at := _place_to_keep(doc, event):
            node = doc.get(at)
            assert node is not None
            doc = doc if node.value == handler else doc.replace(at, handler)
            kept[event] = at
    doc = _remove(doc, [at for at, _ in places(doc) if kept.get(at[1]) != at], None)
    new = {event: {"hooks": [handler]} for event, handler in wanted.items() if event not in kept}
    if doc.get(("hooks",)) is None:
        return doc.add((), "hooks", {event: [group] for event, group in new.items()})
    for event, group in new.items():
        if doc.get(("hooks", event)) is None:
            doc = doc.add(("hooks",), event, [group])
        else:
            doc = doc.append(("hooks", event), group)
    return doc


def uninstall(doc: Document, original: Any = None) -> Document:
    """Take out what is ours, and lists that it leaves empty unless they stood in the original file."""
    check_shape(doc)
    return _remove(doc, [at for at, _ in places(doc)], original)


def places(doc: Document) -> list[tuple[Place, Handler]]:
    """Where our entries stand."""
    return list(ours(doc.root.value))


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


def _place_to_keep(doc: Document, event: str) -> Place | None:
    """Our first entry for this event in a group that matches everything and holds nothing that changes it."""
    for at, _ in places(doc):
        group = doc.get(at[:3])
        assert group is not None
        if at[1] == event and group.value.keys() == {"hooks"}:
            return at
    return None


def _remove(doc: Document, unwanted: list[Place], original: Any) -> Document:
    """From the last to the first, so that the places of those still to go stay true."""
    for at in reversed(unwanted):
        doc = doc.remove(_with_emptied(doc, at, original))
    return doc


def _with_emptied(doc: Document, at: Place, original: Any) -> Path:
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
