"""The description of the API."""

import re
from collections.abc import Iterator
from typing import Any

from tests.component.hub_process import HubProcess


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_document_describes_every_route_with_its_scope(hub: HubProcess) -> None:
    """Authors of clients find what there is and what it needs."""
    status, document = hub.api("GET", "/openapi.json")
    assert status == 200
    assert document["openapi"].startswith("3.1")
    paths = document["paths"]
    assert paths["/api/asks/{id}/answer"]["post"]["x-scope"] == "deny"
    assert paths["/hook/{harness}"]["post"]["x-scope"] == "post"
    assert {
        "/api/snapshot",
        "/api/stream",
        "/api/feed",
        "/api/log",
        "/api/stats",
        "/api/try",
        "/api/presence",
    } <= paths.keys()
    for path, operations in paths.items():
        for operation in operations.values():
            assert operation["summary"]
            named = {parameter["name"] for parameter in operation.get("parameters", [])}
            assert named == set(re.findall(r"\{(\w+)\}", path))


def test_document_refers_to_nothing_it_does_not_hold(hub: HubProcess) -> None:
    """Every form that is named is there."""
    document = hub.api("GET", "/openapi.json")[1]
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= known
    assert "#/components/schemas/AnswerRequest" in known


def test_document_needs_no_key(hub: HubProcess) -> None:
    """It says nothing that the source does not say."""
    assert hub.raw("GET", "/openapi.json")[0] == 200
