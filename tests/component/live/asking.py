"""What a client would send to a scripted model, and what it gets."""

import json
import urllib.request
from typing import Any

from assent.live.model import ScriptedModel


def post(model: ScriptedModel, path: str, body: dict[str, Any]) -> str:
    data = json.dumps(body).encode()
    request = urllib.request.Request(f"{model.url}{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        text: str = reply.read().decode()
    return text


def whole(model: ScriptedModel, path: str, body: dict[str, Any]) -> Any:
    return json.loads(post(model, path, body))


def streamed(model: ScriptedModel, path: str, body: dict[str, Any]) -> list[Any]:
    """The values of its events; what ends the stream is left out."""
    lines = post(model, path, body).splitlines()
    values = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return [json.loads(value) for value in values if value != "[DONE]"]
