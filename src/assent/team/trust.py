"""What an identity provider says of people and workloads, checked here and not by those who pass it on.

A proof counts where the provider's own signature, its issuer, the team's client, the key it names and its age are
right. The algorithms are RS256, PS256 and ES256; which of them is decided by the provider's key, not by the token."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assent.errors import AssentError
from assent.protocol.team import LONGEST_PROOF_MS, Identity, Proof, TeamInfo
from assent.team.keys import BadKeyError, binding, packed
from assent.team.provider import Provider, decoded
from assent.team.provider_keys import NoKeysError, ProviderKeys
from assent.webapi.signature import unpacked

LARGEST_TOKEN = 16 << 10
MOST_GROUPS, LONGEST_GROUP = 1_000, 256
LONGEST_MAIL, LONGEST_NAME, LONGEST_SUBJECT = 254, 200, 255
# How far ahead the provider's clock may be.
SKEW_MS = 120_000


class UntrustedError(AssentError):
    """What was said of a person or a workload does not count; ``code`` is for programs."""

    def __init__(self, code: str, why: str, *, hint: str | None = None) -> None:
        super().__init__(why, hint=hint)
        self.code = code

    @property
    def why(self) -> str:
        return self.message


class _Header(Struct):
    alg: str
    kid: str | None = None
    typ: str = "JWT"
    # Extensions that a reader has to know; none are known here.
    crit: Any = None
    # The bytes stand as they are, not in base64 (RFC 7797).
    b64: bool = True


class _Claims(Struct):
    iss: str
    sub: str
    aud: str | list[str]
    iat: int | float
    exp: int | float
    nbf: int | float = 0
    azp: str | None = None
    nonce: str | None = None
    # Some providers say what kind of token it is; access tokens and notes about ended sessions are none of ours.
    typ: str = "ID"
    events: Any = None
    email: Any = None
    email_verified: Any = None
    name: Any = None


@dataclass(frozen=True, slots=True)
class _Token:
    header: _Header
    claims: _Claims
    # Every claim by its name, for those that a team names itself.
    named: dict[str, Any]
    content: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Workload:
    """Jobs that may join without a person: ``https://issuer subject``, where * stands for anything in the subject."""

    issuer: str
    subject: str

    @classmethod
    def parsed(cls, text: str) -> "Workload | None":
        issuer, _, subject = text.partition(" ")
        return cls(issuer, subject) if issuer and subject and " " not in subject else None

    def is_for(self, issuer: str, subject: str) -> bool:
        pattern = ".*".join(re.escape(part) for part in self.subject.split("*"))
        return issuer == self.issuer and re.fullmatch(pattern, subject) is not None


