"""The hub's API described for programs: made from the table of routes itself, so that it cannot leave one out."""

import inspect
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from assent._version import __version__
from assent.hub.api.log import Decided
from assent.hub.api.presence import PresenceRequest, SubscribeRequest
from assent.hub.api.rules import NewRule, OldRule
from assent.protocol.card import AlikeAsks, AnswerRequest, AnswersRequest, Offer, ShownAsk, TakenAnswers
from assent.protocol.decision import HostedTrial, Trial, TrialQuestion, Tried
from assent.protocol.queue import Queue, StatusLine
from assent.protocol.session import Session
from assent.protocol.surfaces import Scope
from assent.views.report import Counted
from assent.webapi.endpoint import Endpoint, Route

Described = Route

_API = re.compile(r"/(api|hook|v1|healthz|openapi)")
_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_REF = "#/components/schemas/{name}"


class Offers(msgspec.Struct):
    offers: list[Offer]


class Sessions(msgspec.Struct):
    sessions: list[Session]


class Problem(msgspec.Struct):
    """What went wrong, in a word for programs and a sentence for people."""

    code: str
    message: str
    hint: str | None = None


class ProblemBody(msgspec.Struct):
    error: Problem


TAKES: dict[tuple[str, str], Any] = {
    ("POST", "/api/asks/answers"): AnswersRequest,
    ("POST", "/api/asks/{id}/answer"): AnswerRequest,
    ("POST", "/api/rules"): NewRule,
    ("PUT", "/api/presence"): PresenceRequest,
    ("PUT", "/api/push"): SubscribeRequest,
    ("DELETE", "/api/rules"): OldRule,
    ("POST", "/api/try"): TrialQuestion,
    ("POST", "/api/try/here"): HostedTrial,
}
GIVES: dict[tuple[str, str], Any] = {
    ("GET", "/api/asks/{id}"): ShownAsk,
    ("GET", "/api/asks/{id}/alike"): AlikeAsks,
    ("GET", "/api/asks/{id}/offers"): Offers,
    ("GET", "/api/decisions"): Decided,
    ("GET", "/api/line"): StatusLine,
    ("GET", "/api/sessions"): Sessions,
    ("GET", "/api/sessions/elsewhere"): Sessions,
    ("GET", "/api/sessions/{id}"): Session,
    ("GET", "/api/sessions/{id}/queue"): Queue,
    ("GET", "/api/stats"): Counted,
    ("POST", "/api/asks/answers"): TakenAnswers,
    ("POST", "/api/try"): Trial,
    ("POST", "/api/try/here"): Tried,
}


def document(routes: Iterable[Described]) -> bytes:
    kinds = tuple({*TAKES.values(), *GIVES.values(), ProblemBody})
    forms, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    form_of = dict(zip(kinds, forms, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for method, path, scope, endpoint in routes:
        if _API.match(path):
            operation = _operation(method, path, scope, endpoint, form_of)
            paths.setdefault(_PARAMETER.sub(r"{\1}", path), {})[method.lower()] = operation
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Assent hub",
            "version": __version__,
            "description": (
                "Served on the desk socket and on loopback. Reading over TCP takes the page's cookie; whatever changes "
                "something is signed by a paired device. `x-scope` is the least scope a request needs."
            ),
        },
        "paths": paths,
        "components": {"schemas": components},
    }
    return msgspec.json.encode(whole)


def _operation(
    method: str, path: str, scope: Scope, endpoint: Endpoint, form_of: dict[Any, dict[str, Any]]
) -> dict[str, Any]:
    doc = inspect.getdoc(endpoint) or ""
    summary, _, rest = doc.partition("\n\n")
    takes, gives = TAKES.get((method, path)), GIVES.get((method, path))
    good: dict[str, Any] = {"description": "Done."}
    if gives is not None:
        good["content"] = _json(form_of[gives])
    operation: dict[str, Any] = {
        "summary": " ".join(summary.split()) or f"{method} {path}",
        "x-scope": scope.word,
        "responses": {"2XX": good, "4XX": {"description": "Refused.", "content": _json(form_of[ProblemBody])}},
    }
    if rest:
        operation["description"] = rest
    names = _PARAMETER.findall(path)
    if names:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
        ]
    if takes is not None:
        operation["requestBody"] = {"required": True, "content": _json(form_of[takes])}
    return operation


def _json(form: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": form}}
