"""Talk to a running hub over the desk socket.

Every verb imports this, and few need more than one kind of answer: the types of answers are imported where they are
read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from assent.client.wire import PATIENCE, Connection
from assent.errors import AssentError, HubUnreachableError
from assent.paths import Paths

if TYPE_CHECKING:
    from assent.client.snapshot import Snapshot
    from assent.protocol.card import AnswerRequest, AnswersRequest, Denial, Offer, ShownAsk, Taken
    from assent.protocol.decision import HostedTrial, Trial, TrialQuestion, Tried
    from assent.protocol.lasting import Given, PermissionKind
    from assent.protocol.queue import Goal, Queue
    from assent.protocol.session import Session
    from assent.views.decisions import DecisionRow
    from assent.views.feed import Row
    from assent.views.report import Counted

# A search looks at many records.
LONG_PATIENCE = 60.0
# Where it can be done without the hub.
SHORT_PATIENCE = 2.0
LARGEST_PAGE = 1_000
# A stream with beats says something every second; silence this long means that the hub is gone.
SILENCE = 3.0

Wanted = TypeVar("Wanted")
OnProgress = Callable[[dict[str, Any]], None]


class ApiError(AssentError):
    """The hub answered, and said no."""

    def __init__(self, status: int, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.code = code


class _Problem(msgspec.Struct):
    code: str
    message: str
    hint: str | None = None


class _ProblemBody(msgspec.Struct):
    error: _Problem


class _WorkLine(msgspec.Struct):
    so_far: dict[str, Any] = {}
    done: dict[str, Any] | None = None
    error: _Problem | None = None


class _Body(dict[str, Any]):
    """What a hub says. One of another version may not say all that is looked for."""

    def __missing__(self, _: str) -> Any:
        raise odd()


class Client:
    """One request, one connection: a hub that restarted in between is not noticed."""

    __slots__ = ("paths",)

    def __init__(self, paths: Paths) -> None:
        self.paths = paths

    def status(self) -> dict[str, Any]:
        return self._json("GET", "/api/status")

    def me(self) -> dict[str, Any]:
        """Who asks, and how far they may go: ``scope``."""
        return self._json("GET", "/api/me")

    def sessions(self, *, elsewhere: bool = False) -> list[Session]:
        """The hub's own, or those of other hubs that share its journal."""
        from assent.client.snapshot import SessionsBody

        path = "/api/sessions/elsewhere" if elsewhere else "/api/sessions"
        return _decoded(self._request("GET", path), SessionsBody).sessions

    def snapshot(self) -> Snapshot:
        """Asks newest first, those that wait and how the latest ended."""
        from assent.client.snapshot import Snapshot

        return _decoded(self._request("GET", "/api/snapshot"), Snapshot)

    def ask(self, name: str) -> ShownAsk:
        from assent.protocol.card import ShownAsk

        return _decoded(self._request("GET", f"/api/asks/{quote(name, safe='')}"), ShownAsk)

    def grants(self) -> list[Given]:
        """What people allowed for longer than once, the newest first."""
        from assent.client.bodies import GrantsBody

        return _decoded(self._request("GET", "/api/grants"), GrantsBody).grants

    def give(self, kind: PermissionKind, project: str, hours: int | None = None) -> Given:
        """Raises ApiError where it cannot be given."""
        from assent.protocol.lasting import Given

        wanted: dict[str, Any] = {"kind": kind, "project": project, **({"hours": hours} if hours else {})}
        return _decoded(self._request("POST", "/api/grants", wanted), Given)

    def take_back(self, name: str) -> None:
        self._json("DELETE", f"/api/grants/{quote(name, safe='')}")

    def offers(self, ask: str) -> list[Offer]:
        """What can be granted for longer with a yes."""
        from assent.client.bodies import OffersBody

        return _decoded(self._request("GET", f"/api/asks/{quote(ask, safe='')}/offers"), OffersBody).offers

    def denials(self, ask: str) -> list[Denial]:
        """The rules that would deny it from now on."""
        from assent.client.bodies import OffersBody

        return _decoded(self._request("GET", f"/api/asks/{quote(ask, safe='')}/offers"), OffersBody).denials

    def answer(self, ask: str, answer: AnswerRequest) -> int:
        """Returns once it is on record: how many more have to say yes. Raises ApiError with status 409 and the reason
        where it was not taken."""
        told = self._json("POST", f"/api/asks/{quote(ask, safe='')}/answer", answer)
        return int(told.get("missing", 0))

    def alike(self, ask: str) -> tuple[ShownAsk, ...]:
        """It and those that may be answered together with it; nothing where there is no other one."""
        from assent.protocol.card import AlikeAsks

        return _decoded(self._request("GET", f"/api/asks/{quote(ask, safe='')}/alike"), AlikeAsks).asks

    def answer_all(self, answers: AnswersRequest) -> tuple[Taken, ...]:
        """What became of each. Raises ApiError where none was answered."""
        from assent.protocol.card import TakenAnswers

        return _decoded(self._request("POST", "/api/asks/answers", answers), TakenAnswers).results

    def vouch(self, code: str) -> dict[str, Any]:
        """Vouch for what was refused with this code: its ``pid`` and ``name``."""
        return self._json("POST", "/api/confirm", {"code": code})

    def test_ask(self) -> None:
        """Send a test ask, which no agent waits for."""
        self._json("POST", "/api/asks/test", {})

    def feed(self, *, limit: int = 200, before: int | None = None, session: str = "") -> list[Row]:
        """Rows of the feed, or of one session in it, newest first."""
        from assent.client.bodies import FeedBody

        query = {"limit": limit} | ({"before": before} if before else {}) | ({"session": session} if session else {})
        return _decoded(self._request("GET", f"/api/feed?{urlencode(query)}"), FeedBody).rows

    def decisions(
        self, text: str = "", *, limit: int = 100, before: int | None = None
    ) -> tuple[list[DecisionRow], int | None]:
        """Decisions a filter wants, newest first, and where to look on. A page may be short, or empty."""
        from assent.client.bodies import DecisionsBody

        query = {"q": text, "limit": limit} | ({"before": before} if before else {})
        path = f"/api/decisions?{urlencode(query)}"
        page = _decoded(self._request("GET", path, patience=LONG_PATIENCE), DecisionsBody)
        return page.rows, page.before

    def rules(self, folder: str = "") -> dict[str, Any]:
        """The ``rules`` that hold there, each as listed, and ``troubles`` with files that cannot be read."""
        return self._json("GET", f"/api/rules?{urlencode({'cwd': folder} if folder else {})}", patience=LONG_PATIENCE)

    def add_rule(self, match: str, decision: str, reason: str = "") -> dict[str, Any]:
        """The ``file`` it stands in now."""
        return self._json("POST", "/api/rules", {"match": match, "decision": decision, "reason": reason})

    def remove_rule(self, rule: dict[str, Any], folder: str = "") -> dict[str, Any]:
        """One that was listed, if it still stands there."""
        wanted = {name: rule[name] for name in ("file", "number", "match", "decision")}
        return self._json("DELETE", f"/api/rules?{urlencode({'cwd': folder})}", wanted, patience=LONG_PATIENCE)

    def review(self) -> dict[str, Any]:
        """The rules that would have saved the most asks."""
        return self._json("GET", "/api/review", patience=LONG_PATIENCE)

    def setup(self) -> dict[str, Any]:
        """The first steps: the files that hooks were written to, ``installed``, ``event_seen``, ``second_screen``."""
        return self._json("GET", "/api/setup")

    def settings(self) -> dict[str, Any]:
        """Those in force, ``settings``, and the ``file`` they can be changed in."""
        return self._json("GET", "/api/settings")

    def change_settings(self, wanted: dict[str, str]) -> str:
        """Some of them, by their dotted names; the file they stand in."""
        return str(self._json("PATCH", "/api/settings", wanted)["file"])

    def search(
        self, text: str = "", *, limit: int, before: int | None, hub: str | None = None
    ) -> tuple[list[dict[str, Any]], int | None]:
        """The newest records a filter wants, oldest first, each with its ``line``; also the number before which
        nothing was looked at, if the hub ended the search early. ``hub`` names another one's records."""
        query = {"q": text, "limit": limit} | ({"before": before} if before else {}) | ({"hub": hub} if hub else {})
        page = self._json("GET", f"/api/log?{urlencode(query)}", patience=LONG_PATIENCE)
        return page["records"], page.get("unseen_before")

    def search_all(self, text: str = "", *, limit: int, before: str = "") -> tuple[list[dict[str, Any]], str]:
        """The same of all hubs that share the journal, by time, each with its ``machine``; also where to go on."""
        query = urlencode({"q": text, "limit": limit, "before": before})
        page = self._json("GET", f"/api/log/all?{query}", patience=LONG_PATIENCE)
        return page["records"], page["before"] or ""

    def story(self, name: str, hub: str | None = None) -> list[dict[str, Any]]:
        """All records of a call, by its id, the beginning of it, or the numbers of records with commas between them."""
        query = f"?{urlencode({'hub': hub})}" if hub else ""
        page = self._json("GET", f"/api/log/{quote(name, safe='')}{query}", patience=LONG_PATIENCE)
        return list(page["records"])

    def verify(self, against: str | None = None) -> dict[str, Any]:
        """What a walk over the whole chain found: ``head``, ``against``, ``broken``; the same of ``others``."""
        query = f"?{urlencode({'against': against})}" if against else ""
        return self._json("GET", f"/api/log/verify{query}", patience=None)

    def heads(self) -> list[dict[str, Any]]:
        return list(self._json("GET", "/api/log/heads")["heads"])

    def stats(self, *, since: str = "", until: str = "", project: str = "") -> Counted:
        """What happened each day; empty words leave it to the hub, which tells the last 30 days of all projects."""
        from assent.views.report import Counted

        words = {"since": since, "until": until, "project": project}
        query = urlencode({name: word for name, word in words.items() if word})
        return _decoded(self._request("GET", f"/api/stats?{query}", patience=LONG_PATIENCE), Counted)

    def prune(
        self, *, keep: str | None, max_size: str | None, dry_run: bool, on_progress: OnProgress
    ) -> dict[str, Any]:
        """What was removed, or would be; without limits by those in the settings."""
        return self._work("/api/log/prune", {"keep": keep, "max_size": max_size, "dry_run": dry_run}, on_progress)

    def backup(self, file: str | None, on_progress: OnProgress) -> dict[str, Any]:
        """The ``file`` of the copy, its ``size``, and how the check of its chain ended."""
        return self._work("/api/log/backup", {"file": file}, on_progress)

    def try_(self, question: TrialQuestion) -> Trial:
        """What the hub would decide about this call. Nothing is run or recorded."""
        from assent.protocol.decision import Trial

        return _decoded(self._request("POST", "/api/try", question), Trial)

    def try_here(self, trial: HostedTrial) -> Tried:
        """The same as this process would judge it. Raises AssentError where the hub would not judge as this does."""
        from assent.protocol.decision import Tried

        return _decoded(self._request("POST", "/api/try/here", trial, patience=SHORT_PATIENCE), Tried)

    def queue(self, session: str) -> Queue:
        """What a session is to do next."""
        return self._queue("GET", session)

    def queue_add(self, session: str, text: str, to: Goal = "stop") -> Queue:
        from assent.protocol.queue import NewItem

        return self._queue("POST", session, body=NewItem(text, to))

    def queue_change(self, session: str, item: str, *, text: str | None = None, place: int | None = None) -> Queue:
        """Other words, another place (counted from 1), or both."""
        from assent.protocol.queue import ItemChange

        return self._queue("PATCH", session, item, ItemChange(text, place))

    def queue_remove(self, session: str, item: str) -> Queue:
        return self._queue("DELETE", session, item)

    def _queue(self, method: str, session: str, item: str = "", body: object = None) -> Queue:
        from assent.protocol.queue import Queue

        path = f"/api/sessions/{quote(session, safe='')}/queue" + (f"/{quote(item, safe='')}" if item else "")
        return _decoded(self._request(method, path, body), Queue)

    def jump(self, session: str, origin: str = "") -> dict[str, Any]:
        """Switch the person's tmux to the session's pane, from the pane ``origin``: ``moved``, ``words`` about it."""
        return self._json("POST", f"/api/sessions/{quote(session, safe='')}/jump", {"origin": origin})

    def presence(self) -> dict[str, Any]:
        """Where the person is: ``away``, ``away_until``, ``quiet_until``, ``at_desk``, ``why``, ``reachable`` …"""
        return self._json("GET", "/api/presence")

    def go_away(self, seconds: float | None) -> dict[str, Any]:
        """For so long, or until ``come_back``."""
        return self._json("PUT", "/api/presence", {"away": True, "seconds": seconds})

    def be_quiet(self, wish: float | Literal["morning"]) -> dict[str, Any]:
        """No push for so many seconds, or until morning; 0 ends it."""
        return self._json("PUT", "/api/presence", {"quiet": wish})

    def looking(self, *, focused: bool) -> None:
        """Report whether this screen has focus: then no other one has to notify."""
        self._json("PUT", "/api/presence", {"focused": focused})

    def come_back(self) -> dict[str, Any]:
        return self._json("PUT", "/api/presence", {"away": False})

    def surfaces(self) -> list[dict[str, Any]]:
        """What can be connected, each with ``name``, ``title``, ``state``, ``words`` and ``after``."""
        return list(self._json("GET", "/api/connect")["surfaces"])

    def surface(self, name: str) -> dict[str, Any]:
        """One of them, also with its ``secrets`` and a ``guide``."""
        return self._json("GET", f"/api/connect/{quote(name, safe='')}")

    def connect(self, name: str, secrets: dict[str, str], settings: dict[str, Any]) -> dict[str, Any]:
        """What its service ``said``, what is left ``todo``, where secrets are ``kept``, what the ``ladder`` has now."""
        wanted = {"secrets": secrets, "settings": settings}
        return self._json("PUT", f"/api/connect/{quote(name, safe='')}", wanted, patience=LONG_PATIENCE)

    def disconnect(self, name: str) -> dict[str, Any]:
        """What could not be forgotten: ``left``."""
        return self._json("DELETE", f"/api/connect/{quote(name, safe='')}", patience=LONG_PATIENCE)

    def check_surfaces(self) -> list[dict[str, Any]]:
        """Those that are connected, each asked how it is: what it ``said``, or ``why`` it does not work."""
        surfaces: list[dict[str, Any]] = self._json("POST", "/api/connect/check", {}, patience=LONG_PATIENCE)[
            "surfaces"
        ]
        return surfaces

    def try_surface(self, name: str) -> str:
        """Show a test ask there; the name of this test."""
        return str(self._json("POST", f"/api/connect/{quote(name, safe='')}/test", {})["test"])

    def tried_surface(self, name: str, test: str) -> dict[str, Any]:
        """How far it got: ``state``, ``words``, the ``surface`` it was answered on."""
        return self._json("GET", f"/api/connect/{quote(name, safe='')}/test/{quote(test, safe='')}")

    def team(self) -> dict[str, Any] | None:
        """The team of this hub and how its link stands: ``state``, ``since``, ``why`` …; None where it is in none."""
        told: dict[str, Any] | None = self._json("GET", "/api/team")["team"]
        return told

    def team_reload(self) -> dict[str, Any] | None:
        """The same after the hub looked again at which team it is in."""
        told: dict[str, Any] | None = self._json("POST", "/api/team/reload")["team"]
        return told

    def pause(self, seconds: float) -> float:
        """Seconds the policy now stays silent; 0 resumes."""
        return float(self._json("PUT", "/api/pause", {"seconds": seconds})["paused_for"])

    def stop(self) -> None:
        """End the hub and keep it stopped; raises where this caller may not, or the mark cannot be written."""
        self._json("POST", "/api/stop")

    def invite(self, *, name: str = "", scope: str | None = None) -> dict[str, Any]:
        """An address that lets another machine in, once: ``url``, ``qr``, ``expires``, ``invitation``, ``note``."""
        wanted = {"for": "phone", "name": name} | ({"scope": scope} if scope else {})
        return self._json("POST", "/api/pair", wanted)

    def pending(self) -> list[dict[str, Any]]:
        """Devices that wait until their ``words`` have been compared."""
        waiting: list[dict[str, Any]] = self._json("GET", "/api/pair/pending")["pending"]
        return waiting

    def confirm(self, device: str, *, match: bool) -> dict[str, Any]:
        return self._json("POST", "/api/pair/confirm", {"id": device, "match": match})

    def devices(self) -> list[dict[str, Any]]:
        return list(self._json("GET", "/api/devices")["devices"])

    def rename(self, device: str, name: str) -> dict[str, Any]:
        return dict(self._json("PATCH", f"/api/devices/{quote(device, safe='')}", {"name": name})["device"])

    def revoke(self, device: str) -> dict[str, Any]:
        return dict(self._json("DELETE", f"/api/devices/{quote(device, safe='')}")["device"])

    def pair(self) -> str:
        """A code that opens the page once, within two minutes."""
        return str(self._json("POST", "/api/pair")["code"])

    def healthy(self) -> bool:
        try:
            return self._json("GET", "/healthz").get("ok") is True
        except AssentError:
            return False

    def stream(
        self,
        since: int = 0,
        *,
        with_views: bool = False,
        beats: bool = False,
        screen: str = "",
        is_seen: bool = True,
    ) -> Iterator[dict[str, Any]]:
        """Records after this seq (0: from now on) as they happen; with views also what each changed on a screen, which
        makes the reader one an ask reaches, under the name of its ``screen``, unless it is not seen by a person. With
        beats there is also the hub's time while nothing happens, and which ``screens`` are open. Ends when the hub
        stops or falls silent."""
        query = {"since": since, "rows": int(with_views), "beat": int(beats), "seen": int(is_seen), "screen": screen}
        connection = Connection(str(self.paths.desk_socket), timeout=SILENCE if beats else None)
        try:
            yield from _records(_sent(connection, "GET", f"/api/stream?{urlencode(query)}", None))
        except OSError:
            # The hub went in mid-sentence; what came whole was handed on.
            return
        finally:
            connection.close()

    def _work(self, path: str, wanted: object, on_progress: OnProgress) -> dict[str, Any]:
        """Something that takes a while: a line for each part that is done, then one with the result."""
        connection = Connection(str(self.paths.desk_socket), timeout=None)
        try:
            for raw in _sent(connection, "POST", path, wanted).lines():
                line = _decoded(raw, _WorkLine)
                if line.error:
                    raise ApiError(200, line.error.code, line.error.message, line.error.hint)
                if line.done is not None:
                    return line.done
                on_progress(line.so_far)
        except OSError as error:
            raise _unreachable(error) from error
        finally:
            connection.close()
        raise HubUnreachableError("The hub stopped before it was done.", hint="`assent up` starts it; then try again.")

    def _json(
        self, method: str, path: str, body: object = None, *, patience: float | None = PATIENCE
    ) -> dict[str, Any]:
        return _Body(_decoded(self._request(method, path, body, patience=patience), dict[str, Any]))

    def _request(self, method: str, path: str, body: object = None, *, patience: float | None = PATIENCE) -> bytes:
        connection = Connection(str(self.paths.desk_socket), timeout=patience)
        try:
            return _sent(connection, method, path, body).read()
        except OSError as error:
            raise _unreachable(error) from error
        finally:
            connection.close()


