"""What the editing tools would do to a file as it is now."""

from collections.abc import Callable
from typing import Any

import msgspec

from assent.asks.diff import between
from assent.protocol import tools
from assent.protocol.card import FileDiff

Read = Callable[[str], str | None]
There = Callable[[str], bool]

UNREADABLE = "The file cannot be read here, so line numbers are missing."
UNCERTAIN = "Whether this file is there already cannot be told; this is its whole new text."
REPLACED = "The file that is there cannot be read; this is its whole new text."


def of_tool(tool: tools.ToolInput, path: str, shown: str, read: Read, there: There | None) -> FileDiff | None:
    """``path`` is the whole path, ``shown`` how it is called; None for a tool that edits no file."""
    match tool:
        case tools.Write():
            return _write(tool.content, path, shown, read, there)
        case tools.Edit():
            return _edit([_of_edit(tool)], path, shown, read, there)
        case tools.MultiEdit():
            return _edit(list(tool.edits), path, shown, read, there)
        case tools.NotebookEdit():
            return _notebook(tool, path, shown, read)
    return None


def path_of(tool: tools.ToolInput) -> str | None:
    """The file a tool is about."""
    match tool:
        case tools.Write() | tools.Edit() | tools.MultiEdit() | tools.Read():
            return tool.file_path
        case tools.NotebookEdit():
            return tool.notebook_path
    return None


def _write(content: str, path: str, shown: str, read: Read, there: There | None) -> FileDiff:
    old = read(path)
    if old is not None:
        return between(shown, old, content)
    if there is None:
        return between(shown, "", content, note=UNCERTAIN)
    if there(path):
        return between(shown, "", content, note=REPLACED)
    return between(shown, "", content, is_new=True)


def _of_edit(tool: tools.Edit) -> tools.Replacement:
    return tools.Replacement(old_string=tool.old_string, new_string=tool.new_string, replace_all=tool.replace_all)


def _edit(edits: list[tools.Replacement], path: str, shown: str, read: Read, there: There | None) -> FileDiff:
    old = read(path)
    if old is None and len(edits) == 1 and edits[0].old_string == "":
        return _write(edits[0].new_string, path, shown, read, there)
    if old is None:
        return _pieces(edits, shown, UNREADABLE)
    # The client reads and compares with plain line feeds, and writes back what it found.
    before = old.replace("\r\n", "\n")
    after = before
    for number, edit in enumerate(edits, start=1):
        times = after.count(edit.old_string) if edit.old_string else 0
        which = f"of edit {number} " if len(edits) > 1 else ""
        if edit.old_string == "" and before.strip():
            return _pieces(
                edits, shown, f"The old text {which}is empty, and the file is not, so this edit should fail."
            )
        if edit.old_string and times == 0:
            return _pieces(
                edits, shown, f"The old text {which}is not in the file as it is now, so this edit should fail."
            )
        if times > 1 and not edit.replace_all:
            why = f"The old text {which}stands {times} times in the file, so this edit should fail."
            return _pieces(edits, shown, why)
        after = after.replace(edit.old_string, edit.new_string) if edit.old_string else edit.new_string
    return between(shown, before, after)


def _pieces(edits: list[tools.Replacement], shown: str, note: str) -> FileDiff:
    """The old and the new texts themselves."""
    diffs = [between(shown, edit.old_string, edit.new_string, numbered=False) for edit in edits]
    notes = dict.fromkeys([note, *(diff.note for diff in diffs)])
    return FileDiff(
        shown,
        sum(diff.added for diff in diffs),
        sum(diff.removed for diff in diffs),
        hunks=tuple(hunk for diff in diffs for hunk in diff.hunks),
        note=" ".join(each for each in notes if each),
    )


def _notebook(tool: tools.NotebookEdit, path: str, shown: str, read: Read) -> FileDiff:
    mode = tool.edit_mode or "replace"
    where = f"cell {tool.cell_id}" if tool.cell_id else "the first cell"
    text = read(path)
    cell = None if text is None else _cell(text, tool.cell_id)
    if mode == "insert":
        return between(shown, "", tool.new_source, note=f"A new cell after {where}.", numbered=False)
    if cell is None:
        missing = "cannot be found here" if text is not None else "cannot be read here"
        new = "" if mode == "delete" else tool.new_source
        said = f"{where.capitalize()} {missing}; " + ("it is deleted." if mode == "delete" else "this is its new text.")
        return FileDiff(shown, 0, 0, note=said) if not new else between(shown, "", new, note=said, numbered=False)
    if mode == "delete":
        return between(shown, cell, "", note=f"{where.capitalize()} is deleted.", numbered=False)
    return between(shown, cell, tool.new_source, note=f"In {where}.", numbered=False)


def _cell(text: str, cell_id: str | None) -> str | None:
    """The text of a cell, by its id or, as the client counts, by its number."""
    try:
        notebook: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    for number, cell in enumerate(cells if isinstance(cells, list) else ()):
        if isinstance(cell, dict) and cell_id in (cell.get("id"), f"cell-{number}", None):
            source = cell.get("source")
            return "".join(map(str, source)) if isinstance(source, list) else str(source or "")
    return None
