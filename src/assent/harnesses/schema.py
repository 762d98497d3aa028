"""JSON Schema (draft 2020-12) of everything that crosses a boundary: events, tool inputs and replies."""

import difflib
from collections.abc import Callable
from typing import Any

import msgspec

from assent.errors import UsageError
from assent.harnesses.claude_code import reply, tools
from assent.protocol import events

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_REF = "#/$defs/{name}"


def names() -> list[str]:
    """Every name ``schema`` knows: ``PreToolUse``, ``PreToolUse.reply``, ``Bash.input``, …"""
    return sorted(_MAKERS)


def schema(name: str) -> dict[str, Any]:
    """The schema of that name."""
    make = _MAKERS.get(name)
    if make is None:
        near = difflib.get_close_matches(name, _MAKERS, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else "assent schema lists every name"
        raise UsageError(f"There is no schema of that name: {name}", hint=hint)
    # Defaults are given as Python values, tuples among them; what we hand out is plain JSON.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({"$schema": DRAFT, "title": name, **make()}))
    return plain


def _of_struct(kind: Any) -> Callable[[], dict[str, Any]]:
    return lambda: msgspec.json.schema(kind, ref_template=_REF)


def _of_replies(kinds: tuple[type[reply.Whole], ...]) -> Callable[[], dict[str, Any]]:
    def make() -> dict[str, Any]:
        bodies, definitions = msgspec.json.schema_components(kinds, ref_template=_REF)
        forms = [
            _inside("hookSpecificOutput", body) if issubclass(kind, reply.Specific) else body
            for kind, body in zip(kinds, bodies, strict=True)
        ]
        for kind in kinds:
            if not issubclass(kind, reply.Specific):
                definitions[kind.__name__]["properties"] |= _beside()
        return {"anyOf": forms, "$defs": definitions}

    return make


def _beside() -> dict[str, Any]:
    """What may stand beside every reply, at its top."""
    (_,), definitions = msgspec.json.schema_components((reply.Beside,), ref_template=_REF)
    properties: dict[str, Any] = definitions["Beside"]["properties"]
    return properties


def _inside(key: str, body: dict[str, Any]) -> dict[str, Any]:
    properties = {key: body, **_beside()}
    return {"type": "object", "properties": properties, "required": [key], "additionalProperties": False}


_MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    **{name: _of_struct(kind) for name, kind in events.EVENTS.items()},
    **{f"{name}.reply": _of_replies(kinds) for name, kinds in reply.REPLIES.items()},
    **{f"{name}.input": _of_struct(kind) for name, kind in tools.TOOLS.items()},
}