def _sent(connection: Connection, method: str, path: str, body: object) -> Connection:
    """With the answer to be read."""
    encoded = None if body is None else msgspec.json.encode(body)
    try:
        connection.send(method, path, encoded)
    except OSError as error:
        raise _unreachable(error) from error
    if connection.status >= 400:
        raise _said_no(connection)
    return connection


def _said_no(response: Connection) -> ApiError:
    try:
        problem = msgspec.json.decode(response.read(), type=_ProblemBody).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        said = f"The hub failed to answer (HTTP {response.status})."
        return ApiError(response.status, "failed", said, "`assent doctor` looks for the reason.")
    return ApiError(response.status, problem.code, problem.message, problem.hint)


def _decoded(body: bytes, kind: type[Wanted]) -> Wanted:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise odd() from None


def odd() -> ApiError:
    """A hub of another version, or something else at its socket."""
    return ApiError(200, "odd", "The hub's answer cannot be read.", "`assent restart` gives you a hub of this version.")


def _unreachable(error: Exception) -> HubUnreachableError:
    if isinstance(error, TimeoutError):
        return HubUnreachableError("The hub does not answer.", hint="`assent restart` replaces it.")
    if isinstance(error, PermissionError):
        hint = "set ASSENT_HOME, or run this as that user."
        return HubUnreachableError("The hub's socket belongs to another user.", hint=hint)
    return HubUnreachableError("No hub is running.", hint="`assent up` starts it.")


def _records(response: Connection) -> Iterator[dict[str, Any]]:
    """Server-sent events: what stands in data lines until a blank one ends it. Comments only keep the line open."""
    data: list[bytes] = []
    for line in response.lines():
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield _decoded(b"\n".join(data), dict[str, Any])
            data.clear()
