"""A server's form as inputs, and validation of what was filled in.

Only what can be shown and checked in full is offered for filling in. An unknown keyword could narrow what is
valid, so it is trouble: then the form can be declined, or filled in at the terminal."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from assent import forms
from assent.asks.card import names
from assent.protocol.card import FieldView, FormView
from assent.protocol.events import Elicitation

MOST_FIELDS = 100
MOST_OPTIONS = 500

_NOTES = frozenset({"title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"})
_OF_FORM = _NOTES | {"type", "properties", "required", "$schema", "$id", "additionalProperties"}
_OF_TYPE: dict[str, frozenset[str]] = {
    "string": frozenset({"enum", "enumNames", "oneOf", "format", "minLength", "maxLength", "pattern"}),
    "number": frozenset({"minimum", "maximum"}),
    "integer": frozenset({"minimum", "maximum"}),
    "boolean": frozenset(),
    "array": frozenset({"items", "minItems", "maxItems", "uniqueItems"}),
}
_KINDS: dict[str, Any] = {"string": "text", "number": "number", "integer": "integer", "boolean": "boolean"}
_VALUES: dict[str, type | tuple[type, ...]] = {"string": str, "number": (int, float), "integer": int, "boolean": bool}
FORMATS = frozenset({"email", "uri", "date", "date-time"})
_SECRET = re.compile(
    r"passw|passphrase|secret|token|api[ _-]?key|private[ _-]?key|credential|\bpin\b|\botp\b", re.IGNORECASE
)


class _TroubleError(ValueError):
    """What cannot be shown, as a sentence."""


def form_view(event: Elicitation) -> FormView:
    server, message = event.mcp_server_name or "", event.message or ""
    if event.mode == "url" or (event.mode is None and event.url):
        return _visit(server, message, event.url or "")
    if event.mode not in (None, "form"):
        return FormView(server, message, trouble=f"The server asks in a way that is not known here: {event.mode}.")
    try:
        return FormView(server, message, fields=tuple(_fields(event.requested_schema or {})))
    except _TroubleError as error:
        return FormView(server, message, trouble=str(error))


def _visit(server: str, message: str, url: str) -> FormView:
    try:
        parts = urlsplit(url)
        host = names.host(url) if parts.scheme in ("https", "http") and parts.hostname else ""
    except ValueError:
        host = ""
    # Browsers take a backslash for a slash, and then name another host than we do.
    trouble = "" if host and url.isprintable() and "\\" not in url else "This is not the address of a page."
    return FormView(server, message, mode="url", url=url, host=host, trouble=trouble)


def _fields(schema: Mapping[str, Any]) -> Iterator[FieldView]:
    if schema.get("type", "object") != "object":
        raise _TroubleError("The server asks for something else than a form.")
    _only(schema, _OF_FORM, "The form")
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list) or len(properties) > MOST_FIELDS:
        raise _TroubleError("The form's description cannot be read.")
    if missing := [name for name in required if not isinstance(name, str) or name not in properties]:
        raise _TroubleError(f"The form asks for “{missing[0]}” and does not say what that is.")
    for name, each in properties.items():
        if not isinstance(each, dict):
            raise _TroubleError(f"The field “{name}” cannot be read.")
        yield _field(name, _unwrapped(each), required=name in required)


def _unwrapped(schema: dict[str, Any]) -> dict[str, Any]:
    """Something or nothing is the same as a field that may be left empty."""
    either = schema.get("anyOf")
    if "type" in schema or not isinstance(either, list):
        return schema
    some = [each for each in either if isinstance(each, dict) and each.get("type") != "null"]
    if len(some) != 1 or len(some) == len(either):
        return schema
    return {**some[0], **{key: value for key, value in schema.items() if key != "anyOf"}}


def _field(name: str, schema: dict[str, Any], *, required: bool) -> FieldView:
    kind = schema.get("type", "string" if "enum" in schema or "oneOf" in schema else None)
    if not isinstance(kind, str) or kind not in _OF_TYPE:
        raise _TroubleError(f"The field “{name}” is of a kind that cannot be shown here.")
    _only(schema, _NOTES | _OF_TYPE[kind] | {"type"}, f"The field “{name}”")
    shown: dict[str, Any] = {
        "name": name,
        "title": _text(schema, "title"),
        "description": _text(schema, "description"),
        "required": required,
        "default": _default(kind, schema.get("default")),
    }
    if kind == "array":
        items = schema.get("items")
        options = _options(
            name, items if isinstance(items, dict) else {}, ("enum", "enumNames", "anyOf", "oneOf", "type")
        )
        if not options:
            raise _TroubleError(f"The field “{name}” is a list of anything, which cannot be shown here.")
        least, most = _whole(schema, "minItems", name), _whole(schema, "maxItems", name)
        return FieldView(kind="choices", options=options, min_length=least, max_length=most, **shown)
    if kind == "string" and ("enum" in schema or "oneOf" in schema):
        own: dict[str, Any] = {key: schema[key] for key in ("enum", "enumNames", "oneOf") if key in schema}
        return FieldView(kind="choice", options=_options(name, own, tuple(own)), **shown)
    pattern = _text(schema, "pattern")
    if pattern and not forms.is_tame(pattern):
        raise _TroubleError(f"The field “{name}” must fit a pattern that cannot be checked here.")
    label = f"{name} {shown['title']}"
    return FieldView(
        kind=_KINDS[kind],
        format=fmt if (fmt := _text(schema, "format")) in FORMATS else "",
        minimum=_number(schema, "minimum", name),
        maximum=_number(schema, "maximum", name),
        min_length=_whole(schema, "minLength", name),
        max_length=_whole(schema, "maxLength", name),
        pattern=pattern,
        secret=kind == "string"
        and bool(schema.get("writeOnly") or _text(schema, "format") == "password" or _SECRET.search(label)),
        **shown,
    )


def _default(kind: str, value: Any) -> Any:
    """Only where it is a valid value of the field."""
    if kind == "array":
        return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else None
    return value if isinstance(value, _VALUES[kind]) and (kind == "boolean" or not isinstance(value, bool)) else None


def _options(name: str, schema: dict[str, Any], allowed: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    _only(schema, frozenset(allowed), f"The field “{name}”")
    values, names = schema.get("enum"), schema.get("enumNames")
    if values is None:
        listed = schema.get("oneOf", schema.get("anyOf"))
        entries: list[Any] = listed if isinstance(listed, list) else []
        if not all(isinstance(each, dict) for each in entries):
            raise _TroubleError(f"The choices of “{name}” cannot be shown here.")
        for entry in entries:
            _only(entry, frozenset({"const", "title", "description"}), f"The field “{name}”")
        values = [entry.get("const") for entry in entries]
        names = [entry.get("title") for entry in entries]
    if not isinstance(values, list) or len(values) > MOST_OPTIONS or not all(isinstance(each, str) for each in values):
        raise _TroubleError(f"The choices of “{name}” cannot be shown here.")
    called = names if isinstance(names, list) and len(names) == len(values) else values
    return tuple((value, str(title) if title else value) for value, title in zip(values, called, strict=True))


def _only(schema: Mapping[str, Any], allowed: frozenset[str], subject: str) -> None:
    for key in schema:
        if key not in allowed and not key.startswith("x-"):
            raise _TroubleError(f"{subject} says “{key}”, and what that asks for is not known here.")


def _text(schema: dict[str, Any], key: str) -> str:
    value = schema.get(key)
    return value if isinstance(value, str) else ""


def _number(schema: dict[str, Any], key: str, name: str) -> float | None:
    value = schema.get(key)
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise _TroubleError(f"The field “{name}” has a limit that is no number.")
    return value


def _whole(schema: dict[str, Any], key: str, name: str) -> int | None:
    value = _number(schema, key, name)
    return None if value is None else int(value)
