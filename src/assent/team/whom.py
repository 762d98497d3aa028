"""Who may answer: the owner of a session, one person, or a group, as rules and asks name them."""

from collections.abc import Iterable

from assent.protocol.team import Identity, Whom

OWNER: Whom = "owner"
PERSON, GROUP = "person:", "group:"
LONGEST = 256


def problem(whom: Whom) -> str:
    """What is wrong with the way people are named, and how it is done; "" if nothing is."""
    name = whom.partition(":")[2]
    if len(whom) > LONGEST:
        return f"a name of more than {LONGEST} characters"
    if not whom.isprintable() or name != name.strip():
        return f"{whom!r} holds spaces or characters that cannot be seen"
    if whom == OWNER or (whom.startswith((PERSON, GROUP)) and name):
        return ""
    return f'{whom!r} names no one: write "owner", "person:ada@example.org" or "group:sre-oncall"'


def is_whom(whom: Whom, identity: Identity, owner: Identity | None) -> bool:
    """Whether this person is meant. A name that is not well formed means no one; a workload's hub has no owner."""
    if problem(whom):
        return False
    if whom == OWNER:
        return owner is not None and (identity.issuer, identity.subject) == (owner.issuer, owner.subject)
    name = whom.partition(":")[2]
    if whom.startswith(GROUP):
        return name in identity.groups
    return name == identity.id or _is_mail(name, identity.mail) or ("@" not in name and name == identity.subject)


def is_any(whom: Iterable[Whom], identity: Identity, owner: Identity | None) -> bool:
    return any(is_whom(one, identity, owner) for one in whom)


def _is_mail(name: str, mail: str) -> bool:
    # Capitals are folded in ASCII alone: elsewhere two letters may fold to one.
    return (
        bool(mail) and "@" in name and (name == mail or (_folded(name) is not None and _folded(name) == _folded(mail)))
    )


def _folded(mail: str) -> str | None:
    return mail.lower() if mail.isascii() else None