@dataclass(slots=True)
class Trust:
    """One team's identity provider, and those of its workloads. ``close`` it when it is not needed any more."""

    issuer: str
    client_id: str
    groups_claim: str = "groups"
    # As ``Workload`` reads them. The audience of their tokens is the client's id.
    workloads: tuple[str, ...] = ()
    # Where the providers' keys are kept between runs.
    folder: Path | None = None
    client_secret: str = ""
    # Of an authority that this machine does not know.
    ca_file: str | None = None
    _keys: dict[str, ProviderKeys] = field(default_factory=dict)

    @classmethod
    def of(cls, info: TeamInfo, folder: Path | None = None, ca_file: str | None = None) -> "Trust":
        return cls(info.issuer, info.client_id, info.groups_claim, info.workloads, folder, info.client_secret, ca_file)

    @property
    def provider(self) -> Provider:
        return Provider(self.issuer, self.ca_file)

    async def identity(self, proof: Proof, now_ms: int, longest: int = LONGEST_PROOF_MS) -> Identity:
        """Whose key it is. Raises UntrustedError."""
        bound, nonce = await self._bound(proof, now_ms)
        newest = bound
        if proof.fresh:
            newest = await self._from_provider(proof.fresh, now_ms)
            if newest.claims.sub != bound.claims.sub:
                raise UntrustedError("other-person", "The newer token of this proof is of another person.")
            if newest.claims.nonce not in (None, nonce):
                raise UntrustedError("wrong-key", "The newer token of this proof names another key.")
        if (age := now_ms - round(newest.claims.iat * 1000)) > longest:
            raise UntrustedError(
                "proof-too-old",
                f"What the identity provider said of this person is {age // 3_600_000} hours old; "
                f"{longest // 3_600_000} are allowed.",
                hint="their machine has to reach the identity provider; `assent team sign-in` signs in again.",
            )
        return self._person(newest, bound)

    async def check_key(self, proof: Proof, now_ms: int) -> None:
        """Whether the key is this person's, however old that is. Raises UntrustedError."""
        await self._bound(proof, now_ms)

    async def workload(self, token: str, now_ms: int) -> Identity:
        """Raises UntrustedError."""
        read = _parsed(token)
        claims = read.claims
        allowed = [workload for text in self.workloads if (workload := Workload.parsed(text))]
        if not any(workload.issuer == claims.iss for workload in allowed):
            raise UntrustedError(
                "wrong-issuer",
                f"Workloads of {_short(claims.iss)} may not join this team.",
                hint="the relay's settings list the issuers and subjects that may.",
            )
        await self._check(read, claims.iss, now_ms)
        if not any(workload.is_for(claims.iss, claims.sub) for workload in allowed):
            raise UntrustedError(
                "wrong-workload",
                f"The workload {_short(claims.sub)} may not join this team.",
                hint="the relay's settings list the subjects that may.",
            )
        if now_ms > claims.exp * 1000 + SKEW_MS or now_ms - claims.iat * 1000 > LONGEST_PROOF_MS:
            raise UntrustedError("proof-too-old", "The workload's token is too old.", hint="ask for one just before.")
        return Identity(claims.iss, claims.sub, name=_workload_name(read.named))

    async def close(self) -> None:
        for keys in self._keys.values():
            await keys.close()

    async def _bound(self, proof: Proof, now_ms: int) -> tuple[_Token, str]:
        try:
            nonce = binding(proof.key, proof.salt)
        except BadKeyError as error:
            raise UntrustedError("bad-proof", f"The proof cannot be read: {error}.") from None
        bound = await self._from_provider(proof.token, now_ms)
        if bound.claims.nonce != nonce:
            raise UntrustedError(
                "wrong-key",
                "The token of this proof names another key, or none.",
                hint="`assent team sign-in` makes one for this machine's key.",
            )
        return bound, nonce

    async def _from_provider(self, token: str, now_ms: int) -> _Token:
        read = _parsed(token)
        if read.claims.iss != self.issuer:
            raise UntrustedError(
                "wrong-issuer", f"The token is from {_short(read.claims.iss)}; this team signs in at {self.issuer}."
            )
        await self._check(read, self.issuer, now_ms)
        return read

    async def _check(self, token: _Token, issuer: str, now_ms: int) -> None:
        """What all tokens have to have; ``issuer`` is one of ours."""
        header, claims = token.header, token.claims
        if header.alg not in ("RS256", "PS256", "ES256"):
            raise UntrustedError("bad-algorithm", f"A token signed by {_short(header.alg)} does not count.")
        if issuer not in self._keys:
            self._keys[issuer] = ProviderKeys(Provider(issuer, self.ca_file), self.folder)
        try:
            keys = await self._keys[issuer].matching(header.kid, header.alg, now_ms)
        except NoKeysError as error:
            raise UntrustedError("no-keys", error.message, hint=error.hint) from error
        if not keys:
            raise UntrustedError(
                "unknown-key",
                f"The token is signed by a key that {issuer} does not have, or no longer has.",
                hint="`assent team sign-in` gets a token of today's key.",
            )
        if not any(key.has_signed(header.alg, token.content, token.signature) for key in keys):
            raise UntrustedError("bad-signature", f"The token is not signed by {issuer}.")
        audience = [claims.aud] if isinstance(claims.aud, str) else claims.aud
        is_ours = audience == [self.client_id] or (self.client_id in audience and claims.azp == self.client_id)
        if not is_ours or claims.azp not in (None, self.client_id):
            raise UntrustedError(
                "wrong-audience",
                f"The token is for {_short(', '.join(audience))}, not for this team's client {self.client_id}.",
            )
        if max(claims.iat, claims.nbf) * 1000 > now_ms + SKEW_MS:
            raise UntrustedError(
                "from-the-future",
                "The token was made later than now.",
                hint="set the clock of this machine, or of the identity provider.",
            )

    def _person(self, newest: _Token, bound: _Token) -> Identity:
        claims = newest.claims
        is_verified = claims.email_verified is True or claims.email_verified == "true"
        return Identity(
            self.issuer,
            claims.sub,
            # One that was not verified could be a colleague's.
            _mail(claims.email) if is_verified else "",
            _line(claims.name) or _line(bound.claims.name),
            self._groups(newest.named.get(self.groups_claim)),
        )

    def _groups(self, claim: Any) -> tuple[str, ...]:
        if claim is None:
            return ()
        if not isinstance(claim, list) or not all(isinstance(group, str) for group in claim):
            raise UntrustedError(
                "bad-groups",
                f"The claim {self.groups_claim!r} of the token is no list of names.",
                hint="the relay's setting groups_claim names another one, or the provider has to send a list.",
            )
        if len(claim) > MOST_GROUPS:
            raise UntrustedError(
                "bad-groups",
                f"The token names more than {MOST_GROUPS} groups.",
                hint="let the provider send those that this client needs.",
            )
        return tuple(dict.fromkeys(group for group in claim if 0 < len(group) <= LONGEST_GROUP and group.isprintable()))


