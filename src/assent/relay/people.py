"""What identity providers say of those who join: persons at one provider, workloads at others."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from assent.protocol.team import LONGEST_PROOF_MS, Identity, Proof
from assent.relay.settings import Settings
from assent.team.trust import Trust, UntrustedError
from assent.webapi.endpoint import ProblemError
from assent.webapi.signature import unpacked


class _Times(Struct):
    iss: str
    aud: str | list[str]
    iat: float


class People:
    def __init__(self, settings: Settings) -> None:
        people = settings.people
        self._trust = Trust(people.issuer, people.client_id, people.groups_claim)
        # By issuer and audience: a token for one of them is none for the others.
        self._workloads: dict[tuple[str, str], Trust] = {}
        for workload in settings.workloads:
            place = workload.issuer, workload.audience
            names = (*(self._workloads[place].workloads if place in self._workloads else ()), *workload.names)
            self._workloads[place] = Trust(*place, workloads=names)

    async def person(self, proof: Proof, now: int) -> tuple[Identity, int]:
        """Who it is, and when their provider said so. Raises ProblemError."""
        try:
            identity = await self._trust.identity(proof, now, LONGEST_PROOF_MS)
        except UntrustedError as error:
            raise _refusal(error) from None
        return identity, min(now, _read(proof.fresh or proof.token).iat_ms)

    async def workload(self, token: str, now: int) -> tuple[Identity, int]:
        """Raises ProblemError."""
        read = _read(token)
        audience = [read.audience] if isinstance(read.audience, str) else read.audience
        trust = next(
            (self._workloads[place] for one in audience if (place := (read.issuer, one)) in self._workloads), None
        )
        if trust is None:
            raise ProblemError(
                403,
                "wrong-workload",
                "Workloads of this issuer and audience may not join the team.",
                hint="the relay's settings list those that may, in [[workloads]].",
            )
        try:
            return await trust.workload(token, now), min(now, read.iat_ms)
        except UntrustedError as error:
            raise _refusal(error) from None

    async def close(self) -> None:
        for trust in (self._trust, *self._workloads.values()):
            await trust.close()


class _Read(Struct, frozen=True):
    issuer: str
    audience: str | Sequence[str]
    iat_ms: int


def _read(token: str) -> _Read:
    """What a token says of itself; whether that is true is for Trust."""
    content = unpacked(token.split(".")[1]) if token.count(".") == 2 else None
    try:
        times = msgspec.json.decode(content or b"", type=_Times)
        return _Read(times.iss, times.aud, int(times.iat * 1000))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError, ValueError):
        raise ProblemError(403, "bad-token", "This is no signed token.") from None


def _refusal(error: UntrustedError) -> ProblemError:
    # 503: nothing is wrong with who asks, and it may go well in a moment.
    return ProblemError(503 if error.code == "no-keys" else 403, error.code, error.message, hint=error.hint)