def _parsed(token: str) -> _Token:
    """What a token says before anything of it is known to be true. Raises UntrustedError."""
    if len(token) > LARGEST_TOKEN:
        raise UntrustedError(
            "bad-token",
            f"The token is larger than {LARGEST_TOKEN >> 10} KiB.",
            hint="let the provider send fewer groups.",
        )
    parts = [unpacked(part) for part in token.split(".")] if token.isascii() else []
    match parts:
        case [bytes(header), bytes(claims), bytes(signature)] if (
            ".".join(map(packed, (header, claims, signature))) == token
        ):
            pass
        case _:
            raise UntrustedError("bad-token", "This is no signed token.")
    try:
        head = decoded(header, _Header)
        named: dict[str, Any] = decoded(claims, dict)
        read = msgspec.convert(named, _Claims)
    except (ValueError, msgspec.ValidationError) as error:
        raise UntrustedError("bad-token", f"The token cannot be read: {error}.") from None
    _check_kind(head, read)
    content, _, _ = token.rpartition(".")
    return _Token(head, read, named, content.encode(), signature)


def _check_kind(header: _Header, claims: _Claims) -> None:
    is_id_token = (
        header.typ.upper() == "JWT"
        and claims.typ == "ID"
        and claims.events is None
        and header.crit is None
        and header.b64
    )
    if not is_id_token:
        raise UntrustedError("bad-token", "This is a token of another kind, not an ID token.")
    is_subject = 0 < len(claims.sub) <= LONGEST_SUBJECT and claims.sub.isprintable()
    if not is_subject or not all(0 <= moment < 1 << 40 for moment in (claims.iat, claims.exp, claims.nbf)):
        raise UntrustedError("bad-token", "The token names no person, or no time.")
    if claims.exp < claims.iat:
        raise UntrustedError("bad-token", "The token was over before it was made.")


def _mail(claim: Any) -> str:
    is_mail = isinstance(claim, str) and 0 < len(claim) <= LONGEST_MAIL and claim.isprintable() and "@" in claim
    return claim if is_mail and " " not in claim else ""


def _line(claim: Any) -> str:
    return claim[:LONGEST_NAME].strip() if isinstance(claim, str) and claim[:LONGEST_NAME].isprintable() else ""


def _workload_name(named: dict[str, Any]) -> str:
    """For people; "acme/app, deploy" rather than the long subject."""
    return ", ".join(_names(named, ("repository", "project_path"), ("workflow", "ref")))


def _names(named: dict[str, Any], *alternatives: tuple[str, ...]) -> Iterable[str]:
    for names in alternatives:
        if found := next((line for name in names if (line := _line(named.get(name)))), ""):
            yield found


def _short(text: str) -> str:
    return repr(text[:100])
